"""
Read RSS: 2.0 (https://www.rssboard.org/rss-specification), 0.9x, and 1.0 (RDF), with Media RSS.

The URL is `link`; if that is none of http or https, an `atom:link` to an alternate, else a `guid`
that is a permalink. An item without one keeps its id. `source` is another feed's, and left out.
Lenient about: namespaces, dates, HTML's named characters.
"""

from collections.abc import Sequence

from sitemapx.convert.formats.feeds.batches import PAGING, feed_batches, feed_head
from sitemapx.convert.formats.feeds.fields import ADDRESS_AND_NAME
from sitemapx.convert.formats.feeds.handlers import (
    FeedElement,
    FeedItem,
    category,
    enclosure,
    leave_out,
    listed,
    nothing,
    put_text,
    unread,
)
from sitemapx.convert.formats.feeds.items import (
    DESCRIPTIONS,
    Dates,
    FeedItemReader,
    entry_of,
)
from sitemapx.convert.formats.feeds.media.nodes import Level, MediaNode, level_of
from sitemapx.convert.formats.feeds.media.reader import media_fields, media_of
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.outlines import Outline
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.entry import Entry, is_anonymous
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.elements import text_of
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.parsers import Dialect, XmlElement
from sitemapx.errors import InputError

_ROOTS = ("rss", "rdf")
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"


def read_rss(stream: Readable, context: Context) -> Document:
    """
    Read an RSS feed, some hundred kilobytes at a time.

    Raises:
        InputError: If this is no XML or has another root; while iterating as well.

    """
    markup = BlockParser(stream, Dialect("item", has_html=True), context)
    if markup.root.lower() not in _ROOTS:
        raise InputError(f"wrong root element <{markup.root}>: expected <rss>")
    reader = _RssReader(context, markup)
    batches = feed_batches(markup, reader, context)
    return Document(batches, head=reader.head, family="feed")


class _RssReader:
    """
    Turn `<item>` elements into entries.

    Attributes:
        head: What the channel says of itself.

    """

    def __init__(self, context: Context, markup: BlockParser) -> None:
        self._items = FeedItemReader(ITEM, context, markup.head)
        self.head = Head()
        self._inherited: Level = {}
        channel, offset = markup.head_element("channel")
        if channel is not None:
            reader = FeedItemReader(
                _CHANNEL, context, markup.head, foreign=unread, beside=self._items
            )
            item = reader.read(channel, offset)
            self.head = feed_head(item, reader)
            self._inherited = level_of(map(MediaNode, item.all("media")))

    def entry(self, element: XmlElement, offset: int) -> Entry | None:
        """Make an entry of an item; None of one that has but a link, and that is bad."""
        items = self._items
        item = items.read(element, offset)
        texts = item.texts
        if about := element.get(_RDF_ABOUT):  # RSS 1.0 has neither guid nor a need of one
            texts.setdefault("id", about)
            texts.setdefault("link", about)
        published = items.date(item, "pubDate", "atom:published", "dcterms:issued")
        lastmod = items.date(item, "atom:updated", "dcterms:modified") or published
        dates = Dates(lastmod or items.date(item, "dc:date"), published)
        items.report_unused(item, dates)
        entry = entry_of(
            item,
            loc=items.loc(texts.get("link"), item)
            or items.loc(item.first("atom:alternate", "permalink"), item),
            dates=dates,
            description=item.first(*DESCRIPTIONS),
            language=texts.get("dc:language"),
        )
        if "media" in item.lists:
            entry = media_of(entry, item, self._inherited, items.context)
        return None if "link" in texts and is_anonymous(entry) else entry

    def outline(self, tags: Sequence[str]) -> Outline | None:
        """Return what the outline of an item means; None if such items are read carefully."""
        return self._items.outline(tags, _loc_of, media_fields)


def _loc_of(links: Sequence[XmlElement]) -> str | None:
    """Return the URL of an item; None if there may be something to report."""
    text = links[0].text
    return datatypes.URL.usual(text) or None if len(links) == 1 and text else None


def _guid(child: XmlElement, item: FeedItem, context: Context) -> None:
    if text := (child.text or "").strip():
        if item.texts.setdefault("id", text) != text:
            put_text("id", text, child, item, context)
        if child.get("isPermaLink", "true").strip().lower() != "false" and _is_link(text):
            item.texts.setdefault("permalink", text)


