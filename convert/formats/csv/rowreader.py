"""Creates entries from rows of cells, by the fields of the columns."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sitemapx.convert.formats.csv.header import MISSING, TableHeader, read_version_url, why_unlisted
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.rows import make_entry
from sitemapx.convert.json import keeps_all_keys, repeated_keys
from sitemapx.convert.model.entry import FIELD_TYPES, Alternate, Entry, unknown_keys
from sitemapx.convert.values import datatypes, urls
from sitemapx.convert.values.words import shorten_list


class RowReader:
    def __init__(self, header: TableHeader, context: Context) -> None:
        self._header = header
        self._context = context
        self._has_versions = bool(header.codes or header.links)

    def read_row(self, row: list[str], line_number: int) -> list[Entry]:
        """
        Return the entry of a row; in a language table, an entry for each URL.

        Reports a row without a URL and ID, or with a URL that does not belong in a sitemap, and
        returns no entry.
        """
        header, context = self._header, self._context
        if len(row) > len(header.fields):
            message = "row has more cells than the header; extra cells dropped"
            context.problem("unknown-key", message, line=line_number)
        if header.crawl:
            row = ["" if cell.strip() == MISSING else cell for cell in row]
        values = self._read_values(row, line_number)
        versions = self._read_versions(row, line_number) if self._has_versions else []
        if header.is_language_table and versions:
            values["loc"] = versions[0].href
        if versions:
            values["alternates"] = (*values.get("alternates", ()), *versions)
        if not values.get("loc") and not values.get("id"):
            context.problem("no-loc", "row has no URL", done="; skipped", line=line_number)
            return []
        if header.crawl and self._is_unlisted(row, values.get("loc") or "", line_number):
            return []
        entry = make_entry(values, context, line_number)
        if entry and header.is_language_table:
            hrefs = dict.fromkeys(version.href for version in versions)
            return [replace(entry, loc=href) for href in hrefs]
        return [entry] if entry else []

    def _read_values(self, row: list[str], line_number: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for field, text in zip(self._header.fields, row, strict=False):
            if field and text.strip() and field not in values:
                value = _parse_cell(field, text.strip(), self._context, line_number)
                if value is not None:
                    values[field] = value
        return values

    def _read_versions(self, row: list[str], line_number: int) -> list[Alternate]:
        """Return the alternates in language columns, and in pairs of language and URL columns."""
        header = self._header
        cells = [(header.codes[at], at) for at in header.codes]
        cells += [(_get_cell(row, code).strip(), at) for code, at in header.links]
        found: list[Alternate] = []
        for code, at in cells:
            text = _get_cell(row, at).strip()
            if code and text:
                name = header.names[at]
                if href := read_version_url(name, text, self._context, line_number):
                    found.append(Alternate(hreflang=code, href=href))
        return found

    def _is_unlisted(self, row: list[str], loc: str, line_number: int) -> bool:
        """Return whether to skip a URL that does not belong in a sitemap; if so, report the URL."""
        if self._context.keeps_unlisted:
            return False
        found = {name: _get_cell(row, at).strip() for name, at in self._header.crawl.items()}
        if reason := why_unlisted(found, urls.clean(loc)):
            self._context.tally("skipped-page", reason, done="; skipped", line=line_number, loc=loc)
        return reason is not None


def _get_cell(row: list[str], at: int) -> str:
    return row[at] if at < len(row) else ""


def _parse_cell(field: str, text: str, context: Context, line_number: int) -> Any:
    def on_problem(code: str, message: str) -> None:
        context.problem(code, f"{field}: {message}", done="; dropped", line=line_number)

    if field == "mobile":
        return datatypes.YES_NO.parse(text, on_problem) or None
    if field == "priority" or FIELD_TYPES[field] == str | None:
        return text
    try:
        value = msgspec.json.decode(text, type=FIELD_TYPES[field])
    except (msgspec.MsgspecError, RecursionError) as error:
        if FIELD_TYPES[field] == tuple[str, ...]:
            return (text,)
        on_problem("bad-value", str(error))
        return None
    if not keeps_all_keys(text, value):
        _report_lost_keys(field, text, context, line_number)
    return value


def _report_lost_keys(field: str, text: str, context: Context, line_number: int) -> None:
    if names := shorten_list([*map(repr, repeated_keys(text))]):
        message = f"{field}: repeated keys: {names}"
        context.problem("repeated-key", message, done="; the last value is used", line=line_number)
    unknown = unknown_keys(msgspec.json.decode(text), FIELD_TYPES[field])
    for key in dict.fromkeys(key for key, _ in unknown):
        context.problem(
            "unknown-key", f"{field}: unknown key {key!r}", done="; dropped", line=line_number
        )
