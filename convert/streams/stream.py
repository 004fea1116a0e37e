"""Streams of unpacked bytes."""

from collections.abc import Callable
from typing import Protocol, Self

from sitemapx.errors import InputError

__all__ = ["Guarded", "Opened", "Readable", "Rewound", "read_start"]


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
