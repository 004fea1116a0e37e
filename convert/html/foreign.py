"""
Elements of SVG and MathML in HTML.

https://html.spec.whatwg.org/#parsing-main-inforeign
"""

import re
from collections import Counter

# ---- the elements of a page that are open: some of them, by their names


class OpenElements:
    """
    A stack of names.

    To look a name up takes no longer the more there are, so that no page is slow to read.

    Attributes:
        names: The names, the innermost last.

    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._counts: Counter[str] = Counter()

    def __contains__(self, name: str) -> bool:
        return self._counts[name] > 0

    def __bool__(self) -> bool:
        return bool(self.names)

    def begin(self, name: str) -> None:
        """Open an element."""
        self.names.append(name)
        self._counts[name] += 1

    def end(self, name: str) -> None:
        """Close an element, with all that are open in it, if there is one of this name."""
        while self._counts[name]:
            last = self.names.pop()
            self._counts[last] -= 1
            if last == name:
                return

    def clear(self) -> None:
        """Close all."""
        self.names.clear()
        self._counts.clear()


#: Elements of each language in which HTML may stand:
#: https://html.spec.whatwg.org/#html-integration-point
_POINTS_OF = {
    "svg": frozenset({"foreignobject", "desc", "title"}),
    "math": frozenset({"mi", "mo", "mn", "ms", "mtext", "annotation-xml"}),
}
_POINTS = frozenset().union(*_POINTS_OF.values())
#: HTML that ends what is foreign, wherever it stands.
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
    """Return whether a slash ends these attributes, and is no part of a value without quotes."""
    if not attributes.endswith("/"):
        return False
    *others, last = _parts(_quoted('""', attributes))
    _, is_set, value = last.partition("=")
    if not is_set:
        return not (others and others[-1].endswith("="))
    return value.startswith('"')


class ForeignElements:
    """The foreign elements that are open, as far as they decide what a tag is."""

    def __init__(self) -> None:
        self._open = OpenElements()

    def __bool__(self) -> bool:
        return bool(self._open)

    def take(self, name: str, attributes: str, *, is_end: bool) -> bool:
        """
        Take a tag, and tell whether it is foreign itself.

        Args:
            name: Its name in lower case.
            attributes: Its attributes, as they are written.
            is_end: Whether it is an end tag.

        """
        if is_end:
            return self._take_end(name)
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
            self._open.begin(name)
        return True

    def _take_end(self, name: str) -> bool:
        if name in ("p", "br") and self._open.names[-1:] and self._open.names[-1] not in _POINTS:
            self._open.clear()
            return False
        is_here = name in self._open
        is_foreign = is_here or self._open.names[-1:] in (["svg"], ["math"])
        if is_here:
            self._open.end(name)
        return is_foreign
