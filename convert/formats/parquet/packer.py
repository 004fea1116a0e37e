"""Make Parquet files of streams of Arrow data."""

from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq

#: A row group has so many rows, or bytes in memory, and at most a batch more.
_ROWS, _BYTES = 1 << 17, 64 * 1024**2


class ParquetPacker:
    """
    Packs a stream of Arrow data into a Parquet file: compressed by zstd, with statistics.

    Batches are gathered to row groups, so that memory holds one of them.
    """

    def __init__(self) -> None:
        self._sink = _Sink()
        self._schema: pa.Schema | None = None
        self._writer: pq.ParquetWriter | None = None
        self._records: list[pa.RecordBatch] = []
        self._rows = self._size = 0

    def compress(self, data: bytes, /) -> bytes:
        """Take whole messages of a stream."""
        source = pa.BufferReader(data)
        with suppress(EOFError):  # that is the end of the stream
            while source.tell() < len(data):
                self._take(pa.ipc.read_message(source))
        return self._sink.taken()

    def _take(self, message: pa.Message) -> None:
        if message.type == "schema":
            self._schema = pa.ipc.read_schema(message)
            self._writer = pq.ParquetWriter(self._sink, self._schema, compression="zstd")
        else:
            self._add(pa.ipc.read_record_batch(message, self._schema))

    def _add(self, records: pa.RecordBatch) -> None:
        self._records.append(records)
        self._rows += records.num_rows
        self._size += records.nbytes
        if self._rows >= _ROWS or self._size >= _BYTES:
            self._write()

    def _write(self) -> None:
        """Write a row group."""
        assert self._writer, "a stream begins with its schema"
        self._writer.write_table(pa.Table.from_batches(self._records), row_group_size=self._rows)
        self._records, self._rows, self._size = [], 0, 0

    def flush(self) -> bytes:
        """Return the end of the file."""
        if self._records:
            self._write()
        if self._writer:
            self._writer.close()
        return self._sink.taken()


class _Sink:
    """What a file would be: takes bytes until they are taken away."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> int:
        """Take bytes."""
        self._parts.append(bytes(data))
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        """Return the number of bytes taken so far."""
        return self._size

    def taken(self) -> bytes:
        """Return the bytes since the last call."""
        data, self._parts = b"".join(self._parts), []
        return data

    def flush(self) -> None:
        """Do nothing: nothing is kept back."""

    def close(self) -> None:
        """Do nothing: the bytes can still be taken."""

    def writable(self) -> bool:
        """Return that bytes can be written."""
        return True
