"""
Files that other processes read before it is their turn.

A process reads one file after the other, each into a temporary file, of which this one makes a
document again when its turn comes: the same entries and problems in the same order. The processes
begin as copies of this one, before it has threads.
"""

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection, wait
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from sitemapx.convert.document import Batch, Document, Head
from sitemapx.convert.problems import Problem, Report
from sitemapx.errors import InputError

__all__ = ["Encode", "Reading", "Workers"]

#: How often a wait is told, in seconds.
_TICK = 0.2
#: Changes the batches that were read; the second argument is told of problems.
Encode = Callable[[Iterable[Batch], Report], Iterable[Batch]]
_ENDED = "the process that was to read this ended too early"


class _Opened(NamedTuple):
    """What a document says before its entries; see `Document`."""

    head: Head
    is_index: bool
    family: str
    holds: Collection[str]


class Reading:
    """A file that is read by another process, or waits for one; made by `Workers.begin`."""

    def __init__(self, workers: "Workers", path: str, options: dict[str, Any]) -> None:
        self.path = path
        self.options = options
        self.spool: str | None = None
        self.error: Exception | None = None
        self._workers = workers

    @property
    def is_done(self) -> bool:
        """Whether all of it was read, or the attempt failed."""
        return self.spool is not None or self.error is not None

    def document(self, report: Report) -> Document:
        """
        Wait for the end, and give what was read.

        Args:
            report: Is told of problems in their turn.

        Raises:
            InputError: If it cannot be read; also while the document is read.

        """
        self._workers.wait_for(self)
        if self.error:
            raise self.error
        messages = self._messages(report)
        opened = next(messages)
        return Document(messages, **opened._asdict(), close=messages.close)

    def _messages(self, report: Report) -> Generator[Any]:
        """Give what the other process wrote: `_Opened`, then batches; tell what it was told."""
        assert self.spool is not None
        with open(self.spool, "rb") as file, suppress(EOFError):
            os.unlink(self.spool)
            while True:
                message = pickle.load(file)  # noqa: S301 - a process of ours wrote it
                if isinstance(message, Problem):
                    report(message)
                elif isinstance(message, int):
                    self._workers.on_read(message)
                elif isinstance(message, Exception):
                    raise message
                else:
                    yield message


class Workers:
    """Processes that read files."""

    def __init__(
        self,
        number: int,
        read: Callable[..., Document],
        on_read: Callable[[int], None],
        encode: "Encode | None" = None,
    ) -> None:
        """
        Begin so many.

        Args:
            read: `sitemapx.convert.read`, or a part of it.
            on_read: Is told how many bytes were read, when it is their turn; also that none were,
                again and again, while that is waited for.
            encode: What is done with the batches before they are handed over, if anything.

        """
        self.on_read = on_read
        self._folder = TemporaryDirectory(prefix="sitemapx-")
        self._numbers = count(1)
        self._waiting: deque[Reading] = deque()
        self._busy: dict[Connection, Reading] = {}
        pipes = [multiprocessing.Pipe() for _ in range(number)]
        self._idle = [ours for ours, _ in pipes]
        context = multiprocessing.get_context("fork")
        ends = [end for pipe in pipes for end in pipe]
        change = encode or _as_they_are
        self._processes = [
            context.Process(target=_work, args=(theirs, ends, read, change), daemon=True)
            for _, theirs in pipes
        ]
        for process in self._processes:
            process.start()
        for _, theirs in pipes:
            theirs.close()

    def begin(self, path: str, **options: Any) -> Reading:
        """Have a file read, with these options of `read`, when a process is free."""
        reading = Reading(self, path, options)
        self._waiting.append(reading)
        self._assign()
        return reading

    def wait_for(self, reading: Reading) -> None:
        """Wait until a file was read."""
        while not reading.is_done:
            for connection in wait(list(self._busy), _TICK):
                assert isinstance(connection, Connection)
                self._collect(connection)
            if not self._busy and not reading.is_done:  # nobody is left to read it
                reading.error = InputError(_ENDED, reading.path)
            self.on_read(0)

    def _assign(self) -> None:
        while self._waiting and self._idle:
            connection, reading = self._idle.pop(), self._waiting.popleft()
            self._busy[connection] = reading
            with suppress(OSError):  # one that is no more is noticed where its answer is
                connection.send((reading.path, reading.options, self._spool_of(connection)))

    def _spool_of(self, connection: Connection) -> str:
        return os.path.join(self._folder.name, str(connection.fileno()))

    def _collect(self, connection: Connection) -> None:
        """Take what a process has read, and give it more."""
        reading = self._busy.pop(connection)
        try:
            reading.error = connection.recv()
            self._idle.append(connection)
            if not reading.error:
                reading.spool = os.path.join(self._folder.name, f"read-{next(self._numbers)}")
                os.rename(self._spool_of(connection), reading.spool)
        except (EOFError, ConnectionResetError):
            connection.close()
            reading.error = InputError(_ENDED, reading.path)
        self._assign()

    def close(self) -> None:
        """End all processes, whatever they are at."""
        for process in self._processes:
            process.kill()
            process.join()
            process.close()
        for connection in [*self._idle, *self._busy]:
            connection.close()
        self._folder.cleanup()


def _work(
    tasks: Connection, ends: Sequence[Connection], read: Callable[..., Document], encode: Encode
) -> None:
    """Read what this process is told to, as long as there is somebody to tell it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    for end in ends:  # a pipe is at its end when nobody else holds that
        if end is not tasks:
            end.close()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            path, options, spool = tasks.recv()
            tasks.send(_spooled(_messages(read, encode, path, options), spool))


def _spooled(messages: Iterator[Any], spool: str) -> OSError | None:
    """Write messages into a file; what keeps that from being done is given."""
    try:
        with open(spool, "wb") as file:
            for message in messages:
                pickle.dump(message, file, pickle.HIGHEST_PROTOCOL)
    except OSError as error:
        return error
    return None


def _messages(
    read: Callable[..., Document], encode: Encode, path: str, options: dict[str, Any]
) -> Iterator[Any]:
    """Read a file; give what is found, and what is told, in order."""
    told: list[Problem] = []
    sizes: list[int] = []

    def news() -> Iterator[Any]:
        yield from told
        yield sum(sizes)
        told.clear()
        sizes.clear()

    try:
        document = read(path, report=told.append, on_read=sizes.append, **options)
        yield _Opened(document.head, document.is_index, document.family, document.holds)
        # Whoever follows an index looks at its entries.
        change = _as_they_are if document.is_index else encode
        for batch in change(document.batches, told.append):
            yield from news()
            yield batch
        yield from news()
    except Exception as error:  # noqa: BLE001  # raised again where it is asked for
        yield from news()
        yield error


def _as_they_are(batches: Iterable[Batch], _report: Report) -> Iterable[Batch]:
    return batches
