"""Streams of unpacked bytes."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, Self

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import decode_utf8, utf8_chunks
from sitemapx.errors import InputError


class Readable(Protocol):
    """Protocol for streams that readers accept: it has only a `read` method."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes; empty bytes only at the end."""
        ...


class Opened:
    """
    An open source: its bytes as they are stored or sent, still compressed.

    Args:
        stream: The stream to read from.

    Attributes:
        name: Name of the source, for messages.
        url: URL of the source after redirects; None if it was not fetched.
        read: Reads bytes from the stream; see `Readable`.
        close: Closes the source.

    """

    def __init__(
        self,
        stream: Readable,
        name: str,
        url: str | None = None,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        self.read = stream.read
        self.name = name
        self.url = url
        self.close = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Guarded:
    """A stream whose failures are those of an input, and whose bytes are counted."""

    def __init__(self, stream: Readable, on_read: Callable[[int], None]) -> None:
        self._stream = stream
        self._on_read = on_read

    def read(self, size: int = -1, /) -> bytes:
        """
        Read from the stream.

        Raises:
            InputError: If the system cannot.

        """
        try:
            data = self._stream.read(size)
        except OSError as error:
            raise InputError(error.strerror or str(error)) from error
        self._on_read(len(data))
        return data


class Rewound:
    """A stream whose beginning was read already, to see what it is."""

    def __init__(self, start: bytes, rest: Readable) -> None:
        self._start = start
        self._rest = rest

    def read(self, size: int = -1, /) -> bytes:
        """Return what was read already, then the rest."""
        if not self._start:
            return self._rest.read(size)
        if size < 0:
            start, self._start = self._start, b""
            return start + self._rest.read()
        start, self._start = self._start[:size], self._start[size:]
        return start


def read_start(stream: Readable, size: int) -> bytes:
    """Read so much, even from a stream that gives less at a time."""
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


# ---- text, a block of whole lines at a time: for the formats where a line is an entry

#: A longer line is none; URLs end at 2,048 characters.
MAX_LINE = 10 * 1024 * 1024


class Lines(NamedTuple):
    """Some lines without their ends, and the number of the first, from 1."""

    lines: list[str]
    first: int


def line_blocks(stream: Readable, reporter: Reporter, *, keep_cr: bool = False) -> Iterator[Lines]:
    """
    Read lines that end in LF, CR LF or CR; of a source that breaks off, no line without an end.

    Args:
        keep_cr: Whether a CR stays in its line, if the text has LF at all.

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
            end = min(at for line_end in b"\n\r" if (at := block.find(line_end)) >= 0)
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
        reporter.problem("encoding", "invalid UTF-8; read as windows-1252", line=line)
    if "\r" in text and not (keep_cr and "\n" in text):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")  # not splitlines(): U+2028 and its like end no line here
    if not lines[-1]:
        lines.pop()
    return lines
