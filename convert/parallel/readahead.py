"""Starts work before its result is needed."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

_AHEAD = 16
T = TypeVar("T")


def read_ahead(
    items: Iterator[T], discard: Callable[[T], object] = lambda item: None
) -> Generator[T]:
    """
    Start up to 16 items ahead of the consumer; if the consumer stops early, discard them.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    waiting: deque[T] = deque()
    try:
        for item in items:
            waiting.append(item)
            if len(waiting) > _AHEAD:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        for item in waiting:
            discard(item)
