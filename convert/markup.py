"""
XML, a block of whole items at a time.

An XML document that lists things (`<url>`, `<sitemap>`, `<item>`, `<entry>`) is cut after the
last complete item of every 128 KiB, and each block is parsed as a document of its own, between
the start tags that were open before the first item. So any length takes the same memory, a
defect costs the item that has it and not the rest, and line numbers are known.

Never processed: DOCTYPE, entities of its own, XInclude, anything outside the stream.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from sitemapx.convert.elements import local_name
from sitemapx.convert.encodings import Readable, utf8_chunks
from sitemapx.convert.namespaces import SITEMAP
from sitemapx.convert.problems import Context
from sitemapx.convert.repair import declare, sound_tag, tidy
from sitemapx.convert.tags import HTML_TAGS, find_root, open_tags, outside, visible
from sitemapx.errors import InputError

__all__ = ["Block", "Found", "Markup"]

#: An item larger than this is no item. Also the limit for all that stands before the first one.
MAX_ITEM = 10 * 1024 * 1024

#: The parser refuses a document that is nested more deeply, and so do we for the first item.
MAX_DEPTH = 100

_PREFIX = rb"(?:[^\s<>/:!?=\"'&]+:)?"
_PLAIN_ROOT = re.compile(rb"<[^\s:>]+\s(?:[^>]*\s)?xmlns=[\"']" + SITEMAP.encode() + rb"[\"']")
#: An end tag has so many bytes at most, spaces included.
_LONGEST_END = 200
_BETWEEN = re.compile(rb"</[^<>]*\Z|\xef\xbb\xbf")


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


#: What hides tags, and ends at the first of its ends: where the last of these comes after the
#: last of those, nothing is hidden.
_HIDING = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"))


class Block(NamedTuple):
    """Whole items as UTF-8, the line they begin at, and whether the document ends here."""

    data: bytes
    line: int
    is_last: bool


class Found(NamedTuple):
    """
    Items of a part of the document.

    Attributes:
        elements: The items.
        line_offset: How many lines to add to the parser's to have their lines in the source.
        broken: A document with one item that cannot be parsed, instead (in feeds).

    """

    elements: Iterable[etree._Element]
    line_offset: int
    broken: bytes = b""


class Markup:
    """
    An XML document, read item by item.

    Attributes:
        root: Local name of the root element.
        is_plain: Whether the items are in the default namespace, and that is the sitemap's.
        head: All between the root's start tag and the first item, with the tags around it.

    """

    def __init__(
        self, stream: Readable, item: str, context: Context, *, is_feed: bool = False
    ) -> None:
        """
        Read up to the first item.

        Args:
            item: Local name of the items.
            is_feed: Whether HTML's named characters are known, and items that are not
                well-formed are given to `broken` instead of being recovered.

        Raises:
            InputError: If this is no XML, or a web page.

        """
        self._context = context
        self._is_feed = is_feed
        self._chunks = utf8_chunks(stream.read, context)
        self._tag = "{*}" + item
        self._name_items(_PREFIX + item.encode())
        self._buffer = b""
        self._searched = 0
        self._line = 1
        root = self._read_root()
        self.root = root[1].rpartition(b":")[2].decode("utf-8", "replace")
        if self.root.lower() in HTML_TAGS:
            raise InputError("a web page (HTML), not a sitemap", line=self._line)
        self._is_ended = root[0].endswith(b"/>")
        if self.root == item:  # a document that is an item
            self._consume(root.start())
            self._read_head([])
        else:
            self._consume(root.end())
            self._read_head([root[0].removesuffix(b"/>").removesuffix(b">") + b">"])

    # ---- up to the first item

    def _name_items(self, name: bytes) -> None:
        """Look for items of this name, which is a pattern."""
        self._item_start = re.compile(rb"<(" + name + rb")(?=[\s/>])")
        self._item_end = re.compile(rb"</" + name + rb"\s*>")

    def _read_root(self) -> re.Match[bytes]:
        for chunk in self._chunks:
            self._buffer += chunk
            if find_root(self._buffer) or len(self._buffer) > MAX_ITEM:
                break
        root = find_root(self._buffer, self._context)
        if root is None:
            is_empty = not self._buffer.strip()
            raise InputError("there is nothing in it" if is_empty else "not XML: no element found")
        return root

    def _read_head(self, tags: list[bytes]) -> None:
        """Find the first item, and the start tags that are open there."""
        first = next(outside(self._item_start, self._buffer), None)
        while first is None and len(self._buffer) < MAX_ITEM and (chunk := next(self._chunks, b"")):
            self._buffer += chunk
            first = next(outside(self._item_start, self._buffer), None)
        name = first[1] if first else self._tag[3:].encode()
        self._name_items(re.escape(name))  # with its prefix: others may call their own things so
        self._end_tag = b"</" + name + b">"
        head = self._buffer[: first.start()] if first else b""
        self._open([*tags, *open_tags(head)][:MAX_DEPTH])
        self.head = b"".join(tags) + head + self._closing
        self._consume(len(head))

    def _open(self, tags: list[bytes]) -> None:
        names = [re.split(rb"[\s>]", tag[1:], maxsplit=1)[0] for tag in tags]
        self._root = names[0] if names else self._end_tag[2:-1]
        self.is_plain = len(tags) == 1 and _PLAIN_ROOT.match(tags[0]) is not None
        self._opening = b"".join(tags)
        self._end_tags = [b"</" + name + b">" for name in reversed(names)]
        self._closing = b"".join(self._end_tags)
        if not names:
            return
        if not self._parse(b"", self._closing):
            self._declare(self._opening, f"<{self.root}>", self._line)
        if not self._parse(b"", self._closing):
            self._context.problem("malformed", f"<{self.root}> is no start tag", line=self._line)
            self._opening = b"".join(map(sound_tag, tags))
            self._declare(self._opening, f"<{self.root}>", self._line)

    def _declare(self, data: bytes, where: str, line: int) -> None:
        """Declare the prefixes that this data, which begins at a line, uses undeclared."""
        self._opening, prefixes = declare(self._opening, data)
        if prefixes:
            said = f"undeclared prefix in {where}: {', '.join(prefixes)}"
            line += data.count(b"\n", 0, data.find(prefixes[0].encode() + b":"))
            self._context.problem("namespace", said, line=line)

    def _consume(self, end: int) -> bytes:
        data, self._buffer = self._buffer[:end], self._buffer[end:]
        self._searched = 0
        self._line += data.count(b"\n")
        return data

    def head_element(self, name: str) -> etree._Element | None:
        """Parse the head, and find the first element of this local name in it."""
        head = self.head
        for parser in (_STRICT, _RECOVERING):
            try:
                root = etree.fromstring(head, parser)
            except etree.XMLSyntaxError:
                head = tidy(head, Context(), 1, html=self._is_feed)
                continue
            if root is not None:
                return next(root.iter("{*}" + name), None)
        return None

    # ---- blocks of items

    def blocks(self) -> Iterator[Block]:
        """Cut the rest of the document into blocks."""
        is_skipping = False
        for chunk in self._chunks:
            self._buffer += chunk
            if cut := self._last_end():
                line, data = self._line, self._consume(cut)
                if is_skipping:
                    data = self._after_skipped(data)
                is_skipping = False
                yield Block(data, line, is_last=False)
            elif len(self._buffer) > MAX_ITEM:
                if not is_skipping:
                    self._context.problem("entry-too-large", "left out", line=self._line)
                is_skipping = True
                self._consume(len(self._buffer) - 1024)
        if not self._is_ended:
            yield Block(b"" if is_skipping else self._buffer, self._line, is_last=True)

    def _last_end(self) -> int:
        """Find the end of the last complete item in the buffer; 0 if there is none."""
        buffer = self._buffer
        start, self._searched = max(0, self._searched - _LONGEST_END), len(buffer)
        if not self._item_end.search(buffer, start):  # the part before was searched already
            return 0
        at = buffer.rfind(self._end_tag)
        if at >= 0 and all(
            buffer.rfind(start, 0, at) <= buffer.rfind(end, 0, at) for start, end in _HIDING
        ):
            return at + len(self._end_tag)
        for start, stop in reversed(visible(buffer)):
            at = buffer.rfind(self._end_tag, start, stop)
            if at >= 0:
                return at + len(self._end_tag)
        return max((m.end() for m in outside(self._item_end, buffer)), default=0)

    def _after_skipped(self, data: bytes) -> bytes:
        """Blank out the end of the item that was too large."""
        m = self._item_end.search(data)
        end = m.end() if m else len(data)
        return b"\n" * data.count(b"\n", 0, end) + data[end:]

    # ---- items of a block

    def elements(self, block: Block) -> Iterator[Found]:
        """Parse a block: all of it at once, or mended, or item by item."""
        data = block.data
        for data in self._attempts(block):
            if found := self._parse(data, b"" if block.is_last else self._closing, block.line):
                yield found
                return
        yield from self._salvage(data, block)

    def _attempts(self, block: Block) -> Iterator[bytes]:
        """Give the block as it is, then mended."""
        yield block.data
        self._declare(block.data, "an entry", block.line)
        yield tidy(block.data, self._context, block.line, html=self._is_feed)

    def _parse(
        self, data: bytes, closing: bytes, line: int = 1, parser: etree.XMLParser = _STRICT
    ) -> Found | None:
        """Parse a part of the document; None if it is not well-formed."""
        try:
            root = etree.fromstring(self._opening + data + closing, parser)
        except etree.XMLSyntaxError:
            return None
        if root is None:  # nothing could be recovered
            return None
        offset = line - 1 - self._opening.count(b"\n")
        return Found(self._items(root, offset), offset)

    def _items(self, root: etree._Element, offset: int) -> Iterator[etree._Element]:
        """Find the items: all of the name of the first, but what stands in another item."""
        name = parent = None
        for element in root.iter(self._tag):
            if name is None:
                name, parent = element.tag, element.getparent()
            is_beside = element.getparent() is parent
            if element.tag == name and (
                is_beside or next(element.iterancestors(self._tag), None) is None
            ):
                yield element
        if parent is not None and not self._is_feed:  # a feed may go on after its items
            self._report_others(parent, name, offset)

    def _report_others(self, parent: etree._Element, name: object, offset: int) -> None:
        """Tell of what stands beside the items: text, and other elements."""
        for child in parent:
            line = None if child.sourceline is None else child.sourceline + offset
            if child.tag != name:
                said = f"between entries: <{local_name(child)}>"
                self._context.problem("stray-content", said, line=line)
            if child.tail and (text := child.tail.strip(" \t\r\n\ufeff")):
                above = etree.tostring(child, with_tail=False).count(b"\n")
                above += child.tail[: child.tail.index(text[0])].count("\n")
                line = None if line is None else line + above
                self._context.problem("stray-content", f"between entries: {text[:60]!r}", line=line)

    def _salvage(self, data: bytes, block: Block) -> Iterator[Found]:
        """Parse item by item what cannot be parsed as a whole."""
        starts = [m.start() for m in outside(self._item_start, data)]
        at, line = 0, block.line
        self._report_stray(data[: starts[0]] if starts else data, line)
        for start, end in zip(starts, [*starts, len(data)][1:], strict=True):
            line += data.count(b"\n", at, start)
            at, piece = start, data[start:end]
            first_end = next(outside(self._item_end, piece), None)
            if first_end is None:
                if block.is_last and end == len(data) and self._is_cut(piece):
                    break
                yield from self._recover(piece + self._end_tag, line)
            else:
                length = first_end.end()
                self._report_stray(piece[length:], line + piece.count(b"\n", 0, length))
                yield from self._recover(piece[:length], line)
        if block.is_last and self._is_cut(data[at:]):
            line += data.count(b"\n", at)
            self._context.problem("truncated", f"ends before </{self.root}>", line=line)

    def _is_cut(self, data: bytes) -> bool:
        """Tell whether this, the end of the document, is without the end tag of its root."""
        return not re.search(rb"</" + re.escape(self._root) + rb"\s*>", data)

    def _recover(self, piece: bytes, line: int) -> Iterator[Found]:
        """Parse one item, in whatever state it is."""
        found = self._parse(piece, self._closing, line)
        if found is None and self._is_feed:
            found = Found((), line, self._opening + piece + self._closing)
        elif found is None:
            self._context.problem("malformed", "the markup of an entry is broken", line=line)
            found = self._parse(piece, self._closing, line, _RECOVERING)
        if found:
            yield found

    def _report_stray(self, data: bytes, line: int) -> None:
        """Tell of anything between items that is neither space nor the end of what is open."""
        shown = b"".join(data[start:stop] for start, stop in visible(data))
        for tag in self._end_tags:
            shown = shown.replace(tag, b"", 1)
        if rest := _BETWEEN.sub(b"", shown).strip():
            line += data.count(b"\n", 0, max(data.find(rest[:20]), 0))
            words = rest[:60].decode("utf-8", "replace").split("\n")[0]
            self._context.problem("stray-content", f"between entries: {words!r}", line=line)
