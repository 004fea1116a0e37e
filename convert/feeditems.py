"""
Items of feeds: from elements to what they say, and from that to an entry.

What RSS and Atom have in common. Each reader has a table that tells which element says what; an
`Item` collects, and gives precedence where several elements say the same.
"""

import re
from collections.abc import Callable, Mapping
from html import unescape
from typing import Any, NamedTuple

from lxml import etree

from sitemapx.convert import urls
from sitemapx.convert.elements import as_document, line_of, split_name, text_of
from sitemapx.convert.entry import Enclosure, Entry
from sitemapx.convert.feeddates import parse_feed_date
from sitemapx.convert.namespaces import UNDECLARED, prefix_of
from sitemapx.convert.problems import Context

__all__ = [
    "Item",
    "ItemReader",
    "Saying",
    "category",
    "enclosure",
    "leave_out",
    "plain_text",
    "resolved",
]

_MOST_NAMES = 1000
_markup = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--.*?--)>", re.DOTALL)


class Item:
    """
    What an item says, before it is known what counts.

    Attributes:
        texts: The first text for each meaning, such as "title" or "dc:date".
        lists: All texts for a meaning of which there may be many.
        media: The elements of Media RSS.
        extras: Foreign elements, as documents of their own.

    """

    __slots__ = ("element", "enclosures", "extras", "links", "lists", "media", "offset", "texts")

    def __init__(self, element: etree._Element, offset: int) -> None:
        self.element = element
        self.offset = offset
        self.texts: dict[str, str] = {}
        self.lists: dict[str, list[str]] = {}
        self.links: list[tuple[int, str]] = []
        self.enclosures: list[Enclosure] = []
        self.media: list[etree._Element] = []
        self.extras: list[str] = []

    def first(self, *meanings: str) -> str | None:
        """Give the text of the first of these meanings that has one."""
        texts = self.texts
        for one in meanings:
            if one in texts:
                return texts[one]
        return None

    def all(self, meaning: str) -> tuple[str, ...]:
        """Give all texts of a meaning, each once."""
        texts = self.lists.get(meaning)
        return tuple(dict.fromkeys(texts)) if texts else ()


#: What an element says: the name of a meaning, or a function that puts it into the item.
Saying = str | Callable[[etree._Element, Item, Context], None]


class ItemReader:
    """Read items by a table from names to sayings."""

    def __init__(self, table: Mapping[str, Saying], context: Context) -> None:
        """
        Take the table.

        Args:
            table: By names with canonical prefixes; those of the feed itself have none.
            context: Is told of what is left out.

        """
        self._table = table
        self.context = context
        self._found: dict[object, Saying] = {}

    def read(self, element: etree._Element, offset: int) -> Item:
        """Collect what the children of an item (or of the head of a feed) say."""
        item = Item(element, offset)
        texts, found = item.texts, self._found
        for child in element:
            saying = found.get(child.tag) or self._find(child, element, offset)
            if isinstance(saying, str):
                if saying not in texts:
                    text = text_of(child) if len(child) else child.text
                    if text and (text := text.strip()):
                        texts[saying] = text
            else:
                saying(child, item, self.context)
        return item

    def _find(self, child: etree._Element, element: etree._Element, offset: int) -> Saying:
        """Decide once for each name what an element says."""
        if not isinstance(child.tag, str):
            return _nothing
        namespace, local = split_name(child)
        prefix = "" if namespace == split_name(element)[0] else prefix_of(namespace)
        key = f"{prefix}:{local}" if prefix else local
        saying: Saying | None
        if prefix == "media":
            saying = _media
        elif prefix is None and namespace.startswith(UNDECLARED):
            saying = _nothing
        else:
            saying = self._table.get(key) or self._table.get(key.lower())
            if prefix is None or (saying is None and prefix):
                saying = _extra
        if len(self._found) > _MOST_NAMES:  # somebody makes them up
            self._found.clear()
        self._found[child.tag] = saying or _left_out
        return saying or _left_out

    def date(self, item: Item, *meanings: str) -> str | None:
        """Give the first of these dates that can be read; tell of those that cannot."""
        for meaning in meanings:
            if text := item.texts.get(meaning):
                if date := parse_feed_date(text):
                    return date
                said = f"{meaning}: not a date: {text!r}; left out"
                line = line_of(item.element, item.offset)
                self.context.problem("bad-date", said, line=line, loc=item.texts.get("link"))
        return None

    def loc(self, text: str | None, item: Item) -> str | None:
        """Make an absolute http(s) URL of a link; tell why it is none."""
        if not text:
            return None
        loc = urls.clean(text)
        if urls.is_absolute(loc):
            return loc
        found = resolved(loc, item.element, self.context)
        line = line_of(item.element, item.offset)
        if found and urls.is_absolute(found):
            return found
        if found and ":" in found.partition("/")[0]:
            self.context.problem("bad-loc", f"not an http(s) URL: {loc!r}; left out", line=line)
        else:
            said = f"relative URL {loc!r} left out; --source-url makes it absolute"
            self.context.problem("relative-loc", said, line=line)
        return None


