"""
Temporary SQLite database, which is deleted when it is closed or the process ends.

https://www.sqlite.org/inmemorydb.html#temp_db
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ParamSpec

from sitemapx.errors import OutputError

_P = ParamSpec("_P")

_CACHE_KIB = 32 * 1024


class Database:
    """A table, declared as in `CREATE TABLE`; methods raise `OutputError`, as for a full disk."""

    def __init__(self, table: str, cache: int = _CACHE_KIB) -> None:
        # isolation_level=None: no implicit transactions
        self._connection = sqlite3.connect("", isolation_level=None)
        self._do(
            self._connection.executescript,
            f"PRAGMA cache_size = -{cache}; PRAGMA journal_mode = OFF;CREATE TABLE {table}; BEGIN",
        )

    def _do(
        self, method: Callable[_P, sqlite3.Cursor], *args: _P.args, **kwargs: _P.kwargs
    ) -> sqlite3.Cursor:
        try:
            return method(*args, **kwargs)
        except sqlite3.Error as error:
            raise _no_room(error) from error

    def changes(self, sql: str, row: Sequence[Any]) -> int:
        return self._do(self._connection.execute, sql, row).rowcount

    def insert(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._do(self._connection.executemany, sql, rows)

    def select(self, sql: str, values: Iterable[Any] = ()) -> Iterator[Any]:
        try:
            # `yield from` might close the cursor after the database
            for row in self._connection.execute(sql, tuple(values)):  # noqa: UP028
                yield row
        except sqlite3.Error as error:
            raise _no_room(error) from error

    def close(self) -> None:
        self._connection.close()


def _no_room(error: sqlite3.Error) -> OutputError:
    return OutputError(f"cannot write temporary files: {error}; set TMPDIR to another directory")
