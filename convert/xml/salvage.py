"""Reads blocks that are not well-formed: repaired as a whole, or item by item."""

import re
from bisect import bisect
from collections.abc import Container, Iterator

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.xml.cutter import Block, Cutter
from sitemapx.convert.xml.elements import MARKUP_IN_URL
from sitemapx.convert.xml.frame import Envelope, ParsedItems, report_text
from sitemapx.convert.xml.parsers import Dialect
from sitemapx.convert.xml.repair.declarations import fix_namespaces
from sitemapx.convert.xml.repair.markup import (
    Reports,
    close_elements,
    close_items,
    fix_characters,
    reveal_hidden,
)
from sitemapx.convert.xml.tags import find_visible

#: Maximum number of bytes per feed that feedparser may parse: it takes seven seconds per MiB, and a
#: hundred times the memory. Each item counts with the start of the feed around it.
_MAX_BROKEN = 3 << 16
#: Number of bytes added for each item, as its fixed cost.
_EACH_BROKEN = 400

#: Text that recovery may truncate: before an unterminated start tag, or continuing after the end
#: tag of another element.
_DOUBTFUL = re.compile(
    rb">\s*+[^\s<>][^<>]*+<[A-Za-z_:\x80-\xff][^<>]*+(?:<|\Z)"
    rb"|<([^\s<>/]++)[^<>]*+>\s*+[^\s<>][^<>]*+</(?!\1\s*>)[^<>]*+>\s*+[^<\s]"
)

#: `<loc>` with an item inside; both `loc` tags have the same prefix, if any.
_NESTED = (
    rb"(?P<start><(?P<prefix>[^\s<>/:]+:)?loc>)\s*<%(item)s>(?P<url>[^<>]*)</%(item)s>\s*"
    rb"(?P<end></(?(prefix)(?P=prefix))loc>)"
)


def _may_hide(data: bytes) -> bool:
    return b"<!" in data or b"<?" in data


