"""Read Parquet: the file is copied first, since its contents are listed at its end."""

from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.formats.arrow.columnar import ColumnarReader
from sitemapx.convert.formats.arrow.spool import spooled
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import InputError

__all__ = ["read_parquet"]

#: So many rows at a time.
_ROWS = 4096


def read_parquet(stream: Readable, context: Context) -> Document:
    """
    Read the rows of a file.

    Raises:
        InputError: If it is not a complete Parquet file, or no column has URLs.
        UsageError: If pyarrow is not installed.

    """
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(spooled(stream))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"invalid or incomplete Parquet file: {error}") from error
    return Document(ColumnarReader(file.schema_arrow, context).batches(file.iter_batches(_ROWS)))
