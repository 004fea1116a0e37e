"""Ask for many pages at the same time; how many of a host, its turns say."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

__all__ = ["answers_to"]

Result = TypeVar("Result")

#: So many threads share the work, of which a host lets only some ask at once.
_THREADS = 16
#: So many pages wait for their turn, at most.
_WAITING = 64
#: How often a wait is told, in seconds.
_TICK = 0.2


def answers_to(
    urls: Iterable[str], ask: Callable[[str], Result], tick: Callable[[], object]
) -> Iterator[tuple[str, Result]]:
    """
    Ask for URLs, and give the answers as they come.

    Threads are daemons: whoever interrupts a run is not to wait for the network.

    Args:
        ask: Asks for one; what it raises is raised here.
        tick: Called again and again in the meantime.

    """
    tasks: SimpleQueue[str | None] = SimpleQueue()
    done: SimpleQueue[tuple[str, Result] | BaseException] = SimpleQueue()

    def work() -> None:
        while (url := tasks.get()) is not None:
            try:
                done.put((url, ask(url)))
            except BaseException as error:  # noqa: BLE001  # raised again where it is asked for
                done.put(error)

    def next_done() -> tuple[str, Result]:
        while True:
            tick()
            try:
                found = done.get(timeout=_TICK)
            except Empty:
                continue
            if isinstance(found, BaseException):
                raise found
            return found

    threads = 0
    under_way = 0
    try:
        for url in urls:
            tasks.put(url)
            under_way += 1
            if threads < _THREADS:
                Thread(target=copy_context().run, args=(work,), daemon=True).start()
                threads += 1
            if under_way == _WAITING:
                yield next_done()
                under_way -= 1
        while under_way:
            yield next_done()
            under_way -= 1
    finally:
        with suppress(Empty):  # what nobody began with
            while True:
                tasks.get_nowait()
        for _ in range(threads):
            tasks.put(None)
