"""
Reads JSON Feed 1.1 and 1.0: https://www.jsonfeed.org/version/1.1/

The description is the summary or else the content; plain text becomes HTML. Tolerates numeric IDs,
`author` of version 1.0 and other date formats. Dropped with a problem: values of a wrong type, most
keys after the items, and everything after a syntax error.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.html.text import as_html
from sitemapx.convert.json import JsonError, Scanner, decode_chunks
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.entry import Enclosure, Entry, Image, is_anonymous
from sitemapx.convert.streams.stream import Lines, Readable
from sitemapx.convert.values import relative, urls
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.values.w3cdate import why_not_rfc3339
from sitemapx.convert.values.zones import KEPT, loss
from sitemapx.errors import InputError
from sitemapx.optionnames import option

# ---- conversion of values to fields of entries and heads

_ITEM_KEYS = frozenset(
    {
        *("id", "url", "title", "content_html", "content_text", "summary", "image"),
        *("banner_image", "date_published", "date_modified", "author", "authors", "tags"),
        *("language", "attachments"),
    }
)
_HEAD_KEYS = frozenset(
    {
        *("version", "title", "home_page_url", "feed_url", "description", "next_url", "author"),
        *("authors", "language", "hubs"),
    }
)
_ATTACHMENT_KEYS = frozenset({"url", "mime_type", "size_in_bytes"})


class _Values:
    """Typed access to the values of an object; values of a wrong type are reported and dropped."""

    def __init__(
        self, values: Mapping[str, Any], context: Context, line: int | None = None, name: str = ""
    ) -> None:
        self._values = values
        self._context = context
        self._line = line
        self._name = name

    def text(self, key: str) -> str | None:
        value = self._values.get(key)
        if value is None or isinstance(value, str):
            return _clean(value or "") or None
        self._report_type(key, "a string")
        return None

    def identity(self, key: str) -> str | None:
        """Return an ID as text, which may be a number in the feed; None if missing or invalid."""
        value = self._values.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        return self.text(key)

    def url(self, key: str) -> str | None:
        """Return a URL, made absolute if possible (a relative URL is reported); None if missing."""
        text = self.text(key)
        return self._resolve(urls.clean(text), "kept") or urls.clean(text) if text else None

    def page_url(self, key: str) -> str | None:
        """Return the URL of a page; report an invalid URL and return None."""
        text = self.text(key)
        if not text:
            return None
        if urls.is_wrapped(text):
            self.report("repaired-loc", f"whitespace in URL {text!r}; removed")
        url = self._resolve(urls.clean(text), "dropped")
        if not url or urls.is_absolute(url):
            return url
        self.report("bad-loc", relative.describe(url), "; dropped")
        return None

    def _resolve(self, url: str, otherwise: str) -> str | None:
        if re.match(urls.SCHEME, url):
            return url
        context, line = self._context, self._line
        return context.absolute(url, context.url, otherwise=otherwise, line=line)

    def size(self, key: str) -> int | None:
        value = self._values.get(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is None or (isinstance(value, int) and 0 <= value < 2**63):
            return value
        self._report_type(key, "a number of bytes")
        return None

    def texts(self, key: str) -> list[str]:
        texts = [text for value in self._list(key, str) if (text := _clean(value))]
        return list(dict.fromkeys(texts))

    def objects(self, key: str) -> "list[_Values]":
        found = self._list(key, dict)
        return [_Values(value, self._context, self._line, f"{key}: ") for value in found]

    def objects_or_one(self, key: str) -> "list[_Values]":
        """Return the objects of a list; a single object is accepted in place of the list."""
        if isinstance(value := self._values.get(key), dict):
            return [_Values(value, self._context, self._line, f"{key}: ")]
        return self.objects(key)

    def _list(self, key: str, kind: type) -> list[Any]:
        value = self._values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self._report_type(key, "a list")
            return []
        if not all(isinstance(item, kind) for item in value):
            self._report_type(key, "a list of strings" if kind is str else "a list of objects")
        return [item for item in value if isinstance(item, kind)]

    def _report_type(self, key: str, expected: str) -> None:
        self.report("bad-value", f"{key}: invalid value: expected {expected}", "; dropped")

    def report(self, code: str, message: str, done: str = "") -> None:
        self._context.problem(code, f"{self._name}{message}", done=done, line=self._line)

    def note_form(self, code: str, message: str) -> None:
        self._context.note_form(code, f"{self._name}{message}", line=self._line)

    def tally_unknown(self, known: frozenset[str]) -> None:
        """Count keys that are not `known`, including those of extensions, as dropped."""
        for key in self._values.keys() - known:
            self._context.count_dropped(f"key {self._name}{_clean(key)!r}", line=self._line)


def _clean(text: str) -> str:
    """Replace lone surrogates, and strip whitespace."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


