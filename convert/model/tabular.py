"""Entries as a table: its columns, its schema, and its record batches. Needs pyarrow."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sitemapx.convert.arrow.columns import all_columns, field_of, refuse_unknown
from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.model.batch import FIELDS, Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter

if TYPE_CHECKING:
    import pyarrow as pa

    from sitemapx.convert.arrow.batches import SourcedBatches


#: The names of all columns, in order.
COLUMNS = all_columns(FIELDS)


def checked_columns(names: Iterable[str]) -> tuple[str, ...]:
    """
    Return names of columns, each once; all columns if there are none.

    Raises:
        UnknownNameError: If a name is not that of a column.

    """
    columns = tuple(dict.fromkeys(names))
    refuse_unknown(columns, COLUMNS)
    return columns or COLUMNS


def used_by(columns: Iterable[str]) -> tuple[str, ...]:
    """
    Return the names of the fields of which columns are made.

    >>> used_by(["loc", "lastmod_utc"])
    ('loc', 'lastmod')

    """
    return tuple(dict.fromkeys(map(field_of, columns)))


def schema(columns: Sequence[str] = COLUMNS) -> "pa.Schema":
    """
    Return the schema of a table of entries.

    Raises:
        UsageError: If pyarrow is not installed.

    """
    require_pyarrow()
    from sitemapx.convert.arrow.schema import schema_of

    return schema_of(Entry, tuple(columns))


def record_reader(
    parts: "Iterable[SourcedBatches]", columns: Sequence[str], reporter: Reporter
) -> "pa.RecordBatchReader":
    """
    Return a reader of the record batches of sources.

    Args:
        reporter: Reports numbers that are too large for their columns.

    Raises:
        InputError: If the first source cannot be read.
        UsageError: If pyarrow is not installed.

    """
    table_schema = schema(columns)
    from sitemapx.convert.arrow.batches import batch_reader

    return batch_reader(parts, table_schema, _Losses(reporter).report)


def record_batch(batch: Batch, columns: Sequence[str], reporter: Reporter) -> "pa.RecordBatch":
    """Return a batch as a record batch; see `record_reader`."""
    table_schema = schema(columns)
    from sitemapx.convert.arrow import batches

    return batches.record_batch(batch, table_schema, _Losses(reporter).report)


class _Losses:
    """Reports values that have no place in a column."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def report(self, value: object) -> None:
        message = f"number {value} is too large for a column of 64-bit integers"
        self._reporter.problem("bad-value", message, done="; dropped")
