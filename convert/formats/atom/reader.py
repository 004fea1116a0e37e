"""
Reads Atom 1.0 (https://www.rfc-editor.org/rfc/rfc4287) and 0.3, with Media RSS.

The URL is taken from an alternate link, preferably to HTML; never from a self, edit or enclosure
link. Titles become plain text, summaries and content HTML. From `source`, only the authors are
used. The root may also be an entry.
"""

from collections.abc import Sequence
from operator import itemgetter

from msgspec.structs import replace

from sitemapx.convert.formats.feeds.batches import PAGING, feed_batches, feed_head
from sitemapx.convert.formats.feeds.handlers import (
    Content,
    ElementHandler,
    FeedElement,
    FeedItem,
    drop_element,
    dropped,
    ignore_element,
    link_relation,
    make_list_handler,
    put_text,
    read_author,
    read_category,
    read_enclosure,
    report_dropped,
)
from sitemapx.convert.formats.feeds.items import Dates, FeedItemReader, build_entry
from sitemapx.convert.formats.feeds.media.nodes import Level, MediaNode, group_nodes
from sitemapx.convert.formats.feeds.media.reader import add_media
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.urlreader import bits_of
from sitemapx.convert.html.text import as_html, plain_text
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import datatypes, urls
from sitemapx.convert.xml.elements import inner_markup, line_of, name_of
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.parsers import Dialect, XmlElement
from sitemapx.errors import InputError

_HTML = ("html", "xhtml", "text/html", "application/xhtml+xml")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read_atom(stream: Readable, context: Context) -> Document:
    markup = BlockParser(
        stream, Dialect("entry", has_html=True), context, on_tree=context.observer.on_tree
    )
    if markup.root.lower() not in ("feed", "entry"):
        raise InputError(f"wrong root element <{markup.root}>: expected <feed>")
    context.observer.on_head(markup.head)
    reader = _AtomReader(context, markup)
    batches = feed_batches(markup, reader, context)
    return Document(batches, head=reader.head, family="feed")


class _AtomReader:
    def __init__(self, context: Context, markup: BlockParser) -> None:
        self.items = FeedItemReader(ENTRY, context, markup.head)
        self.head = Head()
        self._inherited: Level = {}
        feed, line_offset = markup.head_element("feed")
        if feed is not None:
            reader = FeedItemReader(
                FEED, context, markup.head, foreign=drop_element, beside=self.items
            )
            item = reader.read(feed, line_offset)
            if language := _language(feed):
                item.texts["language"] = language
            self.head = feed_head(item, reader)
            self._inherited = group_nodes(map(MediaNode, item.all("media")))

    def entry(self, element: XmlElement, line_offset: int) -> Entry:
        items = self.items
        item = items.read(element, line_offset)
        links = item.all("link")
        _, link, linked = min(links, key=itemgetter(0)) if links else (0, None, None)
        published = items.date(item, "published", "created")
        lastmod = items.date(item, "updated") or published
        dates = Dates(lastmod or items.date(item, "dc:date"), published)
        items.report_unused(item, dates)
        entry = build_entry(
            item,
            loc=items.loc(link, item, linked),
            dates=dates,
            description=item.first("summary", "content"),
            language=_language(element) or item.texts.get("dc:language"),
        )
        if not entry.authors:  # RFC 4287, 4.2.1
            entry = replace(entry, authors=item.distinct("source's author") or self.head.authors)
        if "media" in item.lists:
            entry = add_media(entry, item, self._inherited, items.context)
        return entry

    def find_loc(self, links: Sequence[XmlElement]) -> tuple[str, int] | None:
        locs = []
        fields = bits_of(["authors"]) if self.head.authors else 0
        for link in links:
            rel = link_relation(link)
            if rel == "alternate":
                locs.append(link.get("href", ""))
            elif rel == "enclosure":
                fields |= bits_of(["enclosures"])
        url = datatypes.URL.usual(locs[0]) if len(locs) == 1 else None
        return (url, fields) if url else None


def _language(element: XmlElement) -> str | None:
    return (element.get(_LANG) or "").strip() or None


def _read_link(child: XmlElement, item: FeedItem, context: Context) -> None:
    href = urls.clean(child.get("href") or "")
    rel = link_relation(child)
    kind = (child.get("type") or "").strip().lower()
    if rel == "enclosure":
        read_enclosure(child, item, context, address="href")
    elif not href:
        return
    elif rel == "alternate":
        rank = 0 if kind in _HTML else 1 if not kind else 2
        if "link" in item.lists:
            line = line_of(child, item.line_offset)
            context.count_dropped('another <link rel="alternate">', line=line)
        item.add_value("link", (rank, href, child))
        item.texts.setdefault("link", href)
    elif rel == "hub":
        item.add_value("atom:hub", href)
    elif rel in ("self", *PAGING):
        item.texts.setdefault(f"atom:{rel}", href)
    elif rel != "edit" and not rel.startswith("service."):
        report_dropped(f'<link rel="{rel}">', child, item.line_offset, context)


