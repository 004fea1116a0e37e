"""
Reads RSS 2.0 (https://www.rssboard.org/rss-specification), 0.9x and 1.0 (RDF), with Media RSS.

The URL is the first valid one of `link`, an alternate `atom:link` and a permalink `guid`. `source`
is dropped. Tolerates wrong namespaces, other date formats and HTML entities.
"""

from collections.abc import Sequence

from sitemapx.convert.formats.feeds.batches import PAGING, feed_batches, feed_head
from sitemapx.convert.formats.feeds.handlers import (
    Content,
    FeedElement,
    FeedItem,
    drop_element,
    dropped,
    ignore_element,
    link_relation,
    make_list_handler,
    put_text,
    read_category,
    read_enclosure,
    report_dropped,
)
from sitemapx.convert.formats.feeds.items import (
    ADDRESS_AND_NAME,
    DESCRIPTIONS,
    Dates,
    FeedItemReader,
    build_entry,
)
from sitemapx.convert.formats.feeds.media.nodes import Level, MediaNode, group_nodes
from sitemapx.convert.formats.feeds.media.reader import add_media
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.rss.wordpress import is_export, read_modified, why_skipped
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.elements import line_of, text_of
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.parsers import Dialect, XmlElement
from sitemapx.errors import InputError

_ROOTS = ("rss", "rdf")
#: Meanings that may have the URL of an item, the best first.
_LINKS = ("link", "atom:alternate", "permalink")
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"


def read_rss(stream: Readable, context: Context) -> Document:
    markup = BlockParser(
        stream, Dialect("item", has_html=True), context, on_tree=context.observer.on_tree
    )
    if markup.root.lower() not in _ROOTS:
        raise InputError(f"wrong root element <{markup.root}>: expected <rss>")
    context.observer.on_head(markup.head)
    reader = _RssReader(context, markup)
    batches = feed_batches(markup, reader, context)
    return Document(batches, head=reader.head, family="feed")


class _RssReader:
    def __init__(self, context: Context, markup: BlockParser) -> None:
        self.items = FeedItemReader(ITEM, context, markup.head)
        self.head = Head()
        self._inherited: Level = {}
        self._is_export = is_export(markup.head.data)
        self._skips_unpublished = self._is_export and not context.keeps_unlisted
        channel, line_offset = markup.head_element("channel")
        if channel is not None:
            reader = FeedItemReader(
                CHANNEL, context, markup.head, foreign=drop_element, beside=self.items
            )
            item = reader.read(channel, line_offset)
            self.head = feed_head(item, reader)
            self._inherited = group_nodes(map(MediaNode, item.all("media")))

    def entry(self, element: XmlElement, line_offset: int) -> Entry | None:
        items = self.items
        if self._skips_unpublished and (reason := why_skipped(element)):
            line, loc = line_of(element, line_offset), element.findtext("link")
            items.context.tally("skipped-page", reason, done="; skipped", line=line, loc=loc)
            return None
        item = items.read(element, line_offset)
        texts = item.texts
        if about := element.get(_RDF_ABOUT):  # RSS 1.0 has no guid
            texts.setdefault("id", about)
            texts.setdefault("link", about)
        published = items.date(item, "pubDate", "atom:published", "dcterms:issued")
        lastmod = items.date(item, "atom:updated", "dcterms:modified") or published
        if self._is_export:
            lastmod = read_modified(element) or lastmod
        dates = Dates(lastmod or items.date(item, "dc:date"), published)
        items.report_unused(item, dates)
        locs = (items.loc(texts.get(meaning), item, meaning) for meaning in _LINKS)
        entry = build_entry(
            item,
            loc=next(filter(None, locs), None),
            dates=dates,
            description=item.first(*DESCRIPTIONS),
            language=texts.get("dc:language"),
        )
        if "media" in item.lists:
            entry = add_media(entry, item, self._inherited, items.context)
        return entry

    def find_loc(self, links: Sequence[XmlElement]) -> tuple[str, int] | None:
        if self._skips_unpublished or len(links) != 1:
            return None
        url = datatypes.URL.usual(links[0].text or "")
        return (url, 0) if url else None


def _read_guid(child: XmlElement, item: FeedItem, context: Context) -> None:
    if text := (child.text or "").strip():
        if item.texts.setdefault("id", text) != text:
            put_text("id", text, child, item, context)
        if child.get("isPermaLink", "true").strip().lower() != "false" and _is_link(text):
            item.texts.setdefault("permalink", text)


def _is_link(guid: str) -> bool:
    """Return whether a guid is a URL or path: many others wrongly lack `isPermaLink="false"`."""
    return guid.startswith(("http://", "https://", "/"))


