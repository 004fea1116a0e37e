"""Rows of CSV, tolerating unbalanced quotes."""

import csv
from collections.abc import Iterator

from sitemapx.convert.formats.format import Context


class _RowLines:
    """Iterator over lines that can repeat the lines of the current row."""

    def __init__(self, lines: Iterator[str], above: int) -> None:
        self._lines = lines
        self._waiting: list[str] = []
        self.row_lines: list[str] = []
        self.number = above

    def __iter__(self) -> "_RowLines":
        return self

    def __next__(self) -> str:
        line = self._waiting.pop() if self._waiting else next(self._lines)
        self.row_lines.append(line)
        self.number += 1
        return line

    def put_back(self) -> str:
        """Return the first line of the row; the iterator then repeats the other lines."""
        first, *rest = self.row_lines
        self._waiting += reversed(rest)
        self.number -= len(rest)
        return first


def read_rows(
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
            yield row, source.number


def _read_broken_row(source: _RowLines, separator: str, error: str, context: Context) -> list[str]:
    """Read only the first line of a row with unbalanced quotes, so that no other is lost."""
    is_cut, is_alone = error.startswith("unexpected end"), len(source.row_lines) == 1
    if is_alone and "field limit" in error:
        context.problem("entry-too-large", f"row too large: {error}; skipped", line=source.number)
        return []
    line = source.put_back().rstrip("\r\n")
    text = line.replace("\r", " ")  # a CR outside quotes would end the row
    if is_cut:
        message = "quotation mark is never closed"
        context.problem("truncated", message, done="; line read as text", line=source.number)
    elif not is_alone:
        message = "quotation mark is not closed on its line"
        context.problem("malformed", message, done="; read as text", line=source.number)
    else:
        message, done = "text after closing quotation mark", "; read as part of the value"
        if "\r" in line:
            message, done = "carriage return outside quotes", "; read as a space"
        context.problem("malformed", message, done=done, line=source.number)
        return next(csv.reader([text], delimiter=separator))
    cells = next(csv.reader([text], delimiter=separator, quoting=csv.QUOTE_NONE))
    return [cell.strip().strip('"') for cell in cells]
