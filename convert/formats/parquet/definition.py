"""The row of Parquet in the table of formats."""

from collections.abc import Sequence

from sitemapx.convert.formats.arrow.definition import ARROW, with_columns
from sitemapx.convert.formats.format import Format


def _with_columns(names: Sequence[str]) -> Format:
    return with_columns(PARQUET, names)


#: The packer converts Arrow streams to Parquet files.
PARQUET = ARROW._replace(
    name="parquet",
    title="Parquet",
    read="sitemapx.convert.formats.parquet.reader:read_parquet",
    suffixes=(".parquet", ".pq"),
    media_type="application/vnd.apache.parquet",
    magic=(b"PAR1",),
    packer="sitemapx.convert.formats.parquet.packer:ParquetPacker",
    with_columns=_with_columns,
)
