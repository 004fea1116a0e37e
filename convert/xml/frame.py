"""Parses blocks within the tags around the items, and reports content outside the items."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache, cached_property
from html import unescape
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values.words import shorten_list
from sitemapx.convert.xml.cutter import Cutter
from sitemapx.convert.xml.elements import name_of, split_name
from sitemapx.convert.xml.parsers import Dialect, XmlElement, parse
from sitemapx.convert.xml.repair.references import escape_for_recovery, fix_references
from sitemapx.convert.xml.tags import (
    MAX_DEPTH,
    StartTag,
    find_visible,
    parse_usual_tag,
    tag_name,
    visible,
)
from sitemapx.patterns import lazy_pattern

# ---- content outside the items

_BLANK = " \t\r\n\ufeff"
_CUT_OFF = rb"</[^<>]*\Z"
_BOM = lazy_pattern(rb"\xef\xbb\xbf")
_NO_MARKUP = lazy_pattern(_CUT_OFF + rb"|\xef\xbb\xbf")
_LONGEST = 60
_LOC = lazy_pattern(rb"<(?:[\w.-]+:)?loc(?:\s[^<>]*)?>([^<]+)</")
_OUTSIDE = "URL outside the entries"


def report_text(data: bytes, line: int, tags: Iterable[bytes], reporter: Reporter) -> None:
    """
    Report unexpected text or markup outside the items; `data` begins at `line`.

    Each of `tags` (end tags: innermost first) may occur once and is not reported.
    """
    if not data or data.isspace():
        return
    if report_comments(data, line, reporter) or report_urls(data, line, reporter):
        return
    parts: list[bytes] = []
    at = 0
    for start, stop in visible(data):
        parts += b" " * (start - at), data[start:stop]
        at = stop
    shown = b"".join(parts)
    is_closed = any(tag.startswith(b"</") and tag in shown for tag in tags)
    for tag in tags:
        shown = shown.replace(tag, b" " * len(tag), 1)
    no_markup = _BOM if is_closed else _NO_MARKUP
    shown = no_markup.sub(lambda m: b" " * len(m[0]), shown)
    if rest := shown.strip():
        line += data.count(b"\n", 0, shown.find(rest))
        words = b" ".join(rest.split(b"\n")[0].split())[:_LONGEST].decode("utf-8", "replace")
        reporter.problem("stray-content", f"unexpected text between entries: {words!r}", line=line)
    elif not _is_well_formed(data, tags):
        line += data.count(b"\n", 0, len(data) - len(data.lstrip()))
        message = "markup outside the entries is not well-formed"
        reporter.problem("malformed", message, done="; skipped", line=line)


def _is_well_formed(data: bytes, tags: Iterable[bytes]) -> bool:
    """Return whether `data`, completed by the counterparts of `tags`, is well-formed."""
    found = [*tags]
    data = re.sub(_CUT_OFF, b"", data)
    if not found or found[-1] not in data:
        return parse(b"<x>" + data + b"</x>") is not None
    if found[-1].startswith(b"</"):
        opening = b"".join(map(_start_tag, reversed(found)))
        return parse(opening + data) is not None
    names = [tag[1:].split()[0].rstrip(b"/>") for tag in reversed(found)]
    return parse(data + b"".join(b"</%s>" % name for name in names)) is not None


def _start_tag(end_tag: bytes) -> bytes:
    name = end_tag[2:-1]
    prefix, colon, _ = name.partition(b":")
    return b"<%s%s>" % (name, b' xmlns:%s="x"' % prefix if colon else b"")


def report_urls(data: bytes, line: int, reporter: Reporter) -> bool:
    """Report each `<loc>` in `data`, which is outside the items; return whether any was found."""
    found, at = False, 0
    for m in find_visible(_LOC, data):
        line, at, found = line + data.count(b"\n", at, m.start()), m.start(), True
        loc = unescape(m[1].decode("utf-8", "replace")).strip()
        reporter.problem("stray-content", _OUTSIDE, done="; skipped", line=line, loc=loc)
    return found


def report_comments(data: bytes, line: int, reporter: Reporter) -> bool:
    """Report comments that contain `--` (XML 1.0, section 2.5); return whether any was found."""
    if b"<!--" not in data:
        return False
    message, at, found = "comment contains '--'", 0, False
    for (_, start), (stop, _) in pairwise(visible(data)):
        text = data[start + 4 : stop - 3]
        if data.startswith(b"<!--", start) and (b"--" in text or text.endswith(b"-")):
            line, at = line + data.count(b"\n", at, start), start
            done = "; skipped with its content"
            reporter.problem("malformed", message, done=done, line=line)
            found = True
    return found


def _report_elements(
    parent: XmlElement,
    items: Container[XmlElement],
    line_offset: int,
    first: int,
    reporter: Reporter,
) -> None:
    """Report text and elements between the items; the parent's content begins at line `first`."""
    from lxml.etree import tostring

    _report(parent.text, first, reporter)
    for child in parent:
        line = child.sourceline and child.sourceline + line_offset
        if child not in items:
            loc = (child.findtext("{*}loc") or "").strip()
            message = _OUTSIDE if loc else f"unexpected element between entries: <{name_of(child)}>"
            done = "; skipped" if loc else ""
            reporter.problem("stray-content", message, done=done, line=line, loc=loc, element=child)
        if child.tail and child.tail.strip(_BLANK):
            below = line and line + tostring(child, with_tail=False).count(b"\n")
            _report(child.tail, below, reporter)


