"""Convert batches of entries to record batches."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from sitemapx.convert.arrow.arrays import OnLost, array_of, moments_of
from sitemapx.convert.arrow.columns import DERIVED, field_of
from sitemapx.convert.values.urllist import UriList

#: Number of rows from which a record batch is complete.
_ROWS = 16_384


class EntryBatch(Protocol):
    """The part of `Batch` that is needed to create columns."""

    def __len__(self) -> int: ...

    def field_counts(self) -> Mapping[str, int]: ...

    def column(self, name: str) -> Sequence[Any]: ...


class SourcedBatches(NamedTuple):
    batches: Iterable[EntryBatch]
    source: str | None


def batch_reader(
    parts: Iterable[SourcedBatches], schema: pa.Schema, on_lost: OnLost
) -> pa.RecordBatchReader:
    """
    Create a reader that converts batches on demand.

    The first batch is converted at once, so that its errors are raised as errors of sitemapx; later
    errors are raised by the library that reads the stream.
    """
    batches = _record_batches(parts, schema, on_lost)
    first = list(islice(batches, 1))
    return pa.RecordBatchReader.from_batches(schema, chain(first, batches))


def _record_batches(
    parts: Iterable[SourcedBatches], schema: pa.Schema, on_lost: OnLost
) -> Iterator[pa.RecordBatch]:
    for batches, source in parts:
        for batch in _merge_small(batches):
            yield record_batch(batch, schema, on_lost, source)


def _merge_small(batches: Iterable[EntryBatch]) -> Iterator[EntryBatch]:
    """Merge small batches, since each column of a record batch has a fixed cost."""
    pending: list[EntryBatch] = []
    for batch in batches:
        pending.append(batch)
        if sum(map(len, pending)) >= _ROWS:
            yield _MergedBatch(pending)
            pending = []
    if pending:
        yield _MergedBatch(pending)


class _MergedBatch:
    def __init__(self, batches: Sequence[EntryBatch]) -> None:
        self._batches = batches

    def __len__(self) -> int:
        return sum(map(len, self._batches))

    def field_counts(self) -> Mapping[str, int]:
        counts: Counter[str] = Counter()
        for batch in self._batches:
            counts.update(batch.field_counts())
        return counts

    def column(self, name: str) -> Sequence[Any]:
        columns = [batch.column(name) for batch in self._batches]
        uris = [column for column in columns if isinstance(column, UriList)]
        return UriList.concatenate(uris) if uris == columns else list(chain.from_iterable(columns))


def record_batch(
    batch: EntryBatch, schema: pa.Schema, on_lost: OnLost, source: str | None = None
) -> pa.RecordBatch:
    """Convert a batch to a record batch; `source` is the default of the column `source`."""
    counts = batch.field_counts()
    made: dict[str, pa.Array] = {}

    def array(name: str, datatype: pa.DataType) -> pa.Array:
        if field_of(name) == "source" and "source" not in counts and source is not None:
            return _repeat(source, len(batch))
        if field_of(name) not in counts:
            return _nulls(datatype, len(batch))
        if name in DERIVED:
            field = field_of(name)
            return moments_of(made.get(field) or array(field, pa.string()))
        values = batch.column(name)
        if name == "source":
            values = [value or source for value in values]
        return array_of(values, datatype, on_lost)

    for field in schema:
        made[field.name] = array(field.name, field.type)
    return pa.RecordBatch.from_arrays([*made.values()], schema=schema)


def _repeat(text: str, count: int) -> pa.Array:
    """Return an array that repeats a text; the last large array is cached."""
    if count < _ROWS:
        return pa.repeat(text, count)
    return _many_texts(text, 1 << count.bit_length()).slice(0, count)


@lru_cache(maxsize=1)
def _many_texts(text: str, count: int) -> pa.Array:
    return pa.repeat(text, count)


def _nulls(datatype: pa.DataType, count: int) -> pa.Array:
    return _many_nulls(datatype, max(_ROWS, 1 << count.bit_length())).slice(0, count)


@lru_cache(maxsize=64)
def _many_nulls(datatype: pa.DataType, count: int) -> pa.Array:
    return pa.nulls(count, datatype)
