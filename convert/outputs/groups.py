"""
Sets whose files are groups: a URL is always in the same file, whatever else the set holds.

So a page that is new changes one file and the index, and engines read these two again, as the
protocol advises for large sites. A group too large for one file is halved by a checksum of its
URLs, and each half again, as far as it must; so the files of a large group stay as they are, too.
"""

import re
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from tempfile import TemporaryFile

from sitemapx.convert.disk.draft import Draft
from sitemapx.convert.formats.limits import Limits
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.splitter import FilePart, OutputFile
from sitemapx.convert.outputs.target import GROUP_NAME, REST, Grouping
from sitemapx.convert.values import urls

_odd = re.compile(r"[^a-z0-9._]+")
#: So many bits have the checksums; beyond that, halves are halves by position.
_BITS = 32
_PIECE = 1 << 20


def _group_names(grouping: Grouping, batch: Batch) -> list[str]:
    """Name the group of each entry, fit for the name of a file: equal for those of one group."""
    if grouping.by == "year":
        dates = zip(batch.column("lastmod"), batch.column("published"), strict=True)
        return [(changed or published or "")[:4] or "undated" for changed, published in dates]
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


def _name(key: Sequence[str]) -> str:
    """Name a group after a host or folders; a checksum tells apart what would be called alike."""
    name = "-".join(key)
    if GROUP_NAME.fullmatch(name) and (len(key) == 1 or not any("-" in part for part in key)):
        return name
    if not name:
        return "root"
    readable = _odd.sub("-", name.lower()).strip("-._")[:60] or "group"
    return f"{readable}-{zlib.crc32('/'.join(key).encode('utf-8', 'replace')):08x}"


class _Group:
    """The entries of a group: where each is in the spool, how long, and its checksum."""

    def __init__(self) -> None:
        self.starts = array("Q")
        self.lengths = array("I")
        self.checksums = array("I")
        self.news = bytearray()
        self.fields: frozenset[str] = frozenset()

    def add(self, batch: Batch, chunks: Sequence[bytes], start: int) -> None:
        """Take entries that stand one after the other in the spool."""
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
    """
    Files of groups, which are made at the end: until then all is in a temporary file.

    Attributes:
        files: None before the end; then in the order of their names.

    """

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
        """
        Begin.

        Args:
            new_draft: Makes the draft of the file of this name, or raises.

        """
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
        """The number of entries by now."""
        return sum(len(group.starts) for group in self._groups.values())

    def add(self, batch: Batch) -> None:
        """Take some entries."""
        names = _group_names(self._grouping, batch)
        for name in dict.fromkeys(names):
            part = batch.select([one == name for one in names])
            encoded = self._writer.encode(part)
            self._groups.setdefault(name, _Group()).add(part, encoded.chunks(), self._size)
            self._size += self._spool.write(encoded.data)

    def finish(self, head: Head | None = None) -> None:
        """Make the files, with another head if there is one."""
        self._head = head or self._head
        for name, group in sorted(self._groups.items()):
            for bits, numbers in self._halved(group, range(len(group.starts))):
                self._make(f"{name}.{bits}" if bits else name, group, numbers)
        self.files.sort(key=lambda file: file.name)
        self._spool.close()

    def _halved(
        self, group: _Group, numbers: Sequence[int], bits: str = ""
    ) -> Iterator[tuple[str, Sequence[int]]]:
        """Return parts of a group that each fit into a file, and their names in zeros and ones."""
        if self._fit(group, numbers):
            yield bits, numbers
        elif len(numbers) == 1:
            self._reporter.problem(
                "over-limit", "entry is larger than the limit of a file; skipped"
            )
        elif len(bits) < _BITS:
            halves: tuple[array[int], array[int]] = array("I"), array("I")
            for number in numbers:
                halves[group.checksums[number] >> len(bits) & 1].append(number)
            yield from self._halved(group, halves[0], f"{bits}0")
            yield from self._halved(group, halves[1], f"{bits}1")
        else:
            middle = len(numbers) // 2
            yield from self._halved(group, numbers[:middle], f"{bits}0")
            yield from self._halved(group, numbers[middle:], f"{bits}1")

    def _fit(self, group: _Group, numbers: Sequence[int]) -> bool:
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

    def _make(self, name: str, group: _Group, numbers: Sequence[int]) -> None:
        if not numbers:
            return
        file = OutputFile(name, self._new_draft(name), self._writer, self._head, limits=None)
        self.files.append(file)
        for data, count in self._pieces(group, numbers):
            file.write(FilePart(data, count, 0, group.fields))
        file.finish()

    def _pieces(self, group: _Group, numbers: Sequence[int]) -> Iterator[tuple[bytes, int]]:
        """Read what stands in these places, as much at a time as is worth it."""
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
        """Remove all files."""
        self._spool.close()
        for file in self.files:
            file.draft.discard()
