"""
Worker processes that apply a function: forks of this process, or new processes on Windows.

They end with this process, even if it is killed: each watches a pipe whose other end closes with
this process.
"""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import active_children, get_context
from typing import Any, Generic, TypeVar

from sitemapx.convert.disk.interrupts import block_signals, unblock_signals
from sitemapx.errors import UsageError
from sitemapx.optionnames import option, option_naming, use_option_names

#: Signals that are blocked in a new worker until it has its own handlers.
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
T = TypeVar("T")
R = TypeVar("R")
_can_fork = hasattr(os, "fork")
#: Forks start at once; spawned processes import the program again.
_context = get_context("fork" if _can_fork else "spawn")
#: The function that this process applies, if it is a worker.
_function: Callable[[Any], Any]


def _do_nothing() -> None:
    pass


class Workers(Generic[T, R]):
    """
    Processes that apply a function to arguments; creation raises `UsageError` if they cannot start.

    Args:
        function: The function; arguments and results are pickled, and on Windows the function, too.
        number: Number of processes.
        on_exit: Called in several workers at a time, when `close` is called or this process ends.

    """

    def __init__(
        self, function: Callable[[T], R], number: int, on_exit: Callable[[], object] = _do_nothing
    ) -> None:
        self._number = number
        self._ended, self._end = _context.Pipe(duplex=False)
        inherited = self._end if _can_fork else None
        named = partial(_call, option_naming(), function)
        self._unfinished: set[Future[R]] = set()
        self._executor = ProcessPoolExecutor(
            number, _context, _initialize, (named, self._ended, inherited, on_exit)
        )
        self._start()

    def _start(self) -> None:
        others = set(active_children())
        try:
            # A new worker has the handlers of this process until it sets its own, and
            # multiprocessing may swallow their exceptions: a worker that is terminated at its
            # start would not end, and the executor would wait for it forever.
            with block_signals(_SIGNALS):
                started = self._executor.submit(os.getpid)
            started.result()
        except BrokenProcessPool:  # `submit` reports it
            return
        except OSError as error:
            self._close_pipe()
            for process in set(active_children()) - others:
                process.join()
            text = f"cannot start {self._number} processes: {error.strerror or error}"
            raise UsageError(f"{text}; pass {option('jobs', '1')} to run without them") from error

    def submit(self, argument: T) -> "Future[R]":
        """Return a future of the result, which fails with `BrokenProcessPool` if a process died."""
        try:
            future = self._executor.submit(_apply, argument)
        except BrokenProcessPool as error:
            failed: Future[R] = Future()
            failed.set_exception(error)
            return failed
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        return future

    def close(self) -> None:
        """Terminate all processes, even while they apply the function."""
        running = [future for future in list(self._unfinished) if not future.cancel()]
        if not _can_fork:
            # On Windows, the executor prints a traceback if the processes end while a thread still
            # sends them their first arguments.
            wait(running, timeout=0.1)
        self._close_pipe()
        self._executor.shutdown(cancel_futures=True)

    def _close_pipe(self) -> None:
        self._end.close()
        self._ended.close()


def _initialize(
    function: Callable[[Any], Any],
    ended: Any,  # the class depends on the system
    end: Any,
    on_exit: Callable[[], object],
) -> None:
    global _function  # noqa: PLW0603
    _function = function
    if end:
        end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    unblock_signals(_SIGNALS)

    def watch() -> None:
        ended.poll(None)  # returns when the other end is closed
        on_exit()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _call(naming: Callable[[str, str], str], function: Callable[[Any], Any], argument: Any) -> Any:
    with use_option_names(naming):
        return function(argument)


def _apply(argument: Any) -> Any:
    return _function(argument)
