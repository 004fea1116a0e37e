"""Encoded entries, as writers make them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

__all__ = ["Encoded"]


class Encoded(NamedTuple):
    """
    A batch of entries as bytes.

    Attributes:
        data: The bytes of all entries, concatenated.
        held: Number of entries in `data`; an entry that the format does not support is not counted.
        chunks: Function that returns the bytes of each entry, in order; empty bytes for an entry
            that the format does not support. It is called only where a file becomes full or entries
            are grouped.

    """

    data: bytes
    held: int
    chunks: Callable[[], Sequence[bytes]]

    @classmethod
    def of(cls, chunks: Sequence[bytes]) -> "Encoded":
        """
        Create an instance from the bytes of each entry.

        Examples:
            >>> Encoded.of([b"a", b"", b"b"])[:2]
            (b'ab', 2)

        """
        return cls(b"".join(chunks), len(chunks) - chunks.count(b""), lambda: chunks)

    @classmethod
    def of_lines(cls, data: bytes, count: int) -> "Encoded":
        r"""
        Create an instance from `count` lines, one for each entry.

        Examples:
            >>> Encoded.of_lines(b"a\nb\n", 2).chunks()
            [b'a\n', b'b\n']

        """
        return cls(data, count, lambda: data.splitlines(keepends=True))
