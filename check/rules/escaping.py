"""Rule for values that were escaped twice: `&amp;amp;` in the file, or `%2520` in a URL."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from html.entities import html5
from typing import ClassVar

import msgspec

from sitemapx.check.api import BatchResult, Check
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.view import BatchUrls, BatchView
from sitemapx.convert.model.entry import Model

_reference = re.compile(r"&(?:#[0-9]+|#[xX][0-9A-Fa-f]+|([A-Za-z][A-Za-z0-9]*));").finditer
_escapes = re.compile(r"%(?:25[0-9A-Fa-f]{2})?").findall
#: Checked fields, besides `loc`.
_FIELDS = (
    *("images", "videos", "news", "alternates", "title", "authors", "categories", "enclosures"),
)


class Escaping(Check):
    """Reports double-escaped URLs and texts."""

    rules: ClassVar = {
        "escaped-twice": Rule(
            "warning",
            "Double-escaped value",
            "A double-escaped URL requests a different page from the server, and people see the "
            "escapes in a double-escaped text.",
            "https://www.sitemaps.org/protocol.html#escaping",
            "Escape the value once: & is &amp; in the file, and a space in a URL is %20.",
        ),
    }

    def check_batch(self, view: BatchView) -> BatchResult:
        return BatchResult([*_in_urls(view.urls), *_in_columns(view)])


def _in_urls(urls: BatchUrls) -> Iterator[RawFinding]:
    if _may_be_escaped(urls.lines):
        for at, loc in enumerate(urls.locs):
            if loc:
                yield from _double_escapes([("URL", loc)], urls, at)


def _in_columns(view: BatchView) -> Iterator[RawFinding]:
    counts = view.batch.field_counts()
    names = [name for name in _FIELDS if counts.get(name)]
    # The descriptions of feeds are HTML, in which escapes are expected.
    skipped = "description" if view.file.is_feed else ""
    columns = list(map(view.batch.column, names))
    if not _may_be_escaped(msgspec.json.encode(columns).decode()):
        return
    for at, values in enumerate(zip(*columns, strict=True)):
        if _may_be_escaped(msgspec.json.encode(values).decode()):
            for name, value in zip(names, values, strict=True):
                yield from _double_escapes(_texts_in(value, name, skipped), view.urls, at)


def _texts_in(value: object, field: str, skipped: str) -> Iterator[tuple[str, str]]:
    """Yield field name and text for each string in a value, except in the field `skipped`."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts_in(part, field, skipped)
    elif isinstance(value, Model):
        for name in value.__struct_fields__:
            if name != skipped:
                field = f"{type(value).__name__.lower()} {name}"
                yield from _texts_in(getattr(value, name), field, skipped)


def _double_escapes(
    texts: Iterable[tuple[str, str]], urls: BatchUrls, at: int
) -> Iterator[RawFinding]:
    for field, text in texts:
        if found := _double_escape(text):
            message = f"double-escaped {found!r} in {field}"
            yield urls.finding("escaped-twice", message, at, escape(text, quote=False))


def _may_be_escaped(text: str) -> bool:
    return "%25" in text or next(_reference(text), None) is not None


def _double_escape(text: str) -> str:
    """Return the first double escape in a value, or an empty string."""
    for m in _reference(text):
        if not m[1] or f"{m[1]};" in html5:
            return m[0]
    escapes = _escapes(text) if "%25" in text and "://" in text else ()
    # A URL in a query may be escaped twice correctly, if the query has single escapes, too.
    return escapes[0] if escapes and "%" not in escapes else ""
