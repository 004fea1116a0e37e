"""
Track the open elements of a page, and which of them are foreign: SVG and MathML in HTML.

https://html.spec.whatwg.org/#parsing-main-inforeign
"""

import re
from collections import Counter


class OpenElements:
    """Stack of open elements with constant-time lookup; `names` has the innermost element last."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._counts: Counter[str] = Counter()

    def __contains__(self, name: str) -> bool:
        return self._counts[name] > 0

    def __bool__(self) -> bool:
        return bool(self.names)

    def begin_element(self, name: str) -> None:
        self.names.append(name)
        self._counts[name] += 1

    def end_element(self, name: str) -> None:
        """Close the innermost element of this name, if any, and all elements inside."""
        while self._counts[name]:
            last = self.names.pop()
            self._counts[last] -= 1
            if last == name:
                return

    def clear(self) -> None:
        self.names.clear()
        self._counts.clear()


#: Elements of each language that may contain HTML:
#: https://html.spec.whatwg.org/#tree-construction
_POINTS_OF = {
    "svg": frozenset({"foreignobject", "desc", "title"}),
    "math": frozenset({"mi", "mo", "mn", "ms", "mtext", "annotation-xml"}),
}
_POINTS = frozenset().union(*_POINTS_OF.values())
#: HTML elements that close all foreign elements.
_BREAKOUTS = frozenset(
    {
        *("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt"),
        *("em", "embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li"),
        *("listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span"),
        *("strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var"),
    }
)
_font = re.compile(r"(?:^|[\t\n\f\r /])(?:color|face|size)(?=[\t\n\f\r /=]|$)", re.I).search
_html = re.compile(r"encoding\s*=\s*[\"']?(?:text/html|application/xhtml\+xml)\b", re.I).search

_quoted = re.compile(r"\"[^\"]*\"|'[^']*'").sub
_parts = re.compile(r"[\t\n\f\r ]+").split


def _is_closed(attributes: str) -> bool:
    """Return whether the attributes end with a slash that is not part of an unquoted value."""
    if not attributes.endswith("/"):
        return False
    *others, last = _parts(_quoted('""', attributes))
    _, is_set, value = last.partition("=")
    if not is_set:
        return not (others and others[-1].endswith("="))
    return value.startswith('"')


class ForeignElements:
    def __init__(self) -> None:
        self._open = OpenElements()

    def __bool__(self) -> bool:
        return bool(self._open)

    def process_tag(self, name: str, attributes: str, *, is_end: bool) -> bool:
        """Process the next tag, whose name is in lower case; return whether the tag is foreign."""
        if is_end:
            return self._process_end_tag(name)
        around = self._open.names[-1] if self._open else ""
        if around and around not in _POINTS:
            if name in _BREAKOUTS or (name == "font" and _font(attributes)):
                self._open.clear()
                return False
        elif name not in _POINTS_OF:
            return False
        is_point = name in _POINTS_OF.get(around, ())
        if name == "annotation-xml":
            is_point = is_point and bool(_html(attributes))
        if (name in _POINTS_OF or is_point) and not _is_closed(attributes):
            self._open.begin_element(name)
        return True

    def _process_end_tag(self, name: str) -> bool:
        if name in ("p", "br") and self._open.names[-1:] and self._open.names[-1] not in _POINTS:
            self._open.clear()
            return False
        is_here = name in self._open
        is_foreign = is_here or self._open.names[-1:] in (["svg"], ["math"])
        if is_here:
            self._open.end_element(name)
        return is_foreign
