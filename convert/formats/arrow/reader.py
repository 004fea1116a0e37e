"""Read Arrow IPC: streams as they come, and files (Feather) after a copy that can be searched."""

import os
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.formats.arrow.messages import MessageStream, too_large, unpacked_sizes
from sitemapx.convert.formats.arrow.spool import opened, spooled
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable, RewoundStream, read_start

if TYPE_CHECKING:
    import pyarrow as pa


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
    return Document(read(RewoundStream(start, stream), context))


def _file(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow as pa

    from sitemapx.convert.formats.arrow.columnar import ColumnarReader

    with spooled(stream) as copy:
        size = copy.seek(0, os.SEEK_END)
        file = opened(pa.ipc.open_file, copy, "Arrow data")
        reader = ColumnarReader(file.schema, context, lambda: size)
        yield from reader.batches(_records(file, copy, size, context))


def _records(
    file: "pa.RecordBatchFileReader", copy: IO[bytes], size: int, context: Context
) -> "Iterator[pa.RecordBatch]":
    """Yield the record batches, until one unpacks to more than a file of this size may have."""
    unpacked = 0
    for number, unpacked_size in enumerate(unpacked_sizes(copy), -1):
        unpacked += unpacked_size
        if too_large(size, unpacked, context):
            return
        if number >= 0:  # before the first, there are the dictionaries
            yield _validated(file.get_batch(number))


def _stream(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow as pa

    from sitemapx.convert.formats.arrow.columnar import ColumnarReader

    messages = MessageStream(stream, context)
    file = opened(pa.ipc.open_stream, pa.PythonFile(messages, "r"), "Arrow data")
    reader = ColumnarReader(file.schema, context, lambda: messages.size)
    yield from reader.batches(map(_validated, file))


def _validated(record: "pa.RecordBatch") -> "pa.RecordBatch":
    record.validate(full=True)  # what a file says of itself may lead out of memory
    return record
