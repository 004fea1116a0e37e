"""Encoded entries, as writers make them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

__all__ = ["Encoded"]


class Encoded(NamedTuple):
    """
    The bytes of a batch of entries.

    Attributes:
        data: Those of all entries, one after the other.
        held: Of how many entries there are some.
        chunks: Gives the bytes of each entry, in order, none of one that cannot be held. Few
            outputs want to know: only where a file becomes full, or entries go into groups.

    """

    data: bytes
    held: int
    chunks: Callable[[], Sequence[bytes]]

    @classmethod
    def of(cls, chunks: Sequence[bytes]) -> "Encoded":
        """
        Make one of the bytes of each entry.

        >>> Encoded.of([b"a", b"", b"b"])[:2]
        (b'ab', 2)
        """
        return cls(b"".join(chunks), len(chunks) - chunks.count(b""), lambda: chunks)

    @classmethod
    def of_lines(cls, data: bytes, count: int) -> "Encoded":
        r"""
        Make one of so many lines, one of each entry.

        >>> Encoded.of_lines(b"a\nb\n", 2).chunks()
        [b'a\n', b'b\n']
        """
        return cls(data, count, lambda: data.splitlines(keepends=True))
