"""
Reads tables of columns, written by this package or by other programs.

Columns are identified by name, as in CSV. Their order and types may differ, for example dates as
timestamps. Unknown columns and values of a wrong type are dropped with a problem.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any, NamedTuple, Self

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from sitemapx.convert.arrow.columns import DERIVED
from sitemapx.convert.formats.csv.header import find_field
from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.formats.rows import make_entry
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import FIELD_TYPES, Entry
from sitemapx.convert.streams.gzip import is_bomb
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import InputError

#: Approximate size of a Python value without its text, in bytes.
_VALUE = 50


class _Extent(NamedTuple):
    """Size of a column: number of values, also in lists and structs, and maximum bytes of text."""

    values: int
    text: int = 0

    @property
    def memory(self) -> int:
        """Approximate memory that the values take as Python objects, in bytes."""
        return self.text + _VALUE * self.values

    def __add__(self, other: object) -> Self:
        assert isinstance(other, _Extent)
        return self._replace(values=self.values + other.values, text=self.text + other.text)

    @classmethod
    def measure(cls, array: pa.Array) -> "_Extent":
        """Measure an array; of a slice, only the values in the slice count."""
        kind, own = array.type, cls(len(array))
        if pa.types.is_dictionary(kind):
            return own + _measure_chosen(array.dictionary, array.indices)
        if pa.types.is_run_end_encoded(kind):
            start, count = array.find_physical_offset(), array.find_physical_length()
            return own + _times(cls.measure(array.values.slice(start, count)), len(array))
        if pa.types.is_struct(kind):
            return sum(map(cls.measure, array.flatten()), own)
        if isinstance(kind, pa.BaseExtensionType):
            return cls.measure(array.storage)
        if _is_list(kind):
            return own + cls.measure(array.flatten())
        if isinstance(array, pa.StringViewArray | pa.BinaryViewArray):
            return own._replace(text=sum(_view_lengths(array)))
        if _has_length(kind):
            return own._replace(text=_sum(_lengths(array)))
        return own


def _is_measurable(kind: pa.DataType) -> bool:
    """Return whether `_Extent` supports a type: no maps, unions, or list views (may overlap)."""
    if isinstance(kind, pa.BaseExtensionType):
        return _is_measurable(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return _is_measurable(kind.value_type)
    if pa.types.is_struct(kind) or _is_list(kind):
        return all(_is_measurable(kind.field(place).type) for place in range(kind.num_fields))
    return not pa.types.is_nested(kind)


def _times(extent: _Extent, count: int) -> _Extent:
    return _Extent(extent.values * count, extent.text * count)


def _lengths(texts: pa.Array) -> pa.Array:
    return pc.call_function("binary_length", [texts])


def _sum(numbers: pa.Array) -> int:
    return pc.call_function("sum", [numbers]).as_py() or 0


def _measure_chosen(values: pa.Array, indices: pa.Array) -> _Extent:
    if _has_length(values.type):
        chosen = pc.take(_lengths(values), indices)
        return _Extent(0, _sum(chosen))
    return _times(_Extent.measure(values), len(indices))


def _is_list(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )


def _has_length(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def _view_lengths(array: "pa.StringViewArray | pa.BinaryViewArray") -> memoryview:
    """Return the lengths of the texts; each is the first of the four 32-bit integers of a view."""
    views = memoryview(array.buffers()[1]).cast("B").cast("i")
    return views[4 * array.offset : 4 * (array.offset + len(array)) : 4]


#: Maximum number of rows per batch, and maximum size of a batch or a row in Python, in bytes.
_ROWS, _BYTES = 4096, 10 * 1024**2
#: Size of a row without its texts in bytes: less than the shortest URL.
_ROW = 8
#: Maximum compression ratio: columns with repeated texts compress better than lists of URLs.
_RATIO = 1000
_Columns = Sequence[pa.Array]


class ColumnarReader:
    """
    Reads the rows of a table as entries.

    The line number of a problem is the row number, from 1.

    Args:
        packed_size: Returns the compressed size in bytes of the file, or of the part read so far;
            None to omit the check for decompression bombs.

    Raises:
        InputError: If there is neither a URL column nor an ID column.

    """

    def __init__(
        self, schema: pa.Schema, context: Context, packed_size: Callable[[], int] | None = None
    ) -> None:
        self._context = context
        self._packed_size = packed_size
        self._number = self._size = 0
        self._fields: dict[int, str] = {}
        unknown = []
        for place, name in enumerate(schema.names):
            field = DERIVED.get(name) or find_field(name)
            if field is None:
                unknown.append(name)
            elif not _is_measurable(kind := schema.field(place).type):
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
        """Yield the entries of record batches up to an error of pyarrow, which is reported."""
        parts = map(self._read_rows, self._limit_size(self._until_damage(records)))
        batches = (Batch(entries) for entries in parts if entries)
        return report_if_empty(batches, self._context, "no row results in an entry")

    def _until_damage(self, records: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from records
        except (pa.ArrowException, OSError, EOFError) as error:
            done = "; everything from here on is skipped"
            message = f"damaged data after row {self._number:,}: {error}"
            self._context.problem("truncated", message, done=done)

    def _limit_size(self, records: Iterator[pa.RecordBatch]) -> Iterator[_Columns]:
        """Yield the columns of some rows at a time; skip and report large rows, stop at a bomb."""
        for columns, extent in chain.from_iterable(map(self._split_records, records)):
            self._size += _ROW * len(columns[0]) + extent.text
            if self._packed_size and is_bomb(packed := self._packed_size(), self._size, _RATIO):
                message = f"{packed:,} bytes have values of more than {self._size:,}"
                self._context.problem("too-large", message, done="; truncated there")
                return
            if extent.memory <= _BYTES:
                yield columns
            else:
                self._number += 1
                message, line = "row is too large", self._number
                self._context.problem("entry-too-large", message, done="; skipped", line=line)

    def _split_records(self, record: pa.RecordBatch) -> Iterator[tuple[_Columns, _Extent]]:
        """Split a record batch into small parts, or single rows, each with its total extent."""
        columns = [record.column(place) for place in self._fields]
        for start in range(0, record.num_rows, _ROWS):
            yield from _split_columns([column.slice(start, _ROWS) for column in columns])

    def _read_rows(self, columns: _Columns) -> list[Entry]:
        first = self._number + 1
        self._number += len(columns[0])
        values = [column.to_pylist() for column in columns]
        found = []
        for row_number, row in enumerate(zip(*values, strict=True), first):
            fields = {
                field: value
                for field, raw in zip(self._fields.values(), row, strict=True)
                if raw is not None and (value := self._convert(field, raw, row_number)) is not None
            }
            if fields and (entry := make_entry(fields, self._context, row_number)):
                found.append(entry)
        return found

    def _convert(self, field: str, raw: Any, row_number: int) -> Any:
        """Convert a value to the type of its field; report any other value and return None."""
        if isinstance(raw, str) and FIELD_TYPES[field] == str | None:
            return raw
        try:
            return msgspec.convert(_simplify(raw), FIELD_TYPES[field], strict=False)
        except msgspec.ValidationError as error:
            message = f"{field}: {error}"
            self._context.problem("bad-value", message, done="; dropped", line=row_number)
            return None


def _split_columns(columns: _Columns) -> Iterator[tuple[_Columns, _Extent]]:
    extent = sum(map(_Extent.measure, columns), _Extent(0))
    half = len(columns[0]) // 2
    if extent.memory <= _BYTES or not half:
        yield columns, extent
    else:
        yield from _split_columns([column.slice(0, half) for column in columns])
        yield from _split_columns([column.slice(half) for column in columns])


def _simplify(value: Any) -> Any:
    """Remove nulls from lists and structs, and convert dates to text."""
    if isinstance(value, dict):
        return {name: _simplify(part) for name, part in value.items() if part is not None}
    if isinstance(value, list):
        return [_simplify(part) for part in value if part is not None]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value
