"""
Write a stream of Arrow data: the schema, a record batch for each batch, and the end of the stream.

Holds everything. All columns are there, so that every file has the same schema.
"""

from collections.abc import Callable, Collection
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model import tabular
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import InputError

__all__ = ["ArrowWriter", "opened", "spooled"]


#: A message without metadata ends a stream.
_END = b"\xff\xff\xff\xff\0\0\0\0"


class ArrowWriter(Writer):
    """
    Turns entries into messages of Arrow's streams.

    Attributes:
        columns: The names of the columns.

    """

    columns: tuple[str, ...] = tabular.COLUMNS

    @classmethod
    def having(cls, columns: tuple[str, ...]) -> type["ArrowWriter"]:
        """Return the writer of tables with these columns."""
        return type(cls.__name__, (cls,), {"columns": columns})

    def __init__(self, reporter: Reporter) -> None:
        self._schema = tabular.schema(self.columns)
        self._reporter = reporter

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the schema."""
        return bytes(self._schema.serialize())

    def encode(self, batch: Batch) -> Encoded:
        """Write a record batch."""
        records = tabular.record_batch(batch, self.columns, self._reporter)

        def chunks() -> list[bytes]:
            return [bytes(records.slice(at, 1).serialize()) for at in range(len(batch))]

        return Encoded(bytes(records.serialize()), len(batch), chunks)

    def finish(self) -> bytes:
        """Write the end of the stream."""
        return _END


# ---- opening of tables, some of which have to be copied, since their readers move back and forth

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