def resolved(url: str, element: etree._Element, context: Context) -> str | None:
    """Resolve a URL against `xml:base` where it stands, and that against the feed's address."""
    base = element.base
    if base:
        base = urls.resolve(base, context.url)
    return urls.resolve(url, base or context.url)


def plain_text(markup: str) -> str:
    """Take HTML's tags and entities away."""
    return " ".join(unescape(_markup.sub(" ", markup)).split())


def enclosure(
    url: str | None, kind: str | None, length: str | None, element: etree._Element, context: Context
) -> Enclosure | None:
    """Make an enclosure of its attributes; a length that is no number is left out."""
    if not url or not url.strip():
        return None
    url = urls.clean(url)
    size = (length or "").strip()
    return Enclosure(
        url=resolved(url, element, context) or url,
        type=(kind or "").strip() or None,
        length=int(size) if size.isdecimal() and len(size) < 19 else None,
    )


# ---- sayings that any feed may have


def listed(meaning: str) -> Saying:
    """Make the saying of an element that may stand often."""

    def say(child: etree._Element, item: Item, context: Context) -> None:
        if text := text_of(child):
            item.lists.setdefault(meaning, []).append(text)

    return say


def category(child: etree._Element, item: Item, context: Context) -> None:
    """Take Atom's term or RSS's text; what else is said of it has no place in an entry."""
    if text := (child.get("term") or text_of(child)).strip():
        item.lists.setdefault("category", []).append(text)
    for name in child.keys():  # noqa: SIM118 - an element is no mapping
        if name != "term":
            context.tally(
                "unknown-element",
                f"<category {name}> left out",
                line=line_of(child, item.offset),
            )


def _nothing(child: etree._Element, item: Item, context: Context) -> None:
    pass


def _media(child: etree._Element, item: Item, context: Context) -> None:
    item.media.append(child)


def leave_out(what: str, item: Item, context: Context) -> None:
    """Count something that an entry has no place for."""
    line = line_of(item.element, item.offset)
    context.tally("unknown-element", f"{what} left out", line=line)


def _left_out(child: etree._Element, item: Item, context: Context) -> None:
    leave_out(f"<{split_name(child)[1]}>", item, context)


def _extra(child: etree._Element, item: Item, context: Context) -> None:
    """Keep a foreign element, as a document of its own."""
    item.extras.append(as_document(child))


nothing: Saying = _nothing


class Dates(NamedTuple):
    """The two dates of an entry."""

    lastmod: str | None
    published: str | None


def entry_of(
    item: Item, *, loc: str | None, dates: Dates, description: str | None, **more: Any
) -> Entry:
    """Make an entry of an item; what is given by name is what the format decides."""
    texts = item.texts
    return Entry(
        loc=loc,
        lastmod=dates.lastmod,
        title=item.first("title", "dc:title", "itunes:title"),
        description=description,
        id=texts.get("id"),
        published=dates.published,
        authors=item.all("author"),
        categories=item.all("category"),
        enclosures=tuple(item.enclosures),
        extras=tuple(item.extras),
        **more,
    )
