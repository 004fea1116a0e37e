"""
Where bytes go: files that appear whole or not at all, and standard output.

A file is written under a temporary name in its own folder and swapped in at the end. Several
that belong together are swapped in one after the other; if that fails half-way, those that were
swapped already are put back.
"""

import os
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, cast

from sitemapx.convert.problems import Context
from sitemapx.convert.sources import unpack
from sitemapx.errors import OutputClosedError, OutputError

if TYPE_CHECKING:
    from zlib_ng import zlib_ng

__all__ = ["Draft", "FileDraft", "StreamDraft", "Swap", "is_special", "swap_in"]

_COPY = 1 << 20
_numbers = count(1)


class Draft(Protocol):
    """A file in the making."""

    path: str

    def write(self, data: bytes) -> None:
        """Append to the file."""
        ...

    def replace_start(self, length: int, start: bytes) -> None:
        """Put other bytes in place of the first `length`; nothing is written after that."""
        ...

    def close(self) -> None:
        """Finish writing."""
        ...

    def equals(self, path: str) -> bool:
        """Tell whether there is a file with the same contents."""
        ...

    def discard(self) -> None:
        """Forget the file, if it is not where it belongs yet."""
        ...


class FileDraft:
    """A file under a temporary name, beside the one that it is to become."""

    def __init__(self, target: str, *, compress: bool) -> None:
        """
        Create the file.

        Raises:
            OutputError: If the folder cannot be written to.

        """
        folder, name = os.path.split(target)
        self.path = os.path.join(folder, f".{name}.{os.getpid()}-{next(_numbers)}.tmp")
        self._target = target
        self._compress = compress
        self._open()

    def _open(self) -> None:
        with self._failing_as_output():
            self._file = open(self.path, "wb")
        self._packer = _packer() if self._compress else None

    def write(self, data: bytes) -> None:
        """Append to the file."""
        with self._failing_as_output():
            self._file.write(self._packer.compress(data) if self._packer else data)

    def close(self) -> None:
        """Finish writing."""
        with self._failing_as_output():
            if self._packer and not self._file.closed:
                self._file.write(self._packer.flush())
            self._file.close()

    @contextmanager
    def _failing_as_output(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError(f"cannot write {self._target}: {error.strerror}") from error

    def replace_start(self, length: int, start: bytes) -> None:
        """Write the file anew, with other bytes in place of the first `length`."""
        self.close()
        old = f"{self.path}.old"
        os.rename(self.path, old)
        try:
            with open(old, "rb") as file:
                stream = unpack(file, Context())[1] if self._compress else file
                stream.read(length)
                self._open()
                self.write(start)
                while data := stream.read(_COPY):
                    self.write(data)
        finally:
            os.unlink(old)

    def equals(self, path: str) -> bool:
        """Tell whether there is a file with the same contents."""
        try:
            if os.path.getsize(self.path) != os.path.getsize(path):
                return False
            with open(self.path, "rb") as new, open(path, "rb") as old:
                while data := new.read(_COPY):
                    if data != old.read(_COPY):
                        return False
        except OSError:
            return False
        return True

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        with suppress(OSError):  # what is not written yet may not fit any more
            self._file.close()
        with suppress(FileNotFoundError):
            os.unlink(self.path)


class StreamDraft:
    """Standard output, a device or a pipe: kept back to the end, or written at once."""

    def __init__(self, path: str, *, compress: bool, keep: bool) -> None:
        self.path = path
        self._stream: BinaryIO = sys.stdout.buffer if path == "-" else open(path, "wb", buffering=0)
        self._packer = _packer() if compress else None
        self._kept = _spool() if keep else None

    def write(self, data: bytes) -> None:
        """Keep, or write at once."""
        if self._kept is not None:
            self._kept.write(data)
        elif data:
            self._pass_on(self._packer.compress(data) if self._packer else data)

    def _pass_on(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except BrokenPipeError as error:
            raise OutputClosedError("nobody reads the output any more") from error
        except OSError as error:
            where = "standard output" if self.path == "-" else self.path
            raise OutputError(f"cannot write to {where}: {error.strerror}") from error

    def replace_start(self, length: int, start: bytes) -> None:
        """Put another start before what is kept; what is written already stays."""
        if self._kept is not None:
            old, self._kept = self._kept, _spool()
            old.seek(length)
            self._kept.write(start)
            shutil.copyfileobj(old, self._kept)
            old.close()

    def close(self) -> None:
        """Write what was kept."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.seek(0)
            while data := kept.read(_COPY):
                self.write(data)
            kept.close()
        if self._packer:
            self._pass_on(self._packer.flush())

    def equals(self, path: str) -> bool:
        """Never: what a stream had before cannot be known."""
        return False

    def discard(self) -> None:
        """Forget what was kept."""
        if self._kept is not None:
            self._kept.close()
        self._kept = None


def _spool() -> IO[bytes]:
    """Make a place for what is kept back: in memory while it is small, then on disk."""
    from tempfile import SpooledTemporaryFile

    return cast(IO[bytes], SpooledTemporaryFile(max_size=8 * _COPY))


def _packer() -> "zlib_ng._Compress":
    """Begin a gzip stream, without a time or a name, so that equal contents make equal files."""
    from zlib_ng import zlib_ng

    return zlib_ng.compressobj(wbits=31)


class Swap(NamedTuple):
    """A finished file under its temporary name, and the file that it becomes."""

    path: str
    target: str


def swap_in(swaps: Sequence[Swap]) -> None:
    """
    Put all files into their places, in order; after a failure all is as before.

    Raises:
        OutputError: If one cannot be replaced.

    """
    done: list[tuple[str, str | None]] = []
    try:
        for path, target in swaps:
            kept = _keep(target)
            done.append((target, kept))
            _take_mode(path, target)
            os.replace(path, target)
    except BaseException as error:
        for target, kept in reversed(done):
            if kept:
                os.replace(kept, target)  # does nothing if they are still the same file
            with suppress(FileNotFoundError):
                os.unlink(kept or target)
        if isinstance(error, OSError):
            raise OutputError(f"{error.filename2 or error.filename}: {error.strerror}") from error
        raise
    for _, kept in done:
        if kept:
            os.unlink(kept)


def _keep(target: str) -> str | None:
    """Keep the present file under a second name."""
    if not os.path.lexists(target):
        return None
    folder, name = os.path.split(target)
    kept = os.path.join(folder, f".{name}.{os.getpid()}.old")
    with suppress(FileNotFoundError):
        os.unlink(kept)
    try:
        os.link(target, kept)
    except OSError:  # a file system without links, or a folder in the way
        shutil.copy2(target, kept)
    return kept


def _take_mode(path: str, target: str) -> None:
    """Give a new file the permissions of the one that it replaces."""
    with suppress(FileNotFoundError):
        os.chmod(path, stat.S_IMODE(os.stat(target).st_mode))


def is_special(path: str) -> bool:
    """Tell whether this is a device or a pipe, which is written to and not replaced."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
