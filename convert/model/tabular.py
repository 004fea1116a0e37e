"""Entries as a table: names of columns; schema and record batches, which require pyarrow."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sitemapx.convert.arrow.columns import all_columns, field_of, reject_unknown
from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.model.batch import FIELDS, Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter

if TYPE_CHECKING:
    import pyarrow as pa

    from sitemapx.convert.arrow.batches import SourcedBatches


#: The names of all columns, in order.
COLUMNS = all_columns(FIELDS)


def check_columns(names: Iterable[str]) -> tuple[str, ...]:
    """
    Return column names without duplicates, in order; all columns if `names` is empty.

    An unknown name raises `UnknownNameError`.
    """
    columns = tuple(dict.fromkeys(names))
    reject_unknown(columns, COLUMNS)
    return columns or COLUMNS


def fields_of_columns(columns: Iterable[str]) -> tuple[str, ...]:
    """
    Return the names of the fields from which columns are computed, without duplicates.

    >>> fields_of_columns(["loc", "lastmod_utc"])
    ('loc', 'lastmod')
    """
    return tuple(dict.fromkeys(map(field_of, columns)))


def schema(columns: Sequence[str] = COLUMNS) -> "pa.Schema":
    require_pyarrow()
    from sitemapx.convert.arrow.arrays import schema_of

    return schema_of(Entry, tuple(columns))


def record_reader(
    parts: "Iterable[SourcedBatches]", columns: Sequence[str], reporter: Reporter
) -> "pa.RecordBatchReader":
    table_schema = schema(columns)
    from sitemapx.convert.arrow.batches import batch_reader

    return batch_reader(parts, table_schema, _lost_number_handler(reporter))


def record_batch(batch: Batch, columns: Sequence[str], reporter: Reporter) -> "pa.RecordBatch":
    """Convert a batch to a record batch; report and drop integers of more than 64 bits."""
    table_schema = schema(columns)
    from sitemapx.convert.arrow import batches

    return batches.record_batch(batch, table_schema, _lost_number_handler(reporter))


def _lost_number_handler(reporter: Reporter) -> Callable[[object], None]:
    def report(value: object) -> None:
        message = f"number {value} is too large for a column of 64-bit integers"
        reporter.problem("bad-value", message, done="; dropped")

    return report
