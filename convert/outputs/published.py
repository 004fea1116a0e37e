"""The published set: names of its files, number of entries, and whether sitemapx wrote the set."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING

from sitemapx.convert.formats.format import Format
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
#: Bytes that occur once per entry (or for all entries but one) in files of these formats, and
#: rarely elsewhere.
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

#: Comment that identifies an index, and the files that it lists, as written by sitemapx.
MARK = b"<!-- a set of files, made by sitemapx -->\n"
#: Matches the end of the first page of a set of pages.
_page_mark = lazy_pattern(rb"<!-- made by sitemapx; entries: (\d+); more pages: (\d+) -->\n\Z")


def page_mark(entries: int, pages: int) -> bytes:
    """Return the comment that ends the first page, with the number of entries and further pages."""
    return b"<!-- made by sitemapx; entries: %d; more pages: %d -->\n" % (entries, pages)


class SetNames:
    def __init__(self, path: str) -> None:
        self.path = path
        self._folder, name = os.path.split(path)
        self._stem, dot, suffixes = name.partition(".")
        self._suffixes = dot + suffixes

    def child(self, name: str) -> str:
        return os.path.join(self._folder, f"{self._stem}-{name}{self._suffixes}")

    def index(self, number: int) -> str:
        """Return the path of an index, numbered from 1; XML even if the listed files are not."""
        path = self.path if number == 1 else self.child(f"index-{number}")
        packed = ".gz" if path.endswith(".gz") else ""
        plain = path.removesuffix(".gz")
        return (plain if plain.endswith(".xml") else os.path.splitext(plain)[0] + ".xml") + packed

    def indexes(self, exists: Callable[[str], bool]) -> Iterator[str]:
        """Yield the paths of consecutive indexes for which `exists` returns True."""
        number = 1
        while exists(path := self.index(number)):
            number += 1
            yield path

    def path_of(self, loc: str) -> str | None:
        """Return the local path of a listed URL, or None if the URL cannot belong to this set."""
        from urllib.parse import unquote

        name = unquote(loc.rpartition("/")[2])
        pattern = rf"{re.escape(self._stem)}-[^/\\\0]+{re.escape(self._suffixes)}"
        return os.path.join(self._folder, name) if re.fullmatch(pattern, name) else None

    def read_children(self, index: str) -> dict[str, str | None]:
        """Map each file of this set that an index lists to its lastmod; empty if unreadable."""
        with suppress(OSError, SitemapxError), read(index, report=ignore) as document:
            if document.is_index:
                paths = ((self.path_of(row.loc or ""), row.lastmod) for row in document)
                return {path: lastmod for path, lastmod in paths if path}
        return {}

    def is_own(self, index: str) -> bool:
        with open(index, "rb") as file:
            return MARK in unpack(file, Reporter())[0]

    def entries(self) -> int | None:
        """Return the recorded number of entries; None if they have to be counted."""
        return None


class PageNames(SetNames):
    """Paths of HTML pages; instead of an index, the first page lists the other pages."""

    def index(self, number: int) -> str:
        return self.path

    def indexes(self, exists: Callable[[str], bool]) -> Iterator[str]:
        if exists(self.path):
            yield self.path

    def read_children(self, index: str) -> dict[str, str | None]:
        pages = self._read_page_mark()[1]
        return {self.child(str(number)): None for number in range(1, pages + 1)}

    def is_own(self, index: str) -> bool:
        """Return True: `read_children` checks whether sitemapx wrote the pages."""
        return True

    def entries(self) -> int | None:
        return self._read_page_mark()[0]

    def _read_page_mark(self) -> tuple[int | None, int]:
        """Return the numbers of entries and further pages; (None, 0) without a `page_mark`."""
        end = b""
        with suppress(OSError, InputError), open(self.path, "rb") as file:
            stream = unpack(file, Reporter())[1]
            for chunk in iter(lambda: stream.read(_CHUNK), b""):
                end = (end + chunk)[-_CHUNK:]
        m = _page_mark.search(end)
        return (int(m[1]), int(m[2])) if m else (None, 0)


def set_names(path: str, *, is_paged: bool) -> SetNames:
    return PageNames(path) if is_paged else SetNames(path)


def own_pages(path: str) -> "Callable[[PagePlace], bool]":
    """Return a predicate for the pages of the HTML site map at `path`, which it must not list."""
    folder, name = os.path.split(os.path.realpath(path))
    stem, suffix = map(re.escape, os.path.splitext(name))
    is_own = re.compile(rf"{stem}(?:-\d+)?{suffix}").fullmatch

    def is_own_page(page: "PagePlace") -> bool:
        directory, base = os.path.split(page.path)
        is_named = path != "-" and is_own(base) is not None
        return is_named and os.path.realpath(directory or os.curdir) == folder

    return is_own_page


class PublishedSet:
    """
    The set that exists at the path of the output.

    Attributes:
        dates: The lastmod of each listed file, by path.
        files: Paths of the indexes and listed files that sitemapx wrote.
        state: Result of `_state` for each file that may be replaced.

    """

    def __init__(self, names: SetNames) -> None:
        self._path = names.path
        self._names = names
        self.dates: dict[str, str | None] = {}
        self.files: list[str] = []
        listing: list[str] = []
        for index in names.indexes(os.path.exists):
            if dates := names.read_children(index):
                self.dates |= dates
                listing.append(index)
                if names.is_own(index):
                    self.files += [index, *dates]
        self.state = {path: _state(path) for path in (names.path, *listing, *self.dates)}

    def entries(self, tolerated: float, *, of_index: bool = False) -> int:
        """
        Return the number of entries of the set, or with `of_index` of listed sitemaps.

        An upper estimate is returned instead if it is below `tolerated`.
        """
        if (noted := self._names.entries()) is not None:
            return noted
        paths = [self._path] if of_index or not self.dates else list(self.dates)
        most = sum(_estimate_entries(path) or inf for path in paths) if tolerated else inf
        return int(most) if most < tolerated else sum(map(_count_entries, paths))


def find_conflict(names: SetNames, format: Format) -> str:
    """
    Describe the file at the path of an output, if it must not be replaced in this format.

    Such files are a robots.txt, web pages that sitemapx has not written, and XML of another family,
    such as a feed in place of a sitemap. For other files, the result is empty.
    """
    if not os.path.isfile(names.path):
        return ""
    if os.path.basename(names.path) == "robots.txt":
        return "crawler rules"
    try:
        with open(names.path, "rb") as file:
            found = detect(unpack(file, Reporter())[0])
    except (OSError, InputError) as error:
        is_page = isinstance(error, InputError) and error.code == "web-page"
        return "web page" if is_page and names.entries() is None else ""
    return f"format {found.name}" if found.roots and found.family != format.family else ""


def _estimate_entries(path: str) -> int:
    """Return an upper estimate of the entries in a file; 0 if that is impossible."""
    with suppress(OSError, InputError), open(path, "rb") as file:
        start, stream = unpack(file, Reporter())
        is_array = decode_start(start).lstrip().startswith("[")  # several entries per line
        marks = _MARKS.get(detect(start).name)
        if is_array or marks is None:
            return 0
        count, tail = 1, b""
        for chunk in iter(lambda: stream.read(_CHUNK), b""):
            data = tail + chunk  # a mark may span two chunks
            count += sum(map(data.count, marks))
            tail = data[len(data) - len(marks[0]) + 1 :]
        return count if count > 1 else 0
    return 0


def _count_entries(path: str) -> int:
    count = 0
    with suppress(OSError, SitemapxError), read(path, wanted=("loc",), report=ignore) as document:
        for batch in document.batches:
            count += len(batch)
    return count


def _state(path: str) -> tuple[int, ...] | None:
    """Return a value that changes when a file is replaced; None if the file does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
