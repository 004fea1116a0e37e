"""Parts that the readers of RSS and Atom share: heads, batches, and items that are broken."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from sitemapx.convert.formats.feeds.fast.locs import UsualItems
from sitemapx.convert.formats.feeds.handlers import FeedItem
from sitemapx.convert.formats.feeds.items import DESCRIPTIONS, TITLES, Dates, FeedItemReader
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.regular.backoff import FastPath
from sitemapx.convert.formats.regular.blocks import Grammar, RegularReader
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry, is_anonymous
from sitemapx.convert.values import urls
from sitemapx.convert.xml.cutting.block import Block
from sitemapx.convert.xml.elements import line_of, resolved
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.optionnames import option

__all__ = ["PAGING", "FastReaders", "feed_batches", "feed_head"]


#: https://www.rfc-editor.org/rfc/rfc5005: links between the pages of a feed, and those onward.
PAGING = ("next", "prev-archive", "previous", "first", "last", "current", "next-archive")
_ONWARD = PAGING[:2]

#: What an item without contents says.
_NOTHING = Entry()
#: Makes an entry of an element and the offset of its line; None of one whose only link is bad.
_Read = Callable[[XmlElement, int], Entry | None]


class FastReaders(NamedTuple):
    """
    What reads the items of a feed without a parser.

    Attributes:
        usual: Reads the URLs of usual items.
        grammar: That of all regular items.

    """

    usual: UsualItems
    grammar: Grammar


def feed_batches(
    markup: BlockParser,
    read: _Read,
    context: Context,
    fast: FastReaders | None,
) -> Iterator[Batch]:
    """
    Read the items block by block; those that are not well-formed with feedparser, too.

    Args:
        read: Makes an entry of an element and the offset of its line.
        fast: Reads blocks without a parser, where that can be done.

    """
    observer = context.observer
    entries = partial(_entries, read=read, context=context)
    ways: list[FastPath] = []
    if fast and not observer.needs_elements:
        if context.wants_only("loc"):
            ways.append(FastPath(fast.usual.read))
        ways.append(FastPath(RegularReader(markup, fast.grammar, entries, context).read))

    def read_block(block: Block) -> Batch | None:
        observer.see_part(block)
        for way in ways:
            if batch := way.read(block):
                return batch
        if not markup.is_whole(block):
            return None
        found = [entry for some in markup.elements(block) for entry in entries(some)]
        return Batch(found) if found else None

    is_empty = True
    for batch in filter(None, context.blocks.map(read_block, markup, context)):
        is_empty = False
        yield batch
    if is_empty:
        context.problem(
            "no-items",
            "feed has no items" if context.wants("id") else "feed has no items with a URL",
        )


def _entries(found: ParsedItems, read: _Read, context: Context) -> Iterator[Entry]:
    """Read some items; none without a URL if nobody looks at what else could tell it."""
    needs_loc = not context.wants("id")
    if found.broken:
        yield from _broken(found, read, context)
        return
    for element in found.elements:
        is_empty = not (len(element) or element.attrib)
        entry = _NOTHING if is_empty else read(element, found.line_offset)
        line = line_of(element, found.line_offset)
        if entry is None or entry == _NOTHING:
            contents = "no supported content" if entry else "only an invalid link"
            context.problem("no-loc", f"item has {contents}", done="; skipped", line=line)
        elif entry.loc or not needs_loc:
            yield entry
        else:
            _report_without_loc(entry, line, context)


def _broken(found: ParsedItems, read: _Read, context: Context) -> Iterator[Entry]:
    """Join what feedparser reads of an item with what we read of the part that was recovered."""
    from sitemapx.convert.formats.feeds.loose import joined

    ours = next((read(element, found.line_offset) for element in found.elements), None)
    entry = joined(found.broken, ours or Entry(), context)
    if is_anonymous(entry):
        message = "item has no readable content"
        context.problem("malformed", message, done="; skipped", line=found.line)
    elif entry.loc or context.wants("id"):
        yield entry
    else:
        _report_without_loc(entry, found.line, context)


def _report_without_loc(entry: Entry, line: int | None, context: Context) -> None:
    name = entry.id or entry.title
    about = f": {name!r}" if name else ""
    context.problem("no-loc", f"item has no URL{about}", done="; skipped", line=line)


def feed_head(feed: FeedItem, reader: FeedItemReader) -> Head:
    """Make a head of what a channel or feed says of itself."""
    context = reader.context

    def absolute(url: str, context: Context = context) -> str:
        if urls.is_absolute(url := urls.clean(url)):
            return url
        return resolved(url, feed.element, feed.offset, context) or url

    def address(*meanings: str, context: Context = context) -> str | None:
        url = feed.first(*meanings)
        return absolute(url, context) if url else None

    untold = Context(url=context.url)  # a page is often named by a relative URL
    next_link = address(*(f"atom:{rel}" for rel in _ONWARD), context=untold)
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
        authors=feed.all("author"),
        self_link=address("atom:self"),
        hubs=tuple(dict.fromkeys(map(absolute, feed.all("atom:hub")))),
        next_link=next_link,
        updated=updated,
    )
