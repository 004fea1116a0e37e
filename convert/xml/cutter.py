"""
Cuts an XML document into blocks of whole items, without parsing it.

Most blocks have about 128 KiB. Items of more than 10 MiB are skipped, so memory use does not depend
on the length of the document.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
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
    find_visible,
    is_hidden,
    matches,
    visible,
    why_rootless,
)
from sitemapx.errors import InputError
from sitemapx.patterns import lazy_pattern

# ---- blocks of an XML document


def width(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))


class Block(NamedTuple):
    """
    Part of a document, in UTF-8, that should consist of whole items.

    `data` begins at `line` and `column` (in characters). `is_last` is whether the document ends
    with the block; if `is_checked`, `Cutter.is_whole` assumes that the block ends outside any item.
    """

    data: bytes
    line: int
    is_last: bool
    column: int = 1
    is_checked: bool = False

    def line_at(self, offset: int) -> int:
        return self.line + self.data.count(b"\n", 0, offset)


# ---- limits on the markup passed to the parser

#: Maximum number of tags per entry, or between two entries; maximum number of attributes per tag.
_MAX_TAGS, MAX_ATTRIBUTES = 50_000, 1_000

#: Size below which data cannot have too many tags, as a tag has at least three bytes.
_MANY = 3 * _MAX_TAGS
#: Minimum length of a well-formed tag with more than MAX_ATTRIBUTES; such a tag contains no `<`.
_LONG = 5 * MAX_ATTRIBUTES
#: Matches a candidate for such a tag, including the text after it.
_LONG_TAG = re.compile(rb"<[^\s<>/!?=\"'&][^<]{%d,}+" % _LONG)
_VALUE = re.compile(rb"=\s*+(?:\"[^\"]*\"|'[^']*')")


def find_excess(data: bytes) -> str:
    """Describe the limit that a part of a document exceeds; "" if no limit is exceeded."""
    if len(data) > _MANY and data.count(b"<") > _MAX_TAGS:
        tags = sum(data.count(b"<", start, stop) for start, stop in visible(data))
        if tags > _MAX_TAGS:
            return f"more than {_MAX_TAGS:,} tags"
    return f"a tag with more than {MAX_ATTRIBUTES:,} attributes" if has_long_tag(data) else ""


def has_long_tag(data: bytes) -> bool:
    """Return whether a tag has more than `MAX_ATTRIBUTES` attributes."""
    if not _has_gap(data):
        return False
    for run in find_visible(_LONG_TAG, data):
        tag = TAG.match(run[0])
        count = len(_VALUE.findall(tag[3])) if tag else run[0].count(b"=")
        if count > MAX_ATTRIBUTES:
            return True
    return False


def _has_gap(data: bytes) -> bool:
    """Return whether the first byte or a `<` is followed by `_LONG` bytes without `<`."""
    at = 0
    while at + _LONG < len(data):
        later = data.rfind(b"<", at + 1, at + 1 + _LONG)
        if later < 0:
            return True
        at = later
    return False


def _keep_line_ends(data: bytes) -> bytes:
    return b"\n" * data.count(b"\n")


# ---- the tags of the items of a document

_SLASH, _CLOSE = b"/>"
#: Whitespace and comments.
_BETWEEN = rb"\s*+(?:<!--(?:[^-]++|-(?!-))*+-->\s*+)*+"


#: Maximum size of an item, and maximum distance from the root to the first item; larger items are
#: skipped.
_MAX_ITEM = 10 * 1024 * 1024

#: Size above which an item that contains other items is considered unclosed.
_LARGE = 1024 * 1024
#: If this many bytes have no end tag, each item is assumed to end before the next one.
_ENDLESS = 256 * 1024
#: Maximum length of an end tag, including whitespace.
_LONGEST_END = 200

_PREFIX = rb"(?:[^\s<>/:!?=\"'&]+:)?"


def _is_unclosed(start: int, stop: int) -> bool:
    return stop < 0


class Cutter:
    """
    Reads an XML document up to its first item, then cuts the rest into blocks.

    Attributes:
        item_start: Matches the beginning of an item's start tag; group 1 is the name.
        end_tag: The end tag of an item, without whitespace.
        root: Local name of the root element.
        root_tag: Start tag of the root; empty if the root is itself an item.
        prolog: Everything before the root.
        has_items: Whether an item was found.
        head: Everything between the root tag and the first item; without items, the rest of the
            document (up to about 10 MiB).
        head_line: Line of `root_tag`.
        head_column: Column of `root_tag`, in characters.
        is_empty: Whether the root is an empty-element tag without items after it.

    Raises:
        InputError: If the stream is not XML, is an HTML page, or has too many tags or attributes
            before the first item.

    """

    def __init__(self, stream: Readable, item: str, context: Reporter) -> None:
        self._context = context
        self._chunks: Iterator[bytes] = utf8_chunks(stream.read, context)
        self._buffer = b""
        self._line = self._column = 1
        self._outside_items = self._is_again = False
        self._name_items(_PREFIX + b"(?i:" + item.encode() + b")")
        root = self._read_root()
        self.root = root[1].rpartition(b":")[2].decode("utf-8", "replace")
        if self.root.lower() in HTML_TAGS:
            message = "HTML page instead of a sitemap"
            raise InputError(message, line=self._line, code="web-page")
        is_closed = root[0].endswith(b"/>")
        is_item = self.root.lower() == item
        self.root_tag = b"" if is_item else root[0].removesuffix(b"/>").removesuffix(b">") + b">"
        self.prolog = self._consume(root.start())
        self.head_line, self.head_column = self._line, self._column
        if not is_item:
            self._consume(root.end() - root.start())
        self._root_end = b"" if is_item else b"</" + root[1]
        self._read_head(item)
        for markup in (root[0], self.head):
            if excess := find_excess(markup):
                raise InputError(f"{excess} before the first <{item}>", line=self.head_line)
        self.is_empty = is_closed and not self.has_items
        if is_closed and self.has_items:
            message = f"<{self.root}/> is closed before its first <{item}>; read as open"
            context.problem("malformed", message, line=self.head_line)

    def _name_items(self, name: bytes) -> None:
        """Set the patterns for items whose names match the regular expression `name`."""
        start, end = rb"<(" + name + rb")(?=[\s/>])", rb"</" + name + rb"\s*>"
        self.item_start, self.item_end = lazy_pattern(start), lazy_pattern(end)
        self._item_tag = lazy_pattern(start + b"|" + end)
        self._next_item = lazy_pattern(_BETWEEN + start)

    def _tags(
        self, data: bytes, parts: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[re.Match[bytes], int]]:
        """Yield each item tag within `parts` (spans of `data`), and its change of depth (±1, 0)."""
        for tag in matches(self._item_tag, data, parts):
            if data[tag.start() + 1] == _SLASH:
                yield tag, -1
            elif data[tag.end()] == _CLOSE:
                yield tag, 1
            else:
                whole = TAG.match(data, tag.start())
                yield tag, 0 if whole and whole[3].endswith(b"/") else 1

    def spans(self, data: bytes) -> dict[int, int]:
        """Map the start of each item to its end (0 if unclosed); empty-element tags are omitted."""
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
        """
        Return whether there are as many start tags as end tags of items.

        Start tags of elements whose names begin with the name of the items are counted, too.
        """
        return data.count(b"<" + self.end_tag[2:-1]) == data.count(self.end_tag)

    def _read_root(self) -> re.Match[bytes]:
        enough = 0  # search again only after the buffer has doubled
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
        """Find the first item, and use its exact name and prefix for all items."""
        first = next(find_visible(self.item_start, self._buffer), None)
        while (
            first is None and len(self._buffer) < _MAX_ITEM and (chunk := next(self._chunks, b""))
        ):
            self._buffer += chunk
            first = next(find_visible(self.item_start, self._buffer), None)
        if first is None:
            parts = visible(self._buffer, _is_unclosed)
            first = next(matches(self.item_start, self._buffer, parts), None)
        self.has_items = first is not None
        name = first[1] if first else item.encode()
        self._name_items(re.escape(name))  # other namespaces may use the same local name
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

    def blocks(self, *, outside_items: bool = False) -> Iterator[Block]:
        """
        Cut the rest of the document into blocks.

        If `outside_items`, never cut after an item nested in another item, unless the outer item
        seems unclosed. Otherwise, check a block that is not well-formed with `is_whole`.
        """
        is_skipping = False
        self._outside_items = outside_items
        enough = 0  # search again only after the buffer has doubled
        for chunk in self._remaining_chunks():
            self._buffer += chunk
            size = len(self._buffer)
            is_full = size > _MAX_ITEM
            if size < enough and not is_full:
                continue
            if cut := self._last_end(is_followed=not (is_full or is_skipping), is_full=is_full):
                block = self._block(cut, is_checked=is_full or is_skipping or self._outside_items)
                data = self._blank_skipped(block.data) if is_skipping else block.data
                is_skipping = False
                yield block._replace(data=data)
            elif is_full or is_skipping:
                if not is_skipping:
                    self._report_large()
                is_skipping = True
                self._consume(max(0, size - _LONGEST_END))
            enough = 0 if cut or is_skipping else 2 * size
        if not is_skipping and (cut := self._last_end(is_followed=False)):
            yield self._block(cut, is_checked=True)
        if not self.is_empty:
            last = self._block(len(self._buffer), is_checked=True)._replace(is_last=True)
            yield last._replace(data=b"") if is_skipping else last

    def _remaining_chunks(self) -> Iterator[bytes]:
        """Yield the remaining chunks; if the buffer may contain blocks, yield an empty chunk."""
        self._is_again = True
        while True:
            chunk = b"" if self._is_again else next(self._chunks, b"")
            if not (chunk or self._is_again):
                return
            self._is_again = False
            yield chunk

    def is_whole(self, block: Block) -> bool:
        """Return False if a block may end inside an item."""
        return block.is_checked or not self._is_doubtful(block.data, is_followed=True)

    def put_back(self, block: Block) -> None:
        """Return the last yielded block to the buffer; from now on, cut only outside items."""
        self._buffer = block.data + self._buffer
        self._line, self._column = block.line, block.column
        self._outside_items = self._is_again = True

    def _block(self, cut: int, *, is_checked: bool) -> Block:
        line, column = self._line, self._column
        block = Block(self._consume(cut), line, False, column, is_checked)
        if find_excess(block.data):
            return block._replace(data=self._blank_excess_items(block))
        return block

    def _report_excess(self, message: str, line: int) -> None:
        self._context.problem("entry-too-large", message, done="; skipped", line=line)

    def _last_end(self, *, is_followed: bool, is_full: bool = False) -> int:
        """
        Return the offset at which to cut the buffer, or 0: usually the end of the last item.

        Args:
            is_followed: Whether another item must begin right after the end tag.
            is_full: Whether to ignore the start of an unterminated comment or CDATA section.

        """
        buffer, end_tag = self._buffer, self.end_tag
        at = buffer.rfind(end_tag)
        while at >= 0 and is_followed and not self._next_item.match(buffer, at + len(end_tag)):
            at = buffer.rfind(end_tag, 0, at)
        cut = at + len(end_tag)
        is_trusted = is_followed and not self._outside_items
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
        """
        Return whether the last end tag may be inside a comment or belong to a nested item.

        `is_followed` is whether another item begins right after that end tag.
        """
        return is_hidden(data, len(data)) or (is_followed and not self._is_balanced(data))

    def _last_start(self) -> int:
        """Return the offset of the last item's start tag in the buffer; 0 without one."""
        last = deque(find_visible(self.item_start, self._buffer), maxlen=1)
        return last[0].start() if last else 0

    def _blank_excess_items(self, block: Block) -> bytes:
        """Report items and parts between items that exceed a limit; keep only their line breaks."""
        data = block.data
        starts = (m.start() for m in find_visible(self.item_start, data))
        ends = (m.end() for m in find_visible(self.item_end, data))
        root_end = data.rfind(self._root_end) if self._root_end else -1
        cuts = {0, *starts, *ends, len(data)} | ({root_end} if root_end >= 0 else set())

        parts: list[bytes] = []
        line = block.line
        for start, end in pairwise(sorted(cuts)):
            part = data[start:end]
            if excess := find_excess(part):
                where = f"in a {self._item}" if self.item_start.match(part) else "between entries"
                self._report_excess(f"{excess} {where}", line)
                part = _keep_line_ends(part)
            line += part.count(b"\n")
            parts.append(part)
        return b"".join(parts)

    @property
    def _item(self) -> str:
        return f"<{self.end_tag[2:].decode('utf-8', 'replace')}"

    def _report_large(self) -> None:
        first = self.item_start.search(self._buffer)
        line = self._line + self._buffer.count(b"\n", 0, first.start() if first else 0)
        message = f"{self._item} is larger than {_MAX_ITEM // 1024 // 1024} MiB"
        self._report_excess(message, line)

    def _blank_skipped(self, data: bytes) -> bytes:
        """Keep only the line breaks of the oversized item, up to its end tag."""
        m = self.item_end.search(data)
        end = m.end() if m else len(data)
        return _keep_line_ends(data[:end]) + data[end:]
