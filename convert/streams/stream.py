"""Streams of bytes, and reading their lines."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol, Self

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import decode_utf8, utf8_chunks
from sitemapx.errors import InputError


class Readable(Protocol):
    """Protocol for streams that readers accept: only `read` is required."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes (all if negative); empty bytes only at the end."""
        ...


def _no_header(name: str) -> Sequence[str]:
    return ()


class Opened:
    """
    An open source: its bytes as stored or sent, possibly compressed.

    Args:
        stream: The stream to read from.

    Attributes:
        name: Name of the source, for messages.
        url: URL of the source after redirects; None if it was not fetched.
        read: Reads bytes from the stream; see `Readable`.
        close: Closes the source.
        headers: Returns the values of a response header; no values if the source was not fetched.
            If it has not changed since it was cached, only `Last-Modified` has a value.

    """

    def __init__(
        self,
        stream: Readable,
        name: str,
        url: str | None = None,
        close: Callable[[], object] = lambda: None,
        headers: Callable[[str], Sequence[str]] = _no_header,
    ) -> None:
        self.read = stream.read
        self.name = name
        self.url = url
        self.close = close
        self.headers = headers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class CountingStream:
    """Stream that calls `on_read` with the size of each read, and raises InputError for OSError."""

    def __init__(self, stream: Readable, on_read: Callable[[int], None]) -> None:
        self._stream = stream
        self._on_read = on_read

    def read(self, size: int = -1, /) -> bytes:
        try:
            data = self._stream.read(size)
        except OSError as error:
            raise InputError(error.strerror or str(error)) from error
        self._on_read(len(data))
        return data


class RewoundStream:
    """A stream that begins with bytes that were already read from `rest`."""

    def __init__(self, start: bytes, rest: Readable) -> None:
        self._start = start
        self._rest = rest

    def read(self, size: int = -1, /) -> bytes:
        if not self._start:
            return self._rest.read(size)
        if size < 0:
            start, self._start = self._start, b""
            return start + self._rest.read()
        start, self._start = self._start[:size], self._start[size:]
        return start


def read_start(stream: Readable, size: int) -> bytes:
    """Read `size` bytes, or fewer at the end, from a stream that may return few at a time."""
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


# ---- blocks of lines, for formats with an entry per line

#: Number of bytes without a line break after which a line is skipped.
MAX_LINE = 10 * 1024 * 1024


class Lines(NamedTuple):
    """Lines without line breaks, and the line number of the first line, starting at 1."""

    lines: list[str]
    first: int


def line_blocks(stream: Readable, reporter: Reporter, *, keep_cr: bool = False) -> Iterator[Lines]:
    """
    Yield blocks of decoded lines that end in LF, CRLF or CR; skip truncated and too long lines.

    Skipped lines are reported. With `keep_cr`, only LF ends lines in a block that contains LF.
    """
    rest = b""
    number = 1
    is_skipping = False
    for chunk in utf8_chunks(stream.read, reporter):
        data = rest + chunk
        cut = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
        if not cut:
            rest = data
            if len(rest) > MAX_LINE:
                if not is_skipping:
                    reporter.problem(
                        "entry-too-large", "line is too large", done="; skipped", line=number
                    )
                is_skipping, rest = True, b""
            continue
        block, rest = data[:cut], data[cut:]
        if is_skipping:
            end = min(end for line_end in b"\n\r" if (end := block.find(line_end)) >= 0)
            block, is_skipping = block[end:], False
        lines = _lines(block, number, reporter, keep_cr)
        yield Lines(lines, number)
        number += len(lines)
    if rest and reporter.is_cut:
        reporter.problem("truncated", "last line is truncated", done="; skipped", line=number)
    elif rest and not is_skipping:
        yield Lines(_lines(rest, number, reporter, keep_cr), number)


def _lines(data: bytes, number: int, reporter: Reporter, keep_cr: bool) -> list[str]:
    text, is_utf8 = decode_utf8(data)
    if not is_utf8:
        line = number + data.decode("utf-8", "replace").partition("\ufffd")[0].count("\n")
        reporter.problem("wrong-encoding", "invalid UTF-8; read as windows-1252", line=line)
    if "\r" in text and not (keep_cr and "\n" in text):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")  # not splitlines(), which also splits at U+2028 etc.
    if not lines[-1]:
        lines.pop()
    return lines
