"""A worker process: it reads files, one after the other, for the process that began it."""

import os
import signal
import struct
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import NamedTuple, Protocol, TypedDict

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.parallel.slots import SharedSlots, packed

__all__ = ["SIZE", "SLOTS", "Encode", "FileOptions", "Message", "ReadFile", "work"]

#: So many messages of a worker are under way.
SLOTS = 4
#: The size of a message in a slot.
SIZE = struct.Struct("q")

#: Changes the batches that were read; the second argument is told of problems.
Encode = Callable[[Iterable[Batch], ProblemHandler], Iterable[Batch]]


class DocumentInfo(NamedTuple):
    """What a document says before its entries; see `Document`."""

    head: Head
    is_index: bool
    family: str
    holds: Collection[str]
    format: str


class Message(NamedTuple):
    """
    What was found in a file, and what was told before that.

    Attributes:
        problems: The problems that were reported.
        size: How many bytes were read.
        item: What was found: first `DocumentInfo`, then batches; None at the end, or an exception.

    """

    problems: list[Problem]
    size: int
    item: DocumentInfo | Batch | Exception | None


class FileOptions(TypedDict, total=False):
    """The options of `sitemapx.convert.read` that differ from file to file."""

    format: str | None
    source_url: str | None


class ReadFile(Protocol):
    """Opens a file: `sitemapx.convert.read`, with its other options given."""

    def __call__(
        self,
        path: str,
        /,
        *,
        report: ProblemHandler,
        on_read: Callable[[int], None],
        format: str | None = None,
        source_url: str | None = None,
    ) -> Document:
        """Open the file at this path."""
        ...


def work(
    tasks: Connection, slots: SharedSlots, taken: int, read: ReadFile, encode: Encode | None
) -> None:
    """
    Read the files that are asked for, as long as there is somebody to ask.

    Args:
        tasks: Gives paths with options of `read`; takes the size of each message, and nothing after
            the last. One that has no room in a slot follows its size, which is 0.
        slots: Take the messages, in turn.
        taken: The pipe that gives a byte for each slot that was read.
        read: Opens a file.
        encode: What is done with the batches, if anything.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    free, slot = SLOTS, 0
    with suppress(EOFError, ConnectionError, MemoryError):  # the other process tells of the end
        while True:
            path, options = tasks.recv()
            for message in _messages(path, options, read, encode):
                parts = packed(message)
                free += len(os.read(taken, SLOTS)) if not free else 0
                size = slots.write(slot, parts)
                slots.number += 1
                tasks.send_bytes(SIZE.pack(size))
                if size:
                    free, slot = free - 1, (slot + 1) % SLOTS
                else:
                    tasks.send_bytes(b"".join(parts))
            slots.number += 1
            tasks.send_bytes(b"")


def _messages(
    path: str, options: FileOptions, read: ReadFile, encode: Encode | None
) -> Iterator[Message]:
    """Read a file; give what is found, in order."""
    problems: list[Problem] = []
    sizes: list[int] = []

    def message(item: DocumentInfo | Batch | Exception | None) -> Message:
        message = Message(problems.copy(), sum(sizes), item)
        problems.clear()
        sizes.clear()
        return message

    try:
        document = read(path, report=problems.append, on_read=sizes.append, **options)
        yield message(
            DocumentInfo(
                document.head,
                document.is_index,
                document.family,
                document.holds,
                document.format,
            )
        )
        batches: Iterable[Batch] = document.batches
        if encode and not document.is_index:  # whoever follows an index looks at its entries
            batches = encode(batches, problems.append)
        yield from map(message, batches)
        yield message(None)
    except Exception as error:  # noqa: BLE001  # raised again where it is asked for
        yield message(error)
