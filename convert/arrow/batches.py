"""Batches of entries as record batches, column by column."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from sitemapx.convert.arrow.arrays import OnLost, array_of, moments_of
from sitemapx.convert.arrow.columns import DERIVED, field_of
from sitemapx.convert.values.urllist import UriList

#: So many rows are gathered for a record batch.
_ROWS = 16_384


class EntryBatch(Protocol):
    """Entries of which columns are made; a `Batch` is one."""

    def __len__(self) -> int:
        """Return the number of entries."""
        ...

    def field_counts(self) -> Mapping[str, int]:
        """Count the entries that have a value, for each field in use."""
        ...

    def column(self, name: str) -> Sequence[Any]:
        """Return the value of a field for each entry."""
        ...


class SourcedBatches(NamedTuple):
    """
    Batches that come from one source.

    Attributes:
        batches: The batches.
        source: Name of the source; None if unknown.

    """

    batches: Iterable[EntryBatch]
    source: str | None


def batch_reader(
    parts: Iterable[SourcedBatches], schema: pa.Schema, on_lost: OnLost
) -> pa.RecordBatchReader:
    """
    Return a reader of record batches, which are made as they are asked for.

    The first is made at once, so that a source that cannot be read is an error of sitemapx; what
    fails later reaches the caller as an error of the library that reads.
    """
    batches = _record_batches(parts, schema, on_lost)
    first = list(islice(batches, 1))
    return pa.RecordBatchReader.from_batches(schema, chain(first, batches))


def _record_batches(
    parts: Iterable[SourcedBatches], schema: pa.Schema, on_lost: OnLost
) -> Iterator[pa.RecordBatch]:
    """Return the record batches of sources; see `record_batch`."""
    for batches, source in parts:
        for batch in _gathered(batches):
            yield record_batch(batch, schema, on_lost, source)


def _gathered(batches: Iterable[EntryBatch]) -> Iterator[EntryBatch]:
    """Return the entries of several small batches as one, since each column costs some time."""
    some: list[EntryBatch] = []
    for batch in batches:
        some.append(batch)
        if sum(map(len, some)) >= _ROWS:
            yield _JoinedBatch(some)
            some = []
    if some:
        yield _JoinedBatch(some)


class _JoinedBatch:
    """The entries of several batches."""

    def __init__(self, batches: Sequence[EntryBatch]) -> None:
        self._batches = batches

    def __len__(self) -> int:
        return sum(map(len, self._batches))

    def field_counts(self) -> Mapping[str, int]:
        """Count the entries that have a value, for each field in use."""
        counts: Counter[str] = Counter()
        for batch in self._batches:
            counts.update(batch.field_counts())
        return counts

    def column(self, name: str) -> Sequence[Any]:
        """Return the value of a field for each entry."""
        columns = [batch.column(name) for batch in self._batches]
        uris = [column for column in columns if isinstance(column, UriList)]
        return UriList.joined(uris) if uris == columns else list(chain.from_iterable(columns))


def record_batch(
    batch: EntryBatch, schema: pa.Schema, on_lost: OnLost, source: str | None = None
) -> pa.RecordBatch:
    """
    Return a batch with the columns of a schema; others are not made.

    Args:
        on_lost: Called with each value that its column cannot hold.
        source: The source of those entries that do not name their own.

    """
    counts = batch.field_counts()
    made: dict[str, pa.Array] = {}

    def array(name: str, datatype: pa.DataType) -> pa.Array:
        if field_of(name) == "source" and "source" not in counts and source is not None:
            return _repeated(source, len(batch))
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


def _repeated(text: str, count: int) -> pa.Array:
    """Return a text so many times; the large batches of a source share an array."""
    if count < _ROWS:
        return pa.repeat(text, count)
    return _many_texts(text, 1 << count.bit_length()).slice(0, count)


@lru_cache(maxsize=1)
def _many_texts(text: str, count: int) -> pa.Array:
    return pa.repeat(text, count)


def _nulls(datatype: pa.DataType, count: int) -> pa.Array:
    """Return so many nulls, usually a part of those that there are."""
    return _many_nulls(datatype, max(_ROWS, 1 << count.bit_length())).slice(0, count)


@lru_cache(maxsize=64)
def _many_nulls(datatype: pa.DataType, count: int) -> pa.Array:
    return pa.nulls(count, datatype)
