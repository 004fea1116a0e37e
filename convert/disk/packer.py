"""The interface of packers: the bytes of an output on their way to a file, as in compression."""

from typing import Protocol

__all__ = ["Packer"]


class Packer(Protocol):
    """Turns the bytes that a writer makes into those of a file; the objects of zlib are such."""

    def compress(self, data: bytes, /) -> bytes:
        """Take bytes, and return those that can be written by now."""
        ...

    def flush(self) -> bytes:
        """Return the last bytes of the file."""
        ...
