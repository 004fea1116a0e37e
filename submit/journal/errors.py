"""Explain in one line why the journal cannot be read or written, and what to do about it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sitemapx.errors import InputError, OutputError, SitemapxError
from sitemapx.optionnames import option

__all__ = ["journal_errors"]

_REBUILD = "`sitemapx submit journal rebuild` recovers what can be read"
_SPACE = "free some space, then run again"
#: By the code of an error, or by that without its extension; `{journal}` is an option.
_REASONS = {
    sqlite3.SQLITE_FULL: f"the disk is full; {_SPACE}",
    sqlite3.SQLITE_IOERR_SHMSIZE: f"the disk is full, or the file size limit was reached; {_SPACE}",
    sqlite3.SQLITE_CORRUPT: f"the file is damaged; {_REBUILD}",
    sqlite3.SQLITE_READONLY: "it is read-only; pass {journal} to use another",
    sqlite3.SQLITE_PERM: "permission denied; pass {journal} to use another",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; pass {journal} to use another",
    sqlite3.SQLITE_BUSY: "it is locked by another program",
    sqlite3.SQLITE_LOCKED: "it is locked by another program",
    sqlite3.SQLITE_IOERR: "I/O error, or the file size limit was reached",
}


@contextmanager
def journal_errors(path: str) -> Iterator[None]:
    """
    Turn errors of SQLite into errors of one line.

    Raises:
        InputError: If the file is not a database.
        OutputError: If it cannot be read or written.

    """
    try:
        yield
    except sqlite3.Error as error:
        raise _failure(error, path) from error


def _failure(error: sqlite3.Error, path: str) -> SitemapxError:
    extended = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        advice = f"pass {option('journal')} to use another. If it was one, {_REBUILD}"
        return InputError(f"not a sitemapx journal; {advice}", path)
    known = _REASONS.get(extended) or _REASONS.get(code)
    reason = known.format(journal=option("journal")) if known else str(error)
    return OutputError(f"cannot use the journal {path}: {reason}")
