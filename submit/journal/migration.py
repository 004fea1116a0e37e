"""Create a journal, or bring one of an earlier version up to date."""

import sqlite3
from collections.abc import Iterator

import msgspec

from sitemapx.convert.values.uris import normal
from sitemapx.submit.journal.schema import (
    TABLES,
    VERSION,
    check_version,
    create,
    is_new,
    version_of,
)

__all__ = ["prepare", "unify"]

#: The first version that has one spelling of each URL.
_UNIFIED = 3
#: Makes equivalent spellings one URL. Of two records of a page, one that is due stays.
_UNIFY = (
    "INSERT OR REPLACE INTO spellings SELECT normal(url), url FROM listed WHERE url <> normal(url)",
    "INSERT OR IGNORE INTO spellings SELECT normal(url), url FROM entries WHERE url <> normal(url)",
    """
    UPDATE OR REPLACE entries SET url = normal(url) WHERE due NOTNULL AND url <> normal(url)
    AND NOT EXISTS (SELECT 1 FROM entries o WHERE o.target = entries.target
        AND o.set_id = entries.set_id AND o.url = normal(entries.url) AND o.due NOTNULL)""",
    "UPDATE OR IGNORE entries SET url = normal(url) WHERE url <> normal(url)",
    "DELETE FROM entries WHERE url <> normal(url)",
    "UPDATE OR REPLACE listed SET url = normal(url) WHERE url <> normal(url)",
    "UPDATE OR IGNORE sets SET name = normal(name) WHERE name LIKE 'http%://%'",
)
#: Version -> what brings its tables to the next one.
_UPDATES = {
    2: (
        "ALTER TABLE sets ADD COLUMN digest TEXT",
        "ALTER TABLE entries ADD COLUMN hubs TEXT",
        f"CREATE TABLE spellings {TABLES['spellings']}",
        "PRAGMA user_version = 3",
    ),
    3: (
        f"CREATE TABLE inspections {TABLES['inspections']}",
        f"CREATE TABLE sizes {TABLES['sizes']}",
        "PRAGMA user_version = 4",
    ),
    4: (
        "ALTER TABLE listed ADD COLUMN fingerprint TEXT",
        "UPDATE sets SET digest = NULL",
        "PRAGMA user_version = 5",
    ),
}


def prepare(connection: sqlite3.Connection, path: str) -> None:
    """
    Create the tables, or bring those of an earlier version up to date.

    Raises:
        InputError: If the file is not a journal, or one of a later version.

    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        if is_new(connection):
            create(connection)
        else:
            _update(connection, version_of(connection, path))
        check_version(connection, path)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def unify(connection: sqlite3.Connection) -> None:
    """Make equivalent spellings one URL."""
    connection.create_function("normal", 1, normal, deterministic=True)
    for statement in _UNIFY:
        connection.execute(statement)


def _update(connection: sqlite3.Connection, version: int) -> None:
    if version == 1:
        _replace_1(connection)
    for later in range(max(version, 2), VERSION) if version != 1 else ():
        for statement in _UPDATES[later]:
            connection.execute(statement)
    if version < _UNIFIED:
        unify(connection)


def _replace_1(connection: sqlite3.Connection) -> None:
    """Keep what engines accepted and what is due; the sets of version 1 were others."""
    connection.execute("DROP INDEX IF EXISTS batches_to_retry")
    for name in ("sets", "targets", "batches", "entries"):
        connection.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    create(connection)
    connection.execute("INSERT INTO targets SELECT id, engine, kind FROM old_targets")
    connection.execute(
        "INSERT INTO batches SELECT id, target, host, site, sent_at, sent, accepted, state, "
        "status, why FROM old_batches"
    )
    connection.execute(
        "INSERT INTO entries (target, url, set_id, rolls, fingerprint, told_at) "
        "SELECT target, url, 0, 1, fingerprint, sent_at FROM old_entries"
    )
    connection.executemany(
        "INSERT INTO entries (target, url, set_id, rolls, due) VALUES (?, ?, 0, 1, ?) "
        "ON CONFLICT DO UPDATE SET due = excluded.due",
        list(_due_in_1(connection)),
    )
    for name in ("sets", "batches", "entries", "targets"):
        connection.execute(f"DROP TABLE old_{name}")


def _due_in_1(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """
    Find what was sent and not accepted since; removals follow from the sets.

    The last batch of a URL says what is due of it: a page that was removed later is not.
    """
    known = "SELECT 1 FROM old_entries WHERE target = ? AND url = ? AND sent_at >= ?"
    rows = connection.execute(
        "SELECT target, sent_at, items FROM old_batches WHERE items NOTNULL ORDER BY id DESC"
    )
    seen: set[tuple[int, str]] = set()
    for target, sent_at, items in rows.fetchall():
        for url, is_removed, fingerprint, *_ in msgspec.msgpack.decode(items):
            is_last = (target, url) not in seen
            seen.add((target, url))
            if (
                is_last
                and not is_removed
                and not connection.execute(known, (target, url, sent_at)).fetchone()
            ):
                yield target, url, fingerprint
