"""Work that is begun before it is needed."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

#: So many are under way.
_AHEAD = 16
T = TypeVar("T")


def read_ahead(
    begun: Iterator[T], discard: Callable[[T], object] = lambda one: None
) -> Generator[T]:
    """
    Begin with some before they are needed.

    Args:
        begun: Begins with one each time it is asked for one.
        discard: Is given those that were begun for nothing, at an early end.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']

    """
    waiting: deque[T] = deque()
    try:
        for one in begun:
            waiting.append(one)
            if len(waiting) > _AHEAD:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        for one in waiting:
            discard(one)
