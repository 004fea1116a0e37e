"""Apply a function to many items in worker processes, and read items ahead."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

#: Number of items to process before processes are started, and number of items per chunk.
_FEW, _CHUNK = 256, 64
T = TypeVar("T")
R = TypeVar("R")


def can_start_workers() -> bool:
    """Return whether processes can be started: forking is unsafe while other threads run."""
    return not hasattr(os, "fork") or threading.active_count() == 1


def map_items(
    function: Callable[[T], R], items: Iterable[T], processes: int
) -> Iterator[tuple[T, R]]:
    """
    Apply a picklable function without side effects; yield (item, result) in order.

    Processes are started only for at least 320 items.

    >>> list(map_items(str.upper, "ab", 1))
    [('a', 'A'), ('b', 'B')]
    """
    items = iter(items)
    few = islice(items, _FEW if processes > 1 else None)
    yield from ((item, function(item)) for item in few)
    first = list(islice(items, _CHUNK))
    if len(first) < _CHUNK or not can_start_workers():
        yield from ((item, function(item)) for item in chain(first, items))
        return

    from sitemapx.convert.parallel.workers import Workers

    apply = partial(_apply_to_all, function)
    chunks = chain([first], iter(lambda: list(islice(items, _CHUNK)), []))
    begun: deque[tuple[list[T], Future[list[R]]]] = deque()
    with closing(Workers(apply, processes)) as workers:
        for chunk in chunks:
            begun.append((chunk, workers.submit(chunk)))
            if len(begun) > 2 * processes:
                yield from _results(*begun.popleft(), apply)
        for chunk_and_future in begun:
            yield from _results(*chunk_and_future, apply)


def _apply_to_all(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    return list(map(function, items))


def _results(
    chunk: list[T], future: "Future[list[R]]", apply: Callable[[list[T]], list[R]]
) -> Iterator[tuple[T, R]]:
    """Wait for the results of a chunk; if a worker died, compute them in this process."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        results = future.result()
    except BrokenProcessPool:
        results = apply(chunk)
    return zip(chunk, results, strict=True)


# ---- reading ahead

_AHEAD = 16


def read_ahead(
    items: Iterator[T], discard: Callable[[T], object] = lambda item: None
) -> Generator[T]:
    """
    Fetch up to 16 items ahead of the consumer, such as downloads that run in the background.

    `discard` is called with each unconsumed item if the generator is closed or `items` fails.

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
