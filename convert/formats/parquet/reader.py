"""Read Parquet: the file is copied first, since its contents are listed at its end."""

from collections.abc import Iterator

from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.formats.arrow.columnar import ColumnarReader
from sitemapx.convert.formats.arrow.spool import opened, spooled
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable

__all__ = ["read_parquet"]

#: So many rows at a time.
_ROWS = 4096


def read_parquet(stream: Readable, context: Context) -> Document:
    """
    Read the rows of a file.

    Raises:
        InputError: While iterating, if it is no complete Parquet file, or no column has URLs.
        UsageError: If pyarrow is not installed.

    """
    require_pyarrow()
    return Document(_batches(stream, context))


def _batches(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow.parquet as pq

    with spooled(stream) as copy:
        file = opened(pq.ParquetFile, copy, "Parquet file")
        yield from ColumnarReader(file.schema_arrow, context).batches(file.iter_batches(_ROWS))
