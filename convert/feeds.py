"""What the readers of RSS and Atom do alike: heads, batches, and items that are broken."""

from collections.abc import Callable, Iterable, Iterator

from lxml import etree

from sitemapx.convert import urls
from sitemapx.convert.document import Batch, Head, batched
from sitemapx.convert.elements import split_name
from sitemapx.convert.entry import Entry
from sitemapx.convert.feeditems import Item, ItemReader, resolved
from sitemapx.convert.markup import Found, Markup
from sitemapx.convert.mediarss import Level, by_name
from sitemapx.convert.namespaces import prefix_of
from sitemapx.convert.problems import Context

__all__ = ["PAGING", "feed_batches", "head_of", "media_head"]


#: https://www.rfc-editor.org/rfc/rfc5005: links between the pages of a feed, and those onward.
PAGING = ("next", "prev-archive", "previous", "first", "last", "current", "next-archive")
_ONWARD = PAGING[:2]


def feed_batches(
    markup: Markup,
    read: Callable[[etree._Element, int], Entry],
    context: Context,
    fast: Callable[[bytes], Batch | None] | None = None,
) -> Iterator[Batch]:
    """
    Read the items block by block; those that are not well-formed with feedparser.

    Args:
        read: Makes an entry of an element and the offset of its line.
        fast: Reads a whole block without parsing it, if it can.

    """
    loose = _Loose(context)
    is_empty = True
    for block in markup.blocks():
        batches: Iterable[Batch]
        if fast and not block.is_last and (batch := fast(block.data)):
            batches = (batch,)
        else:
            entries = (
                entry
                for found in markup.elements(block)
                for entry in (
                    loose.read(found)
                    if found.broken
                    else [read(element, found.line_offset) for element in found.elements]
                )
            )
            batches = batched(entries)
        for batch in batches:
            is_empty = False
            yield batch
    if is_empty:
        context.problem("empty", "no items")


class _Loose:
    """Reads broken items with feedparser, and tells so once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._is_told = False

    def read(self, found: Found) -> list[Entry]:
        from sitemapx.convert.loosefeed import read_loosely

        if not self._is_told:
            self._is_told = True
            said = "items that are not well-formed are read with feedparser"
            self._context.problem("malformed", said, line=found.line_offset)
        try:
            return read_loosely(found.broken, self._context)
        except Exception as error:  # noqa: BLE001 - feedparser raises whatever it stumbles over
            said = f"an item that not even feedparser can read; left out: {error}"
            self._context.problem("malformed", said, line=found.line_offset)
            return []


def head_of(said: Item, items: ItemReader) -> Head:
    """Make a head of what a channel or feed says of itself."""
    context = items.context
    link = said.first("link", "atom:alternate")
    if link and not urls.is_absolute(link):
        link = resolved(link, said.element, context) or link
    next_link = said.first(*(f"atom:{rel}" for rel in _ONWARD))
    if next_link:
        next_link = resolved(next_link, said.element, context) or next_link
        context.problem("paged", f"the feed goes on at {next_link}; --follow-pages reads more")
    return Head(
        title=said.first("title", "dc:title"),
        link=link,
        description=said.first("description", "dc:description", "itunes:summary"),
        language=said.first("language", "dc:language"),
        self_link=said.texts.get("atom:self"),
        hub=said.texts.get("atom:hub"),
        next_link=next_link,
        updated=items.date(said, "updated", "lastBuildDate", "atom:updated", "pubDate", "dc:date"),
    )


def media_head(head: etree._Element | None) -> Level:
    """Give the Media RSS elements of a channel, which its items inherit."""
    return by_name(
        child
        for child in (() if head is None else head)
        if prefix_of(split_name(child)[0]) == "media"
    )
