"""
Files that worker processes read before it is their turn.

Of what a worker has read, this process makes a document again: the same entries and problems in
the same order. Until then, it is in temporary files. This process reads files as well: each that no
worker has begun when its turn comes.
"""

import os
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, Unpack

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.parallel.forks import can_fork
from sitemapx.errors import OutputError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from sitemapx.convert.parallel.workers import Workers


#: Minimum total size, in bytes, for which worker processes pay off.
_LARGE = 8 << 20
#: Estimated ratio of the uncompressed to the compressed size of a gzip file.
_COMPRESSION_RATIO = 8
#: How often a wait is reported, in seconds.
_TICK = 0.2
#: How often a folder is removed in which files keep being created.
_ATTEMPTS = 10

#: Changes the batches that were read; the second argument is called with problems.
Encode = Callable[[Iterable[Batch], ProblemHandler], Iterable[Batch]]


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


class _DocumentInfo(NamedTuple):
    """What a document says before its entries; see `Document`."""

    head: Head
    is_index: bool
    family: str
    holds: Collection[str]
    format: str


class _Message(NamedTuple):
    """
    What was found in a file, and what was reported before that.

    Attributes:
        problems: The problems that were reported.
        size: Number of bytes that were read.
        item: What was found: first `_DocumentInfo`, then batches; None at the end, or an exception.

    """

    problems: list[Problem]
    size: int
    item: _DocumentInfo | Batch | Exception | None


class _Task(NamedTuple):
    """A file to read, with options, and the file for what is found in it."""

    path: str
    options: FileOptions
    target: str


class Reading:
    """A file that a worker reads, or will read."""

    def __init__(
        self,
        task: _Task,
        future: "Future[str]",
        on_read: Callable[[int], None],
    ) -> None:
        self._task = task
        self._future = future
        self._on_read = on_read

    def document(self, report: ProblemHandler, read: Callable[..., Document]) -> Document:
        """
        Return what was read; it is waited for.

        Args:
            report: Called with problems in their turn.
            read: Opens the file if no worker began to read it; `sitemapx.convert.read`, with its
                other options given.

        Raises:
            InputError: If the file cannot be read; also while the document is read.
            OutputError: If a worker has ended, or had no room for what it read.

        """
        if self._future.cancel():
            return read(self._task.path, report=report, **self._task.options)
        items = self._items(report)
        info = next(items)
        return Document(items, **info._asdict(), close=items.close)

    def _items(self, report: ProblemHandler) -> Generator[Any]:
        """Yield what was found: `_DocumentInfo`, then batches; report what was reported."""
        import pickle

        self._wait()
        with open(self._task.target, "rb") as file:
            os.remove(self._task.target)
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

    def _wait(self) -> None:
        from concurrent.futures import wait
        from concurrent.futures.process import BrokenProcessPool

        while not wait([self._future], _TICK).done:
            self._on_read(0)
        try:
            failure = self._future.result()
        except BrokenProcessPool as error:
            raise OutputError("a process that reads files ended unexpectedly") from error
        if failure:
            text = f"cannot store the entries of {self._task.path} until they are written"
            raise OutputError(f"{text}: {failure}; set TMPDIR to another directory")


class FileWorkers:
    """Processes that read files; they begin with the first of several."""

    def __init__(
        self,
        number: int,
        read: ReadFile,
        on_read: Callable[[int], None],
        encode: Encode | None,
        *,
        is_asked_for: bool,
    ) -> None:
        """
        Prepare.

        Args:
            number: The number of processes.
            read: Opens a file.
            on_read: Called with the number of bytes that were read, when it is their turn; also
                with 0, repeatedly, while that is waited for.
            encode: What is done with the batches by the workers, if anything.
            is_asked_for: Whether the user asked for this number of processes; if not, they
                start only where they pay off and are possible.

        """
        self._number = number
        self._read = partial(_read, read=read, encode=encode)
        self._on_read = on_read
        self._is_asked_for = is_asked_for
        self._workers: Workers[_Task, str] | None = None
        self._folder = ""
        self._count = 0

    def begin(self, path: str, count: int, **options: Unpack[FileOptions]) -> Reading | None:
        """
        Submit a file to the workers, with these options of `read`.

        Args:
            count: How many files there are at least, most of them probably like this one.

        Returns:
            None if there are no workers, and will be none for this.

        Raises:
            UsageError: If the processes that the user asked for cannot be started.

        """
        pays_off = self._is_asked_for or (_is_large(path, count) and can_fork())
        if self._workers is None and count > 1 and pays_off:
            with nullcontext() if self._is_asked_for else suppress(UsageError):
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
        """Stop the workers and remove their temporary files."""
        if self._workers:
            self._workers.close()
            _remove(self._folder)


def _remove(folder: str) -> None:
    """Remove a folder, in which other workers may create files until it is gone."""
    from shutil import rmtree

    for _ in range(_ATTEMPTS):
        rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return


def _is_large(path: str, count: int) -> bool:
    """Return whether this many files of this size are worth starting workers for."""
    ratio = _COMPRESSION_RATIO if path.endswith(".gz") else 1
    with suppress(OSError):
        return os.path.getsize(path) * ratio * count >= _LARGE
    return False


def _read(task: _Task, read: ReadFile, encode: Encode | None) -> str:
    """Read a file in a worker, and store what is found in it; return why not if that failed."""
    import pickle

    try:
        with open(task.target, "wb") as target:
            for message in _messages(task, read, encode):
                pickle.dump(message, target, pickle.HIGHEST_PROTOCOL)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _messages(task: _Task, read: ReadFile, encode: Encode | None) -> Iterator[_Message]:
    """Read a file; yield what is found, in order."""
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
    except Exception as error:  # noqa: BLE001  # raised again where it is asked for
        yield message(error)
    else:
        yield message(None)
