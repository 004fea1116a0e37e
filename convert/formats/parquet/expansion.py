"""
How large the columns of Parquet become when they are decoded, before they are.

https://parquet.apache.org/docs/file-format/data-pages/encodings/: the rows of a text column may
share texts (a dictionary) or their beginnings (DELTA_BYTE_ARRAY), and lists of equal values take
next to nothing. The footer has sizes after decompression, but before that.
"""

from collections.abc import Iterator
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from sitemapx.convert.streams.gzip import is_bomb

#: Rows that are decoded at a time.
_ROWS = 4096
#: Bytes that these rows may have where each may be as long as its column.
_BYTES = 10 * 1024**2
#: What a value in a list takes, at most, before its text.
_VALUE = 8
_DICTIONARY = {"RLE_DICTIONARY", "PLAIN_DICTIONARY"}


def chunks_of(group: pq.RowGroupMetaData) -> Iterator[pq.ColumnChunkMetaData]:
    """Yield what the footer says of each column in a row group."""
    return map(group.column, range(group.num_columns))


def _values_in_lists(group: pq.RowGroupMetaData, chunk: pq.ColumnChunkMetaData) -> int:
    return max(int(chunk.num_values) - int(group.num_rows), 0)


def decoded_size(group: pq.RowGroupMetaData, chunk: pq.ColumnChunkMetaData) -> int:
    """Return the size of a column after decompression, with the values that its lists hold."""
    return int(chunk.total_uncompressed_size) + _VALUE * _values_in_lists(group, chunk)


def rows_at_once(group: pq.RowGroupMetaData) -> int:
    """Return how many rows to decode at a time: few where texts may share long beginnings."""
    longest = max(
        (
            int(chunk.total_uncompressed_size)
            for chunk in chunks_of(group)
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
    """Return the length of the longest text in the dictionary of a column; None if unknown."""
    start, stop = chunk.dictionary_page_offset, chunk.data_page_offset
    if not chunk.has_dictionary_page or not start or not start < stop:
        return None
    file.seek(start)
    page = file.read(stop - start)
    # PageHeader begins with three numbers: the type, and the sizes before and after compression.
    _, at = _number(page, 0)
    size, at = _number(page, at)
    packed_size, _ = _number(page, at)
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


def _number(data: bytes, at: int) -> tuple[int, int]:
    """
    Read a field of Thrift's compact protocol that is a number, after the byte with its type.

    https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

    Returns:
        The number, and where the next field begins.

    """
    found = shift = 0
    for place in range(at + 1, min(at + 11, len(data))):
        found |= (data[place] & 0x7F) << shift
        shift += 7
        if data[place] < 0x80:
            return (found >> 1) ^ -(found & 1), place + 1
    return -1, len(data)
