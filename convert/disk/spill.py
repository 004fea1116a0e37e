"""
Collections that stay small in memory, however much is put in.

What is more than a little goes to disk, into a temporary database; the environment variable
TMPDIR says in which folder. Whoever makes a collection closes it.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemapx.convert.disk.tempdb import Database


#: So many take 100 MB.
_TEXTS_IN_MEMORY = 1_000_000
BYTES_IN_MEMORY = 64 << 20
#: What Python needs for a row of two byte strings, besides their contents.
_ROW = 150
#: Of what is written and read but once, little needs to be at hand.
_SMALL_CACHE_KIB = 1024


class _Spill:
    """A collection with a temporary database for what is more than a little."""

    def __init__(self) -> None:
        self._database: Database | None = None

    def _opened(self, table: str, *cache: int) -> "Database":
        """Return the database; SQLite is imported, and the table made, when it is needed first."""
        if self._database is None:
            from sitemapx.convert.disk.tempdb import Database

            self._database = Database(table, *cache)
        return self._database

    def close(self) -> None:
        """Release the disk space."""
        if self._database is not None:
            self._database.close()


class Seen(_Spill):
    """
    Tells which texts come for the first time, and what was noted of the others then.

    Keeps of each a hash of 16 bytes, https://www.rfc-editor.org/rfc/rfc7693: among a trillion
    texts, no two are likely to have the same.
    """

    def __init__(self, in_memory: int = _TEXTS_IN_MEMORY) -> None:
        from hashlib import blake2b

        self._hash = blake2b
        super().__init__()
        self._most = in_memory
        self._digests: dict[bytes, int] = {}

    def add(self, texts: Iterable[str | None]) -> list[bool]:
        """
        Take some texts, and tell of each whether it is new; None always is.

        Raises:
            OutputError: If there is no room on disk.

        """
        return [text is None or self.first(text, 0) is None for text in texts]

    def first(self, text: str, note: int) -> int | None:
        """
        Take a text, with a note; give the note of its like that came first, None if none did.

        Raises:
            OutputError: If there is no room on disk.

        """
        digest = self._digest(text)
        if (found := self._digests.get(digest)) is not None:
            return found
        if len(self._digests) < self._most:
            self._digests[digest] = note
            return None
        database = self._opened("seen (digest BLOB PRIMARY KEY, note INTEGER) WITHOUT ROWID")
        row = (digest, note)
        if database.changes("INSERT OR IGNORE INTO seen VALUES (?, ?)", row):
            return None
        return self._look_up(digest)

    def get(self, text: str) -> int | None:
        """Return the note of a text that came before, None if it did not."""
        digest = self._digest(text)
        found = self._digests.get(digest)
        return self._look_up(digest) if found is None else found

    def _digest(self, text: str) -> bytes:
        # surrogatepass: JSON may hold halves of surrogate pairs
        data = text.encode("utf-8", "surrogatepass")
        return self._hash(data, digest_size=16).digest()

    def _look_up(self, digest: bytes) -> int | None:
        if self._database is None:
            return None
        rows = self._database.select("SELECT note FROM seen WHERE digest = ?", (digest,))
        return next((int(note) for (note,) in rows), None)


class Notes(_Spill):
    """
    Remembers numbers that are hashes of texts, and what was noted of each when it came first.

    Of a million texts, two have the same hash of 64 bits in one run of thirty million.
    """

    def __init__(self) -> None:
        super().__init__()
        self._notes: dict[int, int] = {}

    def of(self, hashes: Sequence[int]) -> dict[int, int]:
        """
        Return the notes of those that came before.

        Raises:
            OutputError: If there is no room on disk.

        """
        found: dict[int, int] = {}
        if not self._notes.keys().isdisjoint(hashes):
            found = {one: self._notes[one] for one in hashes if one in self._notes}
        if self._database:
            query = "SELECT hash, note FROM notes WHERE hash IN (SELECT value FROM json_each(?))"
            found |= self._database.select(query, [f"[{','.join(map(str, sorted(hashes)))}]"])
        return found

    def add(self, notes: dict[int, int]) -> None:
        """
        Take the notes of hashes of which none came before.

        Raises:
            OutputError: If there is no room on disk.

        """
        if len(self._notes) < _TEXTS_IN_MEMORY:
            self._notes |= notes
            return
        database = self._opened("notes (hash INTEGER PRIMARY KEY, note INTEGER)")
        database.insert("INSERT OR IGNORE INTO notes VALUES (?, ?)", sorted(notes.items()))


class Sorter(_Spill):
    """Sorts rows by their keys; rows of the same key stay in order."""

    def __init__(self, in_memory: int = BYTES_IN_MEMORY, *cache: int) -> None:
        super().__init__()
        self._most = in_memory
        self._cache = cache
        self._rows: list[tuple[bytes, bytes]] = []
        self._size = 0

    def add(self, keys: Sequence[bytes], rows: Sequence[bytes]) -> None:
        """
        Take some rows, each with its key.

        Raises:
            OutputError: If there is no room on disk.

        """
        self._rows += zip(keys, rows, strict=True)
        self._size += sum(map(len, keys)) + sum(map(len, rows)) + _ROW * len(rows)
        if self._size > self._most:
            self._spill()

    def _spill(self) -> None:
        database = self._opened("rows (key BLOB, data BLOB)", *self._cache)
        database.insert("INSERT INTO rows VALUES (?, ?)", self._rows)
        self._rows.clear()
        self._size = 0

    def __iter__(self) -> Iterator[bytes]:
        """
        Return the rows, sorted.

        Raises:
            OutputError: If there is no room on disk.

        """
        if self._database is None:
            self._rows.sort(key=itemgetter(0))
            yield from map(itemgetter(1), self._rows)
        else:
            self._spill()
            rows = self._database.select("SELECT data FROM rows ORDER BY key, rowid")
            yield from map(itemgetter(0), rows)


class DiskQueue(_Spill):
    """Keeps rows in their order."""

    def __init__(self, in_memory: int = BYTES_IN_MEMORY) -> None:
        super().__init__()
        self._most = in_memory
        self._rows: list[bytes] = []
        self._size = 0

    def add(self, row: bytes) -> None:
        """
        Take a row.

        Raises:
            OutputError: If there is no room on disk.

        """
        self._rows.append(row)
        self._size += len(row) + _ROW
        if self._size > self._most:
            database = self._opened("rows (data BLOB)", _SMALL_CACHE_KIB)
            database.insert("INSERT INTO rows VALUES (?)", zip(self._rows, strict=True))
            self._rows.clear()
            self._size = 0

    def __iter__(self) -> Iterator[bytes]:
        """Return the rows."""
        if self._database is not None:
            rows = self._database.select("SELECT data FROM rows ORDER BY rowid")
            yield from map(itemgetter(0), rows)
        yield from self._rows

    def clear(self) -> None:
        """Forget all rows."""
        self.close()
        self._database = None
        self._rows.clear()
        self._size = 0
