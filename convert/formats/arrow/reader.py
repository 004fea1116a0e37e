"""Read Arrow IPC: streams as they come, and files (Feather) after a copy that can be searched."""

from collections.abc import Iterator
from typing import Any

from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.formats.arrow.columnar import ColumnarReader
from sitemapx.convert.formats.arrow.spool import spooled
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable, Rewound, read_start
from sitemapx.errors import InputError

__all__ = ["read_arrow"]

_FILE = b"ARROW1"


def read_arrow(stream: Readable, context: Context) -> Document:
    """
    Read the record batches of a stream or a file.

    Raises:
        InputError: If it is not Arrow data, or no column has URLs.
        UsageError: If pyarrow is not installed.

    """
    require_pyarrow()
    import pyarrow as pa

    start = read_start(stream, len(_FILE))
    stream = Rewound(start, stream)
    try:
        if start.startswith(_FILE):
            file = pa.ipc.open_file(spooled(stream))
            records = map(file.get_batch, range(file.num_record_batches))
            return _document(file.schema, records, context)
        reader = pa.ipc.open_stream(pa.PythonFile(_Open(stream), "r"))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"invalid Arrow data: {error}") from error
    return _document(reader.schema, reader, context)


def _document(schema: Any, records: Iterator[Any], context: Context) -> Document:
    return Document(ColumnarReader(schema, context).batches(records))


class _Open:
    """A stream as pyarrow wants it: with a state."""

    closed = False

    def __init__(self, stream: Readable) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Return exactly so many bytes, or fewer at the end: one read may return less."""
        if size < 0:
            return b"".join(iter(lambda: self._stream.read(1 << 20), b""))
        return read_start(self._stream, size)

    def close(self) -> None:
        """Leave the stream open: who opened it closes it."""
