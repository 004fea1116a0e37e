"""
XML, a block of whole items at a time.

An XML document that lists things (`<url>`, `<sitemap>`, `<item>`, `<entry>`) is cut into blocks
(see `cutting`), and each is parsed as a document of its own, between the start tags that were
open before the first item. So a defect costs the item that has it and not the rest.

Never processed: DOCTYPE, entities of its own, XInclude, anything outside the stream.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from sitemapx.convert.cutting import Block, Cutter
from sitemapx.convert.declarations import with_legal_namespaces
from sitemapx.convert.elements import local_name
from sitemapx.convert.encodings import Readable
from sitemapx.convert.namespaces import SITEMAP
from sitemapx.convert.problems import Context
from sitemapx.convert.references import with_meant_references
from sitemapx.convert.repair import balanced, declare, sound_tag, tag_name, tidy, unhidden
from sitemapx.convert.stray import report_elements, report_text
from sitemapx.convert.tags import MAX_DEPTH, TAG, declared_entities, open_tags, outside

__all__ = ["MARKUP_IN_URL", "Found", "Markup"]

#: feedparser takes seven seconds for a MiB, and a hundred times the memory: a feed has so many
#: bytes for it, each item with the start of the feed around it.
MAX_BROKEN = 1 << 19
#: An item takes as long as so many more bytes, however short it is.
_EACH_BROKEN = 400


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )


_STRICT = _parser(recover=False)
_RECOVERING = _parser(recover=True)


#: A URL in the tags of an item, which is in another; both have the same prefix, if any.
_NESTED = (
    rb"(?P<start><(?P<prefix>[^\s<>/:]+:)?loc>)\s*<%(item)s>(?P<url>[^<>]*)</%(item)s>\s*"
    rb"(?P<end></(?(prefix)(?P=prefix))loc>)"
)
#: What is said of such URLs.
MARKUP_IN_URL = "markup inside a URL: read without it"


class Found(NamedTuple):
    """
    Items of a part of the document.

    Attributes:
        elements: The items.
        line_offset: How many lines to add to the parser's to have their lines in the source.
        broken: In feeds, where there is but one item and it is not well-formed: a document with
            the item as it is. The element is what could be recovered.
        line: That of a broken item.

    """

    elements: Iterable[etree._Element]
    line_offset: int
    broken: bytes = b""
    line: int | None = None


def _parsed(data: bytes, parser: etree.XMLParser) -> etree._Element | None:
    """Parse a document; None if it is not well-formed."""
    try:
        return etree.fromstring(with_meant_references(data), parser)
    except etree.XMLSyntaxError:
        return None


class Markup:
    """
    An XML document, read item by item.

    Attributes:
        root: Local name of the root element.
        is_sound: Whether the start tags before the items are well-formed, repaired if need be.
        is_plain: Whether the items are in the default namespace, and that is the sitemap's.

    """

    def __init__(
        self, stream: Readable, item: str, context: Context, *, is_feed: bool = False
    ) -> None:
        """
        Read up to the first item.

        Args:
            item: Local name of the items.
            is_feed: Whether HTML's named characters are known, and items that are not
                well-formed are given as they are too.

        Raises:
            InputError: If this is no XML, or a web page.

        """
        self._context = context
        self._is_feed = is_feed
        self._left_to_feedparser = MAX_BROKEN
        self._cutter = cutter = Cutter(stream, item, context)
        self._declared = declared_entities(cutter.prolog) if is_feed else frozenset[str]()
        self.root = cutter.root
        self.blocks = cutter.blocks
        self.end_tag = cutter.end_tag.decode("utf-8", "replace")
        name = cutter.end_tag[2:-1]
        self._tag = "{*}" + name.rpartition(b":")[2].decode("utf-8", "replace")
        tags = [cutter.root_tag] if cutter.root_tag else []
        between = list(open_tags(cutter.head)) if cutter.has_items else []
        self._open([*tags, *between][:MAX_DEPTH])
        if cutter.has_items and not is_feed:  # a feed speaks of itself there
            line = cutter.head_line + cutter.root_tag.count(b"\n")
            report_text(cutter.head, line, between, context)

    def _open(self, tags: list[bytes]) -> None:
        cutter = self._cutter
        names = list(map(tag_name, tags))
        root = names[0] if names else cutter.end_tag[2:-1]
        self._root_end = re.compile(rb"</" + re.escape(root) + rb"\s*>")
        ends = (cutter.item_start, cutter.item_end, self._root_end)
        self._nested = re.compile(_NESTED % {b"item": re.escape(cutter.end_tag[2:-1])})
        self._boundary = re.compile(b"|".join(end.pattern for end in ends))
        self._opening = b"".join(tags)
        self._end_tags = [b"</" + name + b">" for name in reversed(names)]
        self._closing = b"".join(self._end_tags)
        opened = self._opened(tags)
        self.is_sound = not tags or opened is not None
        self.is_plain = (
            len(tags) == 1
            and opened is not None
            and opened.prefix is None
            and opened.nsmap.get(None) == SITEMAP
        )

    def _opened(self, tags: list[bytes]) -> etree._Element | None:
        """Parse the start tags, as they are or repaired; None if there are none, or no way."""
        if not tags:
            return None
        line, where = self._cutter.head_line, f"<{self.root}>"
        if (root := self._root(b"", self._closing, _STRICT)) is not None:
            return root
        self._declare(self._opening, where, line)
        self._opening = with_legal_namespaces(self._opening, self._context, line)
        if (root := self._root(b"", self._closing, _STRICT)) is not None:
            return root
        self._context.problem(
            "malformed", f"start tag {where} is not well-formed: repaired", line=line
        )
        self._opening = b"".join(map(sound_tag, tags))
        self._declare(self._opening, where, line)
        self._opening = with_legal_namespaces(self._opening, Context(), line)
        return self._root(b"", self._closing, _STRICT)

    @property
    def head(self) -> Block:
        """What stands before the first item, with all end tags."""
        cutter = self._cutter
        data = cutter.root_tag + cutter.head + (self._closing if cutter.has_items else b"")
        return Block(data, cutter.head_line, not cutter.has_items, cutter.head_column)

    def _declare(self, data: bytes, where: str, line: int) -> None:
        """Declare the prefixes that this data, which begins at a line, uses undeclared."""
        self._opening, prefixes = declare(self._opening, data)
        if prefixes:
            said = f"undeclared prefix in {where}: {', '.join(prefixes)}"
            line += data.count(b"\n", 0, data.find(prefixes[0].encode() + b":"))
            self._context.problem("namespace", said, line=line)

    def head_element(self, name: str) -> tuple[etree._Element | None, int]:
        """
        Parse what stands before the first item.

        Returns:
            The first element of this name in it, and what to add to the parser's line numbers.

        """
        root, offset = self._parsed_head(), self.head.line - 1
        if root is None:
            return None, offset
        named = (one for one in root.iter("{*}*") if local_name(one).lower() == name)
        return next(named, None), offset

    def _parsed_head(self) -> etree._Element | None:
        """Parse what stands before the first item, as it is or repaired."""
        if not self._opening:
            return None  # the document is an item
        data, line, cutter = self.head.data, self.head.line, self._cutter
        if (root := _parsed(data, _STRICT)) is not None:
            return root
        context = self._context if cutter.has_items else Context()  # else the last block is told
        if cutter.has_items:
            self._declare(data, "the head of the feed", line)
        first = TAG.match(self._opening)
        root_tag = declare(first[0] if first else cutter.root_tag, data)[0]
        line += cutter.root_tag.count(b"\n")
        data = root_tag + self._tidy(data[len(cutter.root_tag) :], context, line)
        if (root := _parsed(data, _STRICT)) is not None:
            return root
        context.problem("malformed", "the markup before the first item is broken", line=line)
        return _parsed(data, _RECOVERING)

    def parsed(self, item: bytes) -> etree._Element | None:
        """Parse one item; None if it is not well-formed, or there is anything beside it."""
        root = self._root(item, self._closing, _STRICT)
        items = [] if root is None else list(root.iter(self._tag))
        parent = items[0].getparent() if len(items) == 1 else None
        return None if parent is None or len(parent) > 1 else items[0]

    def tree(self, block: Block) -> etree._Element | None:
        """Parse a block as it is; None if it is not well-formed."""
        return self._root(block.data, b"" if block.is_last else self._closing, _STRICT)

    # ---- items of a block

    def elements(self, block: Block) -> Iterator[Found]:
        """Parse a block: all of it at once, or mended, or item by item."""
        data = block.data
        if block.is_last and not self._opening and not self._has_item(data):
            report_text(data, block.line, (), self._context)  # after a document that is an item
            return
        for data in self._attempts(block):
            if found := self._parse(data, b"" if block.is_last else self._closing, block.line):
                yield found
                return
        yield from self._salvage(data, block)

    def _attempts(self, block: Block) -> Iterator[bytes]:
        """Give the block as it is, then mended."""
        yield block.data
        self._declare(block.data, "an entry", block.line)
        data = self._mended(block.data, block.line, trusts_ends=True)
        yield data
        more = self._mended(data, block.line, trusts_ends=False)
        if more != data:
            yield more

    def _mended(self, data: bytes, line: int, *, trusts_ends: bool) -> bytes:
        data = unhidden(data, self._boundary, self._context, line, trusts_ends=trusts_ends)
        data = self._unnested(data, line)
        return self._tidy(data, self._context, line)

    def _unnested(self, data: bytes, line: int) -> bytes:
        """Take the tags of an item away that stand in the URL of one."""
        if self._is_feed:
            return data
        for m in outside(self._nested, data):
            at = line + data.count(b"\n", 0, m.start())
            self._context.problem("malformed", MARKUP_IN_URL, line=at)
        return self._nested.sub(rb"\g<start>\g<url>\g<end>", data)

    def _tidy(self, data: bytes, context: Context, line: int) -> bytes:
        data = tidy(data, context, line, html=self._is_feed, declared=self._declared)
        return with_legal_namespaces(data, context, line)

    def _parse(
        self, data: bytes, closing: bytes, line: int = 1, parser: etree.XMLParser = _STRICT
    ) -> Found | None:
        """Parse a part of the document; None if it is not well-formed."""
        root = self._root(data, closing, parser)
        if root is None:
            return None
        offset = line - 1 - self._opening.count(b"\n")
        return Found(self._items(root, offset), offset)

    def _root(self, data: bytes, closing: bytes, parser: etree.XMLParser) -> etree._Element | None:
        return _parsed(self._opening + data + closing, parser)

    def _items(self, root: etree._Element, offset: int) -> Iterator[etree._Element]:
        """Find the items: all of the name of the first, but what stands in another item."""
        name = parent = None
        self._context.see_tree(root)
        for element in root.iter(self._tag):
            if name is None:
                name, parent = element.tag, element.getparent()
            is_beside = element.getparent() is parent
            if element.tag == name and (
                is_beside or next(element.iterancestors(self._tag), None) is None
            ):
                yield element
        if self._cutter.has_items and not self._is_feed:  # a feed may go on after its items
            around = self._around(root) if parent is None else parent
            first = offset + self._opening.count(b"\n") + 1
            report_elements(around, name, offset, first, self._context)

    def _around(self, root: etree._Element) -> etree._Element:
        """Give the element that the items stand in, in a block without any."""
        for _ in self._end_tags[1:]:
            root = root[0]
        return root

    def _salvage(self, data: bytes, block: Block) -> Iterator[Found]:
        """Parse item by item what cannot be parsed as a whole."""
        starts = [m.start() for m in outside(self._cutter.item_start, data)]
        at, line = 0, block.line
        report_text(data[: starts[0]] if starts else data, line, self._end_tags, self._context)
        for start, end in zip(starts, [*starts, len(data)][1:], strict=True):
            line += data.count(b"\n", at, start)
            at, piece = start, data[start:end]
            first_end = next(outside(self._cutter.item_end, piece), None)
            if first_end is None:
                if block.is_last and end == len(data) and self._is_cut(piece):
                    break
                yield from self._recover(self._closed(piece, line), line)
            else:
                length = first_end.end()
                below = line + piece.count(b"\n", 0, length)
                report_text(piece[length:], below, self._end_tags, self._context)
                yield from self._recover(piece[:length], line)
        if block.is_last and self._is_cut(data[at:]):
            line += data.count(b"\n", at)
            self._context.problem("truncated", f"ends before </{self.root}>", line=line)

    def _has_item(self, data: bytes) -> bool:
        return next(outside(self._cutter.item_start, data), None) is not None

    def _closed(self, piece: bytes, line: int) -> bytes:
        """Put an end to an item that goes on to the next, or to the end of what it is in."""
        end_tag = self._cutter.end_tag
        said = f"{end_tag.decode('utf-8', 'replace')} is missing"
        self._context.problem("malformed", said, line=line)
        return (piece.partition(self._end_tags[0])[0] if self._end_tags else piece) + end_tag

    def _is_cut(self, data: bytes) -> bool:
        """Tell whether this, the end of the document, is without the end tag of its root."""
        return not self._root_end.search(data)

    def _recover(self, piece: bytes, line: int) -> Iterator[Found]:
        """Parse one item, in whatever state it is."""
        found = self._parse(piece, self._closing, line)
        if found:
            yield found
            return
        said, broken = "the markup of an entry is broken", b""
        if self._is_feed:
            document = self._opening + piece + self._closing
            size = len(document) + _EACH_BROKEN
            if size <= self._left_to_feedparser:
                said = "not well-formed, so read with feedparser"
                broken = document
                self._left_to_feedparser -= size
            else:
                said += ", and too much is for feedparser; what libxml2 makes of it is taken"
            piece = balanced(piece)
        self._context.problem("malformed", said, line=line)
        found = self._parse(piece, self._closing, line, _RECOVERING) or Found((), line - 1)
        yield found._replace(broken=broken, line=line)
