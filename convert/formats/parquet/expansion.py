"""
Estimates the size of Parquet columns after decoding, before they are decoded.

The rows of a text column may share texts (a dictionary) or prefixes (DELTA_BYTE_ARRAY), and lists
of equal values take almost no space. The footer has only the sizes before decoding. See
https://parquet.apache.org/docs/file-format/data-pages/encodings/
"""

from collections.abc import Iterator
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from sitemapx.convert.streams.gzip import is_bomb

#: Maximum number of rows to decode at a time.
_ROWS = 4096
#: Maximum size of these rows in bytes if each may be as long as its column.
_BYTES = 10 * 1024**2
#: Maximum size of a value in a list without its text, in bytes.
_VALUE = 8
_DICTIONARY = {"RLE_DICTIONARY", "PLAIN_DICTIONARY"}


def list_chunks(group: pq.RowGroupMetaData) -> Iterator[pq.ColumnChunkMetaData]:
    return map(group.column, range(group.num_columns))


def _values_in_lists(group: pq.RowGroupMetaData, chunk: pq.ColumnChunkMetaData) -> int:
    return max(int(chunk.num_values) - int(group.num_rows), 0)


def estimate_size(group: pq.RowGroupMetaData, chunk: pq.ColumnChunkMetaData) -> int:
    """Estimate the size in bytes of a decompressed column, including values in lists."""
    return int(chunk.total_uncompressed_size) + _VALUE * _values_in_lists(group, chunk)


def choose_row_count(group: pq.RowGroupMetaData) -> int:
    """Return the number of rows to decode at a time: few if texts may share long prefixes."""
    longest = max(
        (
            int(chunk.total_uncompressed_size)
            for chunk in list_chunks(group)
            if "DELTA_BYTE_ARRAY" in chunk.encodings
        ),
        default=0,
    )
    return max(1, min(_ROWS, _BYTES // longest)) if longest else _ROWS


def shares_texts(
    file: IO[bytes], group: pq.RowGroupMetaData, chunk: pq.ColumnChunkMetaData
) -> bool:
    """Return whether copying the texts of a dictionary to each row may take too much memory."""
    if chunk.physical_type != "BYTE_ARRAY" or _DICTIONARY.isdisjoint(chunk.encodings):
        return False
    values = min(_ROWS, group.num_rows) + _values_in_lists(group, chunk)
    if not is_bomb(chunk.total_compressed_size, values * chunk.total_uncompressed_size):
        return False
    longest = _longest_text(file, chunk)
    return longest is None or is_bomb(chunk.total_compressed_size, values * longest)


def _longest_text(file: IO[bytes], chunk: pq.ColumnChunkMetaData) -> int | None:
    """Return the length in bytes of the longest text in a dictionary page; None if unknown."""
    start, stop = chunk.dictionary_page_offset, chunk.data_page_offset
    if not chunk.has_dictionary_page or not start or not start < stop:
        return None
    file.seek(start)
    page = file.read(stop - start)
    # PageHeader begins with three integers: type, size before and size after compression.
    _, at = _read_integer(page, 0)
    size, at = _read_integer(page, at)
    packed_size, _ = _read_integer(page, at)
    packed = page[len(page) - packed_size :]
    if not 0 <= size <= chunk.total_uncompressed_size or not 0 < packed_size < len(page):
        return None
    try:
        texts = packed
        if chunk.compression != "UNCOMPRESSED":
            texts = pa.decompress(packed, size, chunk.compression.lower(), asbytes=True)
    except (pa.ArrowException, OSError, ValueError):
        return None
    longest = at = 0
    while at < len(texts):
        length = int.from_bytes(texts[at : at + 4], "little")
        longest, at = max(longest, length), at + 4 + length
    return longest


def _read_integer(data: bytes, at: int) -> tuple[int, int]:
    """
    Return the integer field at an offset (-1 if cut off), and the offset after the field.

    https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
    """
    found = shift = 0
    for place in range(at + 1, min(at + 11, len(data))):
        found |= (data[place] & 0x7F) << shift
        shift += 7
        if data[place] < 0x80:
            return (found >> 1) ^ -(found & 1), place + 1
    return -1, len(data)
