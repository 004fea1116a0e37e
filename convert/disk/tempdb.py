"""
A temporary database of SQLite: https://www.sqlite.org/inmemorydb.html#temp_db

Its file has no name that anybody sees, and is gone with the process.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ParamSpec

from sitemapx.errors import OutputError

_P = ParamSpec("_P")

_CACHE_KIB = 32 * 1024


class Database:
    """
    One table, in a transaction that never ends.

    All methods raise `OutputError` if there is no room on disk.
    """

    def __init__(self, table: str, cache: int = _CACHE_KIB) -> None:
        """
        Make the table.

        Args:
            table: Its name and its columns.
            cache: How many KiB of it are kept in memory.

        """
        # isolation_level: that module shall begin no transaction of its own
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
        """Run a statement with these values, and count the rows that it changed."""
        return self._do(self._connection.execute, sql, row).rowcount

    def insert(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each of these rows."""
        self._do(self._connection.executemany, sql, rows)

    def select(self, sql: str, values: Iterable[Any] = ()) -> Iterator[Any]:
        """Return the rows of a query with these values."""
        try:
            # `yield from` would close the cursor, perhaps after the database
            for row in self._connection.execute(sql, tuple(values)):  # noqa: UP028
                yield row
        except sqlite3.Error as error:
            raise _no_room(error) from error

    def close(self) -> None:
        """Release the disk space."""
        self._connection.close()


def _no_room(error: sqlite3.Error) -> OutputError:
    return OutputError(f"cannot write temporary files: {error}; set TMPDIR to another directory")
