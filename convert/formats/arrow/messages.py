"""
Limits the size of Arrow IPC messages before pyarrow decompresses them.

A message consists of metadata, a FlatBuffers table, and a body of buffers. Compressed buffers begin
with their uncompressed size. See
https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
"""

import os
import struct
from collections.abc import Iterator
from io import BytesIO
from struct import unpack_from
from typing import IO

from sitemapx.convert.formats.format import Context
from sitemapx.convert.streams.gzip import is_bomb
from sitemapx.convert.streams.stream import Readable

_CONTINUATION = b"\xff\xff\xff\xff"
_END = _CONTINUATION + bytes(4)
_CHUNK = 1 << 20
#: Structs of https://github.com/apache/arrow/tree/main/format: a buffer (offset in the body and
#: length), and a block (offset of a message in the file, and lengths of its two parts).
_BUFFER, _BLOCK = "<qq", "<qi4xq"
_FOOTER_END = bytes(4) + b"ARROW1"
#: Message.header_type: https://github.com/apache/arrow/blob/main/format/Message.fbs
_DICTIONARY, _RECORDS = 2, 3


class MessageStream:
    """
    File object for pyarrow that ends before the first decompression bomb, which is reported.

    `size` is the number of compressed bytes in the messages so far.
    """

    closed = False
    size = 0

    def __init__(self, stream: Readable, context: Context) -> None:
        self._stream = stream
        self._context = context
        self._parts = self._check_messages()
        self._part = BytesIO()

    def read(self, size: int = -1) -> bytes:
        found: list[bytes] = []
        while size:
            if data := self._part.read(size):
                found.append(data)
                size -= len(data) if size > 0 else 0
            elif (part := next(self._parts, None)) is not None:
                self._part = BytesIO(part)
            else:
                break
        return b"".join(found)

    def close(self) -> None:
        """Do nothing: the stream is closed by the code that opened it."""

    def _check_messages(self) -> Iterator[bytes]:
        """
        Yield the bytes of the messages until their decompressed size suggests a bomb.

        Raises `OSError` if metadata is damaged.
        """
        unpacked = 0
        while (prefix := self._read_bytes(8)).startswith(_CONTINUATION) and prefix != _END:
            try:
                metadata = self._read_bytes(int.from_bytes(prefix[4:], "little"))
                message = _FlatTable.parse_root(metadata)
                body = self._read_bytes(message.number(3, "<q"))
                size = _unpacked_size(message, body)
            except struct.error as error:
                raise OSError("invalid metadata") from error
            self.size += len(metadata) + len(body)
            unpacked += size
            if too_large(self.size, unpacked, self._context):
                return
            yield prefix + metadata
            yield body
        yield prefix

    def _read_bytes(self, size: int) -> bytes:
        """Read up to `size` bytes in chunks, as a damaged size may exceed the stream by far."""
        found = bytearray()
        while (left := size - len(found)) > 0 and (data := self._stream.read(min(left, _CHUNK))):
            found += data
        return bytes(found)


def too_large(packed: int, unpacked: int, context: Context) -> bool:
    """Return whether the sizes before and after decompression suggest a bomb; if so, report it."""
    if found := is_bomb(packed, unpacked):
        message = f"{packed:,} bytes decompress to more than {unpacked:,}"
        context.problem("too-large", message, done="; truncated there")
    return found


def unpacked_sizes(file: IO[bytes]) -> Iterator[int]:
    """
    Yield the unpacked size in bytes of all dictionaries of a file, then of each record batch.

    Raises `OSError` if metadata is damaged.
    """
    end = file.seek(-len(_FOOTER_END), os.SEEK_END)
    length = int.from_bytes(file.read(4), "little")
    file.seek(end - length)
    try:
        footer = _FlatTable.parse_root(file.read(length))
        dictionaries = footer.structs(2, _BLOCK)
        yield sum(_block_size(file, *block) for block in dictionaries)
        for block in footer.structs(3, _BLOCK):
            yield _block_size(file, *block)
    except struct.error as error:
        raise OSError("invalid metadata") from error


def _block_size(file: IO[bytes], offset: int, metadata_size: int, body_size: int) -> int:
    file.seek(offset)
    metadata = file.read(metadata_size)
    start = 8 if metadata.startswith(_CONTINUATION) else 4  # before version 0.15, only the length
    return _unpacked_size(_FlatTable.parse_root(metadata[start:]), file.read(body_size))


class _FlatTable:
    """A FlatBuffers table: https://flatbuffers.dev/internals/"""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._start = data, start

    @classmethod
    def parse_root(cls, data: bytes) -> "_FlatTable":
        return cls(data, unpack_from("<I", data)[0])

    def _offset_of(self, number: int) -> int | None:
        """Return the offset of the field with this number; None if the field is absent."""
        vtable = self._start - unpack_from("<i", self._data, self._start)[0]
        slot = 4 + 2 * number
        if slot >= unpack_from("<H", self._data, vtable)[0]:
            return None
        offset = unpack_from("<H", self._data, vtable + slot)[0]
        return self._start + offset if offset else None

    def number(self, number: int, kind: str) -> int:
        """Return the number in a field, which has the struct format `kind`; 0 if absent."""
        place = self._offset_of(number)
        return 0 if place is None else int(unpack_from(kind, self._data, place)[0])

    def table(self, number: int) -> "_FlatTable | None":
        """Return the table that a field refers to; None if the field is absent."""
        place = self._offset_of(number)
        if place is None:
            return None
        return _FlatTable(self._data, place + unpack_from("<I", self._data, place)[0])

    def structs(self, number: int, kind: str) -> Iterator[tuple[int, ...]]:
        """Yield the structs in the vector that a field refers to; `kind` is their struct format."""
        place = self._offset_of(number)
        if place is not None:
            start = place + unpack_from("<I", self._data, place)[0]
            count = unpack_from("<I", self._data, start)[0]
            size = count * struct.calcsize(kind)
            yield from struct.iter_unpack(kind, self._data[start + 4 : start + 4 + size])


def _unpacked_size(message: _FlatTable, body: bytes) -> int:
    """Return the size of the body of a message after its buffers are decompressed."""
    kind, records = message.number(1, "<B"), message.table(2)
    if kind == _DICTIONARY and records:
        records = records.table(1)
    if kind not in (_DICTIONARY, _RECORDS) or not records or not records.table(3):
        return len(body)
    return sum(
        max(unpack_from("<q", body, offset)[0], length) if length >= 8 else length
        for offset, length in records.structs(2, _BUFFER)
    )
