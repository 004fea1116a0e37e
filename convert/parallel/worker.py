"""A worker process: it reads files, one after the other, for the process that began it."""

import pickle
import signal
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from io import BytesIO
from multiprocessing.connection import Connection
from typing import NamedTuple, Protocol, TypedDict

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.problems import Problem, ProblemHandler

__all__ = ["Encode", "FileOptions", "Message", "ReadFile", "work"]

#: Changes the batches that were read; the second argument is told of problems.
Encode = Callable[[Iterable[Batch], ProblemHandler], Iterable[Batch]]


class DocumentInfo(NamedTuple):
    """What a document says before its entries; see `Document`."""

    head: Head
    is_index: bool
    family: str
    holds: Collection[str]


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


def work(tasks: Connection, parent: Connection, read: ReadFile, encode: Encode | None) -> None:
    """
    Read the files that are asked for, as long as there is somebody to ask.

    Args:
        tasks: Gives paths with options of `read`; takes the messages for each, then no bytes.
        parent: The other end, which is for the other process alone.
        read: Opens a file.
        encode: What is done with the batches, if anything.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one ends it
    parent.close()
    buffer = BytesIO()
    with suppress(EOFError, ConnectionError, MemoryError):  # the other process tells of the end
        while True:
            path, options = tasks.recv()
            for message in _messages(path, options, read, encode):
                buffer.seek(0)  # one for all messages: new memory for each would take longer
                pickle.dump(message, buffer, pickle.HIGHEST_PROTOCOL)
                with buffer.getbuffer() as data:
                    tasks.send_bytes(data, 0, buffer.tell())
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
            DocumentInfo(document.head, document.is_index, document.family, document.holds)
        )
        batches: Iterable[Batch] = document.batches
        if encode and not document.is_index:  # whoever follows an index looks at its entries
            batches = encode(batches, problems.append)
        yield from map(message, batches)
        yield message(None)
    except Exception as error:  # noqa: BLE001  # raised again where it is asked for
        yield message(error)
