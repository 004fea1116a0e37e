"""
Items of a block that cannot be parsed as it is: fixed, or read one by one.

An item that is well-formed is read as it is in a document that is. So a defect costs no other
item, and nothing depends on where blocks end.
"""

import re
from bisect import bisect
from collections.abc import Container, Iterator

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.xml.cutter import Block, Cutter
from sitemapx.convert.xml.elements import MARKUP_IN_URL
from sitemapx.convert.xml.frame import Frame, ParsedItems, report_text
from sitemapx.convert.xml.parsers import Dialect
from sitemapx.convert.xml.repair.declarations import with_legal_namespaces
from sitemapx.convert.xml.repair.markup import Reports, balanced, tidy, unhidden, with_ends
from sitemapx.convert.xml.tags import outside

#: feedparser takes seven seconds for a MiB, and a hundred times the memory: a feed has so many
#: bytes for it, each item with the start of the feed around it.
_MAX_BROKEN = 3 << 16
#: An item takes as long as so many more bytes, however short it is.
_EACH_BROKEN = 400

#: A text that recovery may cut short: before a start tag without an end, and where it goes on after
#: the end tag of another element.
_DOUBTFUL = re.compile(
    rb">\s*+[^\s<>][^<>]*+<[A-Za-z_:\x80-\xff][^<>]*+(?:<|\Z)"
    rb"|<([^\s<>/]++)[^<>]*+>\s*+[^\s<>][^<>]*+</(?!\1\s*>)[^<>]*+>\s*+[^<\s]"
)

#: A URL in the tags of an item, which is in another; both have the same prefix, if any.
_NESTED = (
    rb"(?P<start><(?P<prefix>[^\s<>/:]+:)?loc>)\s*<%(item)s>(?P<url>[^<>]*)</%(item)s>\s*"
    rb"(?P<end></(?(prefix)(?P=prefix))loc>)"
)


def _may_hide(data: bytes) -> bool:
    """Return whether there may be a comment, a CDATA section or an instruction."""
    return b"<!" in data or b"<?" in data


