"""Decompresses gzip streams: https://www.rfc-editor.org/rfc/rfc1952"""

from collections.abc import Callable
from functools import partial
from typing import Protocol, cast

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.stream import Readable, RewoundStream, read_start
from sitemapx.errors import InputError

GZIP = b"\x1f\x8b"
#: Size of chunks in bytes; small, as `_salvage` decompresses a corrupt chunk byte by byte.
_CHUNK = 1 << 14
#: URL lists compress to 1/10, rarely to 1/50; the limit of deflate is about 1/1000.
_MAX_RATIO = 200
#: The ratio is ignored up to this size: twice the maximum size of a sitemap.
_FREE_SIZE = 100 * 1024 * 1024
_MAX_SIZE = 64 * 1024**3


def is_bomb(packed: int, unpacked: int, ratio: int = _MAX_RATIO) -> bool:
    """
    Return whether compressed and decompressed sizes in bytes suggest a decompression bomb.

    That is a decompressed size over 64 GiB, or over 100 MiB and `ratio` times the compressed size.
    """
    free = unpacked <= _FREE_SIZE or unpacked <= packed * ratio
    return not free or unpacked > _MAX_SIZE


class _Unpacker(Protocol):
    """Interface of zlib's decompression objects; the stubs of zlib-ng are incomplete."""

    unused_data: bytes
    unconsumed_tail: bytes
    eof: bool

    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes: ...
    def copy(self) -> "_Unpacker": ...


class Gunzip:
    """
    Stream that decompresses gzip data, which may consist of several members.

    Damaged data is read up to the damage, and a decompression bomb is truncated; both are reported.
    """

    def __init__(self, packed: Readable, reporter: Reporter) -> None:
        from zlib_ng import zlib_ng

        self._new = cast(Callable[[], _Unpacker], partial(zlib_ng.decompressobj, wbits=31))
        self._error = cast(type[Exception], zlib_ng.error)
        self._unpack = self._new()
        self._packed = packed
        self._reporter = reporter
        self._pending = b""
        self._read = self._written = 0
        self._ended = False

    def read(self, size: int = -1, /) -> bytes:
        if size < 0:
            return b"".join(iter(lambda: self.read(_CHUNK), b""))
        data = b""
        while not data and not self._ended:
            data = self._read_chunk(size)
        self._written += len(data)
        if self._ended:
            return data
        if is_bomb(self._read, self._written):
            self._ended = self._reporter.is_cut = True
            self._reporter.problem(
                "too-large",
                f"{self._read:,} bytes decompress to more than {self._written:,}; truncated there",
            )
        return data

    def _read_chunk(self, size: int) -> bytes:
        packed = self._pending or self._packed.read(_CHUNK)
        self._read += 0 if self._pending else len(packed)
        self._pending = b""
        if not packed:
            self._reporter.is_cut = True
            self._end("gzip data is truncated")
            return b""
        before = self._unpack.copy()
        try:
            data = self._unpack.decompress(packed, size)
        except self._error as error:
            self._reporter.is_cut = True
            self._end(f"corrupt gzip data: {error}")
            return self._salvage(before, packed)
        self._pending = self._unpack.unconsumed_tail
        if self._unpack.eof:
            self._next_member()
        return data

    def _salvage(self, unpack: _Unpacker, packed: bytes) -> bytes:
        """Decompress byte by byte up to the damage; zlib decompresses a whole chunk or nothing."""
        parts: list[bytes] = []
        try:
            for position in range(len(packed)):
                parts.append(unpack.decompress(packed[position : position + 1]))
        except self._error:
            pass
        return b"".join(parts)

    def _next_member(self) -> None:
        rest = self._unpack.unused_data
        while not (rest := rest.lstrip(b"\0")):
            rest = self._packed.read(_CHUNK)
            self._read += len(rest)
            if not rest:
                self._ended = True
                return
        if len(rest) < 2:
            rest += self._packed.read(_CHUNK)
        if not rest.startswith(GZIP):
            self._end("unexpected data after the gzip data", done="; skipped")
            return
        self._pending = rest
        self._unpack = self._new()

    def _end(self, why: str, *, done: str = "") -> None:
        self._ended = True
        self._reporter.problem("bad-gzip", why, done=done)


_ZIP = b"PK\x03\x04"
#: Names in the first bytes of an Office Open XML or OpenDocument file.
_OFFICE = (b"[Content_Types].xml", b"_rels/.rels", b"mimetypeapplication/vnd.oasis.")


def unpack(stream: Readable, reporter: Reporter, *, peek: int = 1 << 16) -> tuple[bytes, Readable]:
    """
    Decompress a stream that was compressed with gzip, once or twice; leave others unchanged.

    Returns the first `peek` bytes, and a stream that begins with these bytes. A ZIP archive, or
    data that was compressed more than twice, raises `InputError`.
    """
    start = read_start(stream, peek)
    for is_again in (False, True):
        if not start.startswith(GZIP):
            break
        if is_again:
            reporter.problem("gzip-twice", "file is compressed twice", done="; decompressed twice")
        stream = Gunzip(RewoundStream(start, stream), reporter)
        start = read_start(stream, peek)
    if start.startswith(GZIP):
        raise InputError("gzip-compressed more than twice")
    if start.startswith(_ZIP):
        message = "ZIP archive: extract it; sitemaps may be compressed only with gzip"
        if any(name in start for name in _OFFICE):
            message = "Excel workbook or other Office file: save the sheet as CSV"
        raise InputError(message, code="zip")
    return start, RewoundStream(start, stream)
