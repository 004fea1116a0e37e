"""
The journal: an SQLite database of what each set lists, what each engine accepted, and what is due.

Each batch is recorded as `sending` before it goes out, and its answer in one transaction with the
state of its URLs. If a run is killed in between, the batch becomes `unknown` and its URLs stay due.
If an acceptance cannot be recorded, as on a full disk, it is noted in the lock file; the next run
records it, and the batch as `unconfirmed`.
Runs take turns (`turn`): the operating system releases the lock of a process that dies.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from typing import NamedTuple

from sitemapx.convert.values.uris import normals
from sitemapx.errors import OutputError
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch, SubmissionItem
from sitemapx.submit.engines.exchange import Answer
from sitemapx.submit.journal.errors import journal_errors
from sitemapx.submit.journal.lock import LockFile, journal_lock

__all__ = ["CACHE_KIB", "RECORD", "REMOVED", "Journal", "Record"]

CACHE_KIB = 16 * 1024
#: The state of a page that was removed, where others have a fingerprint.
REMOVED = "removed"


class Record(NamedTuple):
    """A batch in the journal; `state` is `sending` while it is under way."""

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


#: Selects records.
RECORD = """
SELECT b.id, t.engine, t.kind, b.host, b.sent_at, b.sent, b.accepted, b.state, b.status, b.why
FROM batches b JOIN targets t ON t.id = b.target"""

#: A bare list says nothing about the state of a page, so the known state stays.
_ACCEPT = """
UPDATE entries SET
    fingerprint = CASE WHEN due <> '' THEN due WHEN due = '' THEN coalesce(fingerprint, '')
        ELSE fingerprint END,
    told_at = CASE WHEN due NOTNULL THEN ? ELSE told_at END, tried_at = NULL, due = NULL,
    refused = NULL, doubt = 0
