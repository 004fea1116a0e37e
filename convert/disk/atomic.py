"""Write files under a temporary name in the same directory, and move them into place at the end."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

from sitemapx.errors import OutputError

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from typing import BinaryIO

    from sitemapx.convert.disk.draft import Packer
    from sitemapx.convert.streams.stream import Readable


_name = os.uname().nodename if hasattr(os, "uname") else ""
#: Checksum of the host name (modulo the largest 32-bit prime), since hosts may share a disk.
HOST = f"{int.from_bytes(_name.encode(), 'big') % 0xFFFFFFFB:08x}"
_numbers = count(1)
#: Maximum number of bytes taken from the file name for a temporary name, which may have 255 bytes.
_MAX_NAME = 200


def temporary(path: str) -> str:
    """Return a unique path beside `path` for a temporary file of this host and process."""
    folder, name = os.path.split(path)
    name = os.fsencode(name)[:_MAX_NAME].decode(errors="ignore")
    return os.path.join(folder, f".{name}.{HOST}-{os.getpid()}-{next(_numbers)}.tmp")


def replace_file(path: str, target: str) -> None:
    """Move a new file to `target`, with the permissions of any file that it replaces."""
    with suppress(FileNotFoundError):
        os.chmod(path, stat.S_IMODE(os.stat(target).st_mode))
    os.replace(path, target)


def error_message(error: OSError) -> str:
    message = f"{error.filename2 or error.filename}: {error.strerror}"
    if error.errno == errno.EBUSY:
        message += "; if only this file is mounted, mount its directory instead"
    return message


COPY_SIZE = 1 << 20


class FileDraft:
    """
    A file that is written under a temporary name beside its target, to be moved into place.

    With `present`, the path of an existing file, nothing is written as long as the draft equals the
    beginning of this file. Messages mention `name` instead of `target`.
    """

    def __init__(
        self,
        target: str,
        *,
        packer: "Callable[[], Packer] | None" = None,
        present: str | None = None,
        name: str = "",
    ) -> None:
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
                os.lstat(self._target)  # fails if its name is too long
            self._file = open(self.path, "wb")
        self._packer = self._new_packer() if self._new_packer else None
        self._length = 0

    def write(self, data: bytes) -> None:
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
        """Write the equal part of the existing file, which the draft has skipped so far."""
        present, self._present, self._same = self._present, None, None
        if present:
            with present, self._failing_as_output():
                present.seek(0)
                while self._length and (data := present.read(min(COPY_SIZE, self._length))):
                    self._file.write(data)
                    self._length -= len(data)

    def close(self) -> None:
        if self._file.closed:
            return
        if self._packer:
            for data in self._packer.finish():
                self._append(data)
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
        same, self._present, self._same = self._same, None, None
        if same:
            from shutil import copyfile

            with self._failing_as_output():
                copyfile(same, self.path)

    def equals(self, path: str) -> bool:
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

    def has_contents(self, stream: "Readable") -> bool:
        from sitemapx.convert.model.reporter import Reporter
        from sitemapx.convert.streams.gzip import unpack
        from sitemapx.convert.streams.stream import read_start

        with open(self._same or self.path, "rb") as file:
            ours = unpack(file, Reporter())[1]
            while data := read_start(ours, COPY_SIZE):
                if data != read_start(stream, COPY_SIZE):
                    return False
        return not stream.read(1)

    def discard(self) -> None:
        if self._present:
            self._present.close()
        if self._packer:
            self._packer.discard()
        with suppress(OSError):  # the disk may be full
            self._file.close()
        with suppress(FileNotFoundError):
            os.unlink(self.path)


class GzipPacker:
    """Compresses without storing a time or name, so that equal contents give equal files."""

    def __init__(self) -> None:
        from zlib_ng import zlib_ng

        stream = zlib_ng.compressobj(wbits=31)
        self.compress, self._flush = stream.compress, stream.flush

    def finish(self) -> Iterator[bytes]:
        yield self._flush()

    def discard(self) -> None:
        pass
