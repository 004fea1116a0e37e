"""
The file in which the digests of pages are kept from one run to the next, with their dates.

A text with a line for each page, sorted by URL, so that a change of it is easy to review:

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
from sitemapx.convert.disk.spill import Seen, Sorter
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
_odd = re.compile(rb"[\0-\x20\x7f]").sub


class DatedContent(NamedTuple):
    """
    What is kept of a page.

    Attributes:
        date: When its content changed last; None if that is not known.
        digest: The digest of its content.

    """

    date: str | None
    digest: str


class DatesFile:
    """
    A file of dates: what it says, and what it is to say for the next run.

    The lines that are there stay on disk; only where each begins is in memory.
    """

    def __init__(self, path: str, reporter: Reporter) -> None:
        """
        Read a file, if it is there.

        Args:
            path: Where it is.
            reporter: Reports lines that are damaged (`damaged-line`).

        Raises:
            InputError: If it cannot be read, or is no such file.
            OutputError: If it will not be possible to write it.

        """
        self._path = path
        self._sorter = Sorter()
        self._starts = Seen()
        self._data: mmap | bytes = b""
        _check_folder(path)
        self._data = _contents(path)
        if self._data:
            self._index(Reporter(reporter.handler, source=path))

    def _index(self, reporter: Reporter) -> None:
        """
        Note where each line begins.

        Raises:
            InputError: If it is no file of dates.

        """
        m = _header(self._data)
        if m is None:
            message = f"not a file of dates; name another one with {option('dates')}"
            raise InputError(message, self._path)
        if int(m[1]) != _VERSION:
            message = f"unsupported version {int(m[1])} of a file of dates; delete it to begin anew"
            raise InputError(message, self._path)
        for number, (start, row) in enumerate(self._rows(), 2):
            if row is None:
                reporter.problem("damaged-line", "line is damaged", done="; ignored", line=number)
            elif self._starts.first(_text(row[0]), start) is not None:
                message = "URL has another line before"
                reporter.problem("damaged-line", message, done="; ignored", line=number)

    def _rows(self) -> Iterator[tuple[int, tuple[bytes, DatedContent] | None]]:
        """Return where each line begins, and what it says; None if it is damaged."""
        m = _header(self._data)
        start = m.end() if m else 0
        while start < len(self._data):
            end = self._data.find(b"\n", start) + 1 or len(self._data)
            yield start, _row(self._data[start:end])
            start = end

    def get(self, loc: str) -> DatedContent | None:
        """Return what was kept of a page."""
        start = self._starts.get(_text(_key(loc)))
        if start is None:
            return None
        row = _row(self._data[start : self._data.find(b"\n", start) + 1 or len(self._data)])
        return row and row[1]

    def note(self, loc: str, content: DatedContent) -> None:
        """Note what is to be kept of a page."""
        key = _key(loc)
        line = f" {content.date or '-'} {content.digest}\n".encode()
        self._sorter.add([key], [key + line])

    def save(self, *, keeps_others: bool) -> None:
        """
        Write what was noted, in place of what is there; a file that is the same stays untouched.

        Args:
            keeps_others: Whether the lines of pages that were not noted stay.

        Raises:
            OutputError: If that cannot be done.

        """
        if keeps_others:
            for _, row in self._rows():
                if row:
                    self.note(_text(row[0]), row[1])
        present = self._path if os.path.exists(self._path) else None
        if present and not self._data and _header(_contents(present)) is None:
            message = "it was written meanwhile, and is not a file of dates"
            raise OutputError(f"cannot write {self._path}: {message}")
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
        """Return the lines in order; of a page that was noted several times, the first."""
        last = b""
        for line in self._sorter:
            key = line.partition(b" ")[0]
            if key != last:
                yield line
            last = key


def _check_folder(path: str) -> None:
    """
    Check early that a file can be written.

    Raises:
        OutputError: If it cannot.

    """
    folder = os.path.dirname(path) or os.curdir
    if not os.path.isdir(folder):
        raise OutputError(f"cannot write {path}: directory {folder} does not exist")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"cannot write {path}: no permission to write to {folder}")


def _contents(path: str) -> mmap | bytes:
    """
    Return what is in a file, without reading it yet; nothing if there is none.

    Raises:
        InputError: If it cannot be read, or is no file.

    """
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise InputError("not a regular file", path)
            return mmap(file.fileno(), 0, access=ACCESS_READ) if found.st_size else b""
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from error


def _row(line: bytes) -> tuple[bytes, DatedContent] | None:
    """Read a line; None if it is damaged."""
    m = _line(line)
    if m is None:
        return None
    date = None if m[2] == b"-" else m[2].decode()
    return (m[1], DatedContent(date, m[3].decode())) if date is None or is_w3c(date) else None


def _key(loc: str) -> bytes:
    """Return a URL as it is written, without spaces."""
    # surrogatepass: JSON may hold halves of surrogate pairs
    return _odd(lambda m: b"%%%02X" % m[0][0], loc.encode("utf-8", "surrogatepass"))


def _text(key: bytes) -> str:
    return key.decode("utf-8", "replace")


# ---- the interface of what knows when pages changed


class LocatedPage(NamedTuple):
    """
    A page, and where it is on disk.

    Attributes:
        loc: Its address.
        path: The path of its file; None if there is none.
        file: What was found in it; None if no source wants to know.

    """

    loc: str
    path: str | None
    file: PageFile | None = None


class DateSource:
    """
    Knows when pages changed.

    Attributes:
        reads: What is to be read of the files of pages, as for `read_page_file`; None for nothing.
        needs_digest: Whether it needs the digests of their content.
        needs_all: Whether it is asked for pages that have a date already, too.

    """

    reads: Collection[str] | None = None
    needs_digest: bool = False
    needs_all: bool = False

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the date of a page; or None, and in words why there is none."""
        raise NotImplementedError

    def save(self, *, is_complete: bool) -> None:
        """
        Keep for the next run what is to be kept; called when the output was written.

        Args:
            is_complete: Whether all sources were read completely, so that other pages are gone.

        """
