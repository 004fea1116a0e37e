"""Memory that two processes share: what goes from one to the other is copied once at each end."""

import pickle
import struct
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate, pairwise
from mmap import mmap
from typing import Any

__all__ = ["Part", "SharedSlots", "packed", "unpacked"]

#: Bytes of a slot.
_SLOT = 1 << 20
_NUMBER = struct.Struct("q")
Part = bytes | memoryview


class SharedSlots:
    """Some slots of a mebibyte each, and a number beside them."""

    def __init__(self, count: int) -> None:
        self._memory = mmap(-1, count * _SLOT + _NUMBER.size)
        self._end = count * _SLOT

    @property
    def number(self) -> int:
        """What the processes count together; 0 at first."""
        (number,) = _NUMBER.unpack_from(self._memory, self._end)
        return int(number)

    @number.setter
    def number(self, number: int) -> None:
        _NUMBER.pack_into(self._memory, self._end, number)

    def write(self, slot: int, parts: Sequence[Part]) -> int:
        """Write parts, one after the other; return how many bytes they are, 0 if too many."""
        size = sum(map(len, parts))
        if size > _SLOT:
            return 0
        at = slot * _SLOT
        for part in parts:
            self._memory[at : at + len(part)] = part
            at += len(part)
        return size

    def read(self, slot: int, size: int) -> memoryview:
        """Return so many bytes, which are there until the slot is written again."""
        return memoryview(self._memory)[slot * _SLOT : slot * _SLOT + size]

    def close(self) -> None:
        """Give the memory back."""
        with suppress(BufferError):  # where an error came while something was read
            self._memory.close()


def packed(value: object) -> list[Part]:
    """Pickle an object; large parts of it, which it knows, are not copied."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    parts: list[Part] = [data, *(buffer.raw() for buffer in buffers)]
    sizes = [len(parts), *map(len, parts)]
    return [struct.pack(f"{len(sizes)}q", *sizes), *parts]


def unpacked(data: Part) -> Any:
    """Return the object of which `packed` made this, joined."""
    view = memoryview(data)
    (count,) = _NUMBER.unpack_from(view)
    sizes = struct.unpack_from(f"{count}q", view, _NUMBER.size)
    ends = pairwise(accumulate(sizes, initial=(1 + count) * _NUMBER.size))
    pickled, *buffers = (bytes(view[start:end]) for start, end in ends)
    return pickle.loads(pickled, buffers=buffers)  # noqa: S301 - from our own process
