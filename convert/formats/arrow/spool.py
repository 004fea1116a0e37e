"""Copies of streams, for formats whose readers move back and forth."""

from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO

from sitemapx.convert.streams.stream import Readable

__all__ = ["spooled"]

#: Larger copies are on disk.
_IN_MEMORY = 64 * 1024**2


def spooled(stream: Readable) -> IO[bytes]:
    """Return a copy of a stream in which one can move; in memory while it is small."""
    copy = SpooledTemporaryFile(max_size=_IN_MEMORY)
    copyfileobj(stream, copy)
    copy.seek(0)
    return copy
