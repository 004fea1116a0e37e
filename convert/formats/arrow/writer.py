"""
Write a stream of Arrow data: the schema, a record batch for each batch, and the end of the stream.

Holds everything. All columns are there, so that every file has the same schema.
"""

from collections.abc import Collection

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model import tabular
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter

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
