"""
Reads XML sitemaps (https://www.sitemaps.org/protocol.html) with Google's extensions.

Blocks of the most common markup are read without a parser (see `plain`), others with one (see
`items`).
"""

from collections.abc import Iterator
from functools import partial

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.items import ItemReader
from sitemapx.convert.formats.sitemap.plain import PlainReader
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.parsers import Dialect
from sitemapx.errors import InputError


def read_sitemap(stream: Readable, context: Context) -> Document:
    return _read_items(stream, context, root="urlset", item="url")


def read_sitemapindex(stream: Readable, context: Context) -> Document:
    return _read_items(stream, context, root="sitemapindex", item="sitemap")


def _read_items(stream: Readable, context: Context, *, root: str, item: str) -> Document:
    markup = BlockParser(
        stream, Dialect(item, is_list=True), context, on_tree=context.observer.on_tree
    )
    if markup.root.lower() != root:
        raise InputError(f"wrong root element <{markup.root}>: expected <{root}>")
    return Document(_batches(markup, context, item), is_index=item == "sitemap", family="sitemap")


def _batches(markup: BlockParser, context: Context, item: str) -> Iterator[Batch]:
    reader = ItemReader(context, item, markup.head)
    plain = PlainReader(markup, context)
    observer = context.observer

    def read(block: Block) -> Batch | None:
        observer.on_part(block)
        if batch := plain.read(block):
            observer.on_unparsed(partial(markup.tree, block), is_structure_valid=plain.is_valid)
            return batch
        return reader.batch(markup.elements(block))

    observer.on_head(markup.head)
    is_empty = True
    for batch in filter(None, map(read, markup.blocks())):
        is_empty = False
        yield batch
    if is_empty:
        markup.report_no_items()
        context.problem("empty", f"no <{item}> has a URL")
