"""Recovers the readable part of a damaged journal."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress

from sitemapx.errors import InputError, OutputError, UsageError
from sitemapx.optionnames import option
from sitemapx.submit.journal.storage import (
    create_tables,
    is_marked,
    is_new,
    journal_errors,
    journal_lock,
    lock_path,
)

#: Table to save -> its key. `listed` is not saved: the next `submit` records the URLs of its sets
#: again, and until all sets have been submitted, no URL counts as removed.
_KEYS = {
    "sets": "id",
    "targets": "id",
    "batches": "id",
    "entries": "target, url, set_id",
    "spellings": "url",
    "pauses": "server",
    "inspections": "name, url",
    "sizes": "target",
}
#: Remove references to lost IDs, which may be reused, and mark the contents of all sets as unknown.
_REPAIR = (
    "DELETE FROM batches WHERE target NOT IN (SELECT id FROM targets)",
    "DELETE FROM entries WHERE target NOT IN (SELECT id FROM targets)",
    "UPDATE OR REPLACE entries SET set_id = 0 WHERE set_id NOT IN (SELECT id FROM sets)",
    "UPDATE entries SET may_expire = 1",
    "UPDATE sets SET digest = NULL",
    "INSERT INTO listed (set_id, url, may_expire) SELECT id, '', 1 FROM sets WHERE id",
)


def rebuild_journal(path: str) -> tuple[str, dict[str, int]] | None:
    """
    Replace a damaged journal with a new one that contains recovered rows.

    Returns:
        The new path of the damaged journal, and the number of rows copied by table; None if the
        journal is sound and was not changed.

    Raises:
        InputError: If the file is not a journal.
        OutputError: If another run uses the journal, or the new one cannot be written.
        UsageError: If the journal does not exist.

    """
    if not os.path.exists(path):
        raise UsageError(f"no journal at {path}")
    # If the start of the file is damaged, the lock file shows that this is a journal.
    if not (is_marked(path) or os.path.exists(lock_path(path))):
        advice = f"move it away to start a new journal, or pass {option('journal')} to use another"
        raise InputError(f"not a sitemapx journal; nothing was changed; {advice}", path)
    new, kept = f"{path}-new", f"{path}-damaged-{time.strftime('%Y%m%dT%H%M%S')}"
    with journal_lock(path, 0, action="run again when it has finished"):
        if _is_sound(path):
            return None
        _remove(new)
        try:
            with journal_errors(new), closing(sqlite3.connect(new, isolation_level=None)) as target:
                saved = _save(path, target)
            for ending in ("", "-wal"):
                with suppress(FileNotFoundError):
                    os.rename(f"{path}{ending}", f"{kept}{ending}")
            _remove(f"{path}-shm")
            os.rename(new, path)
        except OSError as error:
            if isinstance(error, OutputError):
                raise
            raise OutputError(f"cannot replace the journal {path}: {error.strerror}") from error
        finally:
            _remove(new)
    return kept, saved


def _is_sound(path: str) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as journal:
            found = journal.execute("PRAGMA integrity_check(1)").fetchone()
            return bool(found == ("ok",) and (is_marked(path) or is_new(journal)))
    except sqlite3.DatabaseError:
        return False


def _save(path: str, target: sqlite3.Connection) -> dict[str, int]:
    """Copy readable rows of a journal into a new database; return their number by table."""
    target.execute("BEGIN")
    create_tables(target)
    saved = {}
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as source:
        source.row_factory = sqlite3.Row
        for table in _KEYS:
            saved[table] = sum(_insert(target, table, row) for row in _rows(source, table))
    for statement in _REPAIR:
        target.execute(statement)
    target.execute("COMMIT")
    return saved


def _insert(target: sqlite3.Connection, table: str, row: sqlite3.Row) -> int:
    names, marks = ", ".join(row.keys()), ", ".join("?" * len(row))
    sql = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"
    return target.execute(sql, tuple(row)).rowcount


def _rows(source: sqlite3.Connection, table: str) -> Iterator[sqlite3.Row]:
    """Yield rows up to the first damaged page; if there is one, also backwards from the end."""
    for order in ("ASC", "DESC"):
        keys = ", ".join(f"{key} {order}" for key in _KEYS[table].split(", "))
        try:
            yield from source.execute(f"SELECT * FROM {table} ORDER BY {keys}")
        except sqlite3.DatabaseError:
            continue
        return


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.remove(path)
