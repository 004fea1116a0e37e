"""Values that were escaped twice: `&amp;amp;` in the file, or `%2520` in a URL."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from html.entities import html5
from typing import ClassVar

import msgspec

from sitemapx.check.api import Check, Entries, File
from sitemapx.check.findings import Rule
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Model

__all__ = ["Escaping"]

_reference = re.compile(r"&(?:#[0-9]+|#[xX][0-9A-Fa-f]+|([A-Za-z][A-Za-z0-9]*));").finditer
_escapes = re.compile(r"%(?:25[0-9A-Fa-f]{2})?").findall
#: Fields with texts or URLs, besides `loc`.
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

    def begin(self, file: File) -> None:
        """Note whether descriptions are HTML, in which escapes are expected: those of feeds are."""
        self._has_html = file.is_feed

    def inspect(self, batch: Batch, entries: Entries) -> None:
        """Search whole columns first, since escapes are rare."""
        locs = batch.locs()
        uris = batch.uris()
        if _may_be_escaped(uris.lines if uris else "\n".join(locs)):
            for at, loc in enumerate(locs):
                if loc:
                    _report([("URL", loc)], entries, at)
        counts = batch.field_counts()
        names = [name for name in _FIELDS if counts.get(name)]
        for at, values in enumerate(zip(*map(batch.column, names), strict=True)):
            if _may_be_escaped(msgspec.json.encode(values).decode()):
                for name, value in zip(names, values, strict=True):
                    _report(self._texts_of(value, name), entries, at)

    def _texts_of(self, value: object, field: str) -> Iterator[tuple[str, str]]:
        """Find the texts in a value, each with the name of its field."""
        if isinstance(value, str):
            yield field, value
        elif isinstance(value, tuple):
            for one in value:
                yield from self._texts_of(one, field)
        elif isinstance(value, Model):
            for name in value.__struct_fields__:
                if not (self._has_html and name == "description"):
                    field = f"{type(value).__name__.lower()} {name}"
                    yield from self._texts_of(getattr(value, name), field)


def _report(texts: Iterable[tuple[str, str]], entries: Entries, at: int) -> None:
    for field, text in texts:
        if found := _double_escape(text):
            message = f"double-escaped {found!r} in {field}"
            entries.report("escaped-twice", message, at=at, text=escape(text, quote=False))


def _may_be_escaped(text: str) -> bool:
    return "%25" in text or next(_reference(text), None) is not None


def _double_escape(text: str) -> str:
    """Return the first double escape in a value, or an empty string."""
    for m in _reference(text):
        if not m[1] or f"{m[1]};" in html5:
            return m[0]
    escapes = _escapes(text) if "%25" in text and "://" in text else ()
    # A URL in the query of another one is rightly escaped twice, beside single escapes.
    return escapes[0] if escapes and "%" not in escapes else ""
