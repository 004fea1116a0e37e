"""
Collections that use little memory regardless of their size.

Beyond a limit, data goes to a temporary file in TMPDIR. Collections have to be closed. Methods
raise `OutputError` if the disk is full.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from operator import itemgetter
from typing import IO, TYPE_CHECKING

from sitemapx.errors import OutputError

if TYPE_CHECKING:
    from sitemapx.convert.disk.tempdb import Database


#: Maximum number of texts in memory, which take about 100 MB.
_TEXTS_IN_MEMORY = 1_000_000
BYTES_IN_MEMORY = 64 << 20
#: Overhead in memory of a row of two byte strings, in bytes.
_ROW = 150
#: Cache of a database whose rows are written and read only once.
_SMALL_CACHE_KIB = 1024


class _Spill:
    def __init__(self) -> None:
        self._database: Database | None = None

    def _open(self, table: str, *cache: int) -> "Database":
        if self._database is None:
            from sitemapx.convert.disk.tempdb import Database

            self._database = Database(table, *cache)
        return self._database

    def close(self) -> None:
        if self._database is not None:
            self._database.close()


class DigestSet(_Spill):
    """
    Map of texts to numbers, which stores a BLAKE2b hash of 16 bytes instead of each text.

    The probability of a collision among a trillion texts is below 1 in 10**14.
    """

    def __init__(self, in_memory: int = _TEXTS_IN_MEMORY) -> None:
        from hashlib import blake2b

        self._hash = blake2b
        super().__init__()
        self._most = in_memory
        self._digests: dict[bytes, int] = {}

    def add_texts(self, texts: Iterable[str | None]) -> list[bool]:
        """Add texts, and return for each whether the text is new; None is always new."""
        return [text is None or self.add_text(text, 0) is None for text in texts]

    def add_text(self, text: str, note: int) -> int | None:
        """Store a number for a new text and return None; for a known text, return its number."""
        digest = self._digest(text)
        if (found := self._digests.get(digest)) is not None:
            return found
        if len(self._digests) < self._most:
            self._digests[digest] = note
            return None
        database = self._open("seen (digest BLOB PRIMARY KEY, note INTEGER) WITHOUT ROWID")
        row = (digest, note)
        if database.changes("INSERT OR IGNORE INTO seen VALUES (?, ?)", row):
            return None
        return self._look_up(digest)

    def get(self, text: str) -> int | None:
        digest = self._digest(text)
        found = self._digests.get(digest)
        return self._look_up(digest) if found is None else found

    def _digest(self, text: str) -> bytes:
        # surrogatepass: JSON may contain unpaired surrogates
        data = text.encode("utf-8", "surrogatepass")
        return self._hash(data, digest_size=16).digest()

    def _look_up(self, digest: bytes) -> int | None:
        if self._database is None:
            return None
        rows = self._database.select("SELECT note FROM seen WHERE digest = ?", (digest,))
        return next((int(note) for (note,) in rows), None)


class HashNotes(_Spill):
    """
    Map of 64-bit hashes of texts to numbers, in memory or on disk.

    The probability that two of a million texts have the same hash is 1 in 37 million.
    """

    def __init__(self) -> None:
        super().__init__()
        self._notes: dict[int, int] = {}

    def find(self, hashes: Sequence[int]) -> dict[int, int]:
        found: dict[int, int] = {}
        if not self._notes.keys().isdisjoint(hashes):
            found = {value: self._notes[value] for value in hashes if value in self._notes}
        if self._database:
            query = "SELECT hash, note FROM notes WHERE hash IN (SELECT value FROM json_each(?))"
            found |= self._database.select(query, [f"[{','.join(map(str, sorted(hashes)))}]"])
        return found

    def add_notes(self, notes: dict[int, int]) -> None:
        if len(self._notes) < _TEXTS_IN_MEMORY:
            self._notes |= notes
            return
        database = self._open("notes (hash INTEGER PRIMARY KEY, note INTEGER)")
        database.insert("INSERT OR IGNORE INTO notes VALUES (?, ?)", sorted(notes.items()))


class RepeatCounter:
    """Counts hashes that occurred before; see `HashNotes` for the probability of collisions."""

    def __init__(self, in_memory: int = _TEXTS_IN_MEMORY) -> None:
        self._most = in_memory
        self._seen: set[int] = set()
        self._repeated = 0
        self._file: IO[bytes] | None = None
        self._sizes: list[int] = []

    def add_hashes(self, hashes: Sequence[int]) -> None:
        before = len(self._seen)
        self._seen.update(hashes)
        self._repeated += len(hashes) - (len(self._seen) - before)
        if len(self._seen) > self._most:
            self._spill()

    def _spill(self) -> None:
        from tempfile import TemporaryFile, gettempdir

        if self._file is None:
            self._file = TemporaryFile()
        try:
            array("q", sorted(self._seen)).tofile(self._file)
            self._file.flush()
        except OSError as error:
            raise OutputError.from_os_error(gettempdir(), error) from error
        self._sizes.append(len(self._seen))
        self._seen.clear()

    def count(self) -> int:
        """Return the number of added hashes that an equal hash preceded."""
        if self._file is None:
            return self._repeated
        self._spill()
        distinct = sum(map(len, self._ranges(self._file)))
        return self._repeated + sum(self._sizes) - distinct

    def _ranges(self, file: IO[bytes]) -> Iterator[set[int]]:
        """Yield the distinct hashes in the file, in several sets that each fit into memory."""
        from mmap import ACCESS_READ, mmap

        parts = 2 * -(-sum(self._sizes) // self._most)
        bounds = [number * (1 << 64) // parts - (1 << 63) for number in range(1, parts + 1)]
        ends = list(accumulate(self._sizes))
        starts = [0, *ends[:-1]]
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            hashes = memoryview(data).cast("q")
            for bound in bounds:
                stops = [
                    bisect_left(hashes, bound, start, end)
                    for start, end in zip(starts, ends, strict=True)
                ]
                yield set().union(*map(hashes.__getitem__, map(slice, starts, stops)))
                starts = stops
            hashes.release()

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # the disk is full, and the file not needed
                self._file.close()


class Sorter(_Spill):
    """Sorts byte strings by keys; rows with equal keys keep their order."""

    def __init__(self, in_memory: int = BYTES_IN_MEMORY, *cache: int) -> None:
        super().__init__()
        self._most = in_memory
        self._cache = cache
        self._rows: list[tuple[bytes, bytes]] = []
        self._size = 0

    def add_rows(self, keys: Sequence[bytes], rows: Sequence[bytes]) -> None:
        self._rows += zip(keys, rows, strict=True)
        self._size += sum(map(len, keys)) + sum(map(len, rows)) + _ROW * len(rows)
        if self._size > self._most:
            self._spill()

    def _spill(self) -> None:
        database = self._open("rows (key BLOB, data BLOB)", *self._cache)
        database.insert("INSERT INTO rows VALUES (?, ?)", self._rows)
        self._rows.clear()
        self._size = 0

    def __iter__(self) -> Iterator[bytes]:
        if self._database is None:
            self._rows.sort(key=itemgetter(0))
            yield from map(itemgetter(1), self._rows)
        else:
            self._spill()
            rows = self._database.select("SELECT data FROM rows ORDER BY key, rowid")
            yield from map(itemgetter(0), rows)


class DiskQueue(_Spill):
    def __init__(self, in_memory: int = BYTES_IN_MEMORY) -> None:
        super().__init__()
        self._most = in_memory
        self._rows: list[bytes] = []
        self._size = 0

    def add_row(self, row: bytes) -> None:
        self._rows.append(row)
        self._size += len(row) + _ROW
        if self._size > self._most:
            database = self._open("rows (data BLOB)", _SMALL_CACHE_KIB)
            database.insert("INSERT INTO rows VALUES (?)", zip(self._rows, strict=True))
            self._rows.clear()
            self._size = 0

    def __iter__(self) -> Iterator[bytes]:
        if self._database is not None:
            rows = self._database.select("SELECT data FROM rows ORDER BY rowid")
            yield from map(itemgetter(0), rows)
        yield from self._rows

    def clear(self) -> None:
        self.close()
        self._database = None
        self._rows.clear()
        self._size = 0
