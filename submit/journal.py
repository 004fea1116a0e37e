"""
What was sent, when, to whom, and what came back: a database of SQLite that no crash harms.

Before a batch goes out it is written down as `sending`, and its answer in one transaction with
what the engine knows since then. So whatever kills a run, an answer that was seen is not lost, and
nothing counts as accepted that no answer says so of: what was under way becomes `unknown`, and is
offered again. Runs take turns (`turn`), for the lock of the one that was killed is the system's to
release; so none has to guess whether another is still alive.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

import msgspec

from sitemapx.errors import InputError, OutputError
from sitemapx.submit.engines.engine import Batch, Item, Kind
from sitemapx.submit.engines.exchange import Answer

__all__ = ["CACHE_KIB", "RECORD", "Journal", "Record", "default_path"]

#: "smx1" and the version of the tables: https://www.sqlite.org/pragma.html#pragma_application_id
_APPLICATION = 0x736D7831
_VERSION = 1
#: batches.items: what was sent, while it may have to be sent again. entries.fingerprint: NULL if
#: the engine knows that the page is no more there. entries.set_id: NULL for what a list or a feed
#: may drop without a word.
_TABLES = """
CREATE TABLE sets (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE targets (
    id INTEGER PRIMARY KEY, engine TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (engine, kind));
CREATE TABLE batches (
    id INTEGER PRIMARY KEY, target INTEGER NOT NULL REFERENCES targets,
    set_id INTEGER REFERENCES sets, host TEXT NOT NULL, site TEXT NOT NULL,
    sent_at REAL NOT NULL, sent INTEGER NOT NULL, accepted INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL, status INTEGER, why TEXT NOT NULL DEFAULT '',
    items BLOB);
CREATE TABLE entries (
    target INTEGER NOT NULL REFERENCES targets, url TEXT NOT NULL,
    fingerprint TEXT, sent_at REAL NOT NULL, batch INTEGER NOT NULL REFERENCES batches,
    set_id INTEGER REFERENCES sets, PRIMARY KEY (target, url)) WITHOUT ROWID;
CREATE INDEX batches_to_retry ON batches (target) WHERE items IS NOT NULL;
"""
CACHE_KIB = 64 * 1024
#: 64 MB: else the log would be worked off after every second batch.
_WAL_PAGES = 16 * 1024
#: How often to look whether another run has ended.
_PAUSE = 0.1

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Item]).decode


class Record(NamedTuple):
    """A batch as the journal has it; `state` is `sending` while it is under way."""

    id: int
    engine: str
    kind: Kind
    host: str
    sent_at: float
    sent: int
    accepted: int
    state: str
    status: int | None
    why: str


#: Selects records.
RECORD = """
SELECT b.id, t.engine, t.kind, b.host, b.sent_at, b.sent, b.accepted, b.state, b.status, b.why
FROM batches b JOIN targets t ON t.id = b.target"""

#: What a bare list names says nothing of its state: then what was known of that stays.
_KNOW = """
INSERT INTO entries (target, url, fingerprint, sent_at, batch, set_id) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET
    fingerprint = CASE excluded.fingerprint WHEN '' THEN coalesce(fingerprint, '')
                  ELSE excluded.fingerprint END,
    sent_at = excluded.sent_at, batch = excluded.batch, set_id = coalesce(excluded.set_id, set_id)
"""


def default_path() -> str:
    """Give the path of the user's own journal."""
    from platformdirs import user_state_path

    return str(user_state_path("sitemapx", appauthor=False) / "journal.sqlite3")


class Journal:
    """
    A journal.

    All methods raise `OutputError` if it cannot be written.

    Attributes:
        path: Where it is; empty for one that is in memory only.
        connection: The database; for what compares with it.

    """

    def __init__(self, path: str = "") -> None:
        """
        Open a journal, or begin one.

        Raises:
            InputError: If the file is something else.
            OutputError: If it cannot be opened or made.

        """
        self.path = path
        try:
            if path:
                os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        except OSError as error:
            raise OutputError(f"the journal {path} cannot be made: {error.strerror}") from error
        try:
            self.connection = sqlite3.connect(path or ":memory:", timeout=30, isolation_level=None)
            self._prepare()
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise InputError(
                    "not a journal of sitemapx; --journal names another", path
                ) from error
            raise OutputError(f"the journal {path} cannot be opened: {error}") from error

    def _prepare(self) -> None:
        """Make the tables, if there are none yet."""
        one = self.connection
        one.execute("PRAGMA journal_mode = WAL")
        # Not even a power cut may lose an answer: WAL alone would let it.
        one.execute("PRAGMA synchronous = FULL")
        one.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        one.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        with self.changing():
            version = self.value("PRAGMA user_version")
            kind = self.value("PRAGMA application_id")
            is_empty = not self.value("SELECT count(*) FROM sqlite_schema")
            if is_empty:
                for statement in _TABLES.split(";\n"):
                    one.execute(statement)
                one.execute(f"PRAGMA application_id = {_APPLICATION}")
                one.execute(f"PRAGMA user_version = {_VERSION}")
            elif kind != _APPLICATION:
                raise InputError("not a journal of sitemapx; --journal names another", self.path)
            elif version != _VERSION:
                said = f"of another version of sitemapx ({version}, and not {_VERSION})"
                raise InputError(f"{said}; --journal names another", self.path)

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    def value(self, sql: str, *values: object) -> object:
        """Give the first value of a query; None if there is none."""
        row = self.connection.execute(sql, values).fetchone()
        return row[0] if row else None

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Run a transaction: all of it, or nothing."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise OutputError(f"the journal {self.path} cannot be written: {error}") from error

    # ---- turns

    @contextmanager
    def turn(self, patience: float) -> Iterator[list[Record]]:
        """
        Wait until no other run sends from this journal; the turn lasts as long as the context.

        Args:
            patience: How many seconds to wait.

        Returns:
            The batches of which a run that was killed saw no answer; they are `unknown` now.

        Raises:
            OutputError: If another run is still at work then.

        """
        if not self.path:
            yield []
            return
        # The lock of a database of its own: readers of the journal need not wait, too.
        with closing(sqlite3.connect(f"{self.path}-turn", timeout=0, isolation_level=None)) as one:
            end = time.monotonic() + patience
            while not _locked(one):
                if time.monotonic() > end:
                    raise OutputError(f"another run still sends from the journal {self.path}")
                time.sleep(_PAUSE)
            yield self._recovered()

    def _recovered(self) -> list[Record]:
        rows = self.connection.execute(f"{RECORD} WHERE b.state = 'sending' ORDER BY b.id")
        found = [Record(*row)._replace(state="unknown") for row in rows]
        with self.changing():
            why = "the run ended before its answer came"
            self.connection.execute(
                "UPDATE batches SET state = 'unknown', why = ? WHERE state = 'sending'", (why,)
            )
        return found

    # ---- what is sent

    def target(self, engine: str, kind: Kind) -> int:
        """Give the number of an engine and a kind of what it is told."""
        sql = "SELECT id FROM targets WHERE engine = ? AND kind = ?"
        return self._number(sql, "INSERT INTO targets (engine, kind) VALUES (?, ?)", engine, kind)

    def set_id(self, name: str) -> int:
        """Give the number of a set of URLs; what leaves the set was removed."""
        return self._number(
            "SELECT id FROM sets WHERE name = ?", "INSERT INTO sets (name) VALUES (?)", name
        )

    def _number(self, select: str, insert: str, *values: str) -> int:
        with self.changing():
            found = self.value(select, *values)
            if found is None:
                found = self.connection.execute(insert, values).lastrowid
        assert isinstance(found, int)
        return found

    @property
    def next_batch(self) -> int:
        """The number that the next batch will have, or a lower one."""
        return int(str(self.value("SELECT coalesce(max(id), 0) + 1 FROM batches")))

    def begin(self, target: int, batch: Batch, set_id: int | None, now: float) -> int:
        """Write down that a batch goes out now; return its number."""
        row = (target, set_id, batch.host, batch.site, now, len(batch.items), _encode(batch.items))
        with self.changing():
            number = self.connection.execute(
                "INSERT INTO batches (target, set_id, host, site, sent_at, sent, state, items) "
                "VALUES (?, ?, ?, ?, ?, ?, 'sending', ?)",
                row,
            ).lastrowid
        assert number is not None
        return number

    def end(self, number: int, batch: Batch, answer: Answer) -> None:
        """Write down the answer, and what the engine knows since then."""
        accepted: Sequence[Item] = ()
        if answer.state == "accepted":
            accepted = [item for item in batch.items if item.url not in answer.refused]
        left = [item for item in batch.items if item.url in answer.refused]
        items = None if answer.state == "accepted" and not left else _encode(left or batch.items)
        rows = self.connection.execute(
            "SELECT target, sent_at, set_id FROM batches WHERE id = ?", (number,)
        )
        target, sent_at, set_id = rows.fetchone()
        known = (
            (target, url, None if gone else mark, sent_at, number, set_id if is_listed else None)
            for url, gone, mark, is_listed, _ in accepted
        )
        with self.changing():
            self.connection.execute(
                "UPDATE batches SET state = ?, status = ?, why = ?, accepted = ?, items = ? "
                "WHERE id = ?",
                (answer.state, answer.status, answer.why, len(accepted), items, number),
            )
            self.connection.executemany(_KNOW, known)


def _locked(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return False
    return True
