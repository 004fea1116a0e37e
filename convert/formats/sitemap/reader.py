"""
Read XML sitemaps: https://www.sitemaps.org/protocol.html and Google's extensions.

Blocks of regular markup take a fast path; of the others a parser makes elements (see `items`).
"""

from collections.abc import Iterator
from functools import partial

from sitemapx.convert.formats.blockmap import BlockMap
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.regular.backoff import FastPath
from sitemapx.convert.formats.regular.blocks import RegularReader
from sitemapx.convert.formats.sitemap.fast.grammar import (
    SitemapGrammar,
    own_prefixes,
    usual_prefixes,
)
from sitemapx.convert.formats.sitemap.fast.locs import LocGrammar
from sitemapx.convert.formats.sitemap.items import ItemReader
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.xml.cutting.block import Block
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.errors import InputError

__all__ = ["read_sitemap", "read_sitemapindex"]


def read_sitemap(stream: Readable, context: Context) -> Document:
    """
    Read a urlset, some hundred kilobytes at a time.

    Raises:
        InputError: If this is no XML or has another root; while iterating as well.

    """
    return read_items(stream, context, root="urlset", item="url")


def read_sitemapindex(stream: Readable, context: Context) -> Document:
    """
    Read a sitemapindex.

    Raises:
        InputError: If this is no XML or has another root; while iterating as well.

    """
    return read_items(stream, context, root="sitemapindex", item="sitemap")


def read_items(stream: Readable, context: Context, *, root: str, item: str) -> Document:
    """Read a document of the sitemap protocol, whose root is called so, and its items so."""
    markup = BlockParser(stream, item, context, on_tree=context.observer.see_tree)
    if markup.root.lower() != root:
        raise InputError(f"wrong root element <{markup.root}>: expected <{root}>")
    return Document(_batches(markup, context, item), is_index=item == "sitemap", family="sitemap")


def _batches(markup: BlockParser, context: Context, item: str) -> Iterator[Batch]:
    reader = ItemReader(context, item, markup.head)
    ways = list(_fast_ways(markup, context, item, reader))
    observer = context.observer

    def read(block: Block) -> Batch | None:
        observer.see_part(block)
        for way, grammar in ways:
            if batch := way.read(block):
                is_in_order = grammar is not None and grammar.is_in_order
                observer.see_unparsed(partial(markup.tree, block), is_in_order=is_in_order)
                return batch
        if not markup.is_whole(block):
            return None
        entries = [entry for found in markup.elements(block) for entry in reader.read(found)]
        return Batch(entries) if entries else None

    observer.see_head(markup.head)
    is_empty = True
    way = context.blocks if item == "url" else BlockMap()  # the rows of an index are looked at
    for batch in filter(None, way.map(read, markup, context)):
        is_empty = False
        yield batch
    if is_empty:
        markup.report_no_items()
        context.problem("empty", f"no <{item}> has a URL")


def _fast_ways(
    markup: BlockParser, context: Context, item: str, reader: ItemReader
) -> Iterator[tuple[FastPath, SitemapGrammar | None]]:
    """Return the ways to read a block without a parser, the fastest first."""
    prefixes = own_prefixes(markup)
    if not prefixes:
        return
    needs_elements = context.observer.needs_elements
    if context.wants_only("loc") and not needs_elements:
        locs = LocGrammar(item, prefixes[0], usual_prefixes(markup))
        usual = RegularReader(markup, locs, reader.read, context, most_odd=1 / 8)
        yield FastPath(usual.read), None
    # What is in order is valid; for the rest, to parse it once more is faster than the slow path.
    for in_order in (True, False) if needs_elements else (False,):
        grammar = SitemapGrammar(markup, context, item, prefixes, in_order=in_order)
        most_odd = 0 if in_order else 1 / 2
        regular = RegularReader(markup, grammar, reader.read, context, most_odd=most_odd)
        yield FastPath(regular.read), grammar
