"""
Read RSS: 2.0 (https://www.rssboard.org/rss-specification), 0.9x, and 1.0 (RDF), with Media RSS.

The URL is `link`, else a `guid` that is a permalink. An item without one keeps its id. `source`
is another feed's, and left out. Lenient about: namespaces, dates, HTML's named characters.
"""

import re
from functools import partial

from lxml import etree

from sitemapx.convert.document import Document, Head
from sitemapx.convert.elements import text_of
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
from sitemapx.convert.namespaces import NAMESPACES
from sitemapx.convert.problems import Context
from sitemapx.convert.readers.regularrss import read_regular_rss
from sitemapx.errors import InputError

__all__ = ["ROOTS", "read_rss"]

ROOTS = ("rss", "rdf")
_ADDRESS_AND_NAME = re.compile(r"\S+@\S+\s+\((.+)\)")
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"


def read_rss(stream: Readable, context: Context) -> Document:
    """
    Read an RSS feed, some hundred kilobytes at a time.

    Raises:
        InputError: If this is no XML or has another root; while iterating as well.

    """
    markup = Markup(stream, "item", context, is_feed=True)
    if markup.root.lower() not in ROOTS:
        raise InputError(f"the root element is <{markup.root}>, not <rss>")
    reader = _RssReader(context, markup)
    fast = partial(read_regular_rss, wanted=context.wanted) if reader.is_plain(markup) else None
    batches = feed_batches(markup, reader.entry, context, fast)
    return Document(batches, head=reader.head, family="feed")


class _RssReader:
    """Turn `<item>` elements into entries."""

    def __init__(self, context: Context, markup: Markup) -> None:
        self._items = ItemReader(_ITEM, context)
        channel = markup.head_element("channel")
        self._channel_media = media_head(channel)
        said = ItemReader(_CHANNEL, context).read(channel, 0) if channel is not None else None
        self.head = head_of(said, self._items) if said else Head()

    def is_plain(self, markup: Markup) -> bool:
        """Tell whether items are in no namespace, `dc` is Dublin Core, and nothing is inherited."""
        channel = markup.head_element("channel")
        return (
            markup.root == "rss"
            and not self._channel_media
            and channel is not None
            and None not in channel.nsmap
            and channel.nsmap.get("dc", NAMESPACES["dc"]) == NAMESPACES["dc"]
        )

    def entry(self, element: etree._Element, offset: int) -> Entry:
        """Make an entry of an item."""
        items = self._items
        item = items.read(element, offset)
        texts = item.texts
        if about := element.get(_RDF_ABOUT):  # RSS 1.0 has neither guid nor a need of one
            texts.setdefault("id", about)
            texts.setdefault("link", about)
        link = texts.get("link") or texts.get("permalink")
        published = items.date(item, "pubDate", "atom:published", "dcterms:issued")
        lastmod = items.date(item, "atom:updated", "dcterms:modified") or published
        entry = entry_of(
            item,
            loc=items.loc(link, item),
            dates=Dates(lastmod or items.date(item, "dc:date"), published),
            description=item.first(
                "description", "content:encoded", "itunes:summary", "dc:description"
            ),
            language=texts.get("dc:language"),
        )
        if "description" in texts and "content:encoded" in texts:
            leave_out("<content:encoded> beside <description>", item, items.context)
        if item.media or "dcterms:valid" in texts:
            return media_of(entry, item, self._channel_media, items.context)
        return entry


def _guid(child: etree._Element, item: Item, context: Context) -> None:
    text = (child.text or "").strip()
    if text:
        item.texts.setdefault("id", text)
        if child.get("isPermaLink", "true").strip().lower() != "false" and _is_link(text):
            item.texts.setdefault("permalink", text)


def _is_link(guid: str) -> bool:
    """Tell whether a guid that says to be a permalink is a URL; many say so who are not."""
    return guid.startswith(("http://", "https://", "/"))


def _link(child: etree._Element, item: Item, context: Context) -> None:
    """Take the text; some write `href` as in Atom."""
    text = (child.text or "").strip() or (child.get("href") or "").strip()
    if text:
        item.texts.setdefault("link", text)


def _author(child: etree._Element, item: Item, context: Context) -> None:
    """Take the name out of `address (name)`, which RSS wants; others write a name alone."""
    text = text_of(child)
    m = _ADDRESS_AND_NAME.fullmatch(text)
    if text:
        item.lists.setdefault("author", []).append(m[1] if m else text)


def _enclosure(child: etree._Element, item: Item, context: Context) -> None:
    found = enclosure(child.get("url"), child.get("type"), child.get("length"), child, context)
    if found:
        item.enclosures.append(found)


def _atom_link(child: etree._Element, item: Item, context: Context) -> None:
    """Take what a feed says of itself in Atom's words."""
    rel, href = child.get("rel", "alternate"), child.get("href")
    if href and rel in ("self", "hub", *PAGING):
        item.texts.setdefault(f"atom:{rel}", href.strip())
    elif href and rel == "enclosure":
        found = enclosure(href, child.get("type"), child.get("length"), child, context)
        if found:
            item.enclosures.append(found)
    elif href and rel == "alternate":
        item.texts.setdefault("atom:alternate", href.strip())


_ITEM: dict[str, Saying] = {
    "title": "title",
    "link": _link,
    "guid": _guid,
    "description": "description",
    "pubDate": "pubDate",
    "pubdate": "pubDate",
    "author": _author,
    "category": category,
    "enclosure": _enclosure,
    "content:encoded": "content:encoded",
    "dc:title": "dc:title",
    "dc:description": "dc:description",
    "dc:creator": listed("author"),
    "dc:subject": listed("category"),
    "dc:date": "dc:date",
    "dc:language": "dc:language",
    "dcterms:issued": "dcterms:issued",
    "dcterms:modified": "dcterms:modified",
    "dcterms:valid": "dcterms:valid",
    "dcterms:type": "dcterms:type",
    "atom:updated": "atom:updated",
    "atom:published": "atom:published",
    "atom:link": _atom_link,
    "itunes:title": "itunes:title",
    "itunes:author": listed("author"),
    "itunes:summary": "itunes:summary",
    "itunes:duration": "itunes:duration",
    "itunes:explicit": "itunes:explicit",
    "itunes:keywords": "itunes:keywords",
}

_CHANNEL: dict[str, Saying] = {
    "title": "title",
    "link": _link,
    "description": "description",
    "language": "language",
    "lastBuildDate": "lastBuildDate",
    "pubDate": "pubDate",
    "dc:title": "dc:title",
    "dc:description": "dc:description",
    "dc:language": "dc:language",
    "dc:date": "dc:date",
    "itunes:summary": "itunes:summary",
    "atom:link": _atom_link,
    "atom:updated": "atom:updated",
    "items": nothing,  # RSS 1.0 lists its items twice
    "cloud": nothing,
    "ttl": nothing,
    "generator": nothing,
    "docs": nothing,
}
