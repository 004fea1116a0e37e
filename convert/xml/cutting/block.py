"""Blocks of an XML document."""

from typing import NamedTuple

__all__ = ["Block", "width"]


def width(data: bytes) -> int:
    """Count the characters in UTF-8."""
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))


class Block(NamedTuple):
    """
    Whole items as UTF-8, where they begin, and whether the document ends here.

    Attributes:
        is_checked: Whether it is known that no item goes on after it.

    """

    data: bytes
    line: int
    is_last: bool
    column: int = 1
    is_checked: bool = False

    def line_at(self, offset: int) -> int:
        """Return the line of a byte."""
        return self.line + self.data.count(b"\n", 0, offset)
