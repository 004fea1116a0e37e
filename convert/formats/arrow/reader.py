"""Reads Arrow IPC: streams directly, files (Feather 2) after copying them to a seekable file."""

import os
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.formats.arrow.messages import MessageStream, too_large, unpacked_sizes
from sitemapx.convert.formats.arrow.spool import open_table, spool
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable, RewoundStream, read_start

if TYPE_CHECKING:
    import pyarrow as pa


_FILE = b"ARROW1"


def read_arrow(stream: Readable, context: Context) -> Document:
    """Read an Arrow IPC stream or file; raise `UsageError` if pyarrow is not installed."""
    require_pyarrow()
    start = read_start(stream, len(_FILE))
    read = _read_file if start.startswith(_FILE) else _read_stream
    return Document(read(RewoundStream(start, stream), context))


def _read_file(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow as pa

    from sitemapx.convert.formats.arrow.columnar import ColumnarReader

    with spool(stream) as copy:
        size = copy.seek(0, os.SEEK_END)
        file = open_table(pa.ipc.open_file, copy, "Arrow data")
        reader = ColumnarReader(file.schema, context, lambda: size)
        yield from reader.batches(_read_records(file, copy, size, context))


def _read_records(
    file: "pa.RecordBatchFileReader", copy: IO[bytes], size: int, context: Context
) -> "Iterator[pa.RecordBatch]":
    """Yield the record batches; stop if their decompressed size suggests a bomb."""
    unpacked = 0
    for number, unpacked_size in enumerate(unpacked_sizes(copy), -1):
        unpacked += unpacked_size
        if too_large(size, unpacked, context):
            return
        if number >= 0:  # the first size belongs to the dictionaries
            yield _validate(file.get_batch(number))


def _read_stream(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow as pa

    from sitemapx.convert.formats.arrow.columnar import ColumnarReader

    messages = MessageStream(stream, context)
    file = open_table(pa.ipc.open_stream, pa.PythonFile(messages, "r"), "Arrow data")
    reader = ColumnarReader(file.schema, context, lambda: messages.size)
    yield from reader.batches(map(_validate, file))


def _validate(record: "pa.RecordBatch") -> "pa.RecordBatch":
    record.validate(full=True)  # wrong offsets could read beyond the buffers
    return record
