"""
Writes rows for `SqlitePacker`: lines of JSON arrays, the first of which names the columns.

Texts and numbers are unchanged; values with several parts, such as images, are JSON.
"""

import os
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import STATED_FIELDS, Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import has
from sitemapx.convert.model.reporter import Reporter
from sitemapx.errors import OutputError


class SqliteWriter(Writer):
    def __init__(self, reporter: Reporter, columns: tuple[str, ...] = STATED_FIELDS) -> None:
        self._columns = columns
        self._encode = msgspec.json.Encoder().encode_lines

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return self._encode([self._columns])

    def encode(self, batch: Batch) -> Encoded:
        used = batch.field_counts()
        columns = [
            map(_make_cell, batch.column(name)) if name in used else [None] * len(batch)
            for name in self._columns
        ]
        return Encoded.of_lines(self._encode([*zip(*columns, strict=True)]), len(batch))


def _make_cell(value: Any) -> str | float | None:
    if not has(value):
        return None
    return value if isinstance(value, str | float | int) else msgspec.json.encode(value).decode()


# ---- the database, a temporary file until it is complete

#: Name of the table of entries.
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
