"""The reading of the blocks of a document, by one process or by several."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter

if TYPE_CHECKING:
    from sitemapx.convert.xml.cutting.block import Block
    from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["BlockMap", "BlockSource", "ReadBlock", "in_turn"]

#: Reads a block, and gives a batch of its entries; None where there are none, or where it does not
#: end with an item that is in no other.
ReadBlock = Callable[["Block"], Batch | None]


class BlockSource(Protocol):
    """A document that is cut into blocks; a `BlockParser` is one."""

    def blocks(self, *, are_kept: bool = True) -> "Iterator[Block]":
        """Cut the rest of the document; if blocks are not kept, they may have to be taken back."""
        ...

    def is_whole(self, block: "Block") -> bool:
        """Return whether a block ends with an item that is in no other."""
        ...

    def told(self, block: "Block") -> "Block":
        """Report, now that it is its turn, what is left out of a block, and before it."""
        ...

    def take_back(self, blocks: "Sequence[Block]") -> None:
        """Take the last blocks back, to cut them anew."""
        ...

    def tree(self, block: "Block") -> "XmlElement | None":
        """Parse a block as it is; None if it is not well-formed."""
        ...


class BlockMap:
    """The reading of the blocks of a document; this one reads one after the other."""

    def map(
        self, read: ReadBlock, source: BlockSource, reporter: Reporter
    ) -> Iterator[Batch | None]:
        """
        Read blocks, and give their batches in order.

        Args:
            read: Reads one; what it knows of the document may change only where it reports.
            source: The document.
            reporter: Reports problems of the blocks.

        """
        return in_turn(read, source, source.blocks(are_kept=False))


def in_turn(
    read: ReadBlock, source: BlockSource, blocks: "Iterable[Block]"
) -> Iterator[Batch | None]:
    """Read blocks, one after the other; the document is cut anew where one ends within an item."""
    for block in map(source.told, blocks):
        batch = read(block)
        if batch is None and not source.is_whole(block):
            source.take_back([block])
        yield batch
