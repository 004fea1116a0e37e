"""The tables of the journal, and journals of earlier versions."""

import sqlite3
from collections.abc import Iterator

import msgspec

from sitemapx.errors import InputError

__all__ = ["TABLES", "VERSION", "check_version", "create", "prepare"]

#: "smx1": https://www.sqlite.org/pragma.html#pragma_application_id
_APPLICATION = 0x736D7831
VERSION = 2
#: sets: the sources of URLs, by address or path; 0 stands for lists (`--urls`). owner: the site
#: whose settings name the source. head: of a feed, as JSON.
#: listed: what each set lists now, or the empty URL until that is known again; rolls: whether a
#: URL may leave it without being removed.
#: entries: what an engine knows of a URL, by the set that listed it. fingerprint: the state that
#: it accepted at told_at; due: the state that it is to be told; refused: one that it refused for
#: good; doubt: how often it was told, without a known answer, that the page is removed. A page
#: that it knows to be removed has told_at, set 0, and no fingerprint.
#: pauses: servers that asked to be left alone since a time, for some seconds.
TABLES = {
    "sets": "(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, owner TEXT, head TEXT)",
    "targets": "(id INTEGER PRIMARY KEY, engine TEXT NOT NULL, kind TEXT NOT NULL, "
    "UNIQUE (engine, kind))",
    "batches": "(id INTEGER PRIMARY KEY, target INTEGER NOT NULL, host TEXT NOT NULL, "
    "site TEXT NOT NULL, sent_at REAL NOT NULL, sent INTEGER NOT NULL, "
    "accepted INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, status INTEGER, "
    "why TEXT NOT NULL DEFAULT '')",
    "listed": "(set_id INTEGER NOT NULL, url TEXT NOT NULL, rolls INTEGER NOT NULL, "
    "PRIMARY KEY (set_id, url)) WITHOUT ROWID",
    "entries": "(target INTEGER NOT NULL, url TEXT NOT NULL, set_id INTEGER NOT NULL, "
    "rolls INTEGER NOT NULL, fingerprint TEXT, told_at REAL, due TEXT, refused TEXT, "
    "doubt INTEGER NOT NULL DEFAULT 0, "
    "PRIMARY KEY (target, url, set_id)) WITHOUT ROWID",
    "pauses": "(server TEXT PRIMARY KEY, since REAL NOT NULL, seconds REAL NOT NULL) WITHOUT ROWID",
}


def prepare(connection: sqlite3.Connection, path: str) -> None:
    """
    Create the tables, or bring those of an earlier version up to date.

    Raises:
        InputError: If the file is not a journal, or one of a later version.

    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            create(connection)
        elif _version(connection, path) == 1:
            _migrate(connection)
        check_version(connection, path)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def create(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    for name, columns in TABLES.items():
        connection.execute(f"CREATE TABLE {name} {columns}")
    connection.execute("INSERT INTO sets (id, name) VALUES (0, '')")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def check_version(connection: sqlite3.Connection, path: str) -> None:
    """
    Check that this is a journal that this version can use.

    Raises:
        InputError: If it is not.

    """
    if (version := _version(connection, path)) != VERSION:
        remedy = "the next `sitemapx submit` updates it" if version < VERSION else "--journal names"
        remedy += " another" if version > VERSION else ""
        raise InputError(f"journal version {version}, expected {VERSION}; {remedy}", path)


def is_marked(path: str) -> bool:
    """Tell whether a file says that it is a journal: https://www.sqlite.org/fileformat.html"""
    try:
        with open(path, "rb") as file:
            head = file.read(100)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == _APPLICATION.to_bytes(4, "big")


def _version(connection: sqlite3.Connection, path: str) -> int:
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise InputError("not a journal of sitemapx; --journal names another", path)
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return found


def _migrate(connection: sqlite3.Connection) -> None:
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
        "INSERT INTO entries SELECT target, url, 0, 1, fingerprint, sent_at, NULL, NULL, 0 "
        "FROM old_entries"
    )
    connection.executemany(
        "INSERT INTO entries (target, url, set_id, rolls, due) VALUES (?, ?, 0, 1, ?) "
        "ON CONFLICT DO UPDATE SET due = excluded.due",
        list(_due(connection)),
    )
    for name in ("sets", "batches", "entries", "targets"):
        connection.execute(f"DROP TABLE old_{name}")


def _due(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Find what was sent and not accepted since; removals follow from the sets."""
    known = "SELECT 1 FROM old_entries WHERE target = ? AND url = ? AND sent_at >= ?"
    rows = connection.execute(
        "SELECT target, sent_at, items FROM old_batches WHERE items NOTNULL ORDER BY id"
    )
    for target, sent_at, items in rows.fetchall():
        for url, is_removed, fingerprint, *_ in msgspec.msgpack.decode(items):
            if not (is_removed or connection.execute(known, (target, url, sent_at)).fetchone()):
                yield target, url, fingerprint
