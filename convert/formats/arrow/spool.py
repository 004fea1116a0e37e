"""Opening of tables, some of which have to be copied, since their readers move back and forth."""

from collections.abc import Callable
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import InputError

#: Larger copies are on disk.
_IN_MEMORY = 64 * 1024**2


def spooled(stream: Readable) -> IO[bytes]:
    """Return a copy of a stream in which one can move; in memory while it is small."""
    copy = SpooledTemporaryFile(max_size=_IN_MEMORY)
    copyfileobj(stream, copy)
    copy.seek(0)
    return copy


def opened(open_table: Callable[[Any], Any], file: object, kind: str) -> Any:
    """
    Open a table by a function of pyarrow.

    Args:
        kind: What it should be, for the message.

    Raises:
        InputError: If it is not.

    """
    import pyarrow as pa

    try:
        return open_table(file)
    except (pa.ArrowException, OSError, EOFError) as error:
        raise InputError(f"invalid or incomplete {kind}: {error}") from error