class Salvage:
    """Reads what is not well-formed, block by block."""

    def __init__(
        self,
        cutter: Cutter,
        frame: Frame,
        reporter: Reporter,
        dialect: Dialect,
        declared: Container[str],
    ) -> None:
        """
        Read items between these tags.

        Args:
            declared: The named characters that are no defect.

        """
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

    # ---- all of a part at once

    def fixed(self, data: bytes, line: int, *, trusts_ends: bool = True) -> bytes:
        """Fix a part of the document that begins at this line; `trusts_ends` as in `unhidden`."""
        data = unhidden(data, self._boundary, self._reporter, line, trusts_ends=trusts_ends)
        return self.tidy(self._unnested(data, line), self._reporter, line)

    def _unnested(self, data: bytes, line: int) -> bytes:
        """Take the tags of an item away that stand in the URL of one."""
        if not self._dialect.is_list:
            return data
        for m in outside(self._nested, data):
            at = line + data.count(b"\n", 0, m.start())
            done = "; removed"
            self._reporter.problem("malformed", MARKUP_IN_URL, done=done, line=at)
        return self._nested.sub(rb"\g<start>\g<url>\g<end>", data)

    def tidy(self, data: bytes, reporter: Reporter, line: int) -> bytes:
        """Fix characters and namespaces."""
        data = tidy(data, reporter, line, html=self._dialect.has_html, declared=self._declared)
        return with_legal_namespaces(data, reporter, line)

    def closed(self, data: bytes, closing: bytes, block: Block) -> ParsedItems | None:
        """
        Parse a block after putting an end to each item without one.

        Returns:
            None if it is not well-formed even so, or if something in it may hide an end.

        """
        if _may_hide(data):
            return None
        is_cut = block.is_last and self._is_cut(data)
        if is_cut:  # the last item goes on where the document does not
            start = max((m.start() for m in outside(self._cutter.item_start, data)), default=0)
            if not self._cutter.item_end.search(data, start):
                data = data[:start]
            closing = self._frame.closing
        end_tags = self._frame.end_tags
        ends = self._cutter.item_start, self._cutter.item_end, b"".join(end_tags[:1])
        whole, starts = with_ends(data, ends, self._cutter.end_tag)
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
        """Parse a block, which is fixed as a whole, item by item."""
        yield from self._items(data, block.line, is_last=block.is_last)
        start = max((m.start() for m in outside(self._cutter.item_start, data)), default=0)
        if block.is_last and self._is_cut(data[start:]):
            self._report_cut(data, block.line)

    def _items(
        self, data: bytes, line: int, *, is_last: bool, trusts_ends: bool = True
    ) -> Iterator[ParsedItems]:
        spans = self._cutter.spans(data)
        starts = list(spans)
        self._report(data[: starts[0]] if starts else data, line)
        at = number = tried = 0
        while number < len(starts):
            start, stop = starts[number], [*starts[number + 1 : number + 2], len(data)][0]
            line += data.count(b"\n", at, start)
            at = start
            number += 1
            end = spans[start]
            if end > stop and number > tried:  # there are tags of items in it
                tried = bisect(starts, end)
                if found := self._parse(data[start:end], line):
                    yield found
                    number = tried
                    stop = [*starts[number : number + 1], len(data)][0]
                    self._report(data[end:stop], line + data.count(b"\n", start, end))
                    continue
            is_end = is_last and stop == len(data)
            yield from self._item(data[start:stop], line, is_last=is_end, trusts_ends=trusts_ends)

    def _item(
        self, data: bytes, line: int, *, is_last: bool, trusts_ends: bool
    ) -> Iterator[ParsedItems]:
        """Parse an item and what follows it: as it is, with what it hides, or with recovery."""
        tag = next(outside(self._cutter.item_end, data), None)
        end = tag.end() if tag else len(data)
        if tag and (found := self._parse(data[:end], line)):
            yield found
        elif (
            trusts_ends
            and _may_hide(data)
            and (shown := self.fixed(data, line, trusts_ends=False)) != data
        ):
            yield from self._items(shown, line, is_last=is_last, trusts_ends=False)
            return
        elif tag or not (is_last and self._is_cut(data)):
            yield self._recovered(data[:end] if tag else self._closed(data, line), line)
        self._report(data[end:], line + data.count(b"\n", 0, end))

    def _parse(self, item: bytes, line: int) -> ParsedItems | None:
        return self._frame.parse(item, self._frame.closing, line)

    def _report(self, data: bytes, line: int) -> None:
        """Report what stands beside the items."""
        report_text(data, line, self._frame.end_tags, self._reporter)

    def _closed(self, piece: bytes, line: int) -> bytes:
        """Put an end to an item that goes on to the next, or to the end of what it is in."""
        end_tag, end_tags = self._cutter.end_tag, self._frame.end_tags
        message = f"{end_tag.decode('utf-8', 'replace')} is missing"
        self._reporter.problem("malformed", message, line=line)
        return (piece.partition(end_tags[0])[0] if end_tags else piece) + end_tag

    def _is_cut(self, data: bytes) -> bool:
        """Return whether this, the end of the document, is without the end tag of its root."""
        return not self._root_end.search(data)

    def _recovered(self, item: bytes, line: int) -> ParsedItems:
        """Parse one item, in whatever state it is."""
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
            item = balanced(item)
        elif next(outside(_DOUBTFUL, item), None):
            done = "; skipped, as a text in it may be incomplete"
            self._reporter.problem("malformed", message, done=done, line=line)
            return ParsedItems((), line - 1)
        self._reporter.problem("malformed", message, done=done, line=line)
        frame = self._frame
        found = frame.parse(item, frame.closing, line, recover=True) or ParsedItems((), line - 1)
        return found._replace(broken=broken, line=line)


def _is_surely_broken(item: bytes) -> bool:
    """Return whether tags are open, as is quickly seen where nothing hides tags."""
    ends = item.count(b"</")
    opened = item.count(b"<") - 2 * ends - item.count(b"/>")
    return opened > 0 and b"<!" not in item and b"<?" not in item