class JsonItemReader:
    def __init__(self, context: Context) -> None:
        self._context = context

    def entry(self, item: object, line: int) -> Entry | None:
        """Read an item as an entry; report an item that cannot be read, and return None."""
        if not isinstance(item, dict):
            message = "item is not a JSON object"
            self._context.problem("bad-value", message, done="; skipped", line=line)
            return None
        values = _Values(item, self._context, line)
        values.tally_unknown(_ITEM_KEYS)
        published = self._read_date(values, "date_published")
        html, text = values.text("content_html"), values.text("content_text")
        summary = values.text("summary")
        if summary and (html or text):
            self._context.count_dropped("content of an item with a summary", line=line)
        plain = summary or (None if html else text)
        images = [values.url("image"), values.url("banner_image")]
        entry = Entry(
            loc=values.page_url("url"),
            lastmod=self._read_date(values, "date_modified") or published,
            title=values.text("title"),
            description=as_html(plain) if plain else html,
            id=values.identity("id"),
            published=published,
            language=values.text("language"),
            authors=_read_authors(values),
            categories=tuple(values.texts("tags")),
            enclosures=tuple(self._read_enclosures(values)),
            images=tuple(Image(loc=url) for url in images if url),
        )
        if is_anonymous(entry):
            message = "item has no URL, ID, title or content"
            self._context.problem("no-loc", message, done="; skipped", line=line)
            return None
        if not entry.loc and not self._context.wants("id"):
            message = f"item has no URL: {entry.id or entry.title!r}"
            self._context.problem("no-loc", message, done="; skipped", line=line)
            return None
        return entry

    def _read_date(self, values: _Values, key: str) -> str | None:
        text = values.text(key)
        if not text:
            return None
        unknown: list[str] = []
        date = parse_feed_date(text, unknown.append)
        for zone in unknown:
            values.report("unknown-zone", f"{key}: {loss(zone, text)}", KEPT)
        if not date:
            values.report("bad-date", f"{key}: invalid date {text!r}", "; dropped")
        elif why := why_not_rfc3339(text):
            values.note_form("feed-date", f"{key} {text!r}: {why}")
        return date

    def _read_enclosures(self, values: _Values) -> list[Enclosure]:
        found = []
        for attachment in values.objects("attachments"):
            attachment.tally_unknown(_ATTACHMENT_KEYS)
            if url := attachment.url("url"):
                kind, size = attachment.text("mime_type"), attachment.size("size_in_bytes")
                found.append(Enclosure(url, kind, size))
        return found


def _read_authors(values: _Values) -> tuple[str, ...]:
    """Return the names, or else URLs, of `authors`, or of the `author` of version 1.0."""
    found = values.objects("authors") or values.objects_or_one("author")
    names = [attachment.text("name") or attachment.text("url") for attachment in found]
    return tuple(dict.fromkeys(name for name in names if name))


def _read_head(members: Mapping[str, Any], context: Context) -> Head:
    values = _Values(members, context)
    values.tally_unknown(_HEAD_KEYS)

    next_link = values.url("next_url")
    if next_link:
        context.problem(
            "paged", f"feed continues at {next_link}; pass {option('pages')} to read all pages"
        )
    hubs = [item.url("url") for item in values.objects("hubs")]
    return Head(
        title=values.text("title"),
        link=values.url("home_page_url"),
        description=values.text("description"),
        language=values.text("language"),
        authors=_read_authors(values),
        self_link=values.url("feed_url"),
        hubs=tuple(dict.fromkeys(hub for hub in hubs if hub)),
        next_link=next_link,
    )


#: Matches a version, or a key that entries of JSON Lines do not have.
_is_feed = re.compile(
    r'"https?:\\?/\\?/(?:www\.)?jsonfeed\.org\\?/version|"(?:items|home_page_url|feed_url)"\s*:'
).search
#: Number of characters of items to read at a time.
_PART = 1 << 17
#: Number of characters of items to read ahead in search of the title.
_MOST_WAITING = 1 << 24


