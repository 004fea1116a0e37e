"""Interfaces of packers and of drafts; a draft is an output that is not visible yet."""

from collections.abc import Iterator
from typing import Protocol

from sitemapx.convert.streams.stream import Readable


class Draft(Protocol):
    path: str

    def write(self, data: bytes) -> None: ...

    def replace_start(self, length: int, start: bytes) -> None:
        """Replace the first `length` bytes with `start`; nothing is written after that."""
        ...

    def close(self) -> None:
        """Flush buffered data, and close the file."""
        ...

    def complete(self) -> None:
        """Create the file even if its contents equal the existing file."""
        ...

    def equals(self, path: str) -> bool:
        """Return whether the file at `path` has the same contents; False if it does not exist."""
        ...

    def has_contents(self, stream: Readable) -> bool:
        """Return whether the decompressed draft has the same contents as a stream."""
        ...

    def discard(self) -> None:
        """Remove the draft, unless it has been moved into place."""
        ...


class Packer(Protocol):
    """Converts the bytes that a writer returns to the bytes of a file, as by compression."""

    def compress(self, data: bytes, /) -> bytes: ...

    def finish(self) -> Iterator[bytes]:
        """Yield the rest of the file; nothing is packed after that."""
        ...

    def discard(self) -> None:
        """Remove temporary files, unless the file has been completed."""
        ...
