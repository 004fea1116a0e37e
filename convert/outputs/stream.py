"""Standard output, devices and pipes as outputs, which cannot be undone."""

import os
import stat
import sys
from collections.abc import Callable
from typing import IO, BinaryIO

from sitemapx.convert.disk.atomic import COPY_SIZE
from sitemapx.convert.disk.draft import Draft, Packer
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.output import Written
from sitemapx.convert.outputs.pages import PagedFilling
from sitemapx.convert.outputs.splitter import FileSplitter
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import OutputClosedError, OutputError, UsageError
from sitemapx.optionnames import option


class StreamOutput:
    can_revise = replaces = False

    def __init__(self, target: Target, head: Head, reporter: Reporter, is_buffered: bool) -> None:
        self._path = target.path

        def new_draft(name: str) -> Draft:
            if name != "1":
                raise UsageError(
                    "output exceeds the limits of one file, and standard output takes only one: "
                    f"pass {option('output')} and {option('base_url')}, "
                    "the public URL of its directory"
                )
            keep = is_buffered or target.limits is not None
            return StreamDraft(target.path, packer=target.packer, keep=keep)

        def new_page(number: int) -> Draft:
            if number:
                raise UsageError(
                    "output has more links than one page may have, and standard output takes only "
                    f"one: pass {option('output')}, or raise {option('max_urls')}"
                )
            return StreamDraft(target.path, packer=target.packer, keep=False)

        self._filling: FileSplitter | PagedFilling
        if target.format.is_paged:
            limit = target.limits.entries if target.limits else None
            self._filling = PagedFilling(target, head, limit, reporter, new_page)
        else:
            writer = target.format.writer(reporter)
            self._filling = FileSplitter(writer, head, target.limits, reporter, new_draft)
        self.add_batch = self._filling.add_batch

    @property
    def entries(self) -> int:
        return self._filling.entries

    def entries_before(self, tolerated: float) -> int:
        return 0

    def finish(self, head: Head) -> list[Written]:
        self._filling.finish()
        return [Written(self._path, self._filling.entries)]

    def abort(self) -> None:
        self._filling.discard()


class StreamDraft:
    """Draft that is written at once, or with `keep` buffered until `close`."""

    def __init__(
        self, path: str, *, packer: Callable[[], Packer] | None = None, keep: bool
    ) -> None:
        self.path = path
        self._stream: BinaryIO = sys.stdout.buffer if path == "-" else open(path, "wb", buffering=0)
        self._packer = packer() if packer else None
        self._kept = _spool() if keep else None

    def write(self, data: bytes) -> None:
        if self._kept is not None:
            self._kept.write(data)
        elif data:
            self._pass_on(self._packer.compress(data) if self._packer else data)

    def _pass_on(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except BrokenPipeError as error:
            raise OutputClosedError("output pipe was closed") from error
        except OSError as error:
            where = "standard output" if self.path == "-" else self.path
            raise OutputError(f"cannot write to {where}: {error.strerror}") from error

    def replace_start(self, length: int, start: bytes) -> None:
        """Replace the first `length` bytes if they are still buffered; otherwise do nothing."""
        if self._kept is not None:
            old, self._kept = self._kept, _spool()
            with old:
                old.seek(length)
                self._kept.write(start)
                while data := old.read(COPY_SIZE):
                    self._kept.write(data)

    def close(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            with kept:
                kept.seek(0)
                while data := kept.read(COPY_SIZE):
                    self.write(data)
        if self._packer:
            for data in self._packer.finish():
                self._pass_on(data)
        if self.path != "-":
            self._stream.close()

    def complete(self) -> None:
        """Do nothing, as data is written to the stream in any case."""

    def equals(self, path: str) -> bool:
        return False

    def has_contents(self, stream: Readable) -> bool:
        """Return False: data that was written to a stream cannot be read."""
        return False

    def discard(self) -> None:
        if self._packer:
            self._packer.discard()
        if self._kept is not None:
            self._kept.close()
        self._kept = None
        if self.path != "-":
            self._stream.close()


def _spool() -> IO[bytes]:
    from tempfile import SpooledTemporaryFile

    return SpooledTemporaryFile(max_size=8 * COPY_SIZE)


def is_special(path: str) -> bool:
    """Return whether a path is a device or pipe, to which data is written without replacing it."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
