"""
Worker processes that apply a function to many items, such as the pages of a directory.

They begin as copies of this process, once there are enough items for them to pay off. Each works
on a chunk at a time; results come in the order of the items.
"""

import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from itertools import chain, islice
from multiprocessing.connection import Connection
from typing import Generic, TypeVar, cast

from sitemapx.convert.parallel.workers import can_fork

__all__ = ["map_items"]

#: So many items are worked on without other processes; so many are a chunk.
_FEW, _CHUNK = 256, 64
T = TypeVar("T")
R = TypeVar("R")


def map_items(
    function: Callable[[T], R], items: Iterable[T], processes: int
) -> Iterator[tuple[T, R]]:
    """
    Apply a function to items, and give each with its result, in order.

    Args:
        function: Raises nothing, and has no effects.
        items: The items.
        processes: How many processes work at most.

    >>> list(map_items(str.upper, "ab", 1))
    [('a', 'A'), ('b', 'B')]

    """
    items = iter(items)
    few = islice(items, _FEW if processes > 1 else None)
    yield from ((item, function(item)) for item in few)
    first = list(islice(items, _CHUNK))
    if len(first) < _CHUNK or not can_fork():
        yield from ((item, function(item)) for item in chain(first, items))
        return
    chunks = chain([first], iter(lambda: list(islice(items, _CHUNK)), []))
    with ExitStack() as stack:
        workers = [stack.enter_context(closing(_ItemWorker(function))) for _ in range(processes)]
        yield from _in_order(chunks, workers)


def _in_order(
    chunks: Iterable[list[T]], workers: "list[_ItemWorker[T, R]]"
) -> Iterator[tuple[T, R]]:
    free, busy = deque(workers), deque[tuple[_ItemWorker[T, R], list[T]]]()
    for chunk in chunks:
        done: list[T] = []
        results: list[R] = []
        if not free:
            worker, done = busy.popleft()
            results = worker.results(done)
            free.append(worker)
        worker = free.popleft()
        worker.begin(chunk)  # before anybody looks at the results, so that nobody waits
        busy.append((worker, chunk))
        yield from zip(done, results, strict=True)
    for worker, chunk in busy:
        yield from zip(chunk, worker.results(chunk), strict=True)


class _ItemWorker(Generic[T, R]):
    """A worker process, as this process sees it."""

    def __init__(self, function: Callable[[T], R]) -> None:
        from multiprocessing import get_context

        self._function = function
        fork = get_context("fork")  # any other method imports the caller's program once more
        self._connection, other = fork.Pipe()
        self._process = fork.Process(
            target=_work, args=(other, self._connection, function), daemon=True
        )
        with other:
            self._process.start()

    def begin(self, chunk: list[T]) -> None:
        """Have a chunk worked on; if the worker has ended, that shows when it should answer."""
        with suppress(OSError):
            self._connection.send(chunk)

    def results(self, chunk: list[T]) -> list[R]:
        """Wait for the results of a chunk; if there are none, work on it here."""
        with suppress(OSError, EOFError):
            return cast("list[R]", self._connection.recv())
        return list(map(self._function, chunk))

    def close(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._connection.close()


def _work(tasks: Connection, parent: Connection, function: Callable[[T], R]) -> None:
    """Work on chunks as long as there is somebody to ask for them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent.close()
    with suppress(EOFError, OSError, MemoryError):  # the other process tells of the end
        while True:
            results = list(map(function, tasks.recv()))
            tasks.send_bytes(pickle.dumps(results, pickle.HIGHEST_PROTOCOL))
