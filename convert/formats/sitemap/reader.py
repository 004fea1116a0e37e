"""
Read XML sitemaps: https://www.sitemaps.org/protocol.html and Google's extensions.

Blocks of regular markup take a fast path; of the others a parser makes elements (see `items`).
"""

from collections.abc import Iterator
from functools import partial

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.fast.backoff import FastPath
from sitemapx.convert.formats.sitemap.fast.regular import RegularReader
from sitemapx.convert.formats.sitemap.items import ItemReader
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable
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
        raise InputError(f"the root element is <{markup.root}>, not <{root}>")
    return Document(_batches(markup, context, item), is_index=item == "sitemap", family="sitemap")


def _batches(markup: BlockParser, context: Context, item: str) -> Iterator[Batch]:
    reader = ItemReader(context, item)
    regular = RegularReader(markup, reader, context, item)
    fast = FastPath(regular.read)
    context.observer.see_head(markup.head)
    is_empty = True
    for block in markup.blocks():
        context.observer.see_part(block)
        if batch := fast.read(block):
            parse = partial(markup.tree, block)
            context.observer.see_unparsed(parse, is_in_order=regular.is_in_order)
            is_empty = False
            yield batch
        elif markup.keeps(block):
            entries = [e for found in markup.elements(block) for e in reader.read(found)]
            if entries:
                is_empty = False
                yield Batch(entries)
    if is_empty:
        context.problem("empty", f"no <{item}> with a URL")
