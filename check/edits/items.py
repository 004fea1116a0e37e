"""XML sitemaps and indexes, fixed item by item; what is not fixed stays byte for byte."""

import codecs
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from typing import NamedTuple, Unpack

from sitemapx.check.edits.fixes import ItemEdit, apply_fix, rightly_named
from sitemapx.check.edits.lines import refuse_other_encoding
from sitemapx.check.edits.prolog import FixedProlog, NamesUsed, names_used
from sitemapx.check.edits.repeats import Repeats
from sitemapx.check.edits.tree import nodes_of
from sitemapx.check.edits.urlsyntax import syntax
from sitemapx.check.schema.validator import Refusals
from sitemapx.convert.formats.format import Context, Format
from sitemapx.convert.formats.sitemap.items import ItemReader
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Location, ProblemDetails, Reporter
from sitemapx.convert.sources import opening
from sitemapx.convert.streams import gzip as gzip_
from sitemapx.convert.streams.encodings import decode_utf8
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import urls
from sitemapx.convert.xml.cutter import Block, Cutter
from sitemapx.convert.xml.parsers import XmlElement, parse
from sitemapx.convert.xml.repair.declarations import declare
from sitemapx.convert.xml.repair.markup import tidy
from sitemapx.convert.xml.repair.references import with_meant_references
from sitemapx.convert.xml.tags import open_tags, outside
from sitemapx.errors import InputError

__all__ = ["fixed_markup"]

#: One thing that is fixed may show another; more often than this nothing new comes.
_ROUNDS = 5


class _Examined(NamedTuple):
    """
    An item that was looked at.

    Attributes:
        found: What is found in it that is to be fixed, by code and element.
        entry: What it says; None if it has no URL.
        is_complete: Whether that is all, since nothing is found that is not to be fixed.

    """

    item: XmlElement
    found: list[tuple[str, XmlElement]]
    entry: Entry | None
    is_complete: bool


def fixed_markup(
    path: str,
    stream: Readable,
    start: bytes,
    format: Format,
    url: str | None,
    codes: Collection[str],
    *,
    with_values: bool = True,
) -> Iterator[bytes]:
    """
    Fix a document; the first piece comes before it is read as a whole.

    Args:
        path: Path of the file.
        stream: Its bytes, decompressed.
        start: Its first bytes.
        format: Its format.
        url: Where it is published.
        codes: What is to be fixed.
        with_values: Whether to fix all of that, and not only what no parser takes.

    Raises:
        InputError: If its encoding, its size or the lack of items keeps it from being fixed.

    """
    refuse_other_encoding(start, codes)
    collector = _ProblemCollector(url)
    cutter = Cutter(stream, format.item, collector)
    if not cutter.root_tag or not cutter.has_items:
        raise InputError(f"no <{format.item}> found")
    has_bom = start.startswith(codecs.BOM_UTF8) and "space-before-xml" not in codes
    yield codecs.BOM_UTF8 if has_bom else b""
    names = _names_used(path, format) if "namespace" in codes else NamesUsed()
    head = FixedProlog(cutter, codes, names)
    yield head.written()
    with closing(Repeats.of(path, url, codes) if with_values else Repeats(())) as repeats:
        items = _ItemFixer(cutter, head.opening, format, url, codes, repeats)
        fixed = items.fixed if with_values else items.legal
        for block in cutter.blocks(is_careful=True):
            if "entry-too-large" in collector.codes:
                raise InputError("an entry is too large")
            yield fixed(block)


def _names_used(path: str, format: Format) -> NamesUsed:
    with opening.open_source(path) as opened:
        _, stream = gzip_.unpack(opened, Reporter())
        return names_used(Cutter(stream, format.item, Reporter()))


class _ProblemCollector(Context):
    """Takes what a reader tells of elements."""

    def __init__(self, url: str | None) -> None:
        super().__init__(url=url)
        self.codes: set[str] = set()
        self.found: list[tuple[str, XmlElement]] = []

    def problem(self, code: str, message: str, **details: Unpack[ProblemDetails]) -> None:
        """Take what is told."""
        self.codes.add(code)
        if (element := details.get("element")) is not None:
            self.found.append((code, element))

    def resolved(self, url: str, code: str, **location: Unpack[Location]) -> str:
        """Take a relative URL."""
        found = super().resolved(url, code)
        if found != url and (element := location.get("element")) is not None:
            self.found.append((code, element))
        return found


