"""
Files that appear whole or not at all.

A file is written under a temporary name in its own folder, and swapped in at the end.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count

from sitemapx.errors import OutputError

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from sitemapx.convert.disk.draft import Packer


# ---- replace one file, in one step, by another that was finished under a temporary name beside it

_name = os.uname().nodename if hasattr(os, "uname") else ""
#: Tells this machine, or container, from others with which it shares a disk: a checksum of its
#: name, by the largest prime number that fits.
HOST = f"{int.from_bytes(_name.encode(), 'big') % 0xFFFFFFFB:08x}"
_numbers = count(1)
#: Bytes of the name of the file in a temporary name, which leaves room for the rest in 255 bytes.
_MAX_NAME = 200


def temporary(path: str) -> str:
    """Return a name for something that lies beside a file for a while, and tells whose it is."""
    folder, name = os.path.split(path)
    name = os.fsencode(name)[:_MAX_NAME].decode(errors="ignore")
    return os.path.join(folder, f".{name}.{HOST}-{os.getpid()}-{next(_numbers)}.tmp")


def replace_file(path: str, target: str) -> None:
    """Put a new file into its place, with the permissions of the one that it replaces."""
    with suppress(FileNotFoundError):
        os.chmod(path, stat.S_IMODE(os.stat(target).st_mode))
    os.replace(path, target)


def sync(path: str) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def error_message(error: OSError) -> str:
    """Put into words which file it is about, and why."""
    message = f"{error.filename2 or error.filename}: {error.strerror}"
    if error.errno == errno.EBUSY:
        message += "; if only this file is mounted, mount its directory instead"
    return message


COPY_SIZE = 1 << 20


class FileDraft:
    """
    A file under a temporary name, beside the one that it is to become.

    As long as it equals a file that is there already, nothing is written.
    """

    def __init__(
        self,
        target: str,
        *,
        packer: "Callable[[], Packer] | None" = None,
        present: str | None = None,
        name: str = "",
    ) -> None:
        """
        Create the file.

        Args:
            packer: Makes what packs the bytes; `compressor`, or that of a format.
            present: A file that it may turn out to equal.
            name: What the caller calls the target, for messages.

        Raises:
            OutputError: If the folder cannot be written to.

        """
        self.path = temporary(target)
        self._target, self._name = target, name or target
        self._new_packer = packer
        self._same: str | None = None
        self._present: BinaryIO | None = None
        self._open()
        if present:
            with suppress(OSError):
                self._present, self._same = open(present, "rb"), present

    def _open(self) -> None:
        with self._failing_as_output():
            with suppress(FileNotFoundError):
                os.lstat(self._target)  # its name may be too long, and that of the draft is not
            self._file = open(self.path, "wb")
        self._packer = self._new_packer() if self._new_packer else None
        self._length = 0

    def write(self, data: bytes) -> None:
        """Append to the file."""
        self._append(self._packer.compress(data) if self._packer else data)

    def _append(self, data: bytes) -> None:
        if self._present:
            if self._present.read(len(data)) == data:
                self._length += len(data)
                return
            self._copy_equal_part()
        with self._failing_as_output():
            self._file.write(data)

    def _copy_equal_part(self) -> None:
        """Write what was equal up to here."""
        present, self._present, self._same = self._present, None, None
        if present:
            with present, self._failing_as_output():
                present.seek(0)
                while self._length and (data := present.read(min(COPY_SIZE, self._length))):
                    self._file.write(data)
                    self._length -= len(data)

    def close(self) -> None:
        """Finish writing."""
        if self._file.closed:
            return
        if self._packer:
            self._append(self._packer.flush())
        if self._present and self._present.read(1):
            self._copy_equal_part()
        with self._failing_as_output():
            self._file.close()
        if self._present:
            self._present.close()

    @contextmanager
    def _failing_as_output(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError.from_os_error(self._name, error) from error

    def replace_start(self, length: int, start: bytes) -> None:
        """Write the file anew, with other bytes in place of the first `length`."""
        from sitemapx.convert.model.reporter import Reporter
        from sitemapx.convert.streams.gzip import unpack

        self.close()
        self.complete()
        old = f"{self.path}.old"
        os.rename(self.path, old)
        try:
            with open(old, "rb") as file:
                stream = unpack(file, Reporter())[1] if self._new_packer else file
                stream.read(length)
                self._open()
                self.write(start)
                while data := stream.read(COPY_SIZE):
                    self.write(data)
        finally:
            os.unlink(old)

    def complete(self) -> None:
        """Write the whole file, even if it equals what is there."""
        same, self._present, self._same = self._same, None, None
        if same:
            from shutil import copyfile

            with self._failing_as_output():
                copyfile(same, self.path)

    def equals(self, path: str) -> bool:
        """Return whether there is a file with the same contents."""
        ours = self._same or self.path
        try:
            if os.path.getsize(ours) != os.path.getsize(path):
                return False
            if ours == path:
                return True
            with open(ours, "rb") as new, open(path, "rb") as old:
                while data := new.read(COPY_SIZE):
                    if data != old.read(COPY_SIZE):
                        return False
        except OSError:
            return False
        return True

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        if self._present:
            self._present.close()
        with suppress(OSError):  # what is not written yet may not fit any more
            self._file.close()
        with suppress(FileNotFoundError):
            os.unlink(self.path)


def compressor() -> "Packer":
    """Begin a gzip stream, without a time or a name, so that equal contents make equal files."""
    from zlib_ng import zlib_ng

    return zlib_ng.compressobj(wbits=31)