WHERE target = ? AND url = ?"""
#: From this status on, the server may have taken a request all the same: 504 of a gateway.
_TROUBLE = 500
_TRY = "UPDATE entries SET tried_at = ? WHERE target = ? AND url = ?"
_TRIED = """
SELECT url, max(due NOTNULL) FROM entries WHERE target = ? AND tried_at = ? GROUP BY url
ORDER BY url"""
#: Of a URL in a batch that was accepted, in the note of an answer that could not be recorded.
_TAKEN, _REFUSED, _POSTPONED = range(3)
_RECORDED_LATER = "recorded by a later run"
#: If such a page comes back, the engine must be told.
_DOUBT = "UPDATE entries SET doubt = doubt + ? WHERE target = ? AND url = ?"
_IS_BACK = """
DELETE FROM entries
WHERE target = ? AND url = ? AND set_id = 0 AND fingerprint IS NULL AND due IS NULL"""
_NOTE_HUB = """
UPDATE entries SET hubs = json_patch(coalesce(hubs, '{}'), json_object(?, due))
WHERE target = ? AND url = ? AND due NOTNULL"""
#: What is sent of a page without anything due is that it was removed.
_REFUSE_REMOVAL = f"""
UPDATE entries SET refused = '{REMOVED}' WHERE target = ? AND url = ? AND NOT EXISTS (
    SELECT 1 FROM entries d WHERE d.target = entries.target AND d.url = entries.url
    AND d.due NOTNULL)"""  # noqa: S608 (a constant)
_REFUSE = """
UPDATE entries SET refused = due, due = NULL WHERE target = ? AND url = ? AND due NOTNULL"""
_FORGET = "DELETE FROM entries WHERE target = ? AND url = ?"
_REMOVE = "INSERT INTO entries (told_at, target, url, set_id, rolls) VALUES (?, ?, ?, 0, 1)"


class Journal:
    """
    A journal.

    All methods raise `OutputError` if it cannot be read or written.

    Attributes:
        path: Where it is; empty for a private copy.
        name: What messages call it: the path of the original, of a copy.
        connection: The database, for queries that compare with it.

    """

    def __init__(self, connection: sqlite3.Connection, path: str, name: str = "") -> None:
        self.path = path
        self.name = name or path
        self.connection = connection
        self._lock_file: LockFile | None = None
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def close(self) -> None:
        """Close the database."""
        # What is not in the database itself is in its log, so nothing is lost.
        with suppress(sqlite3.Error):
            self.connection.close()

    def rollback(self) -> None:
        """Undo a transaction that was not completed."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def value(self, sql: str, *values: object) -> object:
        """Return the first value of a query; None if there is none."""
        row = self.connection.execute(sql, values).fetchone()
        return row[0] if row else None

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Run a transaction: all of it, or nothing."""
        with journal_errors(self.name):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                self.rollback()
                raise

    @contextmanager
    def turn(
        self, patience: float, on_wait: Callable[[], object] = lambda: None
    ) -> Iterator[list[Record]]:
        """
        Wait until no other run sends from this journal; the turn lasts as long as the context.

        Args:
            patience: How many seconds to wait.
            on_wait: Called once if there is another run.

        Returns:
            The batches of a run that was killed, or could not record the answer; they are `unknown`
            or `unconfirmed` now.

        Raises:
            OutputError: If another run is still at work then, or the lock cannot be used.

        """
        with (
            journal_lock(self.path, patience, on_wait) as self._lock_file,
            journal_errors(self.name),
        ):
            yield self._recovered()

    def _recovered(self) -> list[Record]:
        if not self.path:  # of a private copy, the run that sends may still be at work
            return []
        confirmed = self._confirm()
        rows = self.connection.execute(f"{RECORD} WHERE b.state = 'sending' ORDER BY b.id")
        found = [Record(*row)._replace(state="unknown") for row in rows]
        if found:
            reason = "the run ended before a response arrived"
            with self.changing():
                sql = "UPDATE batches SET state = 'unknown', why = ? WHERE state = 'sending'"
                self.connection.execute(sql, (reason,))
        return confirmed + found

    def _confirm(self) -> list[Record]:
        """Record an acceptance that an earlier run could only note in the lock file."""
        note = self._lock_file.read() if self._lock_file else ""
        if not (self._lock_file and note):
            return []
        number, status, *fates = note.split()
        sql = f"{RECORD} WHERE b.state = 'sending' AND b.id = ?"
        rows = self.connection.execute(sql, (number,)).fetchall()
        confirmed = [self._confirmed(Record(*row), int(status), "".join(fates)) for row in rows]
        self._lock_file.write("")
        return confirmed

    def _confirmed(self, record: Record, status: int, fates: str) -> Record:
        """Record the acceptance of a batch, and return what the journal has of it now."""
        target = self.target(record.engine, record.kind)
        tried = self.connection.execute(_TRIED, (target, record.sent_at)).fetchall()
        items = [SubmissionItem(url, is_removed=not is_due) for url, is_due in tried]
        batch = SubmissionBatch(record.kind, record.host, "", items)
        refused, postponed = (_urls_of(batch, fates, fate) for fate in (_REFUSED, _POSTPONED))
        answer = Answer("accepted", status, _RECORDED_LATER, refused=refused, postponed=postponed)
        self.end(record.id, target, batch, answer, record.sent_at)
        with self.changing():
            sql = "UPDATE batches SET state = 'unconfirmed' WHERE id = ?"
            self.connection.execute(sql, (record.id,))
        accepted = len(items) - len(refused) - len(postponed)
        return record._replace(state="unconfirmed", accepted=accepted)

    def target(self, engine: str, kind: ItemKind) -> int:
        """Return the number of an engine and a kind of items."""
        return self._number("targets", {"engine": engine, "kind": kind})

    def set_id(self, name: str) -> int:
        """Return the number of a set: a source of URLs, by its address or path."""
        return self._number("sets", {"name": name})

    def rename_set(self, old: str, new: str) -> None:
        """Rename a set, if there is one of the old name, and none of the new one."""
        with journal_errors(self.name):
            self.connection.execute(
                "UPDATE sets SET name = :new WHERE name = :old "
                "AND NOT EXISTS (SELECT 1 FROM sets WHERE name = :new)",
                {"old": old, "new": new},
            )

    def _number(self, table: str, values: dict[str, str]) -> int:
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        where = " AND ".join(f"{name} = ?" for name in values)
        select = f"SELECT id FROM {table} WHERE {where}"  # noqa: S608 (names, no values)
        found = self.value(select, *values.values())
        if found is None:
            with journal_errors(self.name):
                sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 (likewise)
                found = self.connection.execute(sql, tuple(values.values())).lastrowid
        assert isinstance(found, int)
        return found

    def begin(self, target: int, batch: SubmissionBatch, now: float) -> int:
        """Record that a batch goes out now; return its number."""
        row = (target, batch.host, batch.site, now, len(batch.items))
        with self.changing():
            number = self.connection.execute(
                "INSERT INTO batches (target, host, site, sent_at, sent, state) "
                "VALUES (?, ?, ?, ?, ?, 'sending')",
                row,
            ).lastrowid
            self._doubt(target, batch, 1)
            self._try(target, batch.items, now)
        assert number is not None
        return number

    def _doubt(self, target: int, batch: SubmissionBatch, more: int) -> None:
        """Count how often an engine was told of removed pages without a known answer."""
        urls = normals([item.url for item in batch.items if item.is_removed])
        self.connection.executemany(_DOUBT, ((more, target, url) for url in urls))

    def cancel(self, number: int, target: int, batch: SubmissionBatch) -> None:
        """Forget a batch that did not go out after all."""
        with self.changing():
            self.connection.execute("DELETE FROM batches WHERE id = ?", (number,))
            self._doubt(target, batch, -1)
            self._try(target, batch.items, None)

    def _try(self, target: int, items: Iterable[SubmissionItem], at: float | None) -> None:
        """Record when items were sent; None if they were not, or did not arrive."""
        urls = normals([item.url for item in items])
        self.connection.executemany(_TRY, ((at, target, url) for url in urls))

    def end(
        self, number: int, target: int, batch: SubmissionBatch, answer: Answer, now: float
    ) -> None:
        """Record the answer, and what the engine knows since then."""
        try:
            self._end(number, target, batch, answer, now)
        except OutputError:
            if answer.state == "accepted" and self._lock_file:
                fates = _fates_of(batch, answer)
                self._lock_file.write(f"{number} {answer.status or 0} {fates}")
            raise

    def _end(
        self, number: int, target: int, batch: SubmissionBatch, answer: Answer, now: float
    ) -> None:
        is_accepted = answer.state == "accepted"
        rest = answer.refused.keys() | answer.postponed.keys()
        accepted = [item for item in batch.items if is_accepted and item.url not in rest]
        there = normals([one.url for one in accepted if not one.is_removed])
        removed = normals([one.url for one in accepted if one.is_removed])
        is_lost = answer.state == "unreachable" or (answer.status or 0) >= _TROUBLE
        hubs = [(hub, target, url) for url in normals(batch.urls) for hub in answer.hubs]
        run = self.connection.executemany
        with self.changing():
            self.connection.execute(
                "UPDATE batches SET state = ?, status = ?, why = ?, accepted = ? WHERE id = ?",
                (answer.state, answer.status, answer.reason, len(accepted), number),
            )
            if answer.state == "refused" and (answer.status or 0) < _TROUBLE:
                self._doubt(target, batch, -1)
            run(_NOTE_HUB, hubs)
            if is_lost:
                self._try(target, batch.items, None)
            run(_ACCEPT, ((now, target, url) for url in there))
            run(_IS_BACK, ((target, url) for url in there))
            run(_FORGET, ((target, url) for url in removed))
            run(_REMOVE, ((now, target, url) for url in removed))
            self._refuse(target, list(answer.refused))

    def refuse(self, target: int, urls: Sequence[str]) -> None:
        """Record URLs that an engine refuses for good, added, changed or removed."""
        if urls:
            with self.changing():
                self._refuse(target, urls)

    def _refuse(self, target: int, urls: Sequence[str]) -> None:
        rows = [(target, url) for url in normals(urls)]
        for statement in (_REFUSE_REMOVAL, _REFUSE):
            self.connection.executemany(statement, rows)


def _fates_of(batch: SubmissionBatch, answer: Answer) -> str:
    """Return what became of the URLs of a batch, in their order: two in each hexadecimal digit."""
    fates = {normal(url): _TAKEN for url in batch.urls}
    fates |= {normal(url): _REFUSED for url in answer.refused}
    fates |= {normal(url): _POSTPONED for url in answer.postponed}
    values = [fates[url] for url in sorted(fates)]
    pairs = zip_longest(values[::2], values[1::2], fillvalue=_TAKEN)
    return "".join(f"{4 * first + second:x}" for first, second in pairs)


def _urls_of(batch: SubmissionBatch, fates: str, fate: int) -> dict[str, str]:
    """Return what became of some URLs of a batch, with a reason; see `_fates_of`."""
    values = [value for digit in fates for value in divmod(int(digit, 16), 4)]
    pairs = zip(batch.urls, values, strict=False)  # of an odd number, the last digit has one more
    return {url: _RECORDED_LATER for url, value in pairs if value == fate}
