"""Bytes that one process leaves for another, in a file without a name."""

import errno
import os
from mmap import mmap
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pickle import PickleBuffer

__all__ = ["Span", "Spool"]

#: The bytes of a cell, and how many there may be.
_CELL, _MOST = 1 << 20, 1 << 20


class Span(NamedTuple):
    """
    Where some bytes are.

    Attributes:
        cells: The numbers of the cells that they are in.
        length: How many they are.

    """

    cells: list[int]
    length: int


class Spool:
    """
    What a process puts, and another one takes, in whatever order.

    Make it before the other process is forked. The file has cells; one that was taken is used
    again, the first one first, so that it becomes no longer than it must, and stays in memory.

    >>> spool = Spool()
    >>> spans = [spool.put(b"site"), spool.put(b"map")]
    >>> spool.take(spans[0])
    b'site'
    >>> spool.put(b"maps")
    Span(cells=[0], length=4)
    >>> spool.take(spans[1])
    b'map'
    >>> spool.close()

    """

    def __init__(self) -> None:
        """
        Make the file.

        Raises:
            OSError: If there is no folder for temporary files.

        """
        self._file = TemporaryFile(buffering=0)
        self._used = mmap(-1, _MOST)  # for each cell whether it is; both processes see that

    def put(self, data: "bytes | PickleBuffer") -> Span:
        """
        Put some bytes.

        Raises:
            OSError: If there is no room for them.

        """
        view = memoryview(data)
        span = Span([], view.nbytes)
        while view:
            cell, part = self._cell(), view[:_CELL]
            while part:
                at = cell * _CELL + len(view[:_CELL]) - len(part)
                part = part[os.pwrite(self._file.fileno(), part, at) :]
            span.cells.append(cell)
            view = view[_CELL:]
        return span

    def _cell(self) -> int:
        cell = self._used.find(b"\0")
        if cell < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._used[cell] = 1
        return cell

    def take(self, span: Span) -> bytes:
        """Take bytes that were put; each span once."""
        parts: list[bytes] = []
        for number, cell in enumerate(span.cells):
            length = min(span.length - number * _CELL, _CELL)
            parts.append(os.pread(self._file.fileno(), length, cell * _CELL))
            self._used[cell] = 0
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Remove the file, when the other process has no more use for it either."""
        self._file.close()
        self._used.close()
