"""
Worker processes that read files ahead of their turn.

A worker stores its results in a temporary file, which becomes a document with the same entries and
problems in the same order. The parent process reads a file itself if no worker has started it when
its turn comes: the first process that creates the temporary file reads the source.
"""

import os
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, Unpack

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.parallel.items import can_start_workers
from sitemapx.errors import OutputError, UsageError
from sitemapx.optionnames import option
from sitemapx.plugins import find_culprit

if TYPE_CHECKING:
    from concurrent.futures import Future

    from sitemapx.convert.parallel.workers import Workers


#: Minimum total uncompressed size, in bytes, for which worker processes pay off.
_LARGE = 8 << 20
#: Estimated ratio of the uncompressed to the compressed size of a gzip file.
_COMPRESSION_RATIO = 8
#: Seconds between two calls of `on_read` while waiting.
_TICK = 0.2
#: Maximum number of attempts to remove a directory.
_ATTEMPTS = 10

#: Function of workers that encodes or changes batches, and calls its second argument with problems.
Encode = Callable[[Iterable[Batch], ProblemHandler], Iterable[Batch]]


class FileOptions(TypedDict, total=False):
    format: str | None
    source_url: str | None


class ReadSource(Protocol):
    """Signature of `sitemapx.convert.read` with its other options bound."""

    def __call__(
        self,
        source: Any,
        /,
        *,
        report: ProblemHandler,
        on_read: Callable[[int], None] = ...,
        format: str | None = None,
        source_url: str | None = None,
    ) -> Document: ...


class _DocumentInfo(NamedTuple):
    head: Head
    is_index: bool
    family: str
    holds: Collection[str]
    format: str


class _Message(NamedTuple):
    """
    An item that a worker has read, with the problems since the previous message.

    `item` is first a `_DocumentInfo`, then each batch, and at the end None; or the exception that
    ends the reading. `size` is the number of bytes read since the previous message.
    """

    problems: list[Problem]
    size: int
    item: _DocumentInfo | Batch | Exception | None


class _Task(NamedTuple):
    path: str
    options: FileOptions
    target: str


class Reading:
    def __init__(self, task: _Task, future: "Future[str]", on_read: Callable[[int], None]) -> None:
        self._task = task
        self._future = future
        self._on_read = on_read

    def document(self, report: ProblemHandler, read: Callable[..., Document]) -> Document:
        """Return the document from a worker, or from `read` if no worker has begun the file."""
        if self._claim():
            return read(self._task.path, report=report, **self._task.options)
        items = self._items(report)
        info = next(items)
        return Document(items, **info._asdict(), close=items.close)

    def _claim(self) -> bool:
        """
        Try to claim the file for this process; False if a worker has read or is reading the file.

        Cancelling the future would not work: an executor cannot handle cancelled futures when one
        of its processes ends (Python 3.11), and counts the next tasks as running.
        """
        if self._future.done():  # the worker has finished or died
            return False
        with suppress(OSError):  # a worker has the file, or reports the error
            open(self._task.target, "xb").close()
            return True
        return False

    def _items(self, report: ProblemHandler) -> Generator[Any]:
        """Yield a `_DocumentInfo`, then batches; report problems in between."""
        import pickle

        self._wait()
        try:
            with open(self._task.target, "rb") as file:
                while True:
                    message: _Message = pickle.load(file)  # noqa: S301 - our own
                    for problem in message.problems:
                        report(problem)
                    self._on_read(message.size)
                    if isinstance(message.item, Exception):
                        raise message.item
                    if message.item is None:
                        return
                    yield message.item
        finally:
            with suppress(FileNotFoundError):  # the directory was removed before
                os.remove(self._task.target)

    def _wait(self) -> None:
        from concurrent.futures import wait
        from concurrent.futures.process import BrokenProcessPool

        while not wait([self._future], _TICK).done:
            self._on_read(0)
        try:
            failure = self._future.result()
        except BrokenProcessPool as error:
            advice = f"pass {option('jobs', '1')} to use a single process"
            raise OutputError(f"a worker process ended unexpectedly; {advice}") from error
        if failure:
            text = f"cannot store the entries of {self._task.path} until they are written"
            raise OutputError(f"{text}: {failure}; set TMPDIR to another directory")


