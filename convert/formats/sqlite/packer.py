"""Converts rows to a SQLite database, which is a temporary file until it is complete."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import msgspec

from sitemapx.errors import OutputError

#: The table of entries.
TABLE = "urls"
_COPY = 1 << 20
#: Types of columns whose values are not text.
_TYPES = {"priority": "real", "mobile": "integer"}


class SqlitePacker:
    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="sitemapx-")
        self._path = os.path.join(self._folder.name, "urls.sqlite")
        self._decode = msgspec.json.Decoder().decode_lines
        self._rest = b""
        self._insert = ""
        # isolation_level=None: no implicit transactions
        self._database = sqlite3.connect(self._path, isolation_level=None)
        with _failing_as_output():
            self._database.executescript("pragma journal_mode = off; pragma synchronous = off")
            self._database.execute("begin")

    def compress(self, data: bytes, /) -> bytes:
        """Add the rows in `data`; return no bytes, since SQLite changes all parts of its file."""
        lines, end, rest = (self._rest + data).rpartition(b"\n")
        self._rest = rest
        rows = self._decode(lines + end)
        with _failing_as_output():
            if rows and not self._insert:
                self._create_table(rows.pop(0))
            if rows:
                self._database.executemany(self._insert, rows)
        return b""

    def _create_table(self, names: list[str]) -> None:
        columns = ", ".join(f"{name} {_TYPES.get(name, 'text')}" for name in names)
        self._database.execute(f"create table {TABLE} ({columns})")
        self._insert = f"insert into {TABLE} values ({', '.join('?' * len(names))})"  # noqa: S608

    def finish(self) -> Iterator[bytes]:
        with _failing_as_output():
            self._database.execute(f"create index {TABLE}_loc on {TABLE} (loc)")
            self._database.execute("commit")
        self._database.close()
        with open(self._path, "rb") as file:
            while data := file.read(_COPY):
                yield data
        self.discard()

    def discard(self) -> None:
        self._database.close()
        self._folder.cleanup()


@contextmanager
def _failing_as_output() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        message = f"cannot write temporary files: {error}; set TMPDIR to another directory"
        raise OutputError(message) from error
