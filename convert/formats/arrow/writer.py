"""
Writes an Arrow IPC stream: the schema, record batches, and the end marker.

Columns without values are also written, so every file has the same schema.
"""

from collections.abc import Collection

from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model import tabular
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter

#: End of a stream: a message without metadata.
_END = b"\xff\xff\xff\xff\0\0\0\0"


class ArrowWriter(Writer):
    def __init__(self, reporter: Reporter, columns: tuple[str, ...] = tabular.COLUMNS) -> None:
        self._columns = columns
        self._schema = tabular.schema(columns)
        self._reporter = reporter

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return bytes(self._schema.serialize())

    def encode(self, batch: Batch) -> Encoded:
        records = tabular.record_batch(batch, self._columns, self._reporter)

        def chunks() -> list[bytes]:
            return [bytes(records.slice(at, 1).serialize()) for at in range(len(batch))]

        return Encoded(bytes(records.serialize()), len(batch), chunks)

    def finish(self) -> bytes:
        return _END
