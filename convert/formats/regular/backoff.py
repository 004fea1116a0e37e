"""When a fast path is tried."""

from collections.abc import Callable

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.xml.cutting.block import Block

__all__ = ["FastPath"]

_LONGEST = 1000


class FastPath:
    """
    A way to read some blocks without a parser, which is not tried on and on where it is none.

    Each time in a row that it is none, it is left aside for about twice as many blocks.
    """

    def __init__(self, read: Callable[[Block], Batch | None]) -> None:
        """
        Take the way.

        Args:
            read: Reads a block, or gives None.

        """
        self._read = read
        self._pause = self._left = 0

    def read(self, block: Block) -> Batch | None:
        """Read a block; None if it has to be parsed."""
        if block.is_last:  # more than items
            return None
        if self._left:
            self._left -= 1
            return None
        batch = self._read(block)
        self._pause = 0 if batch else min(2 * self._pause + 1, _LONGEST)
        self._left = self._pause // 2
        return batch
