"""
Files that worker processes read before it is their turn.

Each worker reads one file after the other, of which this process makes a document again when its
turn comes: the same entries and problems in the same order. What waits for its turn is in temporary
files without a name. This process reads files as well: one that no worker began when its turn
comes. The workers begin as copies of this process, before it has threads.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Unpack, cast

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.parallel.messagestore import MessageStore
from sitemapx.convert.parallel.slots import SharedSlots
from sitemapx.convert.parallel.worker import (
    SIZE,
    SLOTS,
    Encode,
    FileOptions,
    Message,
    ReadFile,
    work,
)
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

__all__ = ["Reading", "WorkerPool"]

_fork = get_context("fork")  # any other method imports the caller's program once more
#: How often a wait is told, in seconds.
_TICK = 0.2


class Reading:
    """A file that a worker reads, or will read."""

    def __init__(self, pool: "WorkerPool", path: str, options: FileOptions) -> None:
        self._pool = pool
        self.path = path
        self.options = options
        self.messages = MessageStore(path)

    def document(self, report: ProblemHandler, read: Callable[..., Document]) -> Document:
        """
        Return what was read; the rest is waited for where it is asked for.

        Args:
            report: Called with problems in their turn.
            read: Opens the file if no worker began to read it; `sitemapx.convert.read`, with its
                other options given.

        Raises:
            InputError: If it cannot be read; also while the document is read.
            OutputError: If there was no room for what waited for its turn; likewise.

        """
        if self._pool.withdraw(self):
            document = read(self.path, report=report, **self.options)
            document.batches = self._pool.attended(document.batches)
            return document
        items = self._items(report)
        info = next(items)
        return Document(items, **info._asdict(), close=items.close)

    def _items(self, report: ProblemHandler) -> Generator[Any]:
        """Return what was found: `DocumentInfo`, then batches; tell what was told."""
        with closing(self.messages):
            for message in self._pool.messages(self):
                for problem in message.problems:
                    report(problem)
                self._pool.on_read(message.size)
                if isinstance(message.item, Exception):
                    raise message.item
                if message.item is None:
                    return
                yield message.item


class _Worker:
    """A worker process, as this process sees it."""

    def __init__(self, read: ReadFile, encode: Encode | None) -> None:
        self.reading: Reading | None = None
        self._slots, self._slot = SharedSlots(SLOTS), 0
        self._heard = 0  # messages; the number of the slots is how many it has sent
        taken, self._taken = os.pipe()
        try:
            self.connection, other = _fork.Pipe()
            arguments = (other, taken, read, encode)
            self._process = _fork.Process(target=self._work, args=arguments, daemon=True)
            with other:
                self._process.start()
        except OSError:
            os.close(self._taken)
            raise
        finally:
            os.close(taken)

    def _work(self, tasks: Connection, taken: int, read: ReadFile, encode: Encode | None) -> None:
        self._close_ends()  # which are for the other process alone
        work(tasks, self._slots, taken, read, encode)

    def begin(self, reading: Reading) -> None:
        """Have a file read; if the worker has ended, that shows when it should answer."""
        self.reading = reading
        with suppress(ConnectionError):
            self.connection.send((reading.path, reading.options))

    @property
    def has_told(self) -> bool:
        """Whether there is a message to take."""
        return self._slots.number > self._heard

    def receive(self) -> bool:
        """Take a message; tell whether the worker is still there."""
        try:
            message = self.connection.recv_bytes()
            self._heard += 1
            if message:
                self._take(*SIZE.unpack(message))
            else:
                self.reading = None
        except (OSError, EOFError):
            if self.reading:
                self.reading.messages.fail()
            return False
        return True

    def _take(self, size: int) -> None:
        data = self._slots.read(self._slot, size) if size else self.connection.recv_bytes()
        if self.reading:
            self.reading.messages.add(data)
        if size:
            self._slot = (self._slot + 1) % SLOTS
            os.write(self._taken, b".")

    def close(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._close_ends()
        self._slots.close()

    def _close_ends(self) -> None:
        self.connection.close()
        os.close(self._taken)


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
        Begin them.

        Args:
            number: How many processes there are, with this one.
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
            for _ in range(number - 1):
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
            if message := reading.messages.next():
                yield message

    def _receive(self, reading: Reading) -> None:
        """Take a message from each worker; wait, but not long, if this file needs one."""
        workers = {
            worker.connection.fileno(): worker
            for worker in self._workers
            if worker.reading is not reading or not reading.messages.has_message
        }
        ready = wait(workers, 0 if reading.messages.has_message else _TICK)
        if not (ready or reading.messages.has_message):
            self.on_read(0)
        for number in ready:
            self._take(workers[cast(int, number)])
        self._assign()

    def _take(self, worker: _Worker) -> None:
        if not worker.receive():
            self._workers.remove(worker)
            worker.close()

    def _assign(self) -> None:
        """Have workers that have nothing to do read files; the next one is for this process."""
        for worker in self._workers:
            if len(self._queue) > 1 and not worker.reading:
                worker.begin(self._queue[1])
                del self._queue[1]

    def withdraw(self, reading: Reading) -> bool:
        """Leave a file to the caller; return False if a worker has begun to read it."""
        if is_waiting := reading in self._queue:
            self._queue.remove(reading)
        return is_waiting

    def attended(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """See to the workers while a file is read here."""
        for batch in batches:
            yield batch
            self._attend()

    def _attend(self) -> None:
        """Take the messages that are there."""
        for worker in [*self._workers]:
            while worker in self._workers and worker.has_told:
                self._take(worker)
        self._assign()

    def close(self) -> None:
        """End all processes, whatever they are at."""
        for worker in self._workers:
            worker.close()
        for reading in self._open:
            reading.messages.close()