def _is_link(guid: str) -> bool:
    """Return whether a guid that says to be a permalink is a URL; many say so who are not."""
    return guid.startswith(("http://", "https://", "/"))


def _link(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take the text; some write `href` as in Atom."""
    text = (child.text or "").strip() or (child.get("href") or "").strip()
    if text and item.texts.setdefault("link", text) != text:
        put_text("link", text, child, item, context)


def _author(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take the name out of `address (name)`, which RSS wants; others write a name alone."""
    text = text_of(child)
    m = ADDRESS_AND_NAME.fullmatch(text)
    if text:
        item.add("author", m[1] if m else text)
    if m and context.wants("authors"):
        leave_out("email address of author", child, item.offset, context)


def _atom_link(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take what Atom says better."""
    rel, href = child.get("rel", "alternate"), (child.get("href") or "").strip()
    if rel == "enclosure":
        enclosure(child, item, context, address="href")
    elif rel == "hub" and href:  # there may be several: W3C WebSub
        item.add("atom:hub", href)
    elif rel in ("self", "alternate", *PAGING):
        put_text(f"atom:{rel}", href, child, item, context)
    else:
        leave_out(f'<atom:link rel="{rel}">', child, item.offset, context)


ITEM: dict[str, FeedElement] = {
    "title": FeedElement("title", "title"),
    "link": FeedElement("loc", _link),
    "guid": FeedElement("id", _guid),
    "description": FeedElement("description", "description"),
    "pubDate": FeedElement("published lastmod", "pubDate"),
    "pubdate": FeedElement("published lastmod", "pubDate"),
    "author": FeedElement("authors", _author),
    "category": FeedElement("categories", category),
    "enclosure": FeedElement("enclosures", enclosure),
    "content:encoded": FeedElement("description", "content:encoded"),
    "dc:title": FeedElement("title", "dc:title"),
    "dc:description": FeedElement("description", "dc:description"),
    "dc:creator": FeedElement("authors", listed("author")),
    "dc:subject": FeedElement("categories", listed("category")),
    "dc:date": FeedElement("lastmod", "dc:date"),
    "dc:language": FeedElement("language", "dc:language"),
    "dcterms:issued": FeedElement("published lastmod", "dcterms:issued"),
    "dcterms:modified": FeedElement("lastmod", "dcterms:modified"),
    "atom:updated": FeedElement("lastmod", "atom:updated"),
    "atom:published": FeedElement("published lastmod", "atom:published"),
    "atom:link": FeedElement(None, _atom_link),
    "itunes:title": FeedElement("title", "itunes:title"),
    "itunes:author": FeedElement("authors", listed("author")),
    "itunes:summary": FeedElement("description", "itunes:summary"),
}

_CHANNEL: dict[str, FeedElement] = {
    "title": FeedElement("title", "title"),
    "link": FeedElement("link", _link),
    "description": FeedElement("description", "description"),
    "language": FeedElement("language", "language"),
    "managingEditor": FeedElement("authors", _author),
    "lastBuildDate": FeedElement("updated", "lastBuildDate"),
    "lastbuilddate": FeedElement("updated", "lastBuildDate"),
    "pubDate": FeedElement("updated", "pubDate"),
    "pubdate": FeedElement("updated", "pubDate"),
    "dc:title": FeedElement("title", "dc:title"),
    "dc:description": FeedElement("description", "dc:description"),
    "dc:language": FeedElement("language", "dc:language"),
    "dc:date": FeedElement("updated", "dc:date"),
    "dc:creator": FeedElement("authors", listed("author")),
    "itunes:author": FeedElement("authors", listed("author")),
    "itunes:summary": FeedElement("description", "itunes:summary"),
    "atom:link": FeedElement(None, _atom_link),
    "atom:updated": FeedElement("updated", "atom:updated"),
    "items": FeedElement("", nothing),  # RSS 1.0 lists its items twice
    "cloud": FeedElement("", nothing),
    "ttl": FeedElement("", nothing),
    "generator": FeedElement("", nothing),
    "docs": FeedElement("", nothing),
}
