"""The reading of the blocks of a document, by one process or by several."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter

if TYPE_CHECKING:
    from sitemapx.convert.xml.cutting.cutter import Block

__all__ = ["BlockMap", "ReadBlock"]

#: Reads a block, and gives a batch of its entries, or None where there are none.
ReadBlock = Callable[["Block"], Batch | None]


class BlockMap:
    """
    The reading of the blocks of a document; this one reads one after the other.

    Attributes:
        runs_ahead: Whether blocks are asked for before those before them were read.

    """

    runs_ahead = False

    def map(
        self, read: ReadBlock, blocks: "Iterable[Block]", reporter: Reporter
    ) -> Iterator[Batch | None]:
        """
        Read blocks, and give their batches in order.

        Args:
            read: Reads one; what it knows of the document may change only where it reports.
            reporter: Reports problems of the blocks.

        """
        return map(read, blocks)
