"""
Writes rows for `packer`: lines of JSON arrays, the first of which has the names of the columns.

Texts and numbers are themselves; values with several parts, such as images, are JSON.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import STATED_FIELDS, Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import has
from sitemapx.convert.model.reporter import Reporter


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
