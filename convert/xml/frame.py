"""The tags around the items of a document, between which a part of it is parsed."""

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
from sitemapx.convert.xml.repair.references import for_recovery, with_meant_references
from sitemapx.convert.xml.tags import (
    MAX_DEPTH,
    StartTag,
    outside,
    tag_name,
    usual_start_tag,
    visible,
)
from sitemapx.patterns import lazy_pattern

# ---- report text and elements outside the items of a document

#: Whitespace and the byte order mark.
_BLANK = " \t\r\n\ufeff"
#: A truncated end tag.
_CUT_OFF = rb"</[^<>]*\Z"
#: A truncated end tag, or a byte order mark.
_NO_MARKUP = lazy_pattern(_CUT_OFF + rb"|\xef\xbb\xbf")
_LONGEST = 60
_LOC = lazy_pattern(rb"<(?:[\w.-]+:)?loc(?:\s[^<>]*)?>([^<]+)</")
_OUTSIDE = "URL outside the entries"


def report_text(data: bytes, line: int, tags: Iterable[bytes], reporter: Reporter) -> None:
    """
    Report text and markup outside the items.

    Args:
        data: The document between, before or after items.
        line: Its first line.
        tags: Tags expected in it, once each; the last one is that of the root.

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
    for tag in tags:
        shown = shown.replace(tag, b" " * len(tag), 1)
    shown = _NO_MARKUP.sub(lambda m: b" " * len(m[0]), shown)
    if rest := shown.strip():
        line += data.count(b"\n", 0, shown.find(rest))
        words = b" ".join(rest.split(b"\n")[0].split())[:_LONGEST].decode("utf-8", "replace")
        reporter.problem("stray-content", f"unexpected text between entries: {words!r}", line=line)
    elif not _is_well_formed(data, tags):
        line += data.count(b"\n", 0, len(data) - len(data.lstrip()))
        message = "markup outside the entries is not well-formed"
        reporter.problem("malformed", message, done="; skipped", line=line)


def _is_well_formed(data: bytes, tags: Iterable[bytes]) -> bool:
    """Return whether markup outside the items is well-formed, with the tags that are missing."""
    found = [*tags]
    data = re.sub(_CUT_OFF, b"", data)
    if not found or found[-1] not in data:
        return parse(b"<x>" + data + b"</x>") is not None
    if found[-1].startswith(b"</"):
        opening = b"".join(b"<" + tag[2:] for tag in reversed(found))
        return parse(opening + data) is not None
    names = [tag[1:].split()[0].rstrip(b"/>") for tag in reversed(found)]
    return parse(data + b"".join(b"</%s>" % name for name in names)) is not None


def report_urls(data: bytes, line: int, reporter: Reporter) -> bool:
    """Report the URLs in markup outside the items; return whether there are any."""
    found, at = False, 0
    for m in outside(_LOC, data):
        line, at, found = line + data.count(b"\n", at, m.start()), m.start(), True
        loc = unescape(m[1].decode("utf-8", "replace")).strip()
        reporter.problem("stray-content", _OUTSIDE, done="; skipped", line=line, loc=loc)
    return found


def report_comments(data: bytes, line: int, reporter: Reporter) -> bool:
    """
    Report comments that are not well-formed: https://www.w3.org/TR/xml/#sec-comments.

    Returns:
        Whether there are any.

    """
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
    offset: int,
    first: int,
    reporter: Reporter,
) -> None:
    """
    Report text and elements beside the items.

    Args:
        parent: What the items stand in.
        items: The items.
        offset: What to add to the parser's lines.
        first: The line in which the contents of the parent begin.

    """
    from lxml.etree import tostring

    _report(parent.text, first, reporter)
    for child in parent:
        line = child.sourceline and child.sourceline + offset
        if child not in items:
            loc = (child.findtext("{*}loc") or "").strip()
            message = _OUTSIDE if loc else f"unexpected element between entries: <{name_of(child)}>"
            done = "; skipped" if loc else ""
            reporter.problem("stray-content", message, done=done, line=line, loc=loc, element=child)
        if child.tail and child.tail.strip(_BLANK):
            below = line and line + tostring(child, with_tail=False).count(b"\n")
            _report(child.tail, below, reporter)


def _report_items(others: Iterable[XmlElement], offset: int, reporter: Reporter) -> None:
    """Report elements that have the name of the items and another namespace."""
    for element in others:
        line = element.sourceline and element.sourceline + offset
        message = f"unexpected element between entries: <{name_of(element)}> in another namespace"
        reporter.problem("stray-content", message, line=line, element=element)


def _report(text: str | None, line: int | None, reporter: Reporter) -> None:
    """Report a text that begins in a line, if there is more than white space in it."""
    if text and (shown := text.strip(_BLANK)):
        line = line and line + text[: text.index(shown[0])].count("\n")
        reporter.problem(
            "stray-content", f"unexpected text between entries: {shown[:_LONGEST]!r}", line=line
        )


class ParsedItems(NamedTuple):
    """
    Items of a part of the document.

    Attributes:
        elements: The items.
        line_offset: How many lines to add to the parser's to have their lines in the source.
        broken: In feeds, where there is but one item and it is not well-formed: a document with
            the item as it is. The element is what could be recovered.
        line: That of a broken item.

    """

    elements: Iterable[XmlElement]
    line_offset: int
    broken: bytes = b""
    line: int | None = None


def parsed(data: bytes, *, recover: bool = False) -> XmlElement | None:
    """Parse a document as browsers read its references; None if it is not well-formed."""
    data = with_meant_references(data)
    return parse(for_recovery(data) if recover else data, recover=recover)


@cache
def _text_finder() -> Callable[[XmlElement], bool]:
    from lxml.etree import XPath

    return XPath("boolean(text()[normalize-space()])")


def _has_text(element: XmlElement) -> bool:
    """Return whether there is text between the children of an element."""
    return _text_finder()(element)


_TAG_OF = attrgetter("tag")


def _holds_item(item: XmlElement) -> bool:
    return next(item.iterdescendants(str(item.tag)), None) is not None


class Frame:
    """
    The start tags that are open before the first item, and their end tags.

    Attributes:
        opening: The start tags, repaired if need be.
        end_tags: The end tags, in order.
        closing: The end tags as one.
        is_sound: Whether the start tags are well-formed, repaired if need be.
        prefixes: The namespaces of all prefixes that items may use.
        root_name: The namespace and the local name of the root, if the items are in it and it
            needed no repair; else None.

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
        """
        Take the start tags.

        Args:
            between: Those that follow the root's.
            on_tree: Called with each part that was parsed as it is, before its items are given.

        """
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
        start = usual_start_tag(self.opening) or self._innermost(tags)
        self.prefixes = start.namespaces if start else {}
        namespace = self.prefixes.get(self._prefix)
        self._name = f"{{{namespace}}}{local}" if namespace else local
        self.is_sound = not tags or start is not None
        self.root_name = start.name if start and tags == [self.opening] else None

    def _innermost(self, tags: list[bytes]) -> StartTag | None:
        """Parse the start tags, and return the last of them; None if there is none, or no way."""
        opened = self._opened(tags) if tags else None
        if opened is None:
            return None
        *_, innermost = opened.iter("*")
        return StartTag(split_name(innermost), dict(innermost.nsmap))

    def _opened(self, tags: list[bytes]) -> XmlElement | None:
        """Parse the start tags, as they are or repaired; None if there is no way."""
        from sitemapx.convert.xml.repair.declarations import with_legal_namespaces
        from sitemapx.convert.xml.repair.markup import sound_tag

        line, where = self._cutter.head_line, f"<{self._cutter.root}>"
        if (root := self.root(b"", self.closing)) is not None:
            return root
        self.declare(self.opening, where, line)
        self.opening = with_legal_namespaces(self.opening, self._context, line)
        if (root := self.root(b"", self.closing)) is not None:
            return root
        self._context.problem(
            "malformed", f"start tag {where} is not well-formed; repaired", line=line
        )
        self.opening = b"".join(map(sound_tag, tags))
        self.declare(self.opening, where, line)
        self.opening = with_legal_namespaces(self.opening, Reporter(), line)
        return self.root(b"", self.closing)

    def declare(self, data: bytes, where: str, line: int) -> None:
        """Declare the prefixes that this data, which begins at a line, uses undeclared."""
        from sitemapx.convert.xml.repair.declarations import declare

        self.opening, prefixes = declare(self.opening, data)
        if prefixes:
            message = f"undeclared prefix in {where}: {shorten_list(prefixes)}"
            line += data.count(b"\n", 0, data.find(prefixes[0].encode() + b":"))
            self._context.problem("namespace", message, line=line)

    def root(self, data: bytes, closing: bytes, *, recover: bool = False) -> XmlElement | None:
        """Parse a part of the document and give its root; None if it is not well-formed."""
        return parsed(self.opening + data + closing, recover=recover)

    def parse(
        self, data: bytes, closing: bytes, line: int, *, recover: bool = False
    ) -> ParsedItems | None:
        """
        Parse a part of the document and find its items.

        Returns:
            None if it is not well-formed, or only as items were not closed that now hold others.

        """
        root = self.root(data, closing, recover=recover)
        if root is None:
            return None
        offset = line - 1 - self.opening.count(b"\n")
        if not recover and (lone := self._lone(root)):
            self._on_tree(root)
            return ParsedItems(lone, offset)
        items, others = self._items(root)
        if self._is_list and not recover and any(map(_holds_item, items)):
            return None
        if not recover:  # what is recovered is not what the document says
            self._on_tree(root)
        return ParsedItems(self._reported(root, items, others, offset), offset)

    def _lone(self, root: XmlElement) -> list[XmlElement]:
        """Return the items if there is nothing beside them and no item in another, else none."""
        parent = self._around(root, [])
        items = list(parent)
        is_alone = (
            set(map(_TAG_OF, items)) == {self._name}
            and self._count(root) == len(items)
            and not _has_text(parent)
        )
        return items if is_alone else []

    @cached_property
    def _count(self) -> Callable[[XmlElement], float]:
        """A function that counts the elements of the name of the items in a tree."""
        from lxml.etree import XPath

        namespace, _, local = self._name.rpartition("}")
        if not namespace:
            return XPath(f"count(//{local})")
        return XPath(f"count(//item:{local})", namespaces={"item": namespace[1:]})

    def _items(self, root: XmlElement) -> tuple[list[XmlElement], list[XmlElement]]:
        """
        Find the items, which are not in another one.

        Returns:
            Those whose prefix or namespace is that of the first item in the source, and the
            elements of that name in another namespace, wherever they are.

        """
        items: list[XmlElement] = []
        others: list[XmlElement] = []
        for element in root.iter(self._tag):
            is_beside = items and element.getparent() is items[0].getparent()
            if not self._is_item(element):
                others.append(element)
            elif is_beside or self._outer(element) is None:
                items.append(element)
        return items, others

    def _reported(
        self,
        root: XmlElement,
        items: list[XmlElement],
        others: list[XmlElement],
        offset: int,
    ) -> Iterator[XmlElement]:
        """Return the items, and report what is beside them."""
        yield from items
        if not self._is_list:  # as feeds, which speak of themselves there
            if others:
                around = self._around(root, items)
                beside = [element for element in others if element.getparent() is around]
                _report_items(beside, offset, self._context)
        elif self._cutter.has_items:
            around = self._around(root, items)
            first = offset + self.opening.count(b"\n") + 1
            _report_elements(around, set(items), offset, first, self._context)

    def _outer(self, element: XmlElement) -> XmlElement | None:
        """Return the item that an element is in."""
        around = element.iterancestors(self._tag)
        return next(filter(self._is_item, around), None)

    def _is_item(self, element: XmlElement) -> bool:
        """Return whether an element of their name has the prefix or the namespace of the items."""
        return element.prefix == self._prefix or element.tag == self._name

    def _around(self, root: XmlElement, items: list[XmlElement]) -> XmlElement:
        """Return the element that the items stand in, or would stand in."""
        parent = items[0].getparent() if items else None
        if parent is not None:
            return parent
        for _ in self.end_tags[1:]:
            root = root[0] if len(root) else root
        return root
