"""
The journal: an SQLite database of the URLs that are listed, accepted by engines, or due.

Each batch is recorded as `sending` before its request, and its answer in one transaction with the
state of its URLs. If a run is killed in between, the next one marks the batch as `unknown`.
If an acceptance cannot be recorded, as on a full disk, it is noted in the lock file; the next run
records it, and marks the batch as `unconfirmed`. Only one run at a time may send (`wait_for_turn`);
if its process dies, the operating system releases the lock.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import quote

from sitemapx.convert.values.uris import normalize_all
from sitemapx.errors import OutputError
from sitemapx.optionnames import option
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch, SubmissionItem
from sitemapx.submit.engines.exchange import Answer
from sitemapx.submit.journal.storage import (
    LockFile,
    check_version,
    is_new,
    journal_errors,
    journal_lock,
    prepare_schema,
)

CACHE_KIB = 16 * 1024
#: Stored instead of a fingerprint for a removed page.
REMOVED = "removed"
#: Start of queries for `Record`.
RECORD = """
SELECT b.id, t.engine, t.kind, b.host, b.sent_at, b.sent, b.accepted, b.state, b.status, b.why
FROM batches b JOIN targets t ON t.id = b.target"""
#: A plain list has no states of pages, so the recorded state is kept.
_ACCEPT = """
UPDATE entries SET
    fingerprint = CASE WHEN due <> '' THEN due WHEN due = '' THEN coalesce(fingerprint, '')
        ELSE fingerprint END,
    submitted_at = CASE WHEN due NOTNULL THEN ? ELSE submitted_at END, tried_at = NULL, due = NULL,
    refused = NULL, unconfirmed = 0
