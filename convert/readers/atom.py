"""
Read Atom: 1.0 (https://www.rfc-editor.org/rfc/rfc4287) and 0.3, with Media RSS.

The URL is the link to an alternate, to HTML first; never one to the feed itself, to an edit or
an enclosure. `source` is another feed's, and left out. An entry may also be a document.
"""

import re

from lxml import etree

from sitemapx.convert import urls
from sitemapx.convert.document import Document, Head
from sitemapx.convert.elements import local_name, text_of
from sitemapx.convert.encodings import Readable
from sitemapx.convert.entry import Entry
from sitemapx.convert.feeditems import (
    Dates,
    Item,
    ItemReader,
    Saying,
    category,
    enclosure,
    entry_of,
    leave_out,
    listed,
    nothing,
)
from sitemapx.convert.feeds import PAGING, feed_batches, head_of, media_head
from sitemapx.convert.markup import Markup
from sitemapx.convert.mediarss import media_of
from sitemapx.convert.problems import Context
from sitemapx.errors import InputError

__all__ = ["read_atom"]

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_HTML = ("text/html", "application/xhtml+xml")
_RELATION = "http://www.iana.org/assignments/relation/"


def read_atom(stream: Readable, context: Context) -> Document:
    """
    Read an Atom feed, some hundred kilobytes at a time.

    Raises:
        InputError: If this is no XML or has another root; while iterating as well.

    """
    markup = Markup(stream, "entry", context, is_feed=True)
    if markup.root.lower() not in ("feed", "entry"):
        raise InputError(f"the root element is <{markup.root}>, not <feed>")
    reader = _AtomReader(context, markup)
    return Document(feed_batches(markup, reader.entry, context), head=reader.head, family="feed")


class _AtomReader:
    """Turn `<entry>` elements into entries."""

    def __init__(self, context: Context, markup: Markup) -> None:
        self._items = ItemReader(_ENTRY, context)
        feed = markup.head_element("feed")
        self._feed_media = media_head(feed)
        self.head = Head()
        if feed is not None:
            said = ItemReader(_FEED, context).read(feed, 0)
            if language := feed.get(_LANG):
                said.texts["language"] = language
            self.head = head_of(said, self._items)

    def entry(self, element: etree._Element, offset: int) -> Entry:
        """Make an entry of an entry."""
        items = self._items
        item = items.read(element, offset)
        link = min(item.links, key=lambda ranked: ranked[0])[1] if item.links else None
        published = items.date(item, "published", "created")
        lastmod = items.date(item, "updated") or published
        entry = entry_of(
            item,
            loc=items.loc(link, item),
            dates=Dates(lastmod or items.date(item, "dc:date"), published),
            description=item.first("summary", "content"),
            language=element.get(_LANG) or item.texts.get("dc:language"),
        )
        if "summary" in item.texts and "content" in item.texts:
            leave_out("<content> beside <summary>", item, items.context)
        if item.media:
            return media_of(entry, item, self._feed_media, items.context)
        return entry


def _link(child: etree._Element, item: Item, context: Context) -> None:
    href = urls.clean(child.get("href") or "")
    rel = (child.get("rel") or "alternate").strip().lower().removeprefix(_RELATION)
    kind = (child.get("type") or "").strip().lower()
    if not href:
        return
    if rel == "alternate":
        rank = 0 if kind in _HTML else 1 if not kind else 2
        if not urls.is_absolute(href):  # here xml:base may stand on the link itself
            href = urls.resolve(href, child.base) or href
        if item.links:
            leave_out('another <link rel="alternate">', item, context)
        item.links.append((rank, href))
        item.texts.setdefault("link", href)
    elif rel == "enclosure":
        found = enclosure(href, child.get("type"), child.get("length"), child, context)
        if found:
            item.enclosures.append(found)
    elif rel in ("self", "hub", *PAGING):
        item.texts.setdefault(f"atom:{rel}", href)
    elif rel != "edit" and not rel.startswith("service."):
        leave_out(f'<link rel="{rel}">', item, context)


def _author(child: etree._Element, item: Item, context: Context) -> None:
    name = child.find("{*}name")
    text = text_of(name if name is not None else child)
    if text:
        item.lists.setdefault("author", []).append(text)


def _text(meaning: str) -> Saying:
    """Make the saying of a text construct: plain, HTML as text, or XHTML as elements."""

    def say(child: etree._Element, item: Item, context: Context) -> None:
        if meaning in item.texts:
            return
        text = _inner_markup(child) if len(child) else (child.text or "").strip()
        if text:
            item.texts[meaning] = text

    return say


def _inner_markup(element: etree._Element) -> str:
    """Write out the XHTML inside a text construct, without the `div` that wraps it."""
    if len(element) == 1 and local_name(element[0]) == "div":
        element = element[0]
    parts = [element.text or ""]
    for child in element:
        xml = etree.tostring(child, encoding="unicode", with_tail=True)
        parts.append(xml)
    return _NAMESPACES.sub("", "".join(parts)).strip()


_NAMESPACES = re.compile(r'\sxmlns(?::\w+)?="[^"]*"|(?<=<)(?:\w+:)|(?<=</)(?:\w+:)')

_ENTRY: dict[str, Saying] = {
    "id": "id",
    "title": _text("title"),
    "link": _link,
    "updated": "updated",
    "modified": "updated",
    "published": "published",
    "issued": "published",
    "created": "created",
    "summary": _text("summary"),
    "content": _text("content"),
    "author": _author,
    "category": category,
    "dc:title": "dc:title",
    "dc:creator": listed("author"),
    "dc:subject": listed("category"),
    "dc:date": "dc:date",
    "dc:language": "dc:language",
}

_FEED: dict[str, Saying] = {
    "id": "id",
    "title": _text("title"),
    "subtitle": _text("description"),
    "tagline": _text("description"),
    "link": _link,
    "updated": "updated",
    "modified": "updated",
    "generator": nothing,
}
