"""The row of Arrow in the table of formats."""

from collections.abc import Sequence
from functools import partial

from sitemapx.convert.formats.format import Format


def with_columns(columnar: Format, names: Sequence[str]) -> Format:
    """Return a columnar format with only these columns; raise `UsageError` for an unknown one."""
    from sitemapx.convert.formats.arrow.writer import ArrowWriter
    from sitemapx.convert.model.tabular import check_columns, fields_of_columns

    columns = check_columns(names)
    return columnar._replace(
        write=partial(ArrowWriter, columns=columns), holds=fields_of_columns(columns)
    )


def _with_columns(names: Sequence[str]) -> Format:
    return with_columns(ARROW, names)


ARROW = Format(
    "arrow",
    "Arrow IPC stream",
    "sitemapx.convert.formats.arrow.reader:read_arrow",
    "sitemapx.convert.formats.arrow.writer:ArrowWriter",
    suffixes=(".arrows",),
    media_type="application/vnd.apache.arrow.stream",
    is_published=False,
    magic=(b"\xff\xff\xff\xff", b"ARROW1\0\0"),
    with_columns=_with_columns,
)
