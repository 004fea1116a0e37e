"""
Cut an XML document into blocks of whole items, without parsing it.

A block ends after the last complete item of every 128 KiB. So any length takes the same memory,
and line numbers are known.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from sitemapx.convert.encodings import Readable, utf8_chunks
from sitemapx.convert.problems import Context
from sitemapx.convert.tags import (
    HTML_TAGS,
    MAX_START,
    find_root,
    matches,
    outside,
    visible,
    why_rootless,
)
from sitemapx.errors import InputError

__all__ = ["Block", "Cutter", "width"]

#: An item larger than this is no item. Also the limit for all between the root and the first one.
MAX_ITEM = 10 * 1024 * 1024

#: An end tag has so many bytes at most, spaces included.
_LONGEST_END = 200

_PREFIX = rb"(?:[^\s<>/:!?=\"'&]+:)?"
#: What hides tags, and ends at the first of its ends: where the last of these comes after the
#: last of those, nothing is hidden.
_HIDING = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"))
#: What is there more often in a block is not rare.
_RARE = 200


#: What follows the end tag of an item that is in the URL of another; or may yet follow.
_IN_LOC = re.compile(rb"\s*(?:\Z|<\Z|</\Z|</(?:[^\s<>/:]+:)?(?:l\Z|lo\Z|loc\Z|loc>))")


def width(data: bytes) -> int:
    """Count the characters in UTF-8."""
    return len(data) if data.isascii() else len(data.decode("utf-8", "replace"))


def _has(data: bytes, start: bytes) -> bool:
    """Look for it by its second byte: that is quick where it is rare, as `<` is not."""
    second, at = start[1], 0
    for _ in range(_RARE):
        at = data.find(second, at) + 1
        if not at or data.startswith(start, max(at - 2, 0)):
            return at > 0
    return start in data


def _is_unclosed(start: int, stop: int) -> bool:
    return stop < 0


class Block(NamedTuple):
    """Whole items as UTF-8, where they begin, and whether the document ends here."""

    data: bytes
    line: int
    is_last: bool
    column: int = 1


class Cutter:
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
        item_start: Finds the start of an item; its group is the name.
        item_end: Finds the end tag of an item.
        end_tag: The usual one.

    """

    def __init__(self, stream: Readable, item: str, context: Context) -> None:
        """
        Read up to the first item.

        Args:
            item: Local name of the items, in whatever case.

        Raises:
            InputError: If this is no XML, or a web page.

        """
        self._context = context
        self._chunks = utf8_chunks(stream.read, context)
        self._buffer = b""
        self._line = self._column = 1
        self._name_items(_PREFIX + b"(?i:" + item.encode() + b")")
        root = self._read_root()
        self.root = root[1].rpartition(b":")[2].decode("utf-8", "replace")
        if self.root.lower() in HTML_TAGS:
            said = "a web page (HTML), not a sitemap"
            raise InputError(said, line=self._line, code="web-page")
        is_closed = root[0].endswith(b"/>")
        is_item = self.root.lower() == item  # a document that is an item
        self.root_tag = b"" if is_item else root[0].removesuffix(b"/>").removesuffix(b">") + b">"
        self.prolog = self._consume(root.start())
        self.head_line, self.head_column = self._line, self._column
        if not is_item:
            self._consume(root.end() - root.start())
        self._read_head(item)
        self._is_ended = is_closed and not self.has_items
        if is_closed and self.has_items:
            said = f"<{self.root}/> is closed before its first <{item}>: read as open"
            context.problem("malformed", said, line=self.head_line)

    def _name_items(self, name: bytes) -> None:
        """Look for items of this name, which is a pattern."""
        self.item_start = re.compile(rb"<(" + name + rb")(?=[\s/>])")
        self.item_end = re.compile(rb"</" + name + rb"\s*>")

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
            is_empty = not self._buffer.strip()
            raise InputError("there is nothing in it" if is_empty else why_rootless(self._buffer))
        return root

    def _read_head(self, item: str) -> None:
        """Find the first item, and call all by its name."""
        first = next(outside(self.item_start, self._buffer), None)
        while first is None and len(self._buffer) < MAX_ITEM and (chunk := next(self._chunks, b"")):
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

    def blocks(self) -> Iterator[Block]:
        """Cut the rest of the document into blocks."""
        is_skipping = False
        enough = 0  # a buffer without a whole item is looked at again when it has doubled
        for chunk in chain([b""], self._chunks):  # first what is here already, often all there is
            self._buffer += chunk
            size = len(self._buffer)
            is_full = size > MAX_ITEM
            if size < enough and not is_full:
                continue
            if cut := self._last_end(is_full=is_full):
                line, column, data = self._line, self._column, self._consume(cut)
                if is_skipping:
                    data = self._after_skipped(data)
                is_skipping = False
                yield Block(data, line, is_last=False, column=column)
            elif is_full or is_skipping:
                if not is_skipping:
                    self._report_too_large()
                is_skipping = True
                self._consume(max(0, size - _LONGEST_END))
            enough = 0 if cut or is_skipping else 2 * size
        if not self._is_ended:
            rest = b"" if is_skipping else self._buffer
            yield Block(rest, self._line, is_last=True, column=self._column)

    def _last_end(self, *, is_full: bool) -> int:
        """
        Find the end of the last complete item in the buffer; 0 if there is none.

        Args:
            is_full: Whether no more can be waited for the end of what hides tags.

        """
        buffer = self._buffer
        at = buffer.rfind(self.end_tag)
        while at >= 0 and _IN_LOC.match(buffer, at + len(self.end_tag)):
            at = buffer.rfind(self.end_tag, 0, at)
        if at >= 0 and all(
            buffer.rfind(start, 0, at) <= buffer.rfind(end, 0, at)
            for start, end in _HIDING
            if _has(buffer, start)
        ):
            return at + len(self.end_tag)
        parts = visible(buffer, _is_unclosed) if is_full else visible(buffer)
        for start, stop in reversed(parts):
            at = buffer.rfind(self.end_tag, start, stop)
            while at >= 0 and _IN_LOC.match(buffer, at + len(self.end_tag)):
                at = buffer.rfind(self.end_tag, start, at)
            if at >= 0:
                return at + len(self.end_tag)
        return max((m.end() for m in matches(self.item_end, buffer, parts)), default=0)

    def _report_too_large(self) -> None:
        first = self.item_start.search(self._buffer)
        line = self._line + self._buffer.count(b"\n", 0, first.start() if first else 0)
        name = self.end_tag[2:].decode("utf-8", "replace")
        said = f"a <{name} of more than {MAX_ITEM // 1024 // 1024} MiB; left out"
        self._context.problem("entry-too-large", said, line=line)

    def _after_skipped(self, data: bytes) -> bytes:
        """Blank out the end of the item that was too large."""
        m = self.item_end.search(data)
        end = m.end() if m else len(data)
        return b"\n" * data.count(b"\n", 0, end) + data[end:]
