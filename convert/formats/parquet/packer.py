"""Converts Arrow streams to Parquet files."""

from collections.abc import Iterator
from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq

#: Number of rows, or of bytes in memory, at which a row group is complete.
_ROWS, _BYTES = 1 << 17, 64 * 1024**2


class ParquetPacker:
    """Converts an Arrow stream to Parquet with zstd and statistics, one row group at a time."""

    def __init__(self) -> None:
        self._sink = _Sink()
        self._schema: pa.Schema | None = None
        self._writer: pq.ParquetWriter | None = None
        self._records: list[pa.RecordBatch] = []
        self._rows = self._size = 0
        self._rest = b""

    def compress(self, data: bytes, /) -> bytes:
        data = self._rest + data
        source = pa.BufferReader(data)
        done = 0
        while message := _read_message(source):
            done = source.tell()
            self._pack_message(message)
        self._rest = data[done:]
        return self._sink.take_bytes()

    def _pack_message(self, message: pa.Message) -> None:
        if message.type == "schema":
            self._schema = pa.ipc.read_schema(message)
            self._writer = pq.ParquetWriter(self._sink, self._schema, compression="zstd")
        else:
            self._add_records(pa.ipc.read_record_batch(message, self._schema))

    def _add_records(self, records: pa.RecordBatch) -> None:
        self._records.append(records)
        self._rows += records.num_rows
        self._size += records.nbytes
        if self._rows >= _ROWS or self._size >= _BYTES:
            self._write_row_group()

    def _write_row_group(self) -> None:
        assert self._writer, "a stream begins with its schema"
        self._writer.write_table(pa.Table.from_batches(self._records), row_group_size=self._rows)
        self._records, self._rows, self._size = [], 0, 0

    def finish(self) -> Iterator[bytes]:
        if self._records:
            self._write_row_group()
        if self._writer:
            self._writer.close()
        yield self._sink.take_bytes()

    def discard(self) -> None:
        pass


def _read_message(source: pa.BufferReader) -> pa.Message | None:
    """Return the next message; None at the end, or if the message is incomplete."""
    with suppress(EOFError, pa.ArrowInvalid, OSError):
        return pa.ipc.read_message(source)
    return None


class _Sink:
    """File object that collects bytes until `take_bytes` returns them."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def take_bytes(self) -> bytes:
        data, self._parts = b"".join(self._parts), []
        return data

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def writable(self) -> bool:
        return True
