"""Worker processes that begin when they are needed; until then, nothing of them is imported."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Unpack

from sitemapx.convert.formats.blockmap import BlockMap, BlockSource, ReadBlock, in_turn
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.convert.parallel.pool import Reading, WorkerPool
    from sitemapx.convert.parallel.worker import Encode, FileOptions, ReadFile
    from sitemapx.convert.xml.cutting.block import Block

__all__ = ["BlockWorkers", "FileWorkers", "can_fork"]

#: From so many bytes on, several processes pay off; what is packed has so many times its size.
_LARGE, _PACKED = 8 << 20, 8
#: So many blocks of a document are read before it is known that processes pay off; or if they are
#: asked for.
_FEW, _FEW_OF_MANY = 16, 1


def can_fork() -> bool:
    """Return whether a copy of this process can go on: it has no other threads."""
    return threading.active_count() == 1


def _is_large(path: str, count: int) -> bool:
    """Return whether so many files like this one are large."""
    packed = _PACKED if path.endswith(".gz") else 1
    with suppress(OSError):
        return os.path.getsize(path) * packed * count >= _LARGE
    return False


class FileWorkers:
    """Processes that read files; they begin with the first of several."""

    def __init__(
        self,
        number: int,
        read: "ReadFile",
        on_read: Callable[[int], None],
        encode: "Encode | None",
        *,
        is_asked_for: bool,
    ) -> None:
        """
        Take what a `WorkerPool` needs.

        Args:
            is_asked_for: Whether somebody asked for so many processes; otherwise, they begin only
                where they pay off, and can.

        """
        self._arguments = number, read, on_read, encode
        self._pool: WorkerPool | None = None
        self._is_asked_for = is_asked_for

    def begin(self, path: str, count: int, **options: "Unpack[FileOptions]") -> "Reading | None":
        """
        Have a file read, with these options of `read`.

        Args:
            count: How many files there are at least, most of them probably like this one.

        Returns:
            None if there are no workers, and will be none for this.

        Raises:
            UsageError: If there cannot be so many processes as somebody asked for.

        """
        pays_off = self._is_asked_for or (_is_large(path, count) and can_fork())
        if self._pool is None and count > 1 and pays_off:
            from sitemapx.convert.parallel.pool import WorkerPool

            with nullcontext() if self._is_asked_for else suppress(UsageError):
                self._pool = WorkerPool(*self._arguments)
        return self._pool.begin(path, **options) if self._pool else None

    def close(self) -> None:
        """End them."""
        if self._pool:
            self._pool.close()


class BlockWorkers(BlockMap):
    """Reads the blocks of large documents with several processes."""

    def __init__(
        self,
        number: int,
        encode: "Encode",
        see: "Callable[[Block, BlockSource], object] | None" = None,
        *,
        is_asked_for: bool,
    ) -> None:
        """
        Take how to read.

        Args:
            number: How many processes there are for a document.
            encode: What is done with the batches before they are handed over; a block of which it
                returns none is read by this process.
            see: Called with each block that another process read, before its batch is given.
            is_asked_for: Whether somebody asked for so many processes; otherwise, some blocks are
                read before it is known that they pay off.

        """
        self._number = number
        self._encode = encode
        self._few = _FEW_OF_MANY if is_asked_for else _FEW
        self._see = see or (lambda block, source: None)

    def map(
        self, read: ReadBlock, source: BlockSource, reporter: Reporter
    ) -> Iterator[Batch | None]:
        """
        Read blocks, and give their batches in order.

        A block that is the last, or too large, or has problems that may be of the whole document,
        is read here as well: so what is reported once for a document is reported in its turn.
        """
        blocks = source.blocks(are_kept=False)
        yield from in_turn(read, source, islice(blocks, self._few))
        first = next(blocks, None)
        if first is None:
            return
        blocks = chain([first], blocks)
        if not can_fork():
            yield from in_turn(read, source, blocks)
            return
        from sitemapx.convert.parallel.blocks import read_blocks

        number, encode, see = self._number, self._encode, self._see
        yield from read_blocks(source, blocks, number, read, encode, see, reporter)