def looks_like_jsonfeed(start: str) -> bool:
    return start.lstrip().startswith("{") and _is_feed(start) is not None


def read_jsonfeed(stream: Readable, context: Context) -> Document:
    """Read a JSON Feed, item by item; raise `InputError` if the stream is not a JSON object."""
    feed = _Feed(stream, context)
    batches = report_if_empty(feed.batches(), context, "feed has no items", "no-items")
    return Document(batches, head=_read_head(feed.members, context), family="feed")


class _Part(NamedTuple):
    lines: Lines
    entries: list[Entry]


class _Feed:
    """Reads a feed: first up to the items, or past them in search of the title; then the rest."""

    def __init__(self, stream: Readable, context: Context) -> None:
        self._scanner = scanner = Scanner(decode_chunks(stream, context), self._report_repeated)
        self._context = context
        self._reader = JsonItemReader(context)
        self._is_in_items = self._has_items = self._is_broken = False
        self._waiting: list[_Part] = []
        self.members: dict[str, Any] = {}
        if not scanner.skip("{"):
            raise InputError("not a JSON object")
        self._read_members()
        size = 0
        while self._is_in_items and "title" not in self.members and size < _MOST_WAITING:
            self._waiting.append(self._read_part())
            size += len(scanner.part)

    def batches(self) -> Iterator[Batch]:
        known = len(self.members)
        while self._waiting or self._is_in_items:
            lines, entries = self._waiting.pop(0) if self._waiting else self._read_part()
            self._context.observer.on_part(lines)
            if entries:
                yield Batch(entries)
        for key in [*self.members][known:]:
            self._context.count_dropped(f"key {key!r} after the items")
        if not self._is_broken:
            items: dict[str, Any] = {"items": []} if self._has_items else {}
            self._context.observer.on_json_feed(self.members | items)

    def _read_members(self) -> None:
        """Read keys and values up to the items or the end of the feed."""
        scanner = self._scanner
        try:
            while not scanner.skip("}"):
                key, line = scanner.value(), scanner.line
                if not isinstance(key, str) or not scanner.skip(":"):
                    raise JsonError("expected a key and a value")
                if key == "items" and scanner.skip("["):
                    if self._has_items:
                        self._report_repeated([key], line, "; both lists of items are read")
                    self._is_in_items = self._has_items = True
                    return
                if key in self.members:
                    self._report_repeated([key], line, "; the first value is used")
                self.members.setdefault(key, scanner.value())
                self._skip_comma("}")
            if scanner.peek():
                message = "content after the end of the feed"
                self._context.problem("bad-json", message, done="; dropped", line=scanner.line)
        except JsonError as error:
            self._give_up(error)

    def _report_repeated(
        self, keys: list[str], line: int, done: str = "; the last value is used"
    ) -> None:
        message = f"repeated keys: {', '.join(map(repr, keys))}"
        self._context.problem("repeated-key", message, done=done, line=line)

    def _read_part(self) -> "_Part":
        scanner = self._scanner
        entries: list[Entry] = []
        scanner.begin_part()
        first = scanner.line
        try:
            while not scanner.is_longer(_PART) and not scanner.skip("]"):
                line = scanner.line
                item = scanner.value()
                self._context.observer.on_json_item(item, line, self.members)
                if entry := self._reader.entry(item, line):
                    entries.append(entry)
                self._skip_comma("]")
            text = scanner.part
        except JsonError as error:
            text = scanner.part
            self._give_up(error)
        else:
            if text.endswith("]"):
                self._is_in_items = False
                self._skip_comma("}")
                self._read_members()
        return _Part(Lines(text.replace("\\/", "/").split("\n"), first), entries)

    def _skip_comma(self, end: str) -> None:
        """Skip the comma after a value; report a missing comma, and a comma before `end`."""
        scanner = self._scanner
        has_comma, next_char = scanner.skip(","), scanner.peek()
        if next_char and has_comma == (next_char == end):
            message = f"comma before {end!r}" if has_comma else "missing comma"
            self._context.problem("bad-json", message, done="; ignored", line=scanner.line)

    def _give_up(self, error: JsonError) -> None:
        """Report a syntax error, and skip the rest of the feed."""
        self._is_in_items, self._is_broken = False, True
        message, done = f"invalid JSON: {error}", "; everything from here on is skipped"
        self._context.problem("truncated", message, done=done, line=self._scanner.line)