class Salvage:
    """
    Repairs and parses blocks that are not well-formed, and reports the repairs.

    `declared` contains the names of HTML entities that are not reported.
    """

    def __init__(
        self,
        cutter: Cutter,
        frame: Envelope,
        reporter: Reporter,
        dialect: Dialect,
        declared: Container[str],
    ) -> None:
        self._cutter = cutter
        self._frame = frame
        self._reporter = reporter
        self._dialect = dialect
        self._declared = declared
        self._left_to_feedparser = _MAX_BROKEN
        root_end = (frame.end_tags or [cutter.end_tag])[-1]
        self._root_end = re.compile(re.escape(root_end[:-1]) + rb"\s*>")
        self._nested = re.compile(_NESTED % {b"item": re.escape(cutter.end_tag[2:-1])})
        ends = (cutter.item_start, cutter.item_end, self._root_end)
        self._boundary = re.compile(b"|".join(end.pattern for end in ends))

    # ---- the whole block at once

    def fix(self, data: bytes, line: int, *, trusts_ends: bool = True) -> bytes:
        """Repair and report markup that begins at `line`; see `reveal_hidden` for `trusts_ends`."""
        data = reveal_hidden(data, self._boundary, self._reporter, line, trusts_ends=trusts_ends)
        return self.fix_characters(self._unnest(data, line), self._reporter, line)

    def _unnest(self, data: bytes, line: int) -> bytes:
        """In sitemaps, remove and report item tags inside `<loc>`."""
        if not self._dialect.is_list:
            return data
        for m in find_visible(self._nested, data):
            at = line + data.count(b"\n", 0, m.start())
            done = "; removed"
            self._reporter.problem("malformed", MARKUP_IN_URL, done=done, line=at)
        return self._nested.sub(rb"\g<start>\g<url>\g<end>", data)

    def fix_characters(self, data: bytes, reporter: Reporter, line: int) -> bytes:
        data = fix_characters(
            data, reporter, line, html=self._dialect.has_html, declared=self._declared
        )
        return fix_namespaces(data, reporter, line)

    def parse_closed(self, data: bytes, closing: bytes, block: Block) -> ParsedItems | None:
        """
        Parse a block after closing unclosed items and dropping a truncated last item.

        `closing` is appended, unless the document is truncated in this block. Returns None if all
        items are closed, if the result is not well-formed, or if comments, CDATA sections or
        processing instructions may hide end tags.
        """
        if _may_hide(data):
            return None
        is_cut = block.is_last and self._is_cut(data)
        if is_cut:
            start = max((m.start() for m in find_visible(self._cutter.item_start, data)), default=0)
            if not self._cutter.item_end.search(data, start):
                data = data[:start]
            closing = self._frame.closing
        end_tags = self._frame.end_tags
        ends = self._cutter.item_start, self._cutter.item_end, b"".join(end_tags[:1])
        whole, starts = close_items(data, ends, self._cutter.end_tag)
        found = self._frame.parse(whole, closing, block.line) if starts else None
        if found:
            self._report_unclosed(data, starts, block.line)
            if is_cut:
                self._report_cut(data, block.line)
        return found

    def _report_unclosed(self, data: bytes, starts: list[int], line: int) -> None:
        reports = Reports(self._reporter)
        message = f"{self._cutter.end_tag.decode('utf-8', 'replace')} is missing"
        at = 0
        for start in starts:
            line += data.count(b"\n", at, start)
            at = start
            reports.problem("malformed", message, line)
        reports.close()

    def _report_cut(self, data: bytes, line: int) -> None:
        line += data.count(b"\n")
        self._reporter.problem("truncated", f"file ends before </{self._cutter.root}>", line=line)

    # ---- item by item

    def items(self, data: bytes, block: Block) -> Iterator[ParsedItems]:
        """Parse a block item by item; `data` is its repaired content."""
        yield from self._items(data, block.line, is_last=block.is_last)
        start = max((m.start() for m in find_visible(self._cutter.item_start, data)), default=0)
        if block.is_last and self._is_cut(data[start:]):
            self._report_cut(data, block.line)

    def _items(
        self, data: bytes, line: int, *, is_last: bool, trusts_ends: bool = True
    ) -> Iterator[ParsedItems]:
        spans = self._cutter.spans(data)
        starts = list(spans)
        self._report_text(data[: starts[0]] if starts else data, line)
        at = number = tried = 0
        while number < len(starts):
            start, stop = starts[number], [*starts[number + 1 : number + 2], len(data)][0]
            line += data.count(b"\n", at, start)
            at = start
            number += 1
            end = spans[start]
            if end > stop and number > tried:  # items are nested in this item
                tried = bisect(starts, end)
                if found := self._parse(data[start:end], line):
                    yield found
                    number = tried
                    stop = [*starts[number : number + 1], len(data)][0]
                    self._report_text(data[end:stop], line + data.count(b"\n", start, end))
                    continue
            is_end = is_last and stop == len(data)
            yield from self._item(data[start:stop], line, is_last=is_end, trusts_ends=trusts_ends)

    def _item(
        self, data: bytes, line: int, *, is_last: bool, trusts_ends: bool
    ) -> Iterator[ParsedItems]:
        """
        Parse an item unchanged, else with hidden markup revealed, else in recovery mode.

        Text after the item is reported; an unclosed item where the document is truncated is not
        read.
        """
        tag = next(find_visible(self._cutter.item_end, data), None)
        end = tag.end() if tag else len(data)
        if tag and (found := self._parse(data[:end], line)):
            yield found
        elif (
            trusts_ends
            and _may_hide(data)
            and (shown := self.fix(data, line, trusts_ends=False)) != data
        ):
            yield from self._items(shown, line, is_last=is_last, trusts_ends=False)
            return
        elif tag or not (is_last and self._is_cut(data)):
            yield self._recover(data[:end] if tag else self._close(data, line), line)
        self._report_text(data[end:], line + data.count(b"\n", 0, end))

    def _parse(self, item: bytes, line: int) -> ParsedItems | None:
        return self._frame.parse(item, self._frame.closing, line)

    def _report_text(self, data: bytes, line: int) -> None:
        report_text(data, line, self._frame.end_tags, self._reporter)

    def _close(self, piece: bytes, line: int) -> bytes:
        """Report an unclosed item, and close it where its parent ends, or else at the end."""
        end_tag, end_tags = self._cutter.end_tag, self._frame.end_tags
        message = f"{end_tag.decode('utf-8', 'replace')} is missing"
        self._reporter.problem("malformed", message, line=line)
        return (piece.partition(end_tags[0])[0] if end_tags else piece) + end_tag

    def _is_cut(self, data: bytes) -> bool:
        """Return whether the end tag of the root is missing, so the document is truncated."""
        return not self._root_end.search(data)

    def _recover(self, item: bytes, line: int) -> ParsedItems:
        if not _is_surely_broken(item) and (found := self._parse(item, line)):
            return found
        message, done, broken = "markup of entry is not well-formed", "", b""
        if self._dialect.has_html:
            document = self._frame.opening + item + self._frame.closing
            size = len(document) + _EACH_BROKEN
            message, done = "item is not well-formed", "; repaired as far as possible"
            if size <= self._left_to_feedparser:
                broken = document
                self._left_to_feedparser -= size
            else:
                done = "; repaired only roughly, as too much of the feed is not well-formed"
            item = close_elements(item)
        elif next(find_visible(_DOUBTFUL, item), None):
            done = "; skipped, as its text may be incomplete"
            self._reporter.problem("malformed", message, done=done, line=line)
            return ParsedItems((), line - 1)
        self._reporter.problem("malformed", message, done=done, line=line)
        frame = self._frame
        found = frame.parse(item, frame.closing, line, recover=True) or ParsedItems((), line - 1)
        return found._replace(broken=broken, line=line)


def _is_surely_broken(item: bytes) -> bool:
    """Return whether a count of `<` proves that an item is not well-formed."""
    ends = item.count(b"</")
    opened = item.count(b"<") - 2 * ends - item.count(b"/>")
    return opened > 0 and b"<!" not in item and b"<?" not in item
