"""
Files that other processes read before it is their turn.

Each process reads one file after the other, of which this one makes a document again when its turn
comes: the same entries and problems in the same order. The processes begin as copies of this one,
before it has threads.
"""

import os
import pickle
import select
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

from sitemapx.convert.document import Document
from sitemapx.convert.problems import Report
from sitemapx.convert.spool import Span, Spool
from sitemapx.convert.worker import HEADER, Encode, News, Reads, Worker, messages
from sitemapx.errors import InputError, UsageError

__all__ = ["Reading", "Workers"]

#: How often a wait is told, in milliseconds.
_TICK = 200
_ENDED = "the process that was to read this ended too early"


class Reading:
    """A file that is read by another process, or waits for one; made by `Workers.begin`."""

    def __init__(self, workers: "Workers", path: str, options: dict[str, Any]) -> None:
        self.path = path
        self.options = options
        #: Gives what was found, once a process reads it.
        self.found: Callable[[], Iterator[Any]] | None = None
        self._workers = workers

    def document(self, report: Report) -> Document:
        """
        Give what was read; the rest is waited for where it is asked for.

        One document at a time is looked at: another one ends those before.

        Args:
            report: Is told of problems in their turn.

        Raises:
            InputError: If it cannot be read; also while the document is read.

        """
        messages = self._messages(report)
        opened = next(messages)
        return Document(messages, **opened._asdict(), close=messages.close)

    def _messages(self, report: Report) -> Generator[Any]:
        """Give what the other process found: `Opened`, then batches; tell what it was told."""
        for message in self._workers.found_in(self):
            if isinstance(message, News):
                for problem in message.problems:
                    report(problem)
                self._workers.on_read(message.size)
            elif isinstance(message, Exception):
                raise message
            else:
                yield message


class _Process:
    """Another process, and the pipes to it and from it; see `Worker`."""

    def __init__(
        self, free: int, read: Reads, wait_for: Callable[[int], None], others: list[int]
    ) -> None:
        """
        Begin it.

        Args:
            free: Takes the number of a process that has nothing to do.
            wait_for: Waits until there is something to read there.
            others: The ends of pipes that are for none but this process.

        """
        tasks, self._tasks = os.pipe()
        turns, self._turns = os.pipe()
        self._answers, answers = os.pipe()
        self.ends = [self._tasks, self._turns, self._answers]
        self._spool = Spool()
        self._wait_for = wait_for
        self._rest: Iterator[Any] = iter(())
        self._is_there = True
        self._begun = count()
        self.number = os.fork()
        if not self.number:
            try:
                for end in [*others, *self.ends]:  # a pipe is at its end when nobody has another
                    os.close(end)
                Worker(tasks, turns, answers, free, self._spool, read).run()
            finally:
                os._exit(0)
        for end in (tasks, turns, answers):
            os.close(end)

    def begin(self, path: str, options: dict[str, Any]) -> Callable[[], Iterator[Any]]:
        """Have a file read; what is given gives what was found in it, when it is its turn."""
        with suppress(BrokenPipeError):  # one that is no more is noticed at the file's turn
            os.write(self._tasks, pickle.dumps((path, options)))
        return partial(self._turn, next(self._begun), path)

    def _turn(self, number: int, path: str) -> Iterator[Any]:
        """
        Give what was found in a file.

        Raises:
            InputError: If the process is no more.

        """
        for _ in self._rest:  # what nobody asked for of the file before
            pass
        with suppress(BrokenPipeError):
            os.write(self._turns, number.to_bytes(4, "big"))
        self._rest = self._messages(path)
        return self._rest

    def _messages(self, path: str) -> Iterator[Any]:
        while True:
            try:
                self._wait_for(self._answers)
                frame = self._received(HEADER.unpack(self._received(HEADER.size))[0])
            except EOFError:
                raise InputError(_ENDED, path) from None
            message = self._unframed(frame)
            if message is None:
                return
            yield message

    def _unframed(self, frame: bytes) -> Any:
        spans, data = pickle.loads(frame)  # noqa: S301 - a process of ours wrote it
        if isinstance(data, Span):
            data = self._spool.take(data)
        return pickle.loads(data, buffers=map(self._spool.take, spans))  # noqa: S301

    def _received(self, size: int) -> bytes:
        """Receive so many bytes."""
        parts: list[bytes] = []
        while size:
            parts.append(os.read(self._answers, size))
            size -= len(parts[-1])
            if not parts[-1]:
                raise EOFError
        return b"".join(parts)

    def is_there(self) -> bool:
        """Tell whether the process was not ended by anybody."""
        self._is_there = self._is_there and os.waitpid(self.number, os.WNOHANG) == (0, 0)
        return self._is_there

    def end(self) -> None:
        """End it, whatever it is at."""
        if self.is_there():
            os.kill(self.number, signal.SIGKILL)
            os.waitpid(self.number, 0)
        for end in self.ends:
            os.close(end)
        self._spool.close()