WHERE target = ? AND url = ?"""
#: Lowest status with which the server may still have accepted the request, such as 504 from a
#: gateway.
_TROUBLE = 500
_TRY = "UPDATE entries SET tried_at = ? WHERE target = ? AND url = ?"
_TRIED = """
SELECT url, max(due NOTNULL) FROM entries WHERE target = ? AND tried_at = ? GROUP BY url
ORDER BY url"""
#: Results of a URL in an accepted batch, as encoded in the lock file.
_ACCEPTED, _REFUSED, _POSTPONED = range(3)
_RECORDED_LATER = "recorded by a later run"
#: A removed page whose removal is unconfirmed must be submitted again if it comes back.
_COUNT_UNCONFIRMED = "UPDATE entries SET unconfirmed = unconfirmed + ? WHERE target = ? AND url = ?"
_IS_BACK = """
DELETE FROM entries
WHERE target = ? AND url = ? AND set_id = 0 AND fingerprint IS NULL AND due IS NULL"""
_NOTE_HUB = """
UPDATE entries SET hubs = json_patch(coalesce(hubs, '{}'), json_object(?, due))
WHERE target = ? AND url = ? AND due NOTNULL"""
#: A page that was sent although it was not due was sent as removed.
_REJECT = (
    f"""
    UPDATE entries SET refused = '{REMOVED}' WHERE target = ? AND url = ? AND NOT EXISTS (
        SELECT 1 FROM entries d WHERE d.target = entries.target AND d.url = entries.url
        AND d.due NOTNULL)""",
    "UPDATE entries SET refused = due, due = NULL WHERE target = ? AND url = ? AND due NOTNULL",
)
_FORGET = "DELETE FROM entries WHERE target = ? AND url = ?"
_REMOVE = """
INSERT INTO entries (submitted_at, target, url, set_id, may_expire) VALUES (?, ?, ?, 0, 1)"""
#: Size of the log in pages (64 MB), so that it is not copied back after every second batch.
_WAL_PAGES = 16 * 1024


class Record(NamedTuple):
    """
    A batch in the journal; `sent` and `accepted` count items, `sent_at` is in seconds since 1970.

    The state is `sending`, then an `AnswerState` or `unconfirmed`; or `withdrawn`.
    """

    id: int
    engine: str
    kind: ItemKind
    host: str
    sent_at: float
    sent: int
    accepted: int
    state: str
    status: int | None
    reason: str


class Journal:
    """
    The open database of a journal.

    Methods that write to the database raise `OutputError` if that fails.

    Attributes:
        path: Path of the database; empty for a private copy.
        name: Path for messages; for a copy, the path of the original.
        connection: The SQLite connection, for queries of other modules.

    """

    def __init__(self, connection: sqlite3.Connection, path: str, name: str = "") -> None:
        self.path = path
        self.name = name or path
        self.connection = connection
        self._lock_file: LockFile | None = None
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def close(self) -> None:
        # Committed data is in the database or its log, so nothing is lost.
        with suppress(sqlite3.Error):
            self.connection.close()

    def rollback(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def first_value(self, sql: str, *values: object) -> object:
        """Return the first column of the first row of a query; None for an empty result."""
        row = self.connection.execute(sql, values).fetchone()
        return row[0] if row else None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with journal_errors(self.name):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                self.rollback()
                raise

    @contextmanager
    def wait_for_turn(
        self, patience: float, on_wait: Callable[[], object] = lambda: None
    ) -> Iterator[list[Record]]:
        """
        Wait until no other run sends from this journal; the turn lasts as long as the context.

        The context yields the batches of earlier runs that were killed or could not record an
        answer; their state is now `unknown` or `unconfirmed`.

        Args:
            patience: Maximum number of seconds to wait; then, `OutputError` is raised.
            on_wait: Called once if another run is active and `patience` is not 0.

        """
        with (
            journal_lock(self.path, patience, on_wait) as self._lock_file,
            journal_errors(self.name),
        ):
            yield self._recover()

    def _recover(self) -> list[Record]:
        if not self.path:  # in a private copy, the batch may belong to a run that is still active
            return []
        confirmed = self._confirm()
        rows = self.connection.execute(f"{RECORD} WHERE b.state = 'sending' ORDER BY b.id")
        found = [Record(*row)._replace(state="unknown") for row in rows]
        if found:
            reason = "the run ended before a response arrived"
            with self.transaction():
                sql = "UPDATE batches SET state = 'unknown', why = ? WHERE state = 'sending'"
                self.connection.execute(sql, (reason,))
        return confirmed + found

    def _confirm(self) -> list[Record]:
        """Record the acceptance noted in the lock file; return its batch, or an empty list."""
        note = self._lock_file.read() if self._lock_file else ""
        if not (self._lock_file and note):
            return []
        number, status, *results = note.split()
        sql = f"{RECORD} WHERE b.state = 'sending' AND b.id = ?"
        rows = self.connection.execute(sql, (number,)).fetchall()
        confirmed = [
            self._record_confirmed(Record(*row), int(status), "".join(results)) for row in rows
        ]
        self._lock_file.write("")
        return confirmed

    def _record_confirmed(self, record: Record, status: int, results: str) -> Record:
        """Record a delayed acceptance; `results` are encoded results (see `_encode_results`)."""
        target_id = self.target_id(record.engine, record.kind)
        tried = self.connection.execute(_TRIED, (target_id, record.sent_at)).fetchall()
        items = [SubmissionItem(url, is_removed=not is_due) for url, is_due in tried]
        batch = SubmissionBatch(record.kind, record.host, "", items)
        refused, postponed = (
            _urls_by_result(batch, results, result) for result in (_REFUSED, _POSTPONED)
        )
        answer = Answer("accepted", status, _RECORDED_LATER, refused=refused, postponed=postponed)
        SentBatch(self, record.id, target_id, batch, record.sent_at).record_answer(answer)
        with self.transaction():
            sql = "UPDATE batches SET state = 'unconfirmed' WHERE id = ?"
            self.connection.execute(sql, (record.id,))
        accepted = len(items) - len(refused) - len(postponed)
        return record._replace(state="unconfirmed", accepted=accepted)

    def target_id(self, engine: str, kind: ItemKind) -> int:
        """Return the ID of a target: an engine and an item kind; created if necessary."""
        return self._number("targets", {"engine": engine, "kind": kind})

    def set_id(self, name: str) -> int:
        """Return the ID of a set, creating it if necessary; its name is a URL or path."""
        return self._number("sets", {"name": name})

    def rename_set(self, old: str, new: str) -> None:
        """Rename a set if the old name exists and the new one does not."""
        with journal_errors(self.name):
            self.connection.execute(
                "UPDATE sets SET name = :new WHERE name = :old "
                "AND NOT EXISTS (SELECT 1 FROM sets WHERE name = :new)",
                {"old": old, "new": new},
            )

    def _number(self, table: str, values: dict[str, str]) -> int:
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        where = " AND ".join(f"{name} = ?" for name in values)
        select = f"SELECT id FROM {table} WHERE {where}"
        found = self.first_value(select, *values.values())
        if found is None:
            with journal_errors(self.name):
                sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
                found = self.connection.execute(sql, tuple(values.values())).lastrowid
        assert isinstance(found, int)
        return found

    def begin_batch(self, target_id: int, batch: SubmissionBatch, now: float) -> "SentBatch":
        """Record that a batch is about to be sent; `now` is in seconds since 1970."""
        row = (target_id, batch.host, batch.site, now, len(batch.items))
        with self.transaction():
            number = self.connection.execute(
                "INSERT INTO batches (target, host, site, sent_at, sent, state) "
                "VALUES (?, ?, ?, ?, ?, 'sending')",
                row,
            ).lastrowid
            assert number is not None
            sent = SentBatch(self, number, target_id, batch, now)
            sent.count_unconfirmed(1)
            sent.record_attempt(now)
        return sent

    def reject_urls(self, target_id: int, urls: Sequence[str]) -> None:
        """Record that an engine permanently refused URLs, which are then no longer due."""
        rows = [(target_id, url) for url in normalize_all(urls)]
        with self.transaction():
            for statement in _REJECT:
                self.connection.executemany(statement, rows)

    def note_acceptance(self, note: str) -> None:
        """Write an acceptance to the lock file, for the next run to record; see `_confirm`."""
        if self._lock_file:
            self._lock_file.write(note)


class SentBatch:
    """A batch, sent at a time in seconds since 1970, whose answer is still to be recorded."""

    def __init__(
        self, journal: Journal, number: int, target_id: int, batch: SubmissionBatch, sent_at: float
    ) -> None:
        self._journal = journal
        self._number = number
        self._target_id = target_id
        self._batch = batch
        self._sent_at = sent_at

    def count_unconfirmed(self, more: int) -> None:
        """Add `more` to the number of unconfirmed removals of each removed page."""
        removed = [item.url for item in self._batch.items if item.is_removed]
        self._run(_COUNT_UNCONFIRMED, removed, more)

    def record_attempt(self, at: float | None) -> None:
        """Record when the items were sent (seconds since 1970), or None if they did not arrive."""
        self._run(_TRY, self._batch.urls, at)

    def cancel(self) -> None:
        """Delete the record of the batch, which was not sent after all."""
        with self._journal.transaction():
            sql = "DELETE FROM batches WHERE id = ?"
            self._journal.connection.execute(sql, (self._number,))
            self.count_unconfirmed(-1)
            self.record_attempt(None)

    def record_answer(self, answer: Answer) -> None:
        """Record the answer; on `OutputError`, note an acceptance for the next run, and raise."""
        try:
            self._record_answer(answer)
        except OutputError:
            if answer.state == "accepted":
                results = _encode_results(self._batch, answer)
                self._journal.note_acceptance(f"{self._number} {answer.status or 0} {results}")
            raise

    def _record_answer(self, answer: Answer) -> None:
        rest = answer.refused.keys() | answer.postponed.keys()
        is_accepted = answer.state == "accepted"
        accepted = [item for item in self._batch.items if is_accepted and item.url not in rest]
        present = [item.url for item in accepted if not item.is_removed]
        removed = [item.url for item in accepted if item.is_removed]
        status = answer.status or 0
        row = (answer.state, answer.status, answer.reason, len(accepted), self._number)
        with self._journal.transaction():
            self._journal.connection.execute(
                "UPDATE batches SET state = ?, status = ?, why = ?, accepted = ? WHERE id = ?", row
            )
            if answer.state == "refused" and status < _TROUBLE:
                self.count_unconfirmed(-1)
            for hub in answer.hubs:
                self._run(_NOTE_HUB, self._batch.urls, hub)
            if answer.state == "unreachable" or status >= _TROUBLE:
                self.record_attempt(None)
            self._run(_ACCEPT, present, self._sent_at)
            self._run(_IS_BACK, present)
            self._run(_FORGET, removed)
            self._run(_REMOVE, removed, self._sent_at)
            for statement in _REJECT:
                self._run(statement, list(answer.refused))

    def _run(self, sql: str, urls: Sequence[str], *values: object) -> None:
        """Execute a statement for each URL; its parameters are the values, target and URL."""
        rows = ((*values, self._target_id, url) for url in normalize_all(urls))
        self._journal.connection.executemany(sql, rows)


def _encode_results(batch: SubmissionBatch, answer: Answer) -> str:
    """Encode the result of each URL of a batch, two per hexadecimal digit, for the lock file."""
    results = dict.fromkeys(normalize_all(batch.urls), _ACCEPTED)
    results |= dict.fromkeys(normalize_all([*answer.refused]), _REFUSED)
    results |= dict.fromkeys(normalize_all([*answer.postponed]), _POSTPONED)
    values = [results[url] for url in sorted(results)]
    pairs = zip_longest(values[::2], values[1::2], fillvalue=_ACCEPTED)
    return "".join(f"{4 * first + second:x}" for first, second in pairs)


def _urls_by_result(batch: SubmissionBatch, results: str, result: int) -> dict[str, str]:
    """Return the URLs with this result, each with a reason; decodes `_encode_results`."""
    values = [value for digit in results for value in divmod(int(digit, 16), 4)]
    pairs = zip(batch.urls, values, strict=False)  # the last digit may have a spare result
    return {url: _RECORDED_LATER for url, value in pairs if value == result}


def default_path() -> str:
    from platformdirs import user_state_path

    return str(user_state_path("sitemapx", appauthor=False) / "journal.sqlite3")


def open_journal(path: str) -> Journal:
    """Open or create a journal for a run; may raise `InputError` or `OutputError`."""
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    except OSError as error:
        message = f"{error.strerror}; pass {option('journal')} to use another"
        raise OutputError(f"cannot create the journal {path}: {message}") from error
    with journal_errors(path), _open(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        # WAL alone could lose an answer in a power failure.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        prepare_schema(connection, path)
    return Journal(connection, path)


def read_journal(path: str) -> Journal | None:
    """
    Open a journal for reading, or return None if it does not exist or is empty.

    The directory of the journal may be read-only. May raise `InputError` or `OutputError`.
    """
    if not os.path.exists(path):
        return None
    with journal_errors(path), _open_read_only(path) as connection:
        if is_new(connection):
            connection.close()
            return None
        check_version(connection, path)
    return Journal(connection, path)


def copy_journal(path: str) -> Journal:
    """Open a private copy of a journal, empty if the journal is missing, for a dry run."""
    with journal_errors(path), _open("") as copy:
        if os.path.exists(path):
            with _open_read_only(path) as original, closing(original):
                original.backup(copy)
        prepare_schema(copy, path)
    return Journal(copy, "", path)


@contextmanager
def _open(name: str) -> Iterator[sqlite3.Connection]:
    """Open a database, which stays open after the block unless the block fails."""
    is_uri = name.startswith("file:")
    connection = sqlite3.connect(name, timeout=30, isolation_level=None, uri=is_uri)
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


@contextmanager
def _open_read_only(path: str) -> Iterator[sqlite3.Connection]:
    absolute = os.path.abspath(path).replace(os.sep, "/")
    name = f"file:/{quote(absolute.removeprefix('/'), safe='/:')}?mode=ro"
    # Without write access to the directory, SQLite cannot create the files that processes share.
    # Then assume that no process writes, and read the log of a killed run from a copy.
    if _is_readable(name):
        opened = _open(name)
    elif _size(f"{path}-wal"):
        opened = _open_copy(path)
    else:
        opened = _open(f"{name}&immutable=1")
    with opened as connection:
        yield connection


@contextmanager
def _open_copy(path: str) -> Iterator[sqlite3.Connection]:
    from shutil import copyfile
    from tempfile import TemporaryDirectory

    with _open("") as copy:
        try:
            with TemporaryDirectory() as folder:
                name = os.path.join(folder, "journal")
                for ending in ("", "-wal"):
                    copyfile(f"{path}{ending}", f"{name}{ending}")
                with _open(name) as original, closing(original):
                    original.backup(copy)
        except OSError as error:
            message = f"cannot copy the read-only journal {path}: {error.strerror}"
            raise OutputError(f"{message}; set TMPDIR to a writable directory") from error
        yield copy


def _size(path: str) -> int:
    with suppress(OSError):
        return os.path.getsize(path)
    return 0


def _is_readable(name: str) -> bool:
    """Return whether a database can be read while other processes write to it."""
    with suppress(sqlite3.OperationalError), _open(name) as connection, closing(connection):
        connection.execute("SELECT count(*) FROM sqlite_schema")
        return True
    return False
