"""
Parses an XML document, one block of whole items at a time.

A document that lists items (`<url>`, `<sitemap>`, `<item>`, `<entry>`) is cut into blocks (see
`cutter`). Each block is parsed separately, within the start tags that were open before the first
item, so a defect does not make the other blocks unreadable.

DOCTYPE, custom entities and XInclude are never processed, and nothing outside the stream is read.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.xml.cutter import Block, Cutter
from sitemapx.convert.xml.elements import local_name
from sitemapx.convert.xml.frame import (
    Envelope,
    ParsedItems,
    parse_as_html,
    report_comments,
    report_text,
    report_urls,
)
from sitemapx.convert.xml.parsers import Dialect, XmlElement
from sitemapx.convert.xml.plain import BLANKS
from sitemapx.convert.xml.tags import TAG, declared_entities, find_open_tags, find_visible

if TYPE_CHECKING:
    from sitemapx.convert.xml.salvage import Salvage


_BLANKS = BLANKS.encode()


class BlockParser:
    """
    Parser of an XML document, block by block.

    See `Cutter` and `Envelope` for the attributes and errors; `end_tag` is decoded.

    Args:
        on_tree: Called with the tree of each block or item that `elements` parses without recovery,
            before its items are read.

    """

    def __init__(
        self,
        stream: Readable,
        dialect: Dialect,
        reporter: Reporter,
        *,
        on_tree: Callable[[XmlElement], None] = lambda root: None,
    ) -> None:
        self._reporter = reporter
        self._cutter = cutter = Cutter(stream, dialect.item, reporter)
        self.root = cutter.root
        self.blocks = cutter.blocks
        self.end_tag = cutter.end_tag.decode("utf-8", "replace")
        between = list(find_open_tags(cutter.head)) if cutter.has_items else []
        self._frame = frame = Envelope(cutter, between, reporter, dialect, on_tree=on_tree)
        self.root_name = frame.root_name
        self.prefixes = frame.prefixes
        self._dialect = dialect
        report_comments(cutter.prolog, 1, reporter)
        if cutter.is_empty:
            end = b"</" + self.root.encode() + b">"
            report_text(end + cutter.head, self._line_after_root, [end], reporter)
        elif cutter.has_items and dialect.is_list:
            report_text(cutter.head, self._line_after_root, between, reporter)

    @cached_property
    def _salvage(self) -> "Salvage":
        from sitemapx.convert.xml.salvage import Salvage

        cutter, dialect = self._cutter, self._dialect
        declared = declared_entities(cutter.prolog) if dialect.has_html else frozenset[str]()
        return Salvage(cutter, self._frame, self._reporter, dialect, declared)

    @property
    def head(self) -> Block:
        """The XML from the root tag to the first item, completed by end tags."""
        cutter = self._cutter
        data = cutter.root_tag + cutter.head + (self._frame.closing if cutter.has_items else b"")
        return Block(data, cutter.head_line, not cutter.has_items, cutter.head_column)

    @property
    def _line_after_root(self) -> int:
        return self._cutter.head_line + self._cutter.root_tag.count(b"\n")

    def report_no_items(self) -> None:
        """If the document has no items, report the URLs in `<loc>`."""
        if not self._cutter.has_items:
            report_urls(self._cutter.head, self._line_after_root, self._reporter)

    def head_element(self, name: str) -> tuple[XmlElement | None, int]:
        """
        Return the first element with this lower-case local name before the first item, or None.

        The second value is the number to add to the line numbers of the element.
        """
        root, line_offset = self._parse_head(), self.head.line - 1
        if root is None:
            return None, line_offset
        named = (element for element in root.iter("{*}*") if local_name(element).lower() == name)
        return next(named, None), line_offset

    def _parse_head(self) -> XmlElement | None:
        from sitemapx.convert.xml.repair.declarations import declare

        if not self._frame.opening:
            return None  # the root itself is an item
        data, line, cutter = self.head.data, self.head.line, self._cutter
        if (root := parse_as_html(data)) is not None:
            return root
        # without items, the last block reports the same problems
        reporter = self._reporter if cutter.has_items else Reporter()
        if cutter.has_items:
            self._frame.declare(data, "feed header", line)
        first = TAG.match(self._frame.opening)
        root_tag = declare(first[0] if first else cutter.root_tag, data)[0]
        line += cutter.root_tag.count(b"\n")
        data = root_tag + self._salvage.fix_characters(data[len(cutter.root_tag) :], reporter, line)
        if (root := parse_as_html(data)) is not None:
            return root
        reporter.problem("malformed", "markup before the first item is not well-formed", line=line)
        return parse_as_html(data, recover=True)

    def tree(self, block: Block) -> XmlElement | None:
        """Parse a block without repairs; None if it is not well-formed."""
        return self._frame.parse_root(block.data, self._closing(block))

    def _closing(self, block: Block) -> bytes:
        return b"" if block.is_last else self._frame.closing

    def elements(self, block: Block) -> Iterator[ParsedItems]:
        """
        Parse the items of a block together, or repaired, or one by one; whichever works first.

        If the block is malformed and may end within an item, yield nothing and return the block to
        the cutter, which from then on cuts only outside items.
        """
        data = block.data
        if block.is_last and not self._frame.opening and not self._has_item(data):
            report_text(data, block.line, (), self._reporter)  # after a root that is an item
            return
        frame, closing = self._frame, self._closing(block)
        if block.is_last and frame.is_sound and data.strip(_BLANKS) == frame.closing:
            return
        found = frame.parse(data, closing, block.line)
        if not found and not self._cutter.is_whole(block):
            self._cutter.put_back(block)
            return
        if not found:
            frame.declare(data, "an entry", block.line)
            data = self._salvage.fix(data, block.line)
            found = frame.parse(data, closing, block.line)
        if found := found or self._salvage.parse_closed(data, closing, block):
            yield found
        else:
            yield from self._salvage.items(data, block)

    def _has_item(self, data: bytes) -> bool:
        return next(find_visible(self._cutter.item_start, data), None) is not None
