"""
Files that worker processes read before it is their turn.

Each worker reads one file after the other, of which this process makes a document again when its
turn comes: the same entries and problems in the same order. What waits for its turn is in temporary
files without a name. The workers begin as copies of this process, before it has threads.
"""

import os
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from tempfile import SpooledTemporaryFile
from typing import Any, Unpack, cast

from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.parallel.worker import Encode, FileOptions, Message, ReadFile, work
from sitemapx.errors import InputError, OutputError, UsageError
from sitemapx.optionnames import option

__all__ = ["Reading", "WorkerPool"]

_fork = get_context("fork")  # any other method imports the caller's program once more
#: How often a wait is told, in seconds.
_TICK = 0.2
#: A message of fewer bytes waits in memory.
_SMALL = 4096


class Reading:
    """A file that a worker reads, or will read, and the messages that nobody asked for yet."""

    def __init__(self, pool: "WorkerPool", path: str, options: FileOptions) -> None:
        self._pool = pool
        self.path = path
        self.options = options
        self._error: Exception | None = None
        #: Messages that nobody asked for yet; of one in the file, the length.
        self._messages: deque[bytes | int] = deque()
        self._file = SpooledTemporaryFile(1)  # on disk from the first message, if any
        self._start = 0

    def document(self, report: ProblemHandler) -> Document:
        """
        Return what was read; the rest is waited for where it is asked for.

        Args:
            report: Called with problems in their turn.

        Raises:
            InputError: If it cannot be read; also while the document is read.
            OutputError: If there was no room for what waited for its turn; likewise.

        """
        items = self._items(report)
        info = next(items)
        return Document(items, **info._asdict(), close=items.close)

    def _items(self, report: ProblemHandler) -> Generator[Any]:
        """Return what was found: `DocumentInfo`, then batches; tell what was told."""
        with closing(self):
            for message in self._pool.messages(self):
                for problem in message.problems:
                    report(problem)
                self._pool.on_read(message.size)
                if isinstance(message.item, Exception):
                    raise message.item
                if message.item is None:
                    return
                yield message.item

    @property
    def has_message(self) -> bool:
        """Whether there is something that nobody asked for yet."""
        return bool(self._messages)

    def add(self, data: bytes) -> None:
        """Keep a message until it is asked for: on disk, unless it is small or next."""
        if self._file.closed or self._error:
            return
        if not self._messages or len(data) < _SMALL:
            self._messages.append(data)
            return
        try:
            self._file.seek(0, os.SEEK_END)
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            text = (
                f"cannot store the entries of {self.path} until they are written: {error.strerror}"
            )
            self._error = OutputError(f"{text}; set TMPDIR to another directory")
        else:
            self._messages.append(len(data))

    def fail(self) -> None:
        """Take that the worker has ended."""
        self._error = InputError("the process reading this file ended unexpectedly", self.path)

    def next(self) -> Message | None:
        """
        Return the next message, if it is there.

        Raises:
            InputError: If there will be none, since the worker has ended.
            OutputError: If there will be none for want of room.

        """
        if not self._messages:
            if self._error:
                raise self._error
            return None
        data = self._messages.popleft()
        if isinstance(data, int):
            self._file.seek(self._start)
            self._start += data
            data = self._file.read(data)
        return pickle.loads(data)  # type: ignore[no-any-return]  # noqa: S301 - from our own process

    def close(self) -> None:
        """Forget what nobody asked for."""
        with suppress(OSError):  # what found no room finds none now
            self._file.close()


class _Worker:
    """A worker process, as this process sees it."""

    def __init__(self, read: ReadFile, encode: Encode | None) -> None:
        self.connection, other = _fork.Pipe()
        self.reading: Reading | None = None
        arguments = (other, self.connection, read, encode)
        self._process = _fork.Process(target=work, args=arguments, daemon=True)
        with other:
            self._process.start()

    def begin(self, reading: Reading) -> None:
        """Have a file read; if the worker has ended, that shows when it should answer."""
        self.reading = reading
        with suppress(ConnectionError):
            self.connection.send((reading.path, reading.options))

    def receive(self) -> bool:
        """Take a message; tell whether the worker is still there."""
        try:
            data = self.connection.recv_bytes()
        except (OSError, EOFError):
            if self.reading:
                self.reading.fail()
            return False
        if data and self.reading:
            self.reading.add(data)
        else:
            self.reading = None
        return True

    def close(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self.connection.close()


class WorkerPool:
    """Processes that read files."""

    def __init__(
        self,
        number: int,
        read: ReadFile,
        on_read: Callable[[int], None],
        encode: Encode | None = None,
    ) -> None:
        """
        Begin so many.

        Args:
            read: Opens a file.
            on_read: Called with how many bytes were read, when it is their turn; also with 0,
                again and again, while that is waited for.
            encode: What is done with the batches before they are handed over, if anything.

        Raises:
            UsageError: If so many cannot be begun.

        """
        self.on_read = on_read
        self._queue: deque[Reading] = deque()
        self._open: set[Reading] = set()
        self._workers: list[_Worker] = []
        try:
            for _ in range(number):
                self._workers.append(_Worker(read, encode))
        except OSError as error:
            self.close()
            text = f"cannot start {number} processes: {error.strerror or error}"
            raise UsageError(f"{text}; pass {option('jobs', '1')} to run without them") from error

    def begin(self, path: str, **options: Unpack[FileOptions]) -> Reading:
        """Have a file read, with these options of `read`, when a worker is free."""
        reading = Reading(self, path, options)
        self._open.add(reading)
        self._queue.append(reading)
        self._assign()
        return reading

    def messages(self, reading: Reading) -> Iterator[Message]:
        """Return the messages of a file, and see to the others meanwhile."""
        while True:
            self._receive(reading)
            if message := reading.next():
                yield message

    def _receive(self, reading: Reading) -> None:
        """Take a message from each worker; wait, but not long, if this file needs one."""
        workers = {
            worker.connection.fileno(): worker
            for worker in self._workers
            if worker.reading is not reading or not reading.has_message
        }
        ready = wait(workers, 0 if reading.has_message else _TICK)
        if not (ready or reading.has_message):
            self.on_read(0)
        for number in ready:
            worker = workers[cast(int, number)]
            if not worker.receive():
                self._workers.remove(worker)
                worker.close()
        self._assign()

    def _assign(self) -> None:
        """Return files to workers that have nothing to do."""
        for worker in self._workers:
            if self._queue and not worker.reading:
                worker.begin(self._queue.popleft())
        while self._queue and not self._workers:
            self._queue.popleft().fail()

    def close(self) -> None:
        """End all processes, whatever they are at."""
        for worker in self._workers:
            worker.close()
        for reading in self._open:
            reading.close()
