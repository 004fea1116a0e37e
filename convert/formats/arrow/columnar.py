"""
Read tables of columns, as this package writes them or as other programs do.

Columns are known by their names, as in CSV. Lenient about: their order and their types, such as
dates that are timestamps; columns that are missing. Left out, with a Problem: columns that are not
known; values of the wrong kind.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import msgspec
import pyarrow as pa

from sitemapx.convert.arrow.columns import DERIVED
from sitemapx.convert.formats.csv.header import field_named
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.rows import entry_of_row
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values.words import listed
from sitemapx.errors import InputError

__all__ = ["ColumnarReader"]

_TYPES = {field.name: field.type for field in msgspec.structs.fields(Entry)}


class ColumnarReader:
    """The rows of a table, as entries; a row is named by its number, from 1, as a line is."""

    def __init__(self, schema: pa.Schema, context: Context) -> None:
        """
        Take the schema of the table.

        Raises:
            InputError: If no column has URLs.

        """
        self._context = context
        self._number = 0
        self._fields: dict[int, str] = {}
        unknown = []
        for place, name in enumerate(schema.names):
            field = DERIVED.get(name) or field_named(name)
            if field is None:
                unknown.append(name)
            elif field not in self._fields.values() and not (
                name in DERIVED and field in schema.names
            ):
                self._fields[place] = field
        if not {"loc", "id"} & {*self._fields.values()}:
            names = listed(schema.names) or "none"
            expected = "expected a column named loc or url"
            raise InputError(f"table has no URL column: {expected} (its columns: {names})")
        if unknown:
            context.problem("unknown-key", f"unknown columns dropped: {listed(unknown)}")

    def batches(self, records: Iterator[pa.RecordBatch]) -> Iterator[Batch]:
        """
        Return the entries.

        Args:
            records: The record batches; an error of pyarrow ends them early.

        """
        is_empty = True
        for record in self._until_damage(records):
            if entries := self._entries(record):
                is_empty = False
                yield Batch(entries)
        if is_empty:
            self._context.problem("empty", "no row results in an entry")

    def _until_damage(self, records: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from records
        except (pa.ArrowException, OSError, EOFError) as error:
            done = "; everything from here on is skipped"
            message = f"damaged data after row {self._number:,}: {error}"
            self._context.problem("truncated", message, done=done)

    def _entries(self, record: pa.RecordBatch) -> list[Entry]:
        """Return the entries of a record batch."""
        first = self._number + 1
        self._number += record.num_rows
        columns = [record.column(place).to_pylist() for place in self._fields]
        found = []
        for number, row in enumerate(zip(*columns, strict=True), first):
            values = zip(self._fields.values(), row, strict=True)
            fields = {
                field: value
                for field, raw in values
                if raw is not None and (value := self._value(field, raw, number)) is not None
            }
            if fields and (entry := entry_of_row(fields, self._context, number)):
                found.append(entry)
        return found

    def _value(self, field: str, raw: Any, number: int) -> Any:
        """Return a value as that of a field; None, with a problem, if it is none."""
        if isinstance(raw, str) and _TYPES[field] == str | None:
            return raw
        try:
            return msgspec.convert(_plain(raw), _TYPES[field], strict=False)
        except msgspec.ValidationError as error:
            message = f"{field}: {error}"
            self._context.problem("bad-value", message, done="; dropped", line=number)
            return None


def _plain(value: Any) -> Any:
    """Return a value without what is null in it; a moment as text."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items() if part is not None}
    if isinstance(value, list):
        return [_plain(part) for part in value if part is not None]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value
