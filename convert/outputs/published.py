"""The set that is published already: its names, its files, and whether they are this tool's."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from urllib.parse import unquote

from sitemapx.convert.formats.detection import detect
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.read import read
from sitemapx.convert.streams.gzip import unpack
from sitemapx.errors import InputError, SitemapxError

__all__ = ["MARK", "PublishedSet", "SetNames"]

#: Stands once for each entry in files of these formats, or for all but one, and rarely else.
_MARKS = {"sitemap": (b"<url", b":url"), "text": (b"\n", b"\r")}
_CHUNK = 1 << 20

#: Stands in the index of each set: what such an index lists was made by this tool.
MARK = b"<!-- a set of files, made by sitemapx -->\n"


class SetNames:
    """The names of the files of a set."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._folder, name = os.path.split(path)
        self._stem, dot, suffixes = name.partition(".")
        self._suffixes = dot + suffixes

    def child(self, name: str) -> str:
        """Return the path of the child of this name, or number."""
        return os.path.join(self._folder, f"{self._stem}-{name}{self._suffixes}")

    def index(self, number: int) -> str:
        """Return the path of an index, which is XML whatever its children are."""
        path = self.path if number == 1 else self.child(f"index-{number}")
        packed = ".gz" if path.endswith(".gz") else ""
        plain = path.removesuffix(".gz")
        return (plain if plain.endswith(".xml") else os.path.splitext(plain)[0] + ".xml") + packed

    def indexes(self, is_there: Callable[[str], bool]) -> Iterator[str]:
        """List the paths of the indexes that are there."""
        number = 1
        while is_there(path := self.index(number)):
            number += 1
            yield path

    def path_of(self, loc: str) -> str | None:
        """Find the child that an index lists; None if it cannot be one of this set."""
        name = unquote(loc.rpartition("/")[2])
        pattern = rf"{re.escape(self._stem)}-[^/\\\0]+{re.escape(self._suffixes)}"
        return os.path.join(self._folder, name) if re.fullmatch(pattern, name) else None

    def listed(self, index: str) -> dict[str, str | None]:
        """Read which children of this set an index lists, and their dates; none if it is none."""
        with suppress(OSError, SitemapxError), read(index, report=ignore) as document:
            if document.is_index:
                paths = ((self.path_of(row.loc or ""), row.lastmod) for row in document)
                return {path: lastmod for path, lastmod in paths if path}
        return {}


class PublishedSet:
    """
    The set that stands there.

    Attributes:
        dates: The lastmod of each child, by its path.
        files: The indexes and children that this tool made.
        state: Of all files that may be replaced, which contents they have; None if there is none.

    """

    def __init__(self, names: SetNames) -> None:
        self._path = names.path
        self.dates: dict[str, str | None] = {}
        self.files: list[str] = []
        listing: list[str] = []
        for index in names.indexes(os.path.exists):
            if dates := names.listed(index):
                self.dates |= dates
                listing.append(index)
                if _is_marked(index):
                    self.files += [index, *dates]
        self.state = {path: _state(path) for path in (names.path, *listing, *self.dates)}

    def entries(self, tolerated: float, *, of_index: bool = False) -> int:
        """
        Count the entries; exactly, unless they are surely fewer than those tolerated.

        Args:
            of_index: Whether an index is what is published, and not what it lists.

        """
        paths = [self._path] if of_index or not self.dates else list(self.dates)
        most = sum(_estimated_entries(path) or inf for path in paths) if tolerated else inf
        return int(most) if most < tolerated else sum(map(_counted_entries, paths))


def _estimated_entries(path: str) -> int:
    """Count entries without reading them, rather too many than too few; 0 if it cannot be done."""
    with suppress(OSError, InputError), open(path, "rb") as file:
        start, stream = unpack(file, Reporter())
        if not (marks := _MARKS.get(detect(start).name)):
            return 0
        count, tail = 1, b""
        for chunk in iter(lambda: stream.read(_CHUNK), b""):
            data = tail + chunk  # a mark may begin in one chunk and end in the next
            count += sum(map(data.count, marks))
            tail = data[len(data) - len(marks[0]) + 1 :]
        return count if count > 1 else 0
    return 0


def _counted_entries(path: str) -> int:
    """Count entries; what cannot be read has none."""
    count = 0
    with suppress(OSError, SitemapxError), read(path, wanted=("loc",), report=ignore) as document:
        for batch in document.batches:
            count += len(batch)
    return count


def _state(path: str) -> tuple[int, ...] | None:
    """Return the state of a file, which is another one once the file is replaced."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _is_marked(path: str) -> bool:
    with open(path, "rb") as file:
        return MARK in unpack(file, Reporter())[0]