class Workers:
    """Processes that read files."""

    def __init__(
        self,
        number: int,
        read: Callable[..., Document],
        on_read: Callable[[int], None],
        encode: Encode | None = None,
    ) -> None:
        """
        Begin so many.

        Args:
            read: `sitemapx.convert.read`, or a part of it.
            on_read: Is told how many bytes were read, when it is their turn; also that none were,
                again and again, while that is waited for.
            encode: What is done with the batches before they are handed over, if anything.

        Raises:
            UsageError: If so many cannot be begun.

        """
        self.on_read = on_read
        self._waiting: deque[Reading] = deque()
        self._free, free = os.pipe()
        reads = partial(messages, read=read, encode=encode)
        self._processes: dict[int, _Process] = {}
        ends = [self._free]
        try:
            for _ in range(number):
                process = _Process(free, reads, self._wait_for, ends)
                ends += process.ends
                self._processes[process.number] = process
        except OSError as error:
            self.close()
            said = f"cannot begin {number} processes: {error.strerror or error}"
            raise UsageError(f"{said}; --jobs 1 needs none") from error
        finally:
            os.close(free)
        self._idle = list(self._processes.values())

    def begin(self, path: str, **options: Any) -> Reading:
        """Have a file read, with these options of `read`, when a process is free."""
        reading = Reading(self, path, options)
        self._waiting.append(reading)
        self._assign()
        return reading

    def found_in(self, reading: Reading) -> Iterator[Any]:
        """
        Wait until a process reads this file, and give what is found in it.

        Raises:
            InputError: If none is left.

        """
        while reading.found is None:
            if not any(process.is_there() for process in self._processes.values()):
                raise InputError(_ENDED, reading.path)
            self._look(self._free)
        return reading.found()

    def _wait_for(self, end: int) -> None:
        while not self._look(self._free, end):
            pass

    def _look(self, *ends: int) -> bool:
        """Wait for one of these ends, but not long; tell whether the last is ready."""
        poll = select.poll()
        for end in ends:
            poll.register(end, select.POLLIN)
        ready = [end for end, _ in poll.poll(_TICK)]
        if not ready:
            self.on_read(0)
        if self._free in ready:
            numbers = os.read(self._free, 1024)
            for at in range(0, len(numbers), 4):
                number = int.from_bytes(numbers[at : at + 4], "big")
                self._idle.append(self._processes[number])
            self._assign()
        return ends[-1] in ready

    def _assign(self) -> None:
        """Give files to processes that have nothing to do."""
        while self._waiting and self._idle:
            reading, process = self._waiting.popleft(), self._idle.pop()
            reading.found = process.begin(reading.path, reading.options)

    def close(self) -> None:
        """End all processes, whatever they are at."""
        for process in self._processes.values():
            process.end()
        os.close(self._free)
