"""
Writes CSV with a header (https://www.rfc-editor.org/rfc/rfc4180), or with tabs instead of commas.

By default, every field but `source` has a column; lists and objects, such as images, are JSON.
"""

import csv
import io
from collections.abc import Collection
from functools import partial
from typing import Any

import msgspec

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import STATED_FIELDS, Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.model.reporter import Reporter

#: Delimiter of each table format.
DELIMITERS = {"csv": ",", "tsv": "\t"}


class CsvWriter(Writer):
    def __init__(
        self,
        reporter: Reporter,
        columns: tuple[str, ...] = STATED_FIELDS,
        delimiter: str = DELIMITERS["csv"],
    ) -> None:
        self._columns = columns
        self._delimiter = delimiter
        self._json = msgspec.json.Encoder().encode

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return (self._delimiter.join(self._columns) + "\n").encode()

    def encode(self, batch: Batch) -> Encoded:
        return Encoded.from_chunks([self._row(entry) for entry in batch.entries])

    def _row(self, entry: Entry) -> bytes:
        row = io.StringIO()
        cells = [self._cell(getattr(entry, name)) for name in self._columns]
        # the default line end is CR LF, so cells with CR or LF are quoted
        csv.writer(row, delimiter=self._delimiter).writerow(cells)
        return (row.getvalue()[:-2] + "\n").encode("utf-8", "replace")

    def _cell(self, value: Any) -> str:
        if not has(value):
            return ""
        return value if isinstance(value, str) else self._json(value).decode()


TsvWriter = partial(CsvWriter, delimiter=DELIMITERS["tsv"])
