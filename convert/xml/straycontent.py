"""Report text and elements outside the items of a document."""

import re
from collections.abc import Container, Iterable
from html import unescape
from itertools import pairwise

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.xml.elements import name_of
from sitemapx.convert.xml.parsers import XmlElement, parse
from sitemapx.convert.xml.tags import outside, visible
from sitemapx.patterns import lazy_pattern

__all__ = ["report_comments", "report_elements", "report_items", "report_text", "report_urls"]

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


def report_elements(
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


def report_items(others: Iterable[XmlElement], offset: int, reporter: Reporter) -> None:
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
