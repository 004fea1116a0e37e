"""
File with the dates and digests of pages, which persist from one run to the next.

A text with a line per page, sorted by URL, so that changes are easy to review:

    # sitemapx dates 1: URL, date of the last change (- if unknown), digest of the content
    https://example.com/ 2026-01-05T10:00:00Z 0123456789abcdef01234567
"""

import os
import re
import stat
from collections.abc import Collection, Iterator
from contextlib import closing
from mmap import ACCESS_READ, mmap
from typing import NamedTuple

from sitemapx.convert.disk.atomic import FileDraft, error_message, replace_file
from sitemapx.convert.disk.lock import tidy_folder
from sitemapx.convert.disk.spill import DigestSet, Sorter
from sitemapx.convert.html.page import PageFile
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values.w3cdate import is_w3c
from sitemapx.errors import InputError, OutputError
from sitemapx.optionnames import option

_VERSION = 1
_HEADER = (
    f"# sitemapx dates {_VERSION}: "
    "URL, date of the last change (- if unknown), digest of the content\n"
).encode()
_header = re.compile(rb"# sitemapx dates ([0-9]{1,9})\b[^\n]*\n").match
_line = re.compile(rb"([^ \n]+) (-|[0-9TZ:.+-]+) ([0-9a-f]{24})\r?\n?").fullmatch
_unsafe = re.compile(rb"[\0-\x20\x7f]").sub


class DatedContent(NamedTuple):
    """Date of the last change of a page (None if unknown), and digest of its content."""

    date: str | None
    digest: str


class DatesFile:
    """
    Reads a file of dates, which may be missing, and writes its next version.

    Damaged lines are reported. A file of another kind or version raises `InputError`.
    """

    def __init__(self, path: str, reporter: Reporter) -> None:
        self._path = path
        self._sorter = Sorter()
        self._starts = DigestSet()
        self._data: mmap | bytes = b""
        _check_folder(path)
        self._data = _contents(path)
        if self._data:
            self._index(Reporter(reporter.handler, source=path))

    def _index(self, reporter: Reporter) -> None:
        m = _header(self._data)
        if m is None:
            message = f"not a file of content dates; pass another file to {option('dates')}"
            raise InputError(message, self._path)
        if int(m[1]) != _VERSION:
            message = f"unsupported version {int(m[1])} of the file; delete it to start over"
            raise InputError(message, self._path)
        for number, (start, row) in enumerate(self._rows(), 2):
            if row is None:
                reporter.problem("damaged-line", "damaged line", done="; ignored", line=number)
            elif self._starts.add_text(_text(row[0]), start) is not None:
                message = "another line for the same URL"
                reporter.problem("damaged-line", message, done="; ignored", line=number)

    def _rows(self) -> Iterator[tuple[int, tuple[bytes, DatedContent] | None]]:
        """Yield the offset and the content of each line; the content of a damaged line is None."""
        m = _header(self._data)
        start = m.end() if m else 0
        while start < len(self._data):
            end = self._data.find(b"\n", start) + 1 or len(self._data)
            yield start, _row(self._data[start:end])
            start = end

    def get(self, loc: str) -> DatedContent | None:
        start = self._starts.get(_text(_key(loc)))
        if start is None:
            return None
        row = _row(self._data[start : self._data.find(b"\n", start) + 1 or len(self._data)])
        return row and row[1]

    def record(self, loc: str, content: DatedContent) -> None:
        """Store the date and digest of a page; `save` writes them."""
        key = _key(loc)
        line = f" {content.date or '-'} {content.digest}\n".encode()
        self._sorter.add_rows([key], [key + line])

    def save(self, *, keeps_others: bool) -> None:
        """
        Write the recorded pages to the file, unless that would not change it.

        With `keeps_others`, pages in the file that were not recorded are kept. Raises `OutputError`
        if the file cannot be written.
        """
        if keeps_others:
            for _, row in self._rows():
                if row:
                    self.record(_text(row[0]), row[1])
        present = self._path if os.path.exists(self._path) else None
        if present and not self._data and _header(_contents(present)) is None:
            message = "another program has written it meanwhile, and not as a file of content dates"
            raise OutputError(f"cannot write {self._path}: {message}")
        if isinstance(self._data, mmap):  # Windows cannot replace a mapped file
            self._data.close()
        with closing(self._sorter), closing(self._starts):
            tidy_folder(os.path.dirname(self._path) or os.curdir)
            draft = FileDraft(self._path, present=present)
            try:
                draft.write(_HEADER)
                for line in self._lines():
                    draft.write(line)
                draft.close()
                if not draft.equals(self._path):
                    draft.complete()
                    replace_file(draft.path, self._path)
            except OSError as error:
                raise OutputError(f"cannot write {error_message(error)}") from error
            finally:
                draft.discard()

    def _lines(self) -> Iterator[bytes]:
        """Yield the sorted lines; if a page was recorded several times, the first counts."""
        last = b""
        for line in self._sorter:
            key = line.partition(b" ")[0]
            if key != last:
                yield line
            last = key


def _check_folder(path: str) -> None:
    folder = os.path.dirname(path) or os.curdir
    if not os.path.isdir(folder):
        raise OutputError(f"cannot write {path}: directory {folder} does not exist")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"cannot write {path}: no permission to write to {folder}")


def _contents(path: str) -> mmap | bytes:
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError("not a regular file", path)
            return mmap(file.fileno(), 0, access=ACCESS_READ) if status.st_size else b""
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from error


def _row(line: bytes) -> tuple[bytes, DatedContent] | None:
    m = _line(line)
    if m is None:
        return None
    date = None if m[2] == b"-" else m[2].decode()
    return (m[1], DatedContent(date, m[3].decode())) if date is None or is_w3c(date) else None


def _key(loc: str) -> bytes:
    """Return the form of a URL in the file: spaces and control characters are percent-encoded."""
    # surrogatepass: JSON may contain unpaired surrogates
    return _unsafe(lambda m: b"%%%02X" % m[0][0], loc.encode("utf-8", "surrogatepass"))


def _text(key: bytes) -> str:
    return key.decode("utf-8", "replace")


# ---- sources of dates


class LocatedPage(NamedTuple):
    """URL of a page, path of its file on disk, if any, and the file if a date source needs it."""

    loc: str
    path: str | None
    file: PageFile | None = None


class DateSource:
    """
    Source of dates for pages.

    Attributes:
        reads: Fields to read from the files of pages, see `read_page_file`; None to read no files.
        needs_all: Whether the source is also queried for pages that already have a date.

    """

    reads: Collection[str] | None = None
    needs_digest: bool = False
    needs_all: bool = False

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the date of a page (W3C Datetime) and "", or None and the reason for a message."""
        raise NotImplementedError

    def save(self, *, is_complete: bool) -> None:
        """
        Store data for the next run; called after the output was written.

        If `is_complete`, all pages were queried, so other recorded pages no longer exist.
        """
