"""Protocols of drafts, which are outputs that are not visible yet, and of packers."""

from collections.abc import Iterator
from typing import Protocol

from sitemapx.convert.streams.stream import Readable


class Draft(Protocol):
    path: str

    def write(self, data: bytes) -> None: ...

    def replace_start(self, length: int, start: bytes) -> None:
        """Replace the first `length` uncompressed bytes with `start`; no data may follow."""
        ...

    def close(self) -> None: ...

    def complete(self) -> None:
        """Create the file even if its contents equal the existing file; called after `close`."""
        ...

    def equals(self, path: str) -> bool:
        """Return whether the file at `path` has the same bytes; False if it cannot be read."""
        ...

    def has_contents(self, stream: Readable) -> bool:
        """Return whether the uncompressed contents equal those of a stream."""
        ...

    def discard(self) -> None:
        """Remove the draft, unless it has been moved into place."""
        ...


class Packer(Protocol):
    """Converts the data of a writer to the bytes of a file, for example by compression."""

    def compress(self, data: bytes, /) -> bytes: ...

    def finish(self) -> Iterator[bytes]:
        """Yield the rest of the file; nothing is packed after that."""
        ...

    def discard(self) -> None:
        """Remove temporary files, unless the file has been completed."""
        ...
