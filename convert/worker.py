"""
A process that reads files for another one (see `workers`).

It hands over what it finds in a file when it is that file's turn; until then it keeps that, and
goes on with other files. What is large is left in a spool, for the other process to take.
"""

import os
import pickle
import select
import signal
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import count
from struct import Struct
from typing import Any, NamedTuple

from sitemapx.convert.document import Batch, Document, Head
from sitemapx.convert.problems import Problem, Report
from sitemapx.convert.spool import Span, Spool
from sitemapx.errors import OutputError

__all__ = ["HEADER", "Encode", "News", "Opened", "Reads", "Worker", "messages"]

#: How many bytes a message has, before each.
HEADER = Struct("=Q")
#: What has more bytes is left in the spool.
_SMALL = 4096
#: Changes the batches that were read; the second argument is told of problems.
Encode = Callable[[Iterable[Batch], Report], Iterable[Batch]]
#: Gives what is found in a file of this path, with these options; see `messages`.
Reads = Callable[[str, dict[str, Any]], Iterator[Any]]


class News(NamedTuple):
    """What was told while a file was read: problems, and how many bytes were read."""

    problems: list[Problem]
    size: int


class Opened(NamedTuple):
    """What a document says before its entries; see `Document`."""

    head: Head
    is_index: bool
    family: str
    holds: Collection[str]


def messages(
    path: str, options: dict[str, Any], read: Callable[..., Document], encode: Encode | None
) -> Iterator[Any]:
    """
    Read a file; give what is found, and what is told, in order.

    Yields:
        `Opened`, batches, `News`, or an exception to be raised.

    """
    told: list[Problem] = []
    sizes: list[int] = []

    def news() -> News:
        news = News(told.copy(), sum(sizes))
        told.clear()
        sizes.clear()
        return news

    try:
        document = read(path, report=told.append, on_read=sizes.append, **options)
        yield Opened(document.head, document.is_index, document.family, document.holds)
        batches: Iterable[Batch] = document.batches
        if encode and not document.is_index:  # whoever follows an index looks at its entries
            batches = encode(batches, told.append)
        for batch in batches:
            yield news()
            yield batch
        yield news()
    except Exception as error:  # noqa: BLE001  # raised again where it is asked for
        yield news()
        yield error


class Worker:
    """The work of such a process."""

    def __init__(
        self, tasks: int, turns: int, found: int, free: int, spool: Spool, read: Reads
    ) -> None:
        """
        Take the ends of pipes.

        Args:
            tasks: Says what to read, when there is nothing to do: a path and options.
            turns: Says which file's turn it is: its number, from 0, in the order of the tasks.
            found: Takes what was found in it: see `messages`, then None.
            free: Takes the number of this process when a file was read.
            spool: Takes what is large of it.
            read: Gives what is found in a file: `messages` of some reader.

        """
        self._tasks = open(tasks, "rb")
        self._turns = turns
        self._found = open(found, "wb")
        self._free = free
        self._spool = spool
        self._read = read
        self._poll = select.poll()
        for end in (tasks, turns):
            self._poll.register(end, select.POLLIN)
        #: What was found in files whose turn has not come, by their number.
        self._kept: dict[int, list[bytes]] = {}
        self._turn = -1

    def run(self) -> None:
        """Read what is asked for, as long as there is somebody to ask."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
        with suppress(EOFError, BrokenPipeError):
            for number in count():
                while not self._look(wait=True):
                    pass
                path, options = pickle.load(self._tasks)  # noqa: S301 - from our own process
                self._do(number, path, options)

    def _do(self, number: int, path: str, options: dict[str, Any]) -> None:
        """Read a file."""
        for message in self._read(path, options):
            try:
                frame = self._framed(message)
            except OSError as error:  # what was found up to here is handed over
                said = f"cannot keep what is in {path} until it is written: {error.strerror}"
                failure = OutputError(f"{said}; TMPDIR names another folder for it")
                self._give(number, self._framed(failure))
                break
            self._give(number, frame)
            self._look()
        os.write(self._free, os.getpid().to_bytes(4, "big"))
        self._give(number, self._framed(None))

    def _look(self, *, wait: bool = False) -> bool:
        """Hand over a file whose turn has come; tell whether there is something to do."""
        ready = [end for end, _ in self._poll.poll(None if wait else 0)]
        if self._turns in ready:
            number = os.read(self._turns, 4)
            if not number:  # nobody is there any more
                raise EOFError
            self._turn = int.from_bytes(number, "big")
            self._found.writelines(self._kept.pop(self._turn, ()))
            self._found.flush()
        return self._tasks.fileno() in ready

    def _framed(self, message: object) -> bytes:
        """
        Write down a message, but leave in the spool what is large.

        Raises:
            OSError: If there is no room for that.

        """
        spans: list[Span] = []

        def place(buffer: pickle.PickleBuffer) -> None:
            spans.append(self._spool.put(buffer))

        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL, buffer_callback=place)
        left = self._spool.put(data) if len(data) > _SMALL else data
        frame = pickle.dumps((spans, left), pickle.HIGHEST_PROTOCOL)
        return HEADER.pack(len(frame)) + frame

    def _give(self, number: int, frame: bytes) -> None:
        """Hand over what was found in a file, or keep it until its turn."""
        if number == self._turn:
            self._found.write(frame)
            self._found.flush()
        else:
            self._kept.setdefault(number, []).append(frame)
