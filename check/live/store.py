"""
Stores the responses of pages in an SQLite database, during and after a run.

Responses are committed about every second, so a killed run loses only the last ones. The next run
with the same file uses recent responses again, except for failures that may be temporary, and for
pages with faults in a completed run, which may have been fixed.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Self

import msgspec

from sitemapx.check.live.faults import PageAnswer
from sitemapx.errors import InputError, OutputError

#: "smx2" and the version of the tables: https://www.sqlite.org/pragma.html#pragma_application_id
_APPLICATION = 0x736D7832
_VERSION = 2
#: askers.begun: start of a run that has not been completed; else NULL.
_TABLES = """
CREATE TABLE askers (id INTEGER PRIMARY KEY, user_agent TEXT NOT NULL UNIQUE, begun REAL);
CREATE TABLE answers (
    asker INTEGER NOT NULL REFERENCES askers, url TEXT NOT NULL,
    asked_at REAL NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (asker, url)) WITHOUT ROWID;
"""
_BEGIN = """
INSERT INTO askers (user_agent, begun) VALUES (:user_agent, :now)
ON CONFLICT DO UPDATE SET begun = CASE WHEN begun >= :oldest THEN begun ELSE :now END
RETURNING id, begun
"""
_FIND = "SELECT asked_at, answer FROM answers WHERE asker = ? AND url = ? AND asked_at >= ?"
_CACHE_KIB = 16 * 1024
#: Interval of commits in seconds.
_PAUSE = 1.0

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PageAnswer).decode


class Answers:
    """
    Database of responses, with a bounded cache in memory.

    Methods raise `OutputError` if the database cannot be read or written.

    Args:
        path: Path of the database; None for a temporary one.
        user_agent: User-Agent of the requests; responses to other User-Agents are not used.
        max_age: Age in seconds up to which a response is used.

    Raises:
        InputError: If the file is not such a database.

    """

    def __init__(self, path: str | None, user_agent: str, max_age: float) -> None:
        self._path = path or ""
        self._oldest = time.time() - max_age
        self._pending: dict[str, tuple[float, PageAnswer]] = {}
        try:
            os.makedirs(os.path.dirname(self._path) or ".", exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot create the state file {path}: {error.strerror}") from error
        try:
            self._connection = sqlite3.connect(self._path, timeout=30, isolation_level=None)
            with ExitStack() as on_failure:
                on_failure.callback(self.close)
                self._prepare()
                self._started = self._saved = time.time()
                self._asker, self._begun = self._begin_run(user_agent)
                on_failure.pop_all()
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise self._wrong_file() from error
            raise OutputError(f"cannot open the state file {path}: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _wrong_file(self) -> InputError:
        return InputError("not a state file of live checks", self._path)

    def _prepare(self) -> None:
        """Create the tables in a new database; raise InputError if it is not a state file."""
        run = self._connection.execute
        run(f"PRAGMA cache_size = -{_CACHE_KIB}")
        (application,) = run("PRAGMA application_id").fetchone()
        (version,) = run("PRAGMA user_version").fetchone()
        if (application, version) != (_APPLICATION, _VERSION):
            if run("SELECT count(*) FROM sqlite_schema").fetchone() != (0,):
                raise self._wrong_file()
            run("PRAGMA journal_mode = WAL")
            self._connection.executescript(
                f"BEGIN IMMEDIATE; {_TABLES} PRAGMA application_id = {_APPLICATION};"
                f"PRAGMA user_version = {_VERSION}; COMMIT;"
            )
        run("PRAGMA synchronous = NORMAL")  # a power cut may lose the last responses

    def _begin_run(self, user_agent: str) -> tuple[int, float]:
        """Begin a run, or resume an unfinished one; return the User-Agent's ID and the start."""
        values = {"user_agent": user_agent, "now": self._started, "oldest": self._oldest}
        row = self._connection.execute(_BEGIN, values).fetchone()
        return int(row[0]), float(row[1])

    def end_run(self) -> None:
        self.save()
        self._write("UPDATE askers SET begun = NULL WHERE id = ?", [(self._asker,)])

    def get(self, url: str) -> PageAnswer | None:
        """Return the stored response of a URL; None if it is missing, too old or invalid."""
        found = self._found(url)
        return found[1] if found else None

    def is_settled(self, url: str, is_fine: Callable[[PageAnswer], bool]) -> bool:
        """
        Return whether the stored response of a URL can be used instead of a request.

        `is_fine` returns whether a response has no faults.
        """
        found = self._found(url)
        if found is None or found[0] >= self._started:
            return found is not None
        asked_at, answer = found
        return not answer.may_change and (asked_at >= self._begun or is_fine(answer))

    def _found(self, url: str) -> tuple[float, PageAnswer] | None:
        if url in self._pending:
            return self._pending[url]
        try:
            row = self._connection.execute(_FIND, (self._asker, url, self._oldest)).fetchone()
            return (row[0], _decode(row[1])) if row else None
        except sqlite3.Error as error:
            raise OutputError(f"cannot read the state file {self._path}: {error}") from error
        except msgspec.MsgspecError:  # not written by this version
            return None

    def put(self, url: str, answer: PageAnswer) -> None:
        """Store a response that was just received."""
        now = time.time()
        self._pending[url] = now, answer
        if now - self._saved > _PAUSE:
            self.save()

    def save(self) -> None:
        """Commit the responses received since the last commit."""
        rows = [
            (self._asker, url, asked_at, _encode(answer).decode())
            for url, (asked_at, answer) in self._pending.items()
        ]
        self._write("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
        self._pending.clear()
        self._saved = time.time()

    def _write(self, sql: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Execute a statement for each row, in one transaction."""
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(sql, rows)
        except sqlite3.Error as error:
            raise OutputError(f"cannot write the state file {self._path}: {error}") from error

    def close(self) -> None:
        self._connection.close()