def _read_source(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Read the authors of the original feed, which apply if the entry itself has no authors."""
    source = FeedItem(child, item.line_offset)
    for author in child.iterchildren("{*}author"):
        read_author(author, source, context)
    item.lists["source's author"] = source.lists.get("author", [])
    drop_element(child, item, context)


def _make_text_handler(meaning: str) -> ElementHandler:
    """
    Return a handler for text constructs (RFC 4287, 3.1): plain text, escaped HTML, XHTML elements.

    Texts become HTML, except for titles, which become plain text.
    """

    def read_text(child: XmlElement, item: FeedItem, context: Context) -> None:
        if context.wants_only_urls:
            item.texts.setdefault(meaning, "unread")
            return
        kind = (child.get("type") or "text").strip().lower()
        is_html = kind in _HTML or len(child) > 0
        is_known = is_html or kind.startswith("text")
        if not is_known and meaning != "content":
            message = f'<{name_of(child)} type="{kind}">: expected text, html or xhtml'
            line = line_of(child, item.line_offset)
            done = "; read as text"
            context.problem("bad-value", message, done=done, line=line, element=child)
        elif child.get("src") or not is_known:
            detail = "src" if child.get("src") else f'type="{kind}"'
            report_dropped(f"<{name_of(child)} {detail}>", child, item.line_offset, context)
            return
        text = inner_markup(child, context) if len(child) else (child.text or "").strip()
        if meaning == "title":
            text = plain_text(text) if is_html else text
        elif not is_html:
            text = as_html(text)
        put_text(meaning, text, child, item, context)

    return read_text


_TEXT = {"type": "any"}
_DATE = Content("date", "1")
_PERSON = {"name": Content("text", "1"), "uri": Content("reference"), "email": Content("email")}
_PERSONS = Content("", "*", children=_PERSON)
_LINK = Content(
    "any",  # RFC 4287, 4.2.7: undefinedContent
    "*",
    {
        "href": "reference!",
        "rel": "any",
        "type": "media-type",
        "hreflang": "language",
        "title": "text",
        "length": "integer",
    },
)
_CATEGORY = Content("any", "*", {"term": "text!", "scheme": "uri", "label": "text"})
_GENERATOR = Content("text", "?", {"uri": "reference", "version": "any"})
_ID = Content("id", "1")
_IMAGE = Content("reference")

#: Elements of a feed and of the source of an entry: RFC 4287, 4.1.1 and 4.2.11
_METADATA = {
    "title": Content("construct", "1", _TEXT),
    "subtitle": Content("construct", "?", _TEXT),
    "rights": Content("construct", "?", _TEXT),
    "contributor": _PERSONS,
    "category": _CATEGORY,
    "icon": _IMAGE,
    "logo": _IMAGE,
}
_SOURCE = {
    "id": Content("id"),
    "updated": Content("rfc3339"),
    "author": _PERSONS,
    "link": _LINK,
    "generator": _GENERATOR,
    **_METADATA,
    "title": Content("construct", "?", _TEXT),
}

ENTRY: dict[str, FeedElement] = {
    "id": FeedElement("id", "id", _ID),
    "title": FeedElement("title", _make_text_handler("title"), _METADATA["title"]),
    "link": FeedElement("loc", _read_link, _LINK),
    "updated": FeedElement("lastmod", "updated", _DATE),
    "modified": FeedElement("lastmod", "updated"),
    "published": FeedElement("published lastmod", "published", Content("date")),
    "issued": FeedElement("published lastmod", "published"),
    "created": FeedElement("published lastmod", "created"),
    "summary": FeedElement(
        "description", _make_text_handler("summary"), Content("construct", "?", _TEXT)
    ),
    "content": FeedElement(
        "description",
        _make_text_handler("content"),
        Content("construct", "?", {"type": "any", "src": "reference"}),
    ),
    "author": FeedElement("authors", read_author, _PERSONS),
    "contributor": dropped(_PERSONS),
    "rights": dropped(_METADATA["rights"]),
    "source": FeedElement(None, _read_source, Content("", "?", children=_SOURCE)),
    "category": FeedElement("categories", read_category, _CATEGORY),
    "dc:title": FeedElement("title", "dc:title"),
    "dc:creator": FeedElement("authors", make_list_handler("author")),
    "dc:subject": FeedElement("categories", make_list_handler("category")),
    "dc:date": FeedElement("lastmod", "dc:date"),
    "dc:language": FeedElement("language", "dc:language"),
}

FEED: dict[str, FeedElement] = {
    **{name: dropped(content) for name, content in _METADATA.items()},
    "id": FeedElement("id", "id", _ID),
    "title": FeedElement("title", _make_text_handler("title"), _METADATA["title"]),
    "subtitle": FeedElement(
        "description", _make_text_handler("description"), _METADATA["subtitle"]
    ),
    "tagline": FeedElement("description", _make_text_handler("description")),
    "link": FeedElement(None, _read_link, _LINK),
    "updated": FeedElement("updated", "updated", _DATE),
    "modified": FeedElement("updated", "updated"),
    "author": FeedElement("authors", read_author, _PERSONS),
    "generator": FeedElement("", ignore_element, _GENERATOR),
}