def _read_link(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Read the URL of a link: its text, or `href` as in Atom."""
    text = (child.text or "").strip() or (child.get("href") or "").strip()
    if text and item.texts.setdefault("link", text) != text:
        put_text("link", text, child, item, context)


def _read_author(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Read the name in `address (name)`, as RSS requires, or a plain name."""
    text = text_of(child)
    m = ADDRESS_AND_NAME.fullmatch(text)
    if text:
        item.add_value("author", m[1] if m else text)
    if m and context.wants("authors"):
        report_dropped("email address of author", child, item.line_offset, context)


def _read_atom_link(child: XmlElement, item: FeedItem, context: Context) -> None:
    rel, href = link_relation(child), (child.get("href") or "").strip()
    if rel == "enclosure":
        read_enclosure(child, item, context, address="href")
    elif rel == "hub" and href:  # a feed may have several hubs: W3C WebSub
        item.add_value("atom:hub", href)
    elif rel in ("self", "alternate", *PAGING):
        put_text(f"atom:{rel}", href, child, item, context)
    else:
        report_dropped(f'<atom:link rel="{rel}">', child, item.line_offset, context)


_HTML = Content("html")
_TEXT = Content("text")
_DATE = Content("date")
_CATEGORY = Content("text", "*", {"domain": "any"})

ITEM: dict[str, FeedElement] = {
    "title": FeedElement("title", "title", _TEXT),
    "link": FeedElement("loc", _read_link, Content("link")),
    "guid": FeedElement("id", _read_guid, Content("any", "?", {"isPermaLink": "boolean"})),
    "description": FeedElement("description", "description", _HTML),
    "pubDate": FeedElement("published lastmod", "pubDate", _DATE),
    "pubdate": FeedElement("published lastmod", "pubDate"),
    "author": FeedElement("authors", _read_author, Content("person")),
    "category": FeedElement("categories", read_category, _CATEGORY),
    "enclosure": FeedElement(
        "enclosures",
        read_enclosure,
        Content("", "*", {"url": "link!", "length": "integer!", "type": "media-type!"}),
    ),
    "comments": dropped(Content("http")),
    "source": dropped(Content("text", "?", {"url": "uri!"})),
    "content:encoded": FeedElement("description", "content:encoded"),
    "dc:title": FeedElement("title", "dc:title"),
    "dc:description": FeedElement("description", "dc:description"),
    "dc:creator": FeedElement("authors", make_list_handler("author")),
    "dc:subject": FeedElement("categories", make_list_handler("category")),
    "dc:date": FeedElement("lastmod", "dc:date"),
    "dc:language": FeedElement("language", "dc:language"),
    "dcterms:issued": FeedElement("published lastmod", "dcterms:issued"),
    "dcterms:modified": FeedElement("lastmod", "dcterms:modified"),
    "atom:updated": FeedElement("lastmod", "atom:updated"),
    "atom:published": FeedElement("published lastmod", "atom:published"),
    "atom:link": FeedElement(None, _read_atom_link),
    "itunes:title": FeedElement("title", "itunes:title"),
    "itunes:author": FeedElement("authors", make_list_handler("author")),
    "itunes:summary": FeedElement("description", "itunes:summary"),
}

_IMAGE = {
    "url": Content("uri", "1"),
    "title": Content("text", "1"),
    "link": Content("uri", "1"),
    "width": Content("width"),
    "height": Content("height"),
    "description": _TEXT,
}
_TEXT_INPUT = {
    "title": Content("text", "1"),
    "description": Content("text", "1"),
    "name": Content("field-name", "1"),
    "link": Content("uri", "1"),
}
_CLOUD = {
    "domain": "any!",
    "port": "port!",
    "path": "any!",
    "registerProcedure": "any!",
    "protocol": "xml-rpc|soap|http-post!",
}

CHANNEL: dict[str, FeedElement] = {
    "title": FeedElement("title", "title", Content("text", "1")),
    "link": FeedElement("link", _read_link, Content("link", "1")),
    "description": FeedElement("description", "description", Content("html", "1")),
    "language": FeedElement("language", "language", Content("language")),
    "copyright": dropped(_TEXT),
    "managingEditor": FeedElement("authors", _read_author, Content("person")),
    "webMaster": dropped(Content("person")),
    "pubDate": FeedElement("updated", "pubDate", _DATE),
    "pubdate": FeedElement("updated", "pubDate"),
    "lastBuildDate": FeedElement("updated", "lastBuildDate", _DATE),
    "lastbuilddate": FeedElement("updated", "lastBuildDate"),
    "category": dropped(_CATEGORY),
    "generator": FeedElement("", ignore_element, Content("any")),
    "docs": FeedElement("", ignore_element, Content("uri")),
    "cloud": FeedElement("", ignore_element, Content("", "?", _CLOUD)),
    "ttl": FeedElement("", ignore_element, Content("positive")),
    "image": dropped(Content("", "?", children=_IMAGE)),
    "rating": dropped(Content("any")),
    "textInput": dropped(Content("", "?", children=_TEXT_INPUT)),
    "skipHours": dropped(Content("", "?", children={"hour": Content("hour", "+")})),
    "skipDays": dropped(Content("", "?", children={"day": Content("day", "+")})),
    "dc:title": FeedElement("title", "dc:title"),
    "dc:description": FeedElement("description", "dc:description"),
    "dc:language": FeedElement("language", "dc:language"),
    "dc:date": FeedElement("updated", "dc:date"),
    "dc:creator": FeedElement("authors", make_list_handler("author")),
    "itunes:author": FeedElement("authors", make_list_handler("author")),
    "itunes:summary": FeedElement("description", "itunes:summary"),
    "atom:link": FeedElement(None, _read_atom_link),
    "atom:updated": FeedElement("updated", "atom:updated"),
    "items": FeedElement("", ignore_element),  # RSS 1.0 lists its items twice
}
