"""
Reads CSV with a header, as exported by SEO tools (https://www.rfc-editor.org/rfc/rfc4180).

Columns are identified by name (see `header`). The separator is detected: comma, semicolon, tab or
bar. Values with several parts, such as images, are JSON. Columns named by language codes contain
alternates; without a URL column, each row is a set of versions, each of which becomes an entry.
"""

import csv
import re
from collections.abc import Iterator
from itertools import chain

from sitemapx.convert.formats.csv.header import TableHeader, detect_separator
from sitemapx.convert.formats.csv.rowreader import RowReader
from sitemapx.convert.formats.csv.tablerows import read_rows
from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.stream import MAX_LINE, Readable, line_blocks
from sitemapx.convert.values import urls

#: Excel's line before the header, which specifies the separator.
_excel_hint = re.compile(r"\s*sep=.\s*", re.IGNORECASE).fullmatch


def read_csv(stream: Readable, context: Context) -> Document:
    csv.field_size_limit(MAX_LINE)
    entries = _entries(_lines(stream, context), context)
    return Document(report_if_empty(batched(entries), context, "no row results in an entry"))


def looks_like_csv(start: str) -> bool:
    """Return whether the first line is a header with a URL column or several language columns."""
    lines = [line for line in start.splitlines() if line.strip() and not _excel_hint(line)]
    header, *rows = [*lines, ""][:2]
    is_url = urls.is_absolute(header.strip())  # URLs may contain separators and names of fields
    return not is_url and TableHeader(header.strip(), *rows).has_urls


def _lines(stream: Readable, context: Context) -> Iterator[str]:
    for block in line_blocks(stream, context, keep_cr=True):
        context.observer.on_part(block)
        yield from (f"{line}\n" for line in block.lines)


def _entries(lines: Iterator[str], context: Context) -> Iterator[Entry]:
    numbered = enumerate(lines, 1)
    filled = ((n, line.strip()) for n, line in numbered if line.strip())
    above, line = next(filled, (0, ""))
    if _excel_hint(line):
        above, line = next(filled, (0, ""))
    if not line:
        return
    first = [line for _, line in zip(range(1), lines, strict=False)]
    header = TableHeader(line, *first)
    header.check(context, above)
    rows = RowReader(header, context)
    for row, number in read_rows(chain(first, lines), detect_separator(line), above, context):
        yield from rows.read_row(row, number)
