"""The interface of drafts: outputs write to them before anything is to appear."""

from typing import Protocol


class Draft(Protocol):
    """A file in the making."""

    path: str

    def write(self, data: bytes) -> None:
        """Append to the file."""
        ...

    def replace_start(self, length: int, start: bytes) -> None:
        """Put other bytes in place of the first `length`; nothing is written after that."""
        ...

    def close(self) -> None:
        """Finish writing."""
        ...

    def complete(self) -> None:
        """Have all of it, even what equals a file that is there already."""
        ...

    def equals(self, path: str) -> bool:
        """Return whether there is a file with the same contents."""
        ...

    def discard(self) -> None:
        """Forget the file, if it is not where it belongs yet."""
        ...


# ---- the interface of packers: the bytes of an output on their way to a file, as in compression


class Packer(Protocol):
    """Turns the bytes that a writer makes into those of a file; the objects of zlib are such."""

    def compress(self, data: bytes, /) -> bytes:
        """Take bytes, and return those that can be written by now."""
        ...

    def flush(self) -> bytes:
        """Return the last bytes of the file."""
        ...
