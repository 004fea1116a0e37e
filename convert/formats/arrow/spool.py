"""Opens tables with pyarrow; a stream is copied first if the reader of the table must seek."""

from collections.abc import Callable
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import InputError

#: Maximum size of a copy in memory in bytes; larger copies are on disk.
_IN_MEMORY = 64 * 1024**2


def spool(stream: Readable) -> IO[bytes]:
    """Copy a stream to a seekable file, which is in memory while it is small."""
    copy = SpooledTemporaryFile(max_size=_IN_MEMORY)
    copyfileobj(stream, copy)
    copy.seek(0)
    return copy


def open_table(opener: Callable[[Any], Any], file: object, kind: str) -> Any:
    """Open a table with a function of pyarrow; raise `InputError` if it is not valid `kind`."""
    import pyarrow as pa

    try:
        return opener(file)
    except (pa.ArrowException, OSError, EOFError) as error:
        raise InputError(f"invalid or incomplete {kind}: {error}") from error
