"""The file of a journal: its tables, its lock, and messages with advice for SQLite errors."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sitemapx.convert.disk.system import try_lock_alone
from sitemapx.errors import InputError, OutputError, SitemapxError
from sitemapx.optionnames import advice, option

_REBUILD = "`sitemapx submit journal rebuild` recovers what can be read"
_SPACE = "free some space, then run again"
#: Extended or primary error code -> reason and advice; `{journal}` is replaced by an option.
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
#: "smx1": https://www.sqlite.org/pragma.html#pragma_application_id
_APPLICATION = 0x736D7831
_VERSION = 1
#: URLs in keys are normalized, so that equivalent forms are the same URL.
_TABLES = (
    """
    CREATE TABLE sets (       -- sources of URLs; set 0 is all lists of `--urls`
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,  -- URL or path
        owner TEXT,           -- site whose settings list the source
        head TEXT,            -- metadata of the source, as JSON
        digest TEXT           -- digest of its rows in `listed`, if a run read the whole set
    )""",
    """
    CREATE TABLE targets (
        id INTEGER PRIMARY KEY,
        engine TEXT NOT NULL,
        kind TEXT NOT NULL,   -- an `ItemKind`
        UNIQUE (engine, kind)
    )""",
    """
    CREATE TABLE batches (
        id INTEGER PRIMARY KEY,
        target INTEGER NOT NULL,
        host TEXT NOT NULL,
        site TEXT NOT NULL,
        sent_at REAL NOT NULL,
        sent INTEGER NOT NULL,
        accepted INTEGER NOT NULL DEFAULT 0,
        state TEXT NOT NULL,  -- see `Record`
        status INTEGER,
        why TEXT NOT NULL DEFAULT ''
    )""",
    """
    CREATE TABLE listed (     -- the URLs that each set lists now
        set_id INTEGER NOT NULL,
        url TEXT NOT NULL,    -- an empty string marks a set whose URLs are unknown
        may_expire INTEGER NOT NULL,  -- whether it may leave the set without being removed
        fingerprint TEXT,     -- fingerprint of the page in the set
        PRIMARY KEY (set_id, url)
    ) WITHOUT ROWID""",
    # A page that an engine has accepted as removed has set 0, `submitted_at`, and no fingerprint.
    """
    CREATE TABLE entries (    -- URLs accepted by engines, or due, by set
        target INTEGER NOT NULL,
        url TEXT NOT NULL,
        set_id INTEGER NOT NULL,
        may_expire INTEGER NOT NULL,
        fingerprint TEXT,     -- fingerprint that the engine accepted at `submitted_at`
        submitted_at REAL,
        tried_at REAL,        -- time of the last attempt, unless it was accepted
        due TEXT,             -- fingerprint to submit
        refused TEXT,         -- fingerprint that was permanently refused, or "removed"
        unconfirmed INTEGER NOT NULL DEFAULT 0,  -- number of sent removals without an answer
        hubs TEXT,            -- fingerprint of a feed that each hub accepted last, as JSON
        PRIMARY KEY (target, url, set_id)
    ) WITHOUT ROWID""",
    """
    CREATE TABLE spellings (  -- of URLs that their source does not write in normalized form
        url TEXT PRIMARY KEY,
        spelt TEXT NOT NULL   -- as it is sent
    ) WITHOUT ROWID""",
    """
    CREATE TABLE pauses (     -- during which nothing is sent; see `Pause`
        server TEXT PRIMARY KEY,  -- or quota of a server
        since REAL NOT NULL,
        seconds REAL NOT NULL,
        date REAL
    ) WITHOUT ROWID""",
    """
    CREATE TABLE inspections (  -- what an engine said last about a page
        name TEXT NOT NULL,   -- of the engine
        url TEXT NOT NULL,
        property TEXT NOT NULL,  -- site whose quota was used
        asked_at REAL NOT NULL,
        result TEXT NOT NULL,  -- as JSON
        PRIMARY KEY (name, url)
    ) WITHOUT ROWID""",
    """
    CREATE TABLE sizes (      -- maximum sizes of batches, learned from answers
        target INTEGER PRIMARY KEY,
        most INTEGER NOT NULL,
        learned_at REAL NOT NULL
    )""",
)
#: Interval in seconds for checking whether the other run has ended.
_POLL_INTERVAL = 0.1
#: Maximum size of a note in bytes: a hexadecimal digit for every two URLs of the largest batch
#: (10,000), and a reserve.
_NOTE_SIZE = 8192
#: Flag that keeps Windows from translating line breaks.
_BINARY = getattr(os, "O_BINARY", 0)


@contextmanager
def journal_errors(path: str) -> Iterator[None]:
    """Convert SQLite errors in a block to `InputError` or `OutputError`, with advice for users."""
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


def prepare_schema(connection: sqlite3.Connection, path: str) -> None:
    """Create the tables if the database is empty; for errors, see `check_version`."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if is_new(connection):
            create_tables(connection)
        check_version(connection, path)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def create_tables(connection: sqlite3.Connection) -> None:
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute("INSERT INTO sets (id, name) VALUES (0, '')")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def check_version(connection: sqlite3.Connection, path: str) -> None:
    """Raise `InputError` unless a database is a journal that this version can use."""
    advice = f"pass {option('journal')} to use another"
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise InputError(f"not a sitemapx journal; {advice}", path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != _VERSION:
        message = f"unsupported journal version {version}: expected {_VERSION}; {advice}"
        raise InputError(message, path)


def is_new(connection: sqlite3.Connection) -> bool:
    """Return whether a database has no tables, for example because its file was empty."""
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def is_marked(path: str) -> bool:
    """Return whether a file is readable and marked as a journal (sqlite.org/fileformat.html)."""
    try:
        with open(path, "rb") as file:
            head = file.read(100)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == _APPLICATION.to_bytes(4, "big")


class LockFile:
    """A locked file, with preallocated space for a note in case the disk is full."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        if os.fstat(descriptor).st_size < _NOTE_SIZE:
            self.write("")

    def read(self) -> str:
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        return os.read(self._descriptor, _NOTE_SIZE).decode("ascii", "replace").strip()

    def write(self, note: str) -> None:
        """Replace the note, unless the new note is too long."""
        if len(note) > _NOTE_SIZE:
            return
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, note.ljust(_NOTE_SIZE).encode("ascii"))
        os.fsync(self._descriptor)


def lock_path(path: str) -> str:
    return f"{path}-turn"


@contextmanager
def journal_lock(
    path: str,
    patience: float,
    on_wait: Callable[[], object] = lambda: None,
    *,
    action: str | None = None,
) -> Iterator[LockFile | None]:
    """
    Wait until no other run uses a journal, and hold its lock while the context is active.

    A file next to the journal is locked; readers of the journal need not wait. The context yields
    this file, or None for a private copy (an empty path).

    Args:
        patience: Maximum number of seconds to wait; then, `OutputError` is raised.
        on_wait: Called once if another run is active and `patience` is not 0.
        action: Advice in the error; None to advise waiting longer.

    """
    if not path:
        yield None
        return
    name = lock_path(path)
    try:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
    except OSError as error:
        raise _lock_failure(name, error) from error
    try:
        end, is_waiting = time.monotonic() + patience, False
        while not _is_locked(descriptor, name):
            if patience and not is_waiting:
                on_wait()
                is_waiting = True
            if time.monotonic() > end:
                longer = advice(f"raise {option('lock_timeout')} to wait longer")
                action = action or longer or "run again when it has finished"
                raise OutputError(f"another run is still using the journal {path}; {action}")
            time.sleep(_POLL_INTERVAL)
        try:
            file = LockFile(descriptor)
        except OSError as error:
            raise _lock_failure(name, error) from error
        yield file
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int, name: str) -> bool:
    try:
        return try_lock_alone(descriptor)  # not inherited by processes that outlive the run
    except OSError as error:
        raise _lock_failure(name, error) from error


def _lock_failure(name: str, error: OSError) -> OutputError:
    another = advice(f"pass {option('journal')} to use one in another directory")
    return OutputError(f"cannot lock {name}: {error.strerror}; {another}")