class _ItemFixer:
    """Fixes the items of a document."""

    def __init__(
        self,
        cutter: Cutter,
        opening: bytes,
        format: Format,
        url: str | None,
        codes: Collection[str],
        repeats: Repeats,
    ) -> None:
        self._cutter = cutter
        self._opening = opening
        names = (tag[1:].split()[0].rstrip(b">") for tag in reversed(open_tags(opening)))
        self._closing = b"".join(b"</%s>" % name for name in names)
        self._root, self._name = format.roots[0], format.item
        self._url, self._codes, self._repeats = url, codes, repeats

    def fixed(self, block: Block) -> bytes:
        """Fix a block: all items at once, or item by item if they are not well-formed together."""
        return self._fixed_by(self._at_once, block)

    def legal(self, block: Block) -> bytes:
        """Fix only what no parser takes of a block."""

        def if_legal(data: bytes) -> bytes | None:
            return None if self._parsed(data) is None else data

        return self._fixed_by(if_legal, block)

    def _fixed_by(self, fix: Callable[[bytes], bytes | None], block: Block) -> bytes:
        data = self._encoded(block.data)
        for whole in (data, self._legal(data)):
            if (fixed := fix(whole)) is not None:
                return fixed
        parts: list[bytes] = []
        at = 0
        for start, stop in self._spans(data):
            fixed = fix(self._legal(data[start:stop]))
            parts += _joined(data[at:start], data[start:stop] if fixed is None else fixed)
            at = stop
        return b"".join([*parts, data[at:]])

    def _spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Find where items begin and end."""
        ends = [m.end() for m in outside(self._cutter.item_end, data)]
        at = 0
        for m in outside(self._cutter.item_start, data):
            number = bisect_right(ends, m.start())
            if m.start() >= at and number < len(ends):
                at = ends[number]
                yield m.start(), at

    def _at_once(self, data: bytes) -> bytes | None:
        """
        Fix some items, as often as that shows something else to fix.

        Returns:
            None if they are not well-formed, or cannot be told apart.

        """
        old: bytes | None = None
        for number in range(_ROUNDS):
            root = self._parsed(data)
            if root is None:
                return old
            new = self._round(data, root, is_first=number == 0)
            if new is None or new == data:
                return old if new is None else data
            old, data = data, new
        return data

    def _round(self, data: bytes, root: XmlElement, *, is_first: bool) -> bytes | None:
        """Fix items once; first leave out those that say nothing new."""
        examined, spans = list(self._examined(root)), list(self._spans(data))
        if len(examined) != len(spans):
            has_none = not self._repeats.is_asked and not any(one.found for one in examined)
            return data if has_none else None
        parts: list[bytes] = []
        at = 0
        for (item, found, entry, is_complete), (start, stop) in zip(examined, spans, strict=True):
            raw = data[start:stop]
            if is_first and entry and self._repeats.has(entry, raw, is_complete=is_complete):
                raw = b""
            elif found:
                raw = self._fixed(raw, item, found)
            parts += _joined(data[at:start], raw)
            at = stop
        return b"".join([*parts, data[at:]])

    def _fixed(self, raw: bytes, item: XmlElement, found: list[tuple[str, XmlElement]]) -> bytes:
        """Fix what is found in an item, if its elements can be found in its bytes."""
        nodes = nodes_of(raw, [*item.iter("*")])
        if nodes is None:
            return raw
        by_element = {node.element: node for node in nodes}
        edit = ItemEdit(by_element, self._url, self._codes, self._repeats.allows)
        for code, element in found:
            apply_fix(edit, code, element)
        return nodes[0].written()

    def _encoded(self, data: bytes) -> bytes:
        """Write text that is not UTF-8 as UTF-8, if it is to be fixed."""
        text, is_utf8 = decode_utf8(data)
        is_sure = "encoding" in self._codes and "\ufffd" not in text
        return text.encode() if not is_utf8 and is_sure else data

    def _parsed(self, data: bytes) -> XmlElement | None:
        """Parse some items; None if they are not well-formed."""
        data = with_meant_references(data)
        for before in (self._opening, declare(self._opening, data)[0]):
            for after in (self._closing, b""):
                if (root := parse(before + data + after)) is not None:
                    return root
        return None

    def _examined(self, root: XmlElement) -> Iterator[_Examined]:
        """Look at each item: what is found in it that is to be fixed, and all that it says."""
        refusals = Refusals(self._root)
        refusals.see(root)
        refused: dict[XmlElement, list[tuple[str, XmlElement]]] = {}
        for one in refusals.rest():
            for item in (one.element, *one.element.iterancestors("{*}" + self._name)):
                refused.setdefault(item, []).append((one.code, one.element))
        collector = _ProblemCollector(self._url)
        reader = ItemReader(collector, self._name)
        for item in root.iter("{*}" + self._name):
            collector.found.clear()
            entry = reader.entry(item, 0)
            unread = [*collector.found, *refused.get(item, ())]
            is_complete = all(code in self._codes for code, _ in unread)
            found = [*unread, *_addresses(item)]
            wanted = [(code, at) for code, at in found if code in self._codes]
            yield _Examined(item, wanted, entry, is_complete)

    def _legal(self, raw: bytes) -> bytes:
        """Fix what no parser takes of an item, if all that is wrong with it is to be fixed."""
        text, is_utf8 = decode_utf8(raw)
        if not is_utf8 and "\ufffd" in text:
            return raw  # nobody knows what its bytes mean
        collector = _ProblemCollector(self._url)
        data = tidy(raw, collector, 1)
        data = data if collector.codes <= set(self._codes) else raw
        return rightly_named(data, {}) if "namespace" in self._codes else data


def _joined(gap: bytes, item: bytes) -> list[bytes]:
    """Join an item with what stands before it, which goes with an item that is gone."""
    return [gap if item or gap.strip() else b"", item]


def _addresses(item: XmlElement) -> Iterator[tuple[str, XmlElement]]:
    """Find what is wrong with the characters of a URL."""
    for element in item.iterchildren("{*}loc"):
        loc = urls.clean(element.text or "")
        if urls.is_absolute(loc):
            yield from ((code, element) for code, _ in syntax(loc))
    for element in item.iterchildren("{*}link"):  # which names pages as their <loc> does
        href = urls.clean(element.get("href") or "")
        if urls.is_absolute(href) and any(code == "loc-escape" for code, _ in syntax(href)):
            yield "loc-escape", element