class FileWorkers:
    """
    Processes that read files; started with the first file for which they pay off.

    Args:
        on_read: Called with the number of bytes read, in order; repeatedly with 0 while waiting.
        encode: Applied to the batches by the workers.
        is_explicit: Whether the user requested `number` processes; if not, they start only where
            they pay off and are possible.

    """

    def __init__(
        self,
        number: int,
        read: ReadSource,
        on_read: Callable[[int], None],
        encode: Encode | None,
        *,
        is_explicit: bool,
    ) -> None:
        self._number = number
        self._read = partial(_read, read=read, encode=encode)
        self._on_read = on_read
        self._is_explicit = is_explicit
        self._workers: Workers[_Task, str] | None = None
        self._folder = ""
        self._count = 0

    def submit(self, path: str, count: int, **options: Unpack[FileOptions]) -> Reading | None:
        """
        Assign a file to a worker; return None if there are no workers.

        `count` is the number of files of a similar size, for which the workers have to pay off.
        """
        pays_off = self._is_explicit or (_is_large(path, count) and can_start_workers())
        if self._workers is None and count > 1 and pays_off:
            with nullcontext() if self._is_explicit else suppress(UsageError):
                self._start()
        if self._workers is None:
            return None
        self._count += 1
        task = _Task(path, options, os.path.join(self._folder, str(self._count)))
        return Reading(task, self._workers.submit(task), self._on_read)

    def _start(self) -> None:
        from tempfile import mkdtemp

        from sitemapx.convert.parallel.workers import Workers

        self._folder = mkdtemp(prefix="sitemapx-")
        clean = partial(_remove, self._folder)
        try:
            self._workers = Workers(self._read, self._number, clean)
        except UsageError:
            clean()
            raise

    def close(self) -> None:
        if self._workers:
            self._workers.close()
            _remove(self._folder)


def _remove(folder: str) -> None:
    """Remove a directory in which terminating workers may still create files."""
    from shutil import rmtree

    for _ in range(_ATTEMPTS):
        rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return


def _is_large(path: str, count: int) -> bool:
    ratio = _COMPRESSION_RATIO if path.endswith(".gz") else 1
    with suppress(OSError):
        return os.path.getsize(path) * ratio * count >= _LARGE
    return False


def _read(task: _Task, read: ReadSource, encode: Encode | None) -> str:
    """
    Store what a worker reads from a file; return an error message, or an empty string.

    Does nothing if the parent process has claimed the file.
    """
    import pickle

    try:
        with open(task.target, "xb") as target:
            for message in _messages(task, read, encode):
                pickle.dump(message, target, pickle.HIGHEST_PROTOCOL)
    except FileExistsError:  # the other process reads the source
        return ""
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _messages(task: _Task, read: ReadSource, encode: Encode | None) -> Iterator[_Message]:
    problems: list[Problem] = []
    sizes: list[int] = []

    def message(item: _DocumentInfo | Batch | Exception | None) -> _Message:
        message = _Message(problems.copy(), sum(sizes), item)
        problems.clear()
        sizes.clear()
        return message

    try:
        document = read(task.path, report=problems.append, on_read=sizes.append, **task.options)
        yield message(
            _DocumentInfo(
                document.head, document.is_index, document.family, document.holds, document.format
            )
        )
        batches: Iterable[Batch] = document.batches
        if encode and not document.is_index:  # the entries of an index are needed to follow it
            batches = encode(batches, problems.append)
        yield from map(message, batches)
    except Exception as error:  # noqa: BLE001  # re-raised by `Reading`
        find_culprit(error)  # while it has a traceback
        yield message(error)
    else:
        yield message(None)
