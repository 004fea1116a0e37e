"""The set that is published already: its names, its files, and whether they are this tool's."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING

from sitemapx.convert.formats.registry import detect
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.read import read
from sitemapx.convert.streams.encodings import decode_start
from sitemapx.convert.streams.gzip import unpack
from sitemapx.errors import InputError, SitemapxError
from sitemapx.patterns import lazy_pattern

if TYPE_CHECKING:
    from sitemapx.convert.html.page import PagePlace


_LINES = b"\n", b"\r"
_ITEMS = b"<item", b":item"
#: Stands once for each entry in files of these formats, or for all but one, and rarely else.
_MARKS = {
    "sitemap": (b"<url", b":url"),
    "text": _LINES,
    "jsonl": _LINES,
    "csv": _LINES,
    "rss": _ITEMS,
    "mrss": _ITEMS,
    "atom": (b"<entry", b":entry"),
}
_CHUNK = 1 << 20

#: Stands in the index of each set: what such an index lists was made by this tool.
MARK = b"<!-- a set of files, made by sitemapx -->\n"


#: Ends the first page of a set of pages.
_page_mark = lazy_pattern(rb"<!-- made by sitemapx; entries: (\d+); more pages: (\d+) -->\n\Z")


def page_mark(entries: int, pages: int) -> bytes:
    """Return what ends a first page: how many entries there are, and on how many more pages."""
    return b"<!-- made by sitemapx; entries: %d; more pages: %d -->\n" % (entries, pages)


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
        from urllib.parse import unquote

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

    def is_own(self, index: str) -> bool:
        """Return whether this tool made an index and what it lists."""
        with open(index, "rb") as file:
            return MARK in unpack(file, Reporter())[0]

    def entries(self) -> int | None:
        """Return the number of entries if it is noted; otherwise they have to be counted."""
        return None


class PageNames(SetNames):
    """The names of pages, the first of which lists the others in place of an index."""

    def index(self, number: int) -> str:
        """Return the path of the first page; it is the only one that lists others."""
        return self.path

    def indexes(self, is_there: Callable[[str], bool]) -> Iterator[str]:
        """Return the first page, if it is there."""
        if is_there(self.path):
            yield self.path

    def listed(self, index: str) -> dict[str, str | None]:
        """Return the other pages of this set; none if this tool did not make it."""
        pages = self._noted()[1]
        return {self.child(str(number)): None for number in range(1, pages + 1)}

    def is_own(self, index: str) -> bool:
        """Return that it is: other pages list none."""
        return True

    def entries(self) -> int | None:
        """Return the number of entries of a set that this tool made."""
        return self._noted()[0]

    def _noted(self) -> tuple[int | None, int]:
        """Return what the first page ends with: entries, and more pages."""
        end = b""
        with suppress(OSError, InputError), open(self.path, "rb") as file:
            stream = unpack(file, Reporter())[1]
            for chunk in iter(lambda: stream.read(_CHUNK), b""):
                end = (end + chunk)[-_CHUNK:]
        found = _page_mark.search(end)
        return (int(found[1]), int(found[2])) if found else (None, 0)


def set_names(path: str, *, is_paged: bool) -> SetNames:
    """
    Return the names of the files of a set.

    Args:
        is_paged: Whether they are pages that link to each other.

    """
    return PageNames(path) if is_paged else SetNames(path)


def own_pages(path: str) -> "Callable[[PagePlace], bool]":
    """
    Return a function that tells whether a page is one of a set, which does not list itself.

    Args:
        path: Path of the first page; `-` for standard output, of which nothing is a file.

    """
    folder, name = os.path.split(os.path.realpath(path))
    stem, suffix = map(re.escape, os.path.splitext(name))
    is_own = re.compile(rf"{stem}(?:-\d+)?{suffix}").fullmatch

    def tells(page: "PagePlace") -> bool:
        directory, base = os.path.split(page.path)
        is_named = path != "-" and is_own(base) is not None
        return is_named and os.path.realpath(directory or os.curdir) == folder

    return tells


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
        self._names = names
        self.dates: dict[str, str | None] = {}
        self.files: list[str] = []
        listing: list[str] = []
        for index in names.indexes(os.path.exists):
            if dates := names.listed(index):
                self.dates |= dates
                listing.append(index)
                if names.is_own(index):
                    self.files += [index, *dates]
        self.state = {path: _state(path) for path in (names.path, *listing, *self.dates)}

    def entries(self, tolerated: float, *, of_index: bool = False) -> int:
        """
        Count the entries; exactly, unless they are surely fewer than those tolerated.

        Args:
            of_index: Whether an index is what is published, and not what it lists.

        """
        if (noted := self._names.entries()) is not None:
            return noted
        paths = [self._path] if of_index or not self.dates else list(self.dates)
        most = sum(_estimated_entries(path) or inf for path in paths) if tolerated else inf
        return int(most) if most < tolerated else sum(map(_counted_entries, paths))


def _estimated_entries(path: str) -> int:
    """Count entries without reading them, rather too many than too few; 0 if it cannot be done."""
    with suppress(OSError, InputError), open(path, "rb") as file:
        start, stream = unpack(file, Reporter())
        is_array = decode_start(start).lstrip().startswith("[")  # which has many in a line
        marks = _MARKS.get(detect(start).name)
        if is_array or marks is None:
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
