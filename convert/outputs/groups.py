"""
Sets whose files are groups of URLs, so that most new pages change only one file and the index.

A group that exceeds the limits of a file is halved, repeatedly if necessary, by a checksum of URLs.
"""

import re
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from tempfile import TemporaryFile

from sitemapx.convert.disk.draft import Draft
from sitemapx.convert.formats.limits import Limits
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.splitter import FilePart, OutputFile
from sitemapx.convert.outputs.target import GROUP_NAME, REST, Grouping
from sitemapx.convert.values import clock, urls, w3cdate

_unsafe = re.compile(r"[^a-z0-9._]+")
#: Length of the checksums in bits; after that many splits, groups are halved by position.
_BITS = 32
_PIECE = 1 << 20
#: Maximum ages of the groups, in days.
_AGES = (7, 30)


def _group_names(grouping: Grouping, batch: Batch) -> list[str]:
    """Return the group of each entry, as a name that is safe in file names."""
    if grouping.by in ("year", "age"):
        dates = zip(batch.column("lastmod"), batch.column("published"), strict=True)
        name_of = _year if grouping.by == "year" else _age
        return [
            name_of(changed or published or "") if changed or published else "undated"
            for changed, published in dates
        ]
    if grouping.by == "changefreq":
        return [word or REST for word in batch.column("changefreq")]
    if grouping.by in ("kind", "language"):
        return list(map(_kind if grouping.by == "kind" else _language, batch.entries))
    if grouping.by == "name":
        return [
            next((name for name, matches in grouping.patterns if matches(loc)), REST)
            for loc in batch.locs()
        ]
    parts = (loc.partition("?")[0].partition("#")[0].split("/") for loc in batch.locs())
    if grouping.by == "host":
        keys = [tuple(part[:3]) for part in parts]
        names = {key: _name([urls.host("/".join(key))]) for key in set(keys)}
    else:
        keys = [tuple(part[3:-1][: grouping.depth]) for part in parts]
        names = {key: _name(key) for key in set(keys)}
    return [names[key] for key in keys]


def _year(date: str) -> str:
    return date[:4]


def _age(date: str) -> str:
    age = w3cdate.moment(clock.now()) - w3cdate.moment(date)
    return next((f"{days}d" for days in _AGES if age <= timedelta(days=days)), "older")


def _kind(entry: Entry) -> str:
    if entry.news:
        return "news"
    return "videos" if entry.videos else "images" if entry.images else "pages"


def _language(entry: Entry) -> str:
    """Return the language of an entry, of its own alternate or of its news; else `REST`."""
    own = (link.hreflang for link in entry.alternates if link.href == entry.loc)
    publication = entry.news.publication if entry.news else None
    of_news = publication.language if publication else None
    found = entry.language or next(filter(None, own), None) or of_news
    return _name([found.lower()]) if found else REST


def _name(key: Sequence[str]) -> str:
    """Name a group after a host or directories; append a checksum if names could collide."""
    name = "-".join(key)
    if GROUP_NAME.fullmatch(name) and (len(key) == 1 or not any("-" in part for part in key)):
        return name
    if not name:
        return "root"
    readable = _unsafe.sub("-", name.lower()).strip("-._")[:60] or "group"
    return f"{readable}-{zlib.crc32('/'.join(key).encode('utf-8', 'replace')):08x}"


class _Group:
    """Positions, sizes and checksums of the entries of a group, and whether each has news."""

    def __init__(self) -> None:
        self.starts = array("Q")
        self.lengths = array("I")
        self.checksums = array("I")
        self.news = bytearray()
        self.fields: frozenset[str] = frozenset()

    def add_entries(self, batch: Batch, chunks: Sequence[bytes], start: int) -> None:
        """Add the entries of a batch, whose chunks are stored one after the other from `start`."""
        has_news = batch.column("news") if "news" in batch.field_counts() else [None] * len(batch)
        for loc, chunk, news in zip(batch.locs(), chunks, has_news, strict=True):
            if chunk:
                self.starts.append(start)
                self.lengths.append(len(chunk))
                self.checksums.append(zlib.crc32(loc.encode("utf-8", "replace")))
                self.news.append(news is not None)
                start += len(chunk)
        self.fields |= frozenset(batch.field_counts())


