"""Blocks of an XML document, each with what is needed to cut it anew."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from sitemapx.convert.model.reporter import HeldProblem

__all__ = ["Block", "joined", "width"]


def width(data: bytes) -> int:
    """Count the characters in UTF-8."""
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))


class Block(NamedTuple):
    """
    Whole items as UTF-8, where they begin, and whether the document ends here.

    Attributes:
        is_checked: Whether it is known that no item goes on after it.
        sizes: Of the chunks that were read before it was cut, after the block before it was.
        behind: How many bytes of them came after it.
        has_excess: Whether there is too much in it, which is left out when it is its turn.
        held: What was wrong when it was cut, which is told when it is its turn.

    """

    data: bytes
    line: int
    is_last: bool
    column: int = 1
    is_checked: bool = False
    sizes: tuple[int, ...] = ()
    behind: int = 0
    has_excess: bool = False
    held: tuple[HeldProblem, ...] = ()

    def line_at(self, offset: int) -> int:
        """Return the line of a byte."""
        return self.line + self.data.count(b"\n", 0, offset)


def joined(blocks: Sequence[Block], rest: bytes) -> list[bytes]:
    """
    Join blocks as they were read.

    Args:
        rest: What comes after them.

    Returns:
        What was known when the first of them had been cut, then the chunks that were read later.

    """
    first, *later = blocks
    data = b"".join([*(block.data for block in later), rest])
    sizes = (size for block in later for size in block.sizes)
    known, *chunks = (
        data[start:end] for start, end in pairwise([0, *accumulate(sizes, initial=first.behind)])
    )
    missed = data[first.behind + sum(map(len, chunks)) :]
    return [first.data + known, *chunks, missed]
