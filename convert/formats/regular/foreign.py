"""
Foreign elements in items, whose markup is learnt from those that were parsed.

What differs between the elements of one kind are texts and the values of attributes. So one that
was parsed makes a pattern of all that have the same tags, which are well-formed as well.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from sitemapx.convert.formats.regular.cleaning import GONE
from sitemapx.convert.formats.regular.patterns import IN_TAG, Pattern
from sitemapx.convert.formats.regular.usual import PLAIN_TEXT, quoted
from sitemapx.convert.xml.elements import as_document, local_name
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["ForeignPattern"]

#: So many kinds are known at most, and none is longer.
_MOST, _LONGEST = 20, 4000
_TAG_OR_TEXT = re.compile(
    r"<(/?+[^\s<>/]++)((?:[ \t\n]++[^\s=<>/]++=(?:\"[^\"<]*+\"|'[^'<]*+'))*+)[ \t\n]*+(/?+)>|[^<]++"
)
_ATTRIBUTE = re.compile(r"([^\s=]++)=((['\"]).*?\3)", re.DOTALL)


class ForeignPattern(Pattern):
    """The pattern of all kinds of foreign elements that were learnt."""

    def __init__(self, parse: Callable[[str], XmlElement | None]) -> None:
        """
        Begin without any.

        Args:
            parse: Parses the content of an item.

        """
        super().__init__()
        self._group()
        self._parse = parse
        self._known: dict[str, str] = {}

    def learn(self, elements: Iterable[XmlElement], item: str) -> bool:
        """Learn the elements in the text of an item that has them; return whether any is new."""
        before = len(self._known)
        for element in elements:
            if len(self._known) < _MOST:
                self._learn(element, item)
        if is_new := len(self._known) > before:
            self._compile(_combined(self._known), lambda groups: (self._values(groups[0]), ()))
        return is_new

    def _learn(self, element: XmlElement, item: str) -> None:
        name = f"{element.prefix}:{local_name(element)}" if element.prefix else local_name(element)
        escaped = re.escape(name)
        found = re.search(rf"<{escaped}(?=[\s/>])(?:[^<>]*/>|.*?</{escaped}\s*>)", item, re.DOTALL)
        if found is None or len(found[0]) > _LONGEST or "xml:" in found[0]:
            return  # of all values of xml:id, no two are the same
        alone = self._parse(found[0])  # without what the item may declare
        if alone is None or [as_document(one) for one in alone] != [as_document(element)]:
            return
        if pattern := _pattern_of(found[0]):
            self._known[pattern] = f"<{name}"

    @property
    def starts(self) -> Collection[str]:
        """How the elements that were learnt begin."""
        return {*self._known.values()}

    def _values(self, texts: Iterable[str | None]) -> Iterator[str]:
        """Parse all elements at once when the first is asked for; each is a document of its own."""
        together = "".join(text or "" for text in texts).replace(GONE, "")
        item = self._parse(together)
        assert item is not None, "elements that match are well-formed"
        yield from map(as_document, item)


def _pattern_of(element: str) -> str | None:
    """Make a pattern of an element; None if there is more in it than tags and texts."""
    parts: list[str] = []
    at = 0
    while at < len(element):
        found = _TAG_OR_TEXT.match(element, at)
        if found is None:
            return None
        at = found.end()
        if found[1]:
            tag = f"<{re.escape(found[1])}{''.join(map(_attribute, _ATTRIBUTE.finditer(found[2])))}"
            parts.append(f"{tag}{IN_TAG}{found[3]}>")
    return PLAIN_TEXT.join(parts)


def _attribute(attribute: re.Match[str]) -> str:
    """Make a pattern of an attribute, with the same value if it declares a namespace."""
    name, value, quote = attribute.groups()
    is_fixed = name.startswith("xmlns")
    return rf"[ \t\n]++{re.escape(name)}=" + (re.escape(value) if is_fixed else quoted(quote))


def _combined(known: dict[str, str]) -> str:
    """Make one pattern of all, which begins as all of them do: so it is found fast."""
    starts = {*known.values()}
    start = re.escape(starts.pop()) if len(starts) == 1 else "<"
    alternatives = "|".join(pattern.removeprefix(start) for pattern in known)
    return f"({start}(?:{alternatives}))"
