"""
Read tables of columns, as this package writes them or as other programs do.

Columns are known by their names, as in CSV. Lenient about: their order and their types, such as
dates that are timestamps; columns that are missing. Left out, with a Problem: columns that are not
known; values of the wrong kind.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any

import msgspec
import pyarrow as pa

from sitemapx.convert.arrow.columns import DERIVED
from sitemapx.convert.formats.arrow.extent import Extent, is_measurable
from sitemapx.convert.formats.csv.header import field_named
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.rows import entry_of_row
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.gzip import is_bomb
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import InputError

#: Rows, and bytes of their values in Python, that are read at a time; no row may have more bytes.
_ROWS, _BYTES = 4096, 10 * 1024**2
#: Bytes for which a row counts, besides its texts: fewer than those of any list of URLs.
_ROW = 8
#: Columns shrink to less than lists of URLs where many rows have the same text.
_RATIO = 1000
_TYPES = {field.name: field.type for field in msgspec.structs.fields(Entry)}
_Columns = Sequence[pa.Array]


class ColumnarReader:
    """The rows of a table, as entries; a row is named by its number, from 1, as a line is."""

    def __init__(
        self, schema: pa.Schema, context: Context, packed_size: Callable[[], int] | None = None
    ) -> None:
        """
        Take the schema of the table.

        Args:
            packed_size: Returns the bytes of the file that have been read, or of all of it; None
                for rows that come from no file, whose size has no limit.

        Raises:
            InputError: If no column has URLs.

        """
        self._context = context
        self._packed_size = packed_size
        self._number = self._size = 0
        self._fields: dict[int, str] = {}
        unknown = []
        for place, name in enumerate(schema.names):
            field = DERIVED.get(name) or field_named(name)
            if field is None:
                unknown.append(name)
            elif not is_measurable(kind := schema.field(place).type):
                message = f"column {name!r}: unsupported type {kind}"
                context.problem("bad-value", message, done="; dropped")
            elif field not in self._fields.values() and not (
                name in DERIVED and field in schema.names
            ):
                self._fields[place] = field
        if not {"loc", "id"} & {*self._fields.values()}:
            names = shorten_list(schema.names) or "none"
            expected = "expected a column named loc or url"
            raise InputError(f"table has no URL column: {expected} (its columns: {names})")
        if unknown:
            context.problem("unknown-key", f"unknown columns dropped: {shorten_list(unknown)}")

    def batches(self, records: Iterator[pa.RecordBatch]) -> Iterator[Batch]:
        """
        Return the entries.

        Args:
            records: The record batches; an error of pyarrow ends them early.

        """
        is_empty = True
        for columns in self._parts(self._until_damage(records)):
            if entries := self._entries(columns):
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

    def _parts(self, records: Iterator[pa.RecordBatch]) -> Iterator[_Columns]:
        """Yield the columns of a few rows at a time, until they are too many for the file."""
        for columns, extent in chain.from_iterable(map(self._measured, records)):
            self._size += _ROW * len(columns[0]) + extent.text
            if self._packed_size and is_bomb(packed := self._packed_size(), self._size, _RATIO):
                message = f"{packed:,} bytes have values of more than {self._size:,}"
                self._context.problem("too-large", message, done="; truncated there")
                return
            if extent.memory <= _BYTES:
                yield columns
            else:
                self._number += 1
                message = "row is too large"
                self._context.problem(
                    "entry-too-large", message, done="; skipped", line=self._number
                )

    def _measured(self, record: pa.RecordBatch) -> Iterator[tuple[_Columns, Extent]]:
        """Yield parts of a record batch that are small, or have one row, and their extents."""
        columns = [record.column(place) for place in self._fields]
        for start in range(0, record.num_rows, _ROWS):
            yield from _small_parts([column.slice(start, _ROWS) for column in columns])

    def _entries(self, columns: _Columns) -> list[Entry]:
        """Return the entries of some rows."""
        first = self._number + 1
        self._number += len(columns[0])
        values = [column.to_pylist() for column in columns]
        found = []
        for number, row in enumerate(zip(*values, strict=True), first):
            fields = {
                field: value
                for field, raw in zip(self._fields.values(), row, strict=True)
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


def _small_parts(columns: _Columns) -> Iterator[tuple[_Columns, Extent]]:
    extent = sum(map(Extent.of, columns), Extent(0))
    half = len(columns[0]) // 2
    if extent.memory <= _BYTES or not half:
        yield columns, extent
    else:
        yield from _small_parts([column.slice(0, half) for column in columns])
        yield from _small_parts([column.slice(half) for column in columns])


def _plain(value: Any) -> Any:
    """Return a value without what is null in it; a moment as text."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items() if part is not None}
    if isinstance(value, list):
        return [_plain(part) for part in value if part is not None]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value
