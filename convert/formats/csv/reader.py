"""
Read CSV with a header, such as SEO tools export: https://www.rfc-editor.org/rfc/rfc4180

A column is known by its name; which names mean which field is in `COLUMNS`. The separator is
the one that the header has: comma, semicolon, tab or bar. Lists of parts (images, videos and
so on) are JSON, as `--to csv` writes them.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.rows import entry_of_row
from sitemapx.convert.json.keys import keeps_all_keys, repeated_keys, unknown_keys
from sitemapx.convert.model.batch import FIELDS, Batch, batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.lines import MAX_LINE, line_blocks
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.words import listed
from sitemapx.errors import InputError

__all__ = ["looks_like_csv", "read_csv"]

#: What other programs call a field, in lower case with single spaces.
COLUMNS = {
    "url": "loc",
    "address": "loc",
    "link": "loc",
    "page": "loc",
    "page url": "loc",
    "full url": "loc",
    "landing page": "loc",
    "top pages": "loc",
    "location": "loc",
    "last modified": "lastmod",
    "last-modified": "lastmod",
    "modified": "lastmod",
    "change frequency": "changefreq",
    "title 1": "title",
    "meta description": "description",
    "meta description 1": "description",
} | {name: name for name in FIELDS}

_SEPARATORS = ",;\t|"
_TYPES = {field.name: field.type for field in msgspec.structs.fields(Entry)}


def read_csv(stream: Readable, context: Context) -> Document:
    """
    Read rows under a header.

    Raises:
        InputError: While iterating, if no column of the header holds URLs.

    """
    return Document(_batches(stream, context))


def looks_like_csv(start: str) -> bool:
    """Return whether the first line is a header with a column of URLs."""
    header = next(iter(start.lstrip().splitlines()), "")
    return any("loc" in _fields(header, separator) for separator in _SEPARATORS)


def _fields(header: str, separator: str) -> list[str | None]:
    try:
        names = next(csv.reader([header], delimiter=separator), [])
    except csv.Error:
        return []
    return [COLUMNS.get(" ".join(name.lower().split())) for name in names]


def _batches(stream: Readable, context: Context) -> Iterator[Batch]:
    csv.field_size_limit(MAX_LINE)
    is_empty = True
    for batch in batched(_entries(_lines(stream, context), context)):
        is_empty = False
        yield batch
    if is_empty:
        context.problem("empty", "no row has a URL")


def _lines(stream: Readable, context: Context) -> Iterator[str]:
    for block in line_blocks(stream, context, keep_cr=True):
        context.observer.see_part(block)
        yield from (f"{line}\n" for line in block.lines)


def _entries(lines: Iterator[str], context: Context) -> Iterator[Entry]:
    numbered = enumerate(lines, 1)
    above, header = next(((n, line.strip()) for n, line in numbered if line.strip()), (0, ""))
    if not header:
        return
    separator = max(_SEPARATORS, key=header.count)
    fields = _fields(header, separator)
    if "loc" not in fields:
        raise InputError(
            "header has no URL column: expected a column named loc, url or address", line=above
        )
    names = next(csv.reader([header], delimiter=separator))
    _report_columns(names, fields, context, above)
    for row, number in _rows(lines, separator, above, context):
        if len(row) > len(fields):
            context.problem(
                "unknown-key",
                "row has more cells than the header; extra cells dropped",
                line=number,
            )
        values: dict[str, Any] = {}
        for field, text in zip(fields, row, strict=False):
            if field and text.strip() and field not in values:
                value = _value(field, text.strip(), context, number)
                if value is not None:
                    values[field] = value
        if not values.get("loc") and not values.get("id"):
            context.problem("no-loc", "row has no URL", done="; skipped", line=number)
        elif entry := entry_of_row(values, context, number):
            yield entry


def _report_columns(
    names: list[str], fields: list[str | None], context: Context, line: int
) -> None:
    """Report columns that are not read, or not all of whose values are."""
    if unknown := [name for name, field in zip(names, fields, strict=True) if not field]:
        named = [name for name in unknown if name]
        unnamed = len(unknown) - len(named)
        shown = [*named, *([f"{unnamed} unnamed"] if unnamed else [])]
        context.problem("unknown-key", f"unknown columns dropped: {', '.join(shown)}", line=line)
    counts = Counter(fields)
    if twice := [
        name for name, field in zip(names, fields, strict=True) if field and counts[field] > 1
    ]:
        message = f"columns for the same field: {', '.join(twice)}"
        context.problem("repeated", message, done="; the first value is used", line=line)


class _RowLines:
    """The lines of the rows, of which those of the last row can be put back."""

    def __init__(self, lines: Iterator[str], above: int) -> None:
        self._lines = lines
        self._waiting: list[str] = []
        self.taken: list[str] = []
        self.number = above

    def __iter__(self) -> "_RowLines":
        return self

    def __next__(self) -> str:
        line = self._waiting.pop() if self._waiting else next(self._lines)
        self.taken.append(line)
        self.number += 1
        return line

    def put_back(self) -> str:
        """Put back all lines of the row but the first, which is returned."""
        first, *rest = self.taken
        self._waiting += reversed(rest)
        self.number -= len(rest)
        return first


def _rows(
    lines: Iterator[str], separator: str, above: int, context: Context
) -> Iterator[tuple[list[str], int]]:
    """Return the rows that are not empty, and the line where each ends."""
    source = _RowLines(lines, above)
    rows = csv.reader(source, delimiter=separator, strict=True)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            row = _broken_row(source, separator, str(error), context)
        source.taken.clear()
        if row is None:
            return
        if any(row):
            yield row, source.number


def _broken_row(source: _RowLines, separator: str, error: str, context: Context) -> list[str]:
    """Read the first line of a row whose quotes do not match, so that no other line is lost."""
    is_cut, is_alone = error.startswith("unexpected end"), len(source.taken) == 1
    if is_alone and "field limit" in error:
        context.problem("entry-too-large", f"row too large: {error}; skipped", line=source.number)
        return []
    line = source.put_back().rstrip("\r\n")
    text = line.replace("\r", " ")  # which ends a row outside quotes
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


def _value(field: str, text: str, context: Context, number: int) -> Any:
    """Make a value of a cell: text as it is, numbers, and JSON for what has parts."""

    def on_problem(code: str, message: str) -> None:
        context.problem(code, f"{field}: {message}", done="; dropped", line=number)

    if field == "mobile":
        return datatypes.YES_NO.parse(text, on_problem) or None
    if field == "priority" or _TYPES[field] == str | None:
        return text
    try:
        value = msgspec.json.decode(text, type=_TYPES[field])
    except (msgspec.MsgspecError, RecursionError) as error:
        if _TYPES[field] == tuple[str, ...]:
            return (text,)
        on_problem("bad-value", str(error))
        return None
    if not keeps_all_keys(text, value):
        _report_lost_keys(field, text, context, number)
    return value


def _report_lost_keys(field: str, text: str, context: Context, number: int) -> None:
    """Report keys that are repeated, or not known, in the JSON of a cell."""
    if names := listed([*map(repr, repeated_keys(text))]):
        message = f"{field}: repeated keys: {names}"
        context.problem("repeated", message, done="; the last value is used", line=number)
    for key in dict.fromkeys(unknown_keys(msgspec.json.decode(text), _TYPES[field])):
        context.problem(
            "unknown-key", f"{field}: unknown key {key!r}", done="; dropped", line=number
        )
