"""Read Arrow IPC: streams as they come, and files (Feather) after a copy that can be searched."""

from collections.abc import Iterator

from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.formats.arrow.columnar import ColumnarReader
from sitemapx.convert.formats.arrow.spool import opened, spooled
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable, Rewound, read_start

__all__ = ["read_arrow"]

_FILE = b"ARROW1"


def read_arrow(stream: Readable, context: Context) -> Document:
    """
    Read the record batches of a stream or a file.

    Raises:
        InputError: While iterating, if it is not Arrow data, or no column has URLs.
        UsageError: If pyarrow is not installed.

    """
    require_pyarrow()
    start = read_start(stream, len(_FILE))
    read = _file if start.startswith(_FILE) else _stream
    return Document(read(Rewound(start, stream), context))


def _file(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow as pa

    with spooled(stream) as copy:
        file = opened(pa.ipc.open_file, copy, "Arrow data")
        records = map(file.get_batch, range(file.num_record_batches))
        yield from ColumnarReader(file.schema, context).batches(records)


def _stream(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow as pa

    file = opened(pa.ipc.open_stream, pa.PythonFile(_Open(stream), "r"), "Arrow data")
    yield from ColumnarReader(file.schema, context).batches(file)


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
