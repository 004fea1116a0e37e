"""
Worker processes: forks of this process that apply a function.

They end with this process, even if it is killed: they inherit a pipe that closes with it.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import chain, islice
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from sitemapx.convert.parallel.forks import can_fork
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

#: Number of items that are not worth starting processes for, and size of the chunks of the others.
_FEW, _CHUNK = 256, 64
#: Signals that are blocked in a new worker until it has its own handlers.
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
T = TypeVar("T")
R = TypeVar("R")
_fork = get_context("fork")  # other methods import the caller's program again
#: The function that this process applies, if it is a worker.
_function: Callable[[Any], Any]


class Workers(Generic[T, R]):
    """
    Processes that apply a function to arguments.

    Args:
        function: The function; its arguments and results are pickled.
        on_exit: Called by each worker when it ends, possibly by several at the same time.

    """

    def __init__(
        self, function: Callable[[T], R], number: int, on_exit: Callable[[], object] = lambda: None
    ) -> None:
        self._number = number
        ended, self._end = _fork.Pipe(duplex=False)
        with ended:  # read only by the workers
            self._executor = ProcessPoolExecutor(
                number, _fork, _initialize, (function, ended, self._end, on_exit)
            )
            self._start()

    def _start(self) -> None:
        others = set(active_children())
        try:
            # A new worker has the handlers of this process until it sets its own, and
            # multiprocessing may swallow their exceptions: a worker that is terminated at its
            # start would not end, and the executor would wait for it forever.
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
            try:
                started = self._executor.submit(os.getpid)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            started.result()
        except BrokenProcessPool:  # which `submit` reports
            return
        except OSError as error:
            self._end.close()
            for process in set(active_children()) - others:
                process.join()
            text = f"cannot start {self._number} processes: {error.strerror or error}"
            raise UsageError(f"{text}; pass {option('jobs', '1')} to run without them") from error

    def submit(self, argument: T) -> "Future[R]":
        """Apply the function to an argument; fails with `BrokenProcessPool` if a process died."""
        try:
            return self._executor.submit(_apply, argument)
        except BrokenProcessPool as error:
            failed: Future[R] = Future()
            failed.set_exception(error)
            return failed

    def close(self) -> None:
        """Terminate all processes immediately."""
        self._end.close()
        self._executor.shutdown(cancel_futures=True)


def _initialize(
    function: Callable[[Any], Any],
    ended: Connection,
    end: Connection,
    on_exit: Callable[[], object],
) -> None:
    global _function  # noqa: PLW0603
    _function = function
    end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

    def watch() -> None:
        ended.poll(None)  # until the other end is closed
        on_exit()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _apply(argument: Any) -> Any:
    return _function(argument)


def map_items(
    function: Callable[[T], R], items: Iterable[T], processes: int
) -> Iterator[tuple[T, R]]:
    """
    Apply a function without side effects to items; yield each with its result, in order.

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

    def apply(chunk: list[T]) -> list[R]:
        return list(map(function, chunk))

    chunks = chain([first], iter(lambda: list(islice(items, _CHUNK)), []))
    begun = deque[tuple[list[T], Future[list[R]]]]()
    with closing(Workers(apply, processes)) as workers:
        for chunk in chunks:
            begun.append((chunk, workers.submit(chunk)))
            if len(begun) > 2 * processes:
                yield from _results(*begun.popleft(), apply)
        for chunk_and_future in begun:
            yield from _results(*chunk_and_future, apply)


def _results(
    chunk: list[T], future: "Future[list[R]]", apply: Callable[[list[T]], list[R]]
) -> Iterator[tuple[T, R]]:
    """Wait for the results of a chunk; if a worker died, apply the function in this process."""
    try:
        results = future.result()
    except BrokenProcessPool:
        results = apply(chunk)
    return zip(chunk, results, strict=True)