def _report_items(others: Iterable[XmlElement], line_offset: int, reporter: Reporter) -> None:
    """Report elements that have the local name of the items, but another namespace."""
    for element in others:
        line = element.sourceline and element.sourceline + line_offset
        message = f"unexpected element between entries: <{name_of(element)}> in another namespace"
        reporter.problem("stray-content", message, line=line, element=element)


def _report(text: str | None, line: int | None, reporter: Reporter) -> None:
    if text and (shown := text.strip(_BLANK)):
        line = line and line + text[: text.index(shown[0])].count("\n")
        reporter.problem(
            "stray-content", f"unexpected text between entries: {shown[:_LONGEST]!r}", line=line
        )


class ParsedItems(NamedTuple):
    """
    Items of a part of the document.

    Attributes:
        line_offset: Added to the parser's line numbers.
        broken: For feeds only: a document with the single malformed item before recovery, whose
            result is in `elements`.
        line: Line of a single item that was parsed in recovery mode.

    """

    elements: Iterable[XmlElement]
    line_offset: int
    broken: bytes = b""
    line: int | None = None


def parse_as_html(data: bytes, *, recover: bool = False) -> XmlElement | None:
    """Parse XML with references to 128 to 159 as in HTML; return the root, or None if malformed."""
    data = fix_references(data)
    return parse(escape_for_recovery(data) if recover else data, recover=recover)


@cache
def _text_finder() -> Callable[[XmlElement], bool]:
    from lxml.etree import XPath

    return XPath("boolean(text()[normalize-space()])")


def _holds_item(item: XmlElement) -> bool:
    return next(item.iterdescendants(str(item.tag)), None) is not None


