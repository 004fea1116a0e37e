"""The tables of the journal."""

import sqlite3

from sitemapx.errors import InputError
from sitemapx.optionnames import option

__all__ = ["check_version", "create", "is_marked", "is_new", "prepare"]

#: "smx1": https://www.sqlite.org/pragma.html#pragma_application_id
_APPLICATION = 0x736D7831
_VERSION = 1
#: All URLs are written as `normal` has them, so that equivalent spellings are one URL; spellings:
#: how a source writes one that it spells otherwise, and how it is sent.
#: sets: the sources of URLs, by address or path; 0 stands for lists (`--urls`). owner: the site
#: whose settings name the source. head: of a feed, as JSON. digest: of what listed has of it, if
#: that came from a run that read the whole set, and nothing changed it since.
#: listed: what each set lists now, or the empty URL until that is known again; rolls: whether a
#: URL may leave it without being removed; fingerprint: the state that the set tells of it, if that
#: is known.
#: entries: what an engine knows of a URL, by the set that listed it. fingerprint: the state that
#: it accepted at told_at; tried_at: when it was sent since then, and not accepted; due: the state
#: that it is to be told; refused: one that it refused for good, or "removed"; doubt: how often it
#: was told, without a known answer, that the page is removed. A page that it knows to be removed
#: has told_at, set 0, and no fingerprint. hubs: of a feed, the state that each hub accepted last,
#: as JSON.
#: pauses: servers, and quotas of servers, to which nothing is sent; since, seconds and date: see
#: `Pause`.
#: inspections: what an engine said last about a page, as JSON; property: the site whose quota it
#: counted against.
#: sizes: how many items an engine takes at once, where it said so.
_TABLES = {
    "sets": "(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, owner TEXT, head TEXT, "
    "digest TEXT)",
    "targets": "(id INTEGER PRIMARY KEY, engine TEXT NOT NULL, kind TEXT NOT NULL, "
    "UNIQUE (engine, kind))",
    "batches": "(id INTEGER PRIMARY KEY, target INTEGER NOT NULL, host TEXT NOT NULL, "
    "site TEXT NOT NULL, sent_at REAL NOT NULL, sent INTEGER NOT NULL, "
    "accepted INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, status INTEGER, "
    "why TEXT NOT NULL DEFAULT '')",
    "listed": "(set_id INTEGER NOT NULL, url TEXT NOT NULL, rolls INTEGER NOT NULL, "
    "fingerprint TEXT, PRIMARY KEY (set_id, url)) WITHOUT ROWID",
    "entries": "(target INTEGER NOT NULL, url TEXT NOT NULL, set_id INTEGER NOT NULL, "
    "rolls INTEGER NOT NULL, fingerprint TEXT, told_at REAL, tried_at REAL, due TEXT, "
    "refused TEXT, doubt INTEGER NOT NULL DEFAULT 0, hubs TEXT, "
    "PRIMARY KEY (target, url, set_id)) WITHOUT ROWID",
    "spellings": "(url TEXT PRIMARY KEY, spelt TEXT NOT NULL) WITHOUT ROWID",
    "pauses": "(server TEXT PRIMARY KEY, since REAL NOT NULL, seconds REAL NOT NULL, date REAL) "
    "WITHOUT ROWID",
    "inspections": "(name TEXT NOT NULL, url TEXT NOT NULL, property TEXT NOT NULL, "
    "asked_at REAL NOT NULL, result TEXT NOT NULL, PRIMARY KEY (name, url)) WITHOUT ROWID",
    "sizes": "(target INTEGER PRIMARY KEY, most INTEGER NOT NULL, learned_at REAL NOT NULL)",
}


def prepare(connection: sqlite3.Connection, path: str) -> None:
    """
    Create the tables in an empty database.

    Raises:
        InputError: If it is not empty, and not a journal that this version can use.

    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        if is_new(connection):
            create(connection)
        check_version(connection, path)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def create(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    for name, columns in _TABLES.items():
        connection.execute(f"CREATE TABLE {name} {columns}")
    connection.execute("INSERT INTO sets (id, name) VALUES (0, '')")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def check_version(connection: sqlite3.Connection, path: str) -> None:
    """
    Check that this is a journal that this version can use.

    Raises:
        InputError: If it is not.

    """
    advice = f"pass {option('journal')} to use another"
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise InputError(f"not a sitemapx journal; {advice}", path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != _VERSION:
        message = f"unsupported journal version {version}: expected {_VERSION}; {advice}"
        raise InputError(message, path)


def is_new(connection: sqlite3.Connection) -> bool:
    """Return whether a database has no tables: an empty file is one, too."""
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def is_marked(path: str) -> bool:
    """Return whether a file says that it is a journal: https://www.sqlite.org/fileformat.html"""
    try:
        with open(path, "rb") as file:
            head = file.read(100)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == _APPLICATION.to_bytes(4, "big")
