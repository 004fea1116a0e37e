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
    """Return whether the first line is a header of a table with URLs (`TableHeader.has_urls`)."""
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
    for row, line_number in _read_rows(chain(first, lines), detect_separator(line), above, context):
        yield from rows.read_row(row, line_number)


# ---- rows


class _RowLines:
    """Iterator over lines that can repeat the lines of the current row."""

    def __init__(self, lines: Iterator[str], above: int) -> None:
        self._lines = lines
        self._waiting: list[str] = []
        self.row_lines: list[str] = []
        self.line_number = above

    def __iter__(self) -> "_RowLines":
        return self

    def __next__(self) -> str:
        line = self._waiting.pop() if self._waiting else next(self._lines)
        self.row_lines.append(line)
        self.line_number += 1
        return line

    def put_back(self) -> str:
        """Return the first line of the row again; the iterator then repeats the other lines."""
        first, *rest = self.row_lines
        self._waiting += reversed(rest)
        self.line_number -= len(rest)
        return first


def _read_rows(
    lines: Iterator[str], separator: str, above: int, context: Context
) -> Iterator[tuple[list[str], int]]:
    """
    Yield each row that is not empty, with the number of its last line.

    `above` is the number of lines before `lines`.
    """
    source = _RowLines(lines, above)
    rows = csv.reader(source, delimiter=separator, strict=True)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            row = _read_broken_row(source, separator, str(error), context)
        source.row_lines.clear()
        if row is None:
            return
        if any(row):
            yield row, source.line_number


def _read_broken_row(source: _RowLines, separator: str, error: str, context: Context) -> list[str]:
    """
    Read and report only the first line of a malformed row; return no cells for a line over 10 MiB.

    The other lines are read as further rows, so that they are not lost.
    """
    is_cut, is_alone = error.startswith("unexpected end"), len(source.row_lines) == 1
    if is_alone and "field limit" in error:
        context.problem(
            "entry-too-large", f"row too large: {error}; skipped", line=source.line_number
        )
        return []
    line = source.put_back().rstrip("\r\n")
    text = line.replace("\r", " ")  # a CR outside quotes would end the row
    if is_cut:
        message = "quotation mark is never closed"
        context.problem("truncated", message, done="; line read as text", line=source.line_number)
    elif not is_alone:
        message = "quotation mark is not closed on its line"
        context.problem("malformed", message, done="; read as text", line=source.line_number)
    else:
        message, done = "text after closing quotation mark", "; read as part of the value"
        if "\r" in line:
            message, done = "carriage return outside quotes", "; read as a space"
        context.problem("malformed", message, done=done, line=source.line_number)
        return next(csv.reader([text], delimiter=separator))
    cells = next(csv.reader([text], delimiter=separator, quoting=csv.QUOTE_NONE))
    return [cell.strip().strip('"') for cell in cells]
