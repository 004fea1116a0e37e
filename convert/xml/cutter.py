"""
Cut an XML document into blocks of whole items, without parsing it.

A block ends after the last item of every 128 KiB that is complete and has another after it, so
that items are not cut apart where there are tags of items in one. Any length takes the same
memory, and line numbers are known.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import utf8_chunks
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.xml.tags import (
    HTML_TAGS,
    MAX_START,
    TAG,
    find_root,
    is_hidden,
    matches,
    outside,
    visible,
    why_rootless,
)
from sitemapx.errors import InputError
from sitemapx.patterns import lazy_pattern

# ---- cut an XML document into blocks of whole items, without parsing it

# ---- blocks of an XML document


def width(data: bytes) -> int:
    """Count the characters in UTF-8."""
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))


class Block(NamedTuple):
    """
    Whole items as UTF-8, where they begin, and whether the document ends here.

    Attributes:
        is_checked: Whether it is known that no item goes on after it.

    """

    data: bytes
    line: int
    is_last: bool
    column: int = 1
    is_checked: bool = False

    def line_at(self, offset: int) -> int:
        """Return the line of a byte."""
        return self.line + self.data.count(b"\n", 0, offset)


# ---- limits of what a parser gets: how many tags an entry has, and how many attributes a tag

#: Limits of an entry, and of what stands between two: tags, and attributes of one tag.
_MAX_TAGS, MAX_ATTRIBUTES = 50_000, 1_000

#: In fewer bytes there are not too many tags: each has three.
_MANY = 3 * _MAX_TAGS
#: A tag with more attributes than that is longer; no tag begins in it.
_LONG = 5 * MAX_ATTRIBUTES
#: What may be such a tag, with the text that follows it.
_LONG_TAG = re.compile(rb"<[^\s<>/!?=\"'&][^<]{%d,}+" % _LONG)


def excess_in(data: bytes) -> str:
    """Return what there is too much of in a part of a document; an empty string if nothing."""
    if len(data) > _MANY and data.count(b"<") > _MAX_TAGS:
        tags = sum(data.count(b"<", start, stop) for start, stop in visible(data))
        if tags > _MAX_TAGS:
            return f"more than {_MAX_TAGS:,} tags"
    if not _has_gap(data):
        return ""
    for run in outside(_LONG_TAG, data):
        tag = TAG.match(run[0])
        if (tag[3] if tag else run[0]).count(b"=") > MAX_ATTRIBUTES:
            return f"a tag with more than {MAX_ATTRIBUTES:,} attributes"
    return ""


def _has_gap(data: bytes) -> bool:
    """Return whether no tag begins in so many bytes as a long one has."""
    at = 0
    while at + _LONG < len(data):
        later = data.rfind(b"<", at + 1, at + 1 + _LONG)
        if later < 0:
            return True
        at = later
    return False


def _blank(data: bytes) -> bytes:
    """Leave nothing of what is left out but its line ends."""
    return b"\n" * data.count(b"\n")


def _without_excess(
    data: bytes, cuts: Sequence[int], line: int, report: Callable[[str, bytes, int], None]
) -> bytes:
    """
    Blank out the parts in which there is too much.

    Args:
        data: A part of a document, which begins at this line.
        cuts: Where its parts begin and end, in order.
        report: Takes what there is too much of, the part, and the line it begins at.

    """
    parts: list[bytes] = []
    for start, end in pairwise(cuts):
        part = data[start:end]
        if excess := excess_in(part):
            report(excess, part, line)
            part = _blank(part)
        line += part.count(b"\n")
        parts.append(part)
    return b"".join(parts)


# ---- the tags of the items of a document

_SLASH, _CLOSE = b"/>"
#: White space and comments.
_BETWEEN = rb"\s*+(?:<!--(?:[^-]++|-(?!-))*+-->\s*+)*+"


class ItemTags:
    """
    Finds the tags of items.

    Attributes:
        item_start: Finds the start of an item; its group is the name.
        item_end: Finds the end tag of an item.
        end_tag: The usual one.

    """

    end_tag: bytes

    def _name_items(self, name: bytes) -> None:
        """Look for items of this name, which is a pattern."""
        start, end = rb"<(" + name + rb")(?=[\s/>])", rb"</" + name + rb"\s*>"
        self.item_start, self.item_end = lazy_pattern(start), lazy_pattern(end)
        self._item_tag = lazy_pattern(start + b"|" + end)
        self._next_item = lazy_pattern(_BETWEEN + start)

    def _tags(
        self, data: bytes, parts: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[re.Match[bytes], int]]:
        """Find the tags of items, and what they add to the depth."""
        for tag in matches(self._item_tag, data, parts):
            if data[tag.start() + 1] == _SLASH:
                yield tag, -1
            elif data[tag.end()] == _CLOSE:
                yield tag, 1
            else:
                whole = TAG.match(data, tag.start())
                yield tag, 0 if whole and whole[3].endswith(b"/") else 1

    def spans(self, data: bytes) -> dict[int, int]:
        """Find where the items begin in this data, and where each of them ends; 0: nowhere."""
        found: dict[int, int] = {}
        begun: list[int] = []
        for tag, change in self._tags(data, visible(data)):
            if change > 0:
                begun.append(tag.start())
                found[tag.start()] = 0
            elif change < 0 and begun:
                found[begun.pop()] = tag.end()
        return found

    def _is_balanced(self, data: bytes) -> bool:
        """Tell whether there are as many end tags of items as start tags, and as what begins so."""
        return data.count(b"<" + self.end_tag[2:-1]) == data.count(self.end_tag)


#: An item larger than this is no item. Also the limit for all between the root and the first one.
_MAX_ITEM = 10 * 1024 * 1024

#: An item that has not ended after this many bytes never will, whatever is nested in it.
_LARGE = 1024 * 1024
#: After this many bytes without an end tag, each item is taken to end before the next one.
_ENDLESS = 256 * 1024
#: An end tag has so many bytes at most, spaces included.
_LONGEST_END = 200

_PREFIX = rb"(?:[^\s<>/:!?=\"'&]+:)?"


def _is_unclosed(start: int, stop: int) -> bool:
    return stop < 0


class Cutter(ItemTags):
    """
    An XML document, read up to its first item and then cut.

    Attributes:
        root: Local name of the root element.
        root_tag: The start tag of the root; empty where that is an item.
        prolog: What stands before it.
        head: All between that and the first item, or the end of a document without items.
        head_line: The line that `root_tag` begins at.
        head_column: The column in that line, in characters.
        has_items: Whether there is a first item.
        is_empty: Whether the root is an empty-element tag, and there are no items after it.

    """

    def __init__(self, stream: Readable, item: str, context: Reporter) -> None:
        """
        Read up to the first item.

        Args:
            item: Local name of the items, in whatever case.

        Raises:
            InputError: If this is no XML, or a web page, or there is too much before that item.

        """
        self._context = context
        self._chunks: Iterator[bytes] = utf8_chunks(stream.read, context)
        self._buffer = b""
        self._line = self._column = 1
        self._is_careful = self._is_again = False
        self._name_items(_PREFIX + b"(?i:" + item.encode() + b")")
        root = self._read_root()
        self.root = root[1].rpartition(b":")[2].decode("utf-8", "replace")
        if self.root.lower() in HTML_TAGS:
            message = "HTML page instead of a sitemap"
            raise InputError(message, line=self._line, code="web-page")
        is_closed = root[0].endswith(b"/>")
        is_item = self.root.lower() == item  # a document that is an item
        self.root_tag = b"" if is_item else root[0].removesuffix(b"/>").removesuffix(b">") + b">"
        self.prolog = self._consume(root.start())
        self.head_line, self.head_column = self._line, self._column
        if not is_item:
            self._consume(root.end() - root.start())
        self._root_end = b"" if is_item else b"</" + root[1]
        self._read_head(item)
        for markup in (root[0], self.head):
            if excess := excess_in(markup):
                raise InputError(f"{excess} before the first <{item}>", line=self.head_line)
        self.is_empty = is_closed and not self.has_items
        if is_closed and self.has_items:
            message = f"<{self.root}/> is closed before its first <{item}>; read as open"
            context.problem("malformed", message, line=self.head_line)

    def _read_root(self) -> re.Match[bytes]:
        enough = 0  # what has no root is looked at again when it has doubled
        for chunk in self._chunks:
            self._buffer += chunk
            size = len(self._buffer)
            if size >= enough and find_root(self._buffer):
                break
            if size > MAX_START:
                break
            enough = max(enough, 2 * size) if size >= enough else enough
        root = find_root(self._buffer, self._context)
        if root is None:
            raise InputError(why_rootless(self._buffer))
        return root

    def _read_head(self, item: str) -> None:
        """Find the first item, and call all by its name."""
        first = next(outside(self.item_start, self._buffer), None)
        while (
            first is None and len(self._buffer) < _MAX_ITEM and (chunk := next(self._chunks, b""))
        ):
            self._buffer += chunk
            first = next(outside(self.item_start, self._buffer), None)
        if first is None:
            parts = visible(self._buffer, _is_unclosed)
            first = next(matches(self.item_start, self._buffer, parts), None)
        self.has_items = first is not None
        name = first[1] if first else item.encode()
        self._name_items(re.escape(name))  # with its prefix: others may call their own things so
        self.end_tag = b"</" + name + b">"
        self.head = self._buffer[: first.start() if first else None]
        self._consume(first.start() if first else 0)

    def _consume(self, end: int) -> bytes:
        data, self._buffer = self._buffer[:end], self._buffer[end:]
        end_of_line = data.rfind(b"\n") + 1
        self._line += data.count(b"\n") if end_of_line else 0
        self._column = width(data[end_of_line:]) + (1 if end_of_line else self._column)
        return data

    # ---- blocks of items

    def blocks(self, *, is_careful: bool = False) -> Iterator[Block]:
        """
        Cut the rest of the document into blocks.

        Args:
            is_careful: Whether each block certainly ends with an item that is in no other. If not,
                `is_whole` tells, for a block that is not well-formed.

        """
        is_skipping = False
        self._is_careful = is_careful
        enough = 0  # a buffer that was not cut is looked at again when it has doubled
        for chunk in self._more():
            self._buffer += chunk
            size = len(self._buffer)
            is_full = size > _MAX_ITEM
            if size < enough and not is_full:
                continue
            if cut := self._last_end(is_followed=not (is_full or is_skipping), is_full=is_full):
                block = self._block(cut, is_checked=is_full or is_skipping or self._is_careful)
                data = self._after_skipped(block.data) if is_skipping else block.data
                is_skipping = False
                yield block._replace(data=data)
            elif is_full or is_skipping:
                if not is_skipping:
                    self._omit_large()
                is_skipping = True
                self._consume(max(0, size - _LONGEST_END))
            enough = 0 if cut or is_skipping else 2 * size
        if not is_skipping and (cut := self._last_end(is_followed=False)):
            yield self._block(cut, is_checked=True)
        if not self.is_empty:
            last = self._block(len(self._buffer), is_checked=True)._replace(is_last=True)
            yield last._replace(data=b"") if is_skipping else last

    def _more(self) -> Iterator[bytes]:
        """Yield nothing first, for what is here already is often all, and then the chunks."""
        self._is_again = True
        while True:
            chunk = b"" if self._is_again else next(self._chunks, b"")
            if not (chunk or self._is_again):
                return
            self._is_again = False
            yield chunk

    def is_whole(self, block: Block) -> bool:
        """Return whether a block ends with an item that is in no other."""
        return block.is_checked or not self._is_doubtful(block.data, is_followed=True)

    def take_back(self, block: Block) -> None:
        """Take the last block back, and cut it and all that follow carefully."""
        self._buffer = block.data + self._buffer
        self._line, self._column = block.line, block.column
        self._is_careful = self._is_again = True

    def _block(self, cut: int, *, is_checked: bool) -> Block:
        line, column = self._line, self._column
        block = Block(self._consume(cut), line, False, column, is_checked)
        if excess_in(block.data):
            return block._replace(data=self._within_limits(block))
        return block

    def _tell_excess(self, message: str, line: int) -> None:
        self._context.problem("entry-too-large", message, done="; skipped", line=line)

    def _last_end(self, *, is_followed: bool, is_full: bool = False) -> int:
        """
        Find the end of the last complete item in the buffer; 0 if there is none.

        Args:
            is_followed: Whether the next item must begin after it. The end tag of an item that is
                within another has something else after it.
            is_full: Whether no more can be waited for the end of what hides tags.

        """
        buffer, end_tag = self._buffer, self.end_tag
        at = buffer.rfind(end_tag)
        while at >= 0 and is_followed and not self._next_item.match(buffer, at + len(end_tag)):
            at = buffer.rfind(end_tag, 0, at)
        cut = at + len(end_tag)
        is_trusted = is_followed and not self._is_careful
        if at >= 0 and (is_trusted or not self._is_doubtful(buffer[:cut], is_followed=is_followed)):
            return cut
        if not self.item_end.search(buffer):
            return self._last_start() if len(buffer) > _ENDLESS else 0
        parts = visible(buffer, _is_unclosed) if is_full else visible(buffer)
        cut = outer = end = depth = 0
        for tag, change in self._tags(buffer, parts):
            if change < 0:
                end = tag.end()
            elif end:
                cut, outer, end = end, outer if depth else end, 0
            depth = max(depth + change, 0)
        if not is_followed:
            return end or cut
        return outer or (cut if len(buffer) > _LARGE else 0)

    def _is_doubtful(self, data: bytes, *, is_followed: bool) -> bool:
        """Return whether the last end tag may be hidden, or that of an item within another."""
        return is_hidden(data, len(data)) or (is_followed and not self._is_balanced(data))

    def _last_start(self) -> int:
        """Return the offset of the last item in the buffer; 0 if it is the first, or missing."""
        last = deque(outside(self.item_start, self._buffer), maxlen=1)
        return last[0].start() if last else 0

    def _within_limits(self, block: Block) -> bytes:
        """Blank out each item, and all between two, in which there is too much."""
        data = block.data
        starts = (m.start() for m in outside(self.item_start, data))
        ends = (m.end() for m in outside(self.item_end, data))
        root_end = data.rfind(self._root_end) if self._root_end else -1
        cuts = {0, *starts, *ends, len(data)} | ({root_end} if root_end >= 0 else set())

        def omit(excess: str, part: bytes, line: int) -> None:
            where = f"in a {self._item}" if self.item_start.match(part) else "between entries"
            self._tell_excess(f"{excess} {where}", line)

        return _without_excess(data, sorted(cuts), block.line, omit)

    @property
    def _item(self) -> str:
        return f"<{self.end_tag[2:].decode('utf-8', 'replace')}"

    def _omit_large(self) -> None:
        first = self.item_start.search(self._buffer)
        line = self._line + self._buffer.count(b"\n", 0, first.start() if first else 0)
        message = f"{self._item} is larger than {_MAX_ITEM // 1024 // 1024} MiB"
        self._tell_excess(message, line)

    def _after_skipped(self, data: bytes) -> bytes:
        """Blank out the end of the item that was too large."""
        m = self.item_end.search(data)
        end = m.end() if m else len(data)
        return _blank(data[:end]) + data[end:]
