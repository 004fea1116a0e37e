"""Reads Parquet; the file is copied first, since its metadata is at the end."""

import os
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sitemapx.convert.arrow.requirement import require_pyarrow
from sitemapx.convert.formats.arrow.messages import too_large
from sitemapx.convert.formats.arrow.spool import open_table, spool
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


def read_parquet(stream: Readable, context: Context) -> Document:
    """Read the rows of a Parquet file; raise `UsageError` if pyarrow is not installed."""
    require_pyarrow()
    return Document(_batches(stream, context))


def _batches(stream: Readable, context: Context) -> Iterator[Batch]:
    import pyarrow.parquet as pq

    from sitemapx.convert.formats.arrow.columnar import ColumnarReader
    from sitemapx.convert.formats.parquet.expansion import list_chunks, shares_texts

    with spool(stream) as copy:
        size = copy.seek(0, os.SEEK_END)
        metadata = open_table(pq.read_metadata, copy, "Parquet file")
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        shared = {
            chunk.path_in_schema
            for group in groups
            for chunk in list_chunks(group)
            if shares_texts(copy, group, chunk)
        }
        open_file = partial(pq.ParquetFile, metadata=metadata, read_dictionary=[*shared])
        file = open_table(open_file, copy, "Parquet file")
        reader = ColumnarReader(file.schema_arrow, context, lambda: size)
        yield from reader.batches(_read_records(file, groups, size, context))


def _read_records(
    file: "pq.ParquetFile", groups: "list[pq.RowGroupMetaData]", size: int, context: Context
) -> "Iterator[pa.RecordBatch]":
    """Yield the rows; stop before a row group whose decompressed size suggests a bomb."""
    from sitemapx.convert.formats.parquet.expansion import (
        choose_row_count,
        estimate_size,
        list_chunks,
    )

    unpacked = 0
    for number, group in enumerate(groups):
        unpacked += sum(estimate_size(group, chunk) for chunk in list_chunks(group))
        if too_large(size, unpacked, context):
            return
        yield from file.iter_batches(choose_row_count(group), [number])