class Envelope:
    """
    The start tags that are open before the first item, and their end tags.

    Args:
        between: Start tags between the root and the first item.
        on_tree: Called with each tree from which `parse` returns items, except after recovery.

    Attributes:
        opening: The start tags, repaired if necessary.
        end_tags: The end tags, innermost first.
        closing: The end tags, joined.
        is_sound: Whether the start tags are well-formed, possibly after repair.
        prefixes: Namespaces by prefix (None: default namespace) that are in scope for the items.
        root_name: Namespace and local name of the root; None if the root was repaired, or if the
            items are not its children.

    """

    def __init__(
        self,
        cutter: Cutter,
        between: list[bytes],
        context: Reporter,
        dialect: Dialect,
        *,
        on_tree: Callable[[XmlElement], None],
    ) -> None:
        self._cutter = cutter
        self._context = context
        self._is_list = dialect.is_list
        self._on_tree = on_tree
        tags = [*([cutter.root_tag] if cutter.root_tag else []), *between][:MAX_DEPTH]
        self.opening = b"".join(tags)
        self.end_tags = [b"</" + tag_name(tag) + b">" for tag in reversed(tags)]
        self.closing = b"".join(self.end_tags)
        prefix, _, local = cutter.end_tag[2:-1].decode("utf-8", "replace").rpartition(":")
        self._tag, self._prefix = "{*}" + local, prefix or None
        start = parse_usual_tag(self.opening) or self._innermost_tag(tags)
        self.prefixes = start.namespaces if start else {}
        namespace = self.prefixes.get(self._prefix)
        self._name = f"{{{namespace}}}{local}" if namespace else local
        self.is_sound = not tags or start is not None
        self.root_name = start.name if start and tags == [self.opening] else None

    def _innermost_tag(self, tags: list[bytes]) -> StartTag | None:
        """Return the parsed innermost start tag; None without tags, or if repair fails."""
        opened = self._parse_tags(tags) if tags else None
        if opened is None:
            return None
        *_, innermost = opened.iter("*")
        return StartTag(split_name(innermost), dict(innermost.nsmap))

    def _parse_tags(self, tags: list[bytes]) -> XmlElement | None:
        """Parse the start tags, after reported repairs if necessary; None if that fails."""
        from sitemapx.convert.xml.repair.declarations import fix_namespaces
        from sitemapx.convert.xml.repair.markup import rebuild_tag

        line, where = self._cutter.head_line, f"<{self._cutter.root}>"
        if (root := self.parse_root(b"", self.closing)) is not None:
            return root
        self.declare(self.opening, where, line)
        self.opening = fix_namespaces(self.opening, self._context, line)
        if (root := self.parse_root(b"", self.closing)) is not None:
            return root
        self._context.problem(
            "malformed", f"start tag {where} is not well-formed; repaired", line=line
        )
        self.opening = b"".join(map(rebuild_tag, tags))
        self.declare(self.opening, where, line)
        self.opening = fix_namespaces(self.opening, Reporter(), line)
        return self.parse_root(b"", self.closing)

    def declare(self, data: bytes, where: str, line: int) -> None:
        """
        Declare in `opening` the prefixes of `data` that it lacks; report those without declaration.

        `data` begins at `line`, and is called `where` in the message.
        """
        from sitemapx.convert.xml.repair.declarations import declare

        self.opening, prefixes = declare(self.opening, data)
        if prefixes:
            message = f"undeclared prefix in {where}: {shorten_list(prefixes)}"
            line += data.count(b"\n", 0, data.find(prefixes[0].encode() + b":"))
            self._context.problem("namespace", message, line=line)

    def parse_root(
        self, data: bytes, closing: bytes, *, recover: bool = False
    ) -> XmlElement | None:
        """Parse a part of the document between the start tags and `closing`; None if malformed."""
        return parse_as_html(self.opening + data + closing, recover=recover)

    def parse(
        self, data: bytes, closing: bytes, line: int, *, recover: bool = False
    ) -> ParsedItems | None:
        """
        Parse a part of the document, which begins at `line`, and find its items.

        Returns None if the part is not well-formed, or if items of a sitemap contain other items.
        """
        root = self.parse_root(data, closing, recover=recover)
        if root is None:
            return None
        line_offset = line - 1 - self.opening.count(b"\n")
        if not recover and (lone := self._find_lone_items(root)):
            self._on_tree(root)
            return ParsedItems(lone, line_offset)
        items, others = self._find_items(root)
        if self._is_list and not recover and any(map(_holds_item, items)):
            return None
        if not recover:  # a recovered tree differs from the document
            self._on_tree(root)
        return ParsedItems(self._with_reports(root, items, others, line_offset), line_offset)

    def _find_lone_items(self, root: XmlElement) -> list[XmlElement]:
        """Return the items if their parent has no other content and none are nested; else []."""
        parent = self._parent_of(root, [])
        items = list(parent)
        is_alone = (
            set(map(attrgetter("tag"), items)) == {self._name}
            and self._count_items(root) == len(items)
            and not _text_finder()(parent)
        )
        return items if is_alone else []

    @cached_property
    def _count_items(self) -> Callable[[XmlElement], float]:
        """XPath function that counts elements with the name of the items."""
        from lxml.etree import XPath

        namespace, _, local = self._name.rpartition("}")
        if not namespace:
            return XPath(f"count(//{local})")
        return XPath(f"count(//item:{local})", namespaces={"item": namespace[1:]})

    def _find_items(self, root: XmlElement) -> tuple[list[XmlElement], list[XmlElement]]:
        """
        Find the outermost items.

        Returns the items with the prefix or namespace of the first item in the source, and elements
        with the same local name in other namespaces.
        """
        items: list[XmlElement] = []
        others: list[XmlElement] = []
        for element in root.iter(self._tag):
            is_beside = items and element.getparent() is items[0].getparent()
            if not self._is_item(element):
                others.append(element)
            elif is_beside or self._containing_item(element) is None:
                items.append(element)
        return items, others

    def _with_reports(
        self,
        root: XmlElement,
        items: list[XmlElement],
        others: list[XmlElement],
        line_offset: int,
    ) -> Iterator[XmlElement]:
        """Yield the items, then report unexpected content next to them."""
        yield from items
        if not self._is_list:  # feeds have metadata next to the items
            if others:
                around = self._parent_of(root, items)
                beside = [element for element in others if element.getparent() is around]
                _report_items(beside, line_offset, self._context)
        elif self._cutter.has_items:
            around = self._parent_of(root, items)
            first = line_offset + self.opening.count(b"\n") + 1
            _report_elements(around, set(items), line_offset, first, self._context)

    def _containing_item(self, element: XmlElement) -> XmlElement | None:
        around = element.iterancestors(self._tag)
        return next(filter(self._is_item, around), None)

    def _is_item(self, element: XmlElement) -> bool:
        return element.prefix == self._prefix or element.tag == self._name

    def _parent_of(self, root: XmlElement, items: list[XmlElement]) -> XmlElement:
        """Return the parent of the items; without items, the element that would contain them."""
        parent = items[0].getparent() if items else None
        if parent is not None:
            return parent
        for _ in self.end_tags[1:]:
            root = root[0] if len(root) else root
        return root
