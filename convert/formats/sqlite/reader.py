"""Reads a table of URLs; the file is copied first, since SQLite opens only paths."""

import os
import sqlite3
from collections.abc import Iterator
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from urllib.request import pathname2url

from sitemapx.convert.formats.csv.header import TableHeader
from sitemapx.convert.formats.csv.rowreader import RowReader
from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.formats.sqlite.writer import TABLE
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.stream import MAX_LINE, Readable
from sitemapx.errors import InputError


def read_sqlite(stream: Readable, context: Context) -> Document:
    entries = _entries(stream, context)
    return Document(report_if_empty(batched(entries), context, "no row results in an entry"))


def _entries(stream: Readable, context: Context) -> Iterator[Entry]:
    with TemporaryDirectory(prefix="sitemapx-") as folder:
        path = os.path.join(folder, "urls.sqlite")
        with open(path, "wb") as copy:
            copyfileobj(stream, copy)
        database = sqlite3.connect(f"file:{pathname2url(path)}?mode=ro&immutable=1", uri=True)
        try:
            yield from _read_table(database, context)
        except sqlite3.Error as error:
            raise InputError(f"invalid or incomplete SQLite database: {error}") from error
        finally:
            database.close()


def _read_table(database: sqlite3.Connection, context: Context) -> Iterator[Entry]:
    # https://www.sqlite.org/security.html: neither views nor virtual tables, which compute rows
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LINE)
    database.execute("pragma trusted_schema = off")
    sql = "select 1 from sqlite_schema where type = 'table' and rootpage > 0 and name = ?"
    if not database.execute(sql, [TABLE]).fetchone():
        raise InputError(f"SQLite database without a table {TABLE!r}: export its URLs as CSV")
    names = [row[1] for row in database.execute(f"pragma table_info({TABLE})")]
    header = TableHeader(",".join(names))
    if "loc" not in header.fields:
        raise InputError(f"table {TABLE!r} of the SQLite database has no column loc")
    header.check(context, 1)
    rows = RowReader(header, context)
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    for number, row in enumerate(database.execute(f"select {quoted} from {TABLE}"), 1):  # noqa: S608
        yield from rows.read_row(["" if cell is None else str(cell) for cell in row], number)
