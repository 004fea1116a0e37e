"""Connections to the database of a journal: for a run, to read it only, or to a private copy."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from urllib.parse import quote

from sitemapx.errors import OutputError
from sitemapx.submit.journal.errors import journal_errors
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.schema import check_version, is_new, prepare

__all__ = ["copy_journal", "default_path", "open_journal", "read_journal"]

#: 64 MB, so that the log is not copied back after every second batch.
_WAL_PAGES = 16 * 1024


def default_path() -> str:
    """Return the path of the user's own journal."""
    from platformdirs import user_state_path

    return str(user_state_path("sitemapx", appauthor=False) / "journal.sqlite3")


def open_journal(path: str) -> Journal:
    """
    Open a journal for a run, or create one.

    Raises:
        InputError: If the file is not a journal.
        OutputError: If it cannot be opened or created.

    """
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot create the journal {path}: {error.strerror}") from error
    with journal_errors(path), _opened(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        # WAL alone would lose an answer in a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        prepare(connection, path)
    return Journal(connection, path)


def read_journal(path: str) -> Journal | None:
    """
    Open a journal that is only read; its folder may be read-only.

    Returns:
        None if there is none, or nothing in it.

    Raises:
        InputError: If the file is not a journal.
        OutputError: If it cannot be read.

    """
    if not os.path.exists(path):
        return None
    with journal_errors(path), _reading(path) as connection:
        if is_new(connection):
            connection.close()
            return None
        check_version(connection, path)
    return Journal(connection, path)


def copy_journal(path: str) -> Journal:
    """
    Open a private copy of a journal, for a run that must not change it; empty if there is none.

    Raises:
        InputError: If the file is not a journal.
        OutputError: If it cannot be read.

    """
    with journal_errors(path), _opened("") as copy:
        if os.path.exists(path):
            with _reading(path) as original, closing(original):
                original.backup(copy)
        prepare(copy, path)
    return Journal(copy, "", path)


@contextmanager
def _opened(name: str) -> Iterator[sqlite3.Connection]:
    """Open a database, and close it if it cannot be used."""
    is_uri = name.startswith("file:")
    connection = sqlite3.connect(name, timeout=30, isolation_level=None, uri=is_uri)
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


@contextmanager
def _reading(path: str) -> Iterator[sqlite3.Connection]:
    """Open a database that is only read, and close it if it cannot be used."""
    name = f"file:{quote(os.path.abspath(path))}?mode=ro"
    # Without write access to the folder, SQLite cannot make the files that other processes share;
    # then nobody writes, either. What a killed run left in the log is only read of a copy.
    if _is_readable(name):
        opened = _opened(name)
    elif _size(f"{path}-wal"):
        opened = _opened_copy(path)
    else:
        opened = _opened(f"{name}&immutable=1")
    with opened as connection:
        yield connection


@contextmanager
def _opened_copy(path: str) -> Iterator[sqlite3.Connection]:
    """Open a private copy of a database and its log."""
    from shutil import copyfile
    from tempfile import TemporaryDirectory

    with _opened("") as copy:
        try:
            with TemporaryDirectory() as folder:
                name = os.path.join(folder, "journal")
                for ending in ("", "-wal"):
                    copyfile(f"{path}{ending}", f"{name}{ending}")
                with _opened(name) as original, closing(original):
                    original.backup(copy)
        except OSError as error:
            message = f"cannot copy the read-only journal {path}: {error.strerror}"
            raise OutputError(f"{message}; set TMPDIR to a writable directory") from error
        yield copy


def _size(path: str) -> int:
    """Return the size of a file; 0 if there is none."""
    with suppress(OSError):
        return os.path.getsize(path)
    return 0


def _is_readable(name: str) -> bool:
    """Return whether a database can be read beside processes that write it."""
    with suppress(sqlite3.OperationalError), _opened(name) as connection, closing(connection):
        connection.execute("SELECT count(*) FROM sqlite_schema")
        return True
    return False
