"""Reads the metadata and the entries of RSS and Atom feeds, including malformed items."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from sitemapx.convert.formats.feeds.handlers import FeedItem
from sitemapx.convert.formats.feeds.items import DESCRIPTIONS, TITLES, Dates, FeedItemReader
from sitemapx.convert.formats.feeds.media.reader import media_fields
from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.formats.urlreader import Located, UrlReader, bits_of, make_batch
from sitemapx.convert.model.batch import STATED_FIELDS, Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry, has
from sitemapx.convert.values import urls
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.elements import line_of, resolve_url
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.optionnames import option

#: Links between the pages of a feed (https://www.rfc-editor.org/rfc/rfc5005).
PAGING = ("next", "prev-archive", "previous", "first", "last", "current", "next-archive")
_ONWARD = PAGING[:2]

_NOTHING = Entry()


class FeedReader(Protocol):
    items: FeedItemReader

    def entry(self, element: XmlElement, line_offset: int, /) -> Entry | None:
        """Read an item, which may lack a URL; report an item to be skipped and return None."""
        ...

    def find_loc(self, links: Sequence[XmlElement], /) -> tuple[str, int] | None:
        """
        Return the URL in the links of an item, and the bits of further fields.

        Returns None if `entry` must read the item; see `UrlReader`.
        """
        ...


def feed_batches(markup: BlockParser, reader: FeedReader, context: Context) -> Iterator[Batch]:
    """Read the items block by block; malformed items are also parsed with feedparser."""
    observer = context.observer
    items = _Items(reader, context)

    def read_block(block: Block) -> Batch | None:
        observer.on_part(block)
        return items.batch(markup.elements(block))

    message = "feed has no items" + ("" if context.wants("id") else " with a URL")
    batches = filter(None, map(read_block, markup.blocks()))
    return report_if_empty(batches, context, message, "no-items")


class _Items:
    def __init__(self, reader: FeedReader, context: Context) -> None:
        self._reader = reader
        self._context = context
        self._urls = UrlReader(reader.items.describe, self._locate, self._locate_fully)

    def batch(self, found: Iterable[ParsedItems]) -> Batch | None:
        if self._context.wants_only_urls:
            return make_batch(located for items in found for located in self._located_of(items))
        entries = [entry for items in found for entry in self._entries(items)]
        return Batch(entries) if entries else None

    def _entries(self, items: ParsedItems) -> Iterator[Entry]:
        if items.broken:
            found = [self._merge_broken(items)]
        else:
            found = [self._entry(item, items.line_offset) for item in items.elements]
        return filter(None, found)

    def _located_of(self, items: ParsedItems) -> Iterator[Located]:
        return map(_locate_entry, self._entries(items)) if items.broken else self._urls.read(items)

    def _locate(self, item: XmlElement, held: Sequence[XmlElement]) -> tuple[str, int] | None:
        if item.attrib:
            return None
        links: list[XmlElement] = []
        media: list[XmlElement] = []
        for child in held:
            (media if self._reader.items.is_media(child) else links).append(child)
        found = self._reader.find_loc(links)
        return (found[0], found[1] | bits_of(media_fields(media))) if found and media else found

    def _locate_fully(self, element: XmlElement, line_offset: int) -> Located | None:
        entry = self._entry(element, line_offset)
        return _locate_entry(entry) if entry else None

    def _entry(self, element: XmlElement, line_offset: int) -> Entry | None:
        is_empty = not (len(element) or element.attrib)
        entry = _NOTHING if is_empty else self._reader.entry(element, line_offset)
        if entry and entry.loc:
            return entry
        return self._if_identified(entry, line_of(element, line_offset)) if entry else None

    def _merge_broken(self, items: ParsedItems) -> Entry | None:
        """Merge the results of feedparser and XML recovery; see `_if_identified`."""
        from sitemapx.convert.formats.feeds.loose import merge_loosely_read

        element = next(iter(items.elements), None)
        entry = _NOTHING if element is None else self._reader.entry(element, items.line_offset)
        if entry is None:
            return None
        entry = merge_loosely_read(items.broken, entry, self._context)
        return self._if_identified(entry, items.line)

    def _if_identified(self, entry: Entry, line: int | None) -> Entry | None:
        """Return None and report the entry if empty or, unless IDs are wanted, without a URL."""
        if entry.loc or (self._context.wants("id") and entry != _NOTHING):
            return entry
        name = entry.id or entry.title
        about = f": {name!r}" if name else ""
        self._context.problem("no-loc", f"item has no URL{about}", done="; skipped", line=line)
        return None


def _locate_entry(entry: Entry) -> Located:
    others = (name for name in _OTHERS if has(getattr(entry, name)))
    return entry.loc or "", frozenset(others)


_OTHERS = [name for name in STATED_FIELDS if name != "loc"]


def feed_head(feed: FeedItem, reader: FeedItemReader) -> Head:
    context = reader.context

    def absolute(url: str, context: Context = context) -> str:
        if urls.is_absolute(url := urls.clean(url)):
            return url
        return resolve_url(url, feed.element, feed.line_offset, context) or url

    def address(*meanings: str, context: Context = context) -> str | None:
        url = feed.first(*meanings)
        return absolute(url, context) if url else None

    silent = Context(url=context.url)  # next pages often have relative URLs
    next_link = address(*(f"atom:{rel}" for rel in _ONWARD), context=silent)
    if next_link:
        context.problem(
            "paged", f"feed continues at {next_link}; pass {option('pages')} to read all pages"
        )
    updated = reader.date(feed, "updated", "lastBuildDate", "atom:updated", "pubDate", "dc:date")
    reader.report_unused(feed, Dates(updated, None))
    return Head(
        title=feed.first(*TITLES),
        link=address("link", "atom:alternate"),
        description=feed.first(*DESCRIPTIONS),
        language=feed.first("language", "dc:language"),
        id=feed.texts.get("id"),
        authors=feed.distinct("author"),
        self_link=address("atom:self"),
        hubs=tuple(dict.fromkeys(map(absolute, feed.distinct("atom:hub")))),
        next_link=next_link,
        updated=updated,
    )
