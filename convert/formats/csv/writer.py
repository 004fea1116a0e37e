"""
Write CSV with a header (https://www.rfc-editor.org/rfc/rfc4180), a column a field.

Holds everything: what has parts (images, videos and so on) is JSON in its cell.
"""

import csv
import io
from collections.abc import Collection
from typing import Any

import msgspec

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import STATED_FIELDS, Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.model.reporter import Reporter


class CsvWriter(Writer):
    """
    Turn entries into rows.

    Attributes:
        columns: The fields that are written.

    """

    columns: tuple[str, ...] = STATED_FIELDS

    @classmethod
    def having(cls, columns: tuple[str, ...]) -> type["CsvWriter"]:
        """Return the writer of rows with these columns."""
        return type(cls.__name__, (cls,), {"columns": columns})

    def __init__(self, reporter: Reporter) -> None:
        self._json = msgspec.json.Encoder().encode

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the header: all columns, so that every file has the same."""
        return (",".join(self.columns) + "\n").encode()

    def encode(self, batch: Batch) -> Encoded:
        """Write a row for each entry."""
        return Encoded.of([self._row(entry) for entry in batch.entries])

    def _row(self, entry: Entry) -> bytes:
        row = io.StringIO()
        cells = [self._cell(getattr(entry, name)) for name in self.columns]
        csv.writer(row).writerow(cells)  # ends in CR LF, and so quotes either
        return (row.getvalue()[:-2] + "\n").encode("utf-8", "replace")

    def _cell(self, value: Any) -> str:
        if not has(value):
            return ""
        return value if isinstance(value, str) else self._json(value).decode()

    def finish(self) -> bytes:
        """Write nothing: the format has no footer."""
        return b""