class GroupedFilling:
    """Divides entries into files by group; until `finish`, they are stored in a temporary file."""

    makes_set = can_revise = True

    def __init__(
        self,
        grouping: Grouping,
        writer: Writer,
        head: Head,
        limits: Limits | None,
        reporter: Reporter,
        new_draft: Callable[[str], Draft],
    ) -> None:
        self._grouping = grouping
        self._writer = writer
        self._head = head
        self._limits = limits
        self._reporter = reporter
        self._new_draft = new_draft
        self._groups: dict[str, _Group] = {}
        self._spool = TemporaryFile()
        self._size = 0
        self.files: list[OutputFile] = []

    @property
    def entries(self) -> int:
        return sum(len(group.starts) for group in self._groups.values())

    def add_batch(self, batch: Batch) -> None:
        names = _group_names(self._grouping, batch)
        for name in dict.fromkeys(names):
            part = batch.select([group == name for group in names])
            encoded = self._writer.encode(part)
            self._groups.setdefault(name, _Group()).add_entries(part, encoded.chunks(), self._size)
            self._size += self._spool.write(encoded.data)

    def finish(self, head: Head | None = None) -> None:
        self._head = head or self._head
        for name, group in sorted(self._groups.items()):
            for bits, numbers in self._split(group, range(len(group.starts))):
                if numbers:
                    self._write_file(f"{name}.{bits}" if bits else name, group, numbers)
        self.files.sort(key=lambda file: file.name)
        self._spool.close()

    def _split(
        self, group: _Group, numbers: Sequence[int], bits: str = ""
    ) -> Iterator[tuple[str, Sequence[int]]]:
        """
        Split entries of a group, given by their indexes, into parts that fit into a file.

        Yields the name of each part, a string of zeros and ones, and the indexes of its entries. An
        entry that is too large for a file is reported and skipped.
        """
        if self._fits(group, numbers):
            yield bits, numbers
        elif len(numbers) == 1:
            self._reporter.problem(
                "over-limit", "entry is larger than the limit of a file; skipped"
            )
        elif len(bits) < _BITS:
            halves: tuple[array[int], array[int]] = array("I"), array("I")
            for number in numbers:
                halves[group.checksums[number] >> len(bits) & 1].append(number)
            yield from self._split(group, halves[0], f"{bits}0")
            yield from self._split(group, halves[1], f"{bits}1")
        else:
            middle = len(numbers) // 2
            yield from self._split(group, numbers[:middle], f"{bits}0")
            yield from self._split(group, numbers[middle:], f"{bits}1")

    def _fits(self, group: _Group, numbers: Sequence[int]) -> bool:
        limits = self._limits
        if limits is None:
            return True
        if len(numbers) > limits.entries:
            return False
        around = len(self._writer.start(self._head, group.fields)) + len(self._writer.finish())
        return (
            around + sum(group.lengths[number] for number in numbers) <= limits.size
            and sum(group.news[number] for number in numbers) <= limits.news
        )

    def _write_file(self, name: str, group: _Group, numbers: Sequence[int]) -> None:
        file = OutputFile(name, self._new_draft(name), self._writer, self._head, limits=None)
        self.files.append(file)
        for data, count in self._pieces(group, numbers):
            file.write(FilePart(data, count, 0, group.fields))
        file.finish()

    def _pieces(self, group: _Group, numbers: Sequence[int]) -> Iterator[tuple[bytes, int]]:
        """Yield (data, number of entries) for pieces of about 1 MiB."""
        parts: list[bytes] = []
        size = 0
        for number in numbers:
            self._spool.seek(group.starts[number])
            parts.append(self._spool.read(group.lengths[number]))
            size += group.lengths[number]
            if size > _PIECE:
                yield b"".join(parts), len(parts)
                parts, size = [], 0
        yield b"".join(parts), len(parts)

    def discard(self) -> None:
        self._spool.close()
        for file in self.files:
            file.draft.discard()
