"""
Foreign elements in items, whose markup is learnt from those that were parsed.

What differs between the elements of one kind are texts and the values of attributes. So one that
was parsed makes a pattern of all that have the same tags, which are well-formed as well, and shows
how they are written as documents of their own, into which just these values have to be filled.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, repeat, zip_longest

from sitemapx.convert.formats.regular.cleaning import GONE
from sitemapx.convert.formats.regular.models import Groups
from sitemapx.convert.formats.regular.patterns import IN_TAG, Pattern
from sitemapx.convert.formats.regular.usual import PLAIN_TEXT, between
from sitemapx.convert.xml.elements import canonical, local_name
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.convert.xml.plain import unescaped

__all__ = ["ForeignPattern"]

#: So many kinds are known at most, and none is longer.
_MOST, _LONGEST = 20, 4000
_TAG_OR_TEXT = re.compile(
    r"<(/?+[^\s<>/]++)((?:[ \t\n]++[^\s=<>/]++=(?:\"[^\"<]*+\"|'[^'<]*+'))*+)[ \t\n]*+(/?+)>|[^<]++"
)
_ATTRIBUTE = re.compile(r"([^\s=]++)=((['\"]).*?\3)", re.DOTALL)
#: Stands for a value, by its number.
_PLACE, _PLACES = "\ue000{}\ue001", re.compile("\ue000([0-9]+)\ue001")


class ForeignPattern(Pattern):
    """The pattern of all kinds of foreign elements that were learnt."""

    def __init__(self, parse: Callable[[str], XmlElement | None]) -> None:
        """
        Begin without any.

        Args:
            parse: Parses the content of an item.

        """
        super().__init__()
        self._parse = parse
        self._known: dict[str, _Kind] = {}

    def learn(self, elements: Iterable[XmlElement], item: str) -> bool:
        """Learn the elements in the text of an item that has them; return whether any is new."""
        before = len(self._known)
        for element in elements:
            if len(self._known) < _MOST:
                self._learn(element, item)
        if is_new := len(self._known) > before:
            self._groups = len(self._known)
            # A pattern is found fast that begins as all of them do.
            start = next(iter(self.starts)) if len(self.starts) == 1 else "<"
            kinds = "|".join(f"({kind.removeprefix(re.escape(start))})" for kind in self._known)
            pattern = f"{re.escape(start)}(?:{kinds})"
            self._compile(pattern, lambda groups: (self._documents(start, groups), ()))
        return is_new

    def _learn(self, element: XmlElement, item: str) -> None:
        name = f"{element.prefix}:{local_name(element)}" if element.prefix else local_name(element)
        escaped = re.escape(name)
        found = re.search(rf"<{escaped}(?=[\s/>])(?:[^<>]*/>|.*?</{escaped}\s*>)", item, re.DOTALL)
        if found is None or len(found[0]) > _LONGEST or "xml:" in found[0]:
            return  # of all values of xml:id, no two are the same
        document = self._document(found[0])  # without what the item may declare
        if document is None or document != canonical(element):
            return
        if kind := _kind_of(found[0], f"<{name}", self._document):
            self._known[kind.pattern] = kind

    def _document(self, markup: str) -> str | None:
        """Write an element as a document of its own; None if this is none, or has no such form."""
        item = self._parse(markup)
        return canonical(item[0]) if item is not None and len(item) == 1 else None

    @property
    def starts(self) -> Collection[str]:
        """How the elements that were learnt begin."""
        return {kind.start for kind in self._known.values()}

    def _documents(self, start: str, groups: Groups) -> Iterator[str | None]:
        """Write elements as documents, of what follows `start`, once the first is asked for."""
        found: list[str | None] = [None] * len(groups[0])
        for kind, texts in zip(self._known.values(), groups, strict=True):
            rows = [row for row, text in enumerate(texts) if text is not None]
            elements = [f"{start}{texts[row]}" for row in rows]
            for row, document in zip(rows, kind.documents(elements), strict=True):
                found[row] = document
        yield from found


class _Kind:
    """
    Elements with the same tags.

    Attributes:
        start: How they begin.
        pattern: Matches them.

    """

    def __init__(
        self, start: str, fixed: Sequence[str], values: Sequence[str], document: str
    ) -> None:
        """
        Take what all have.

        Args:
            fixed: The patterns of what is before, between and after the values.
            values: Those of the values.
            document: How one of them is written, with a place for each value.

        """
        self.start = start
        self.pattern = _joined(fixed, values)
        self._split = re.compile(_joined(fixed, [f"({value})" for value in values])).split
        self._are_attributes = [value is not PLAIN_TEXT for value in values]
        self._order = [int(number) for number in _PLACES.findall(document)]
        self._template = _PLACES.sub("%s", document.replace("%", "%%"))

    def documents(self, elements: Sequence[str]) -> Iterable[str]:
        """Write elements of this kind as documents of their own."""
        if not self._order:
            return repeat(self._template % (), len(elements))
        parts = self._split("".join(elements))
        step = len(self._order) + 1
        columns = [
            _written(parts[number::step], is_attribute=is_attribute)
            for number, is_attribute in enumerate(self._are_attributes, 1)
        ]
        rows = zip(*(columns[number] for number in self._order), strict=True)
        return map(self._template.__mod__, rows)


def _kind_of(element: str, start: str, write: Callable[[str], str | None]) -> _Kind | None:
    """
    Learn a kind from one of its elements; None if there is more in it than tags and texts.

    Args:
        write: Writes markup as a document of its own.

    """
    markup = _Markup()
    at = 0
    while at < len(element):
        found = _TAG_OR_TEXT.match(element, at)
        if found is None:
            return None
        at = found.end()
        if found[1]:
            markup.add_tag(*found.groups())
    document = write(markup.marked)
    places = sorted(map(int, _PLACES.findall(document or "")))
    if document is None or places != [*range(len(markup.values))]:
        return None
    return _Kind(start, markup.fixed, markup.values, document)


class _Markup:
    """
    The markup of a kind: its tags, with a value between any two, and for each of most attributes.

    Attributes:
        fixed: The patterns of what is before, between and after the values.
        values: Those of the values.
        marked: An element, with a place for each value.

    """

    def __init__(self) -> None:
        self.fixed = [""]
        self.values: list[str] = []
        self.marked = ""

    def add_tag(self, name: str, attributes: str, end: str) -> None:
        """Add a tag, and a text before it if it is not the first."""
        if self.marked:
            self._add_value(PLAIN_TEXT)
        self._add(f"<{name}", f"<{re.escape(name)}")
        for attribute, value, quote in _ATTRIBUTE.findall(attributes):
            is_fixed = attribute.startswith("xmlns")
            begun = f"{attribute}={value if is_fixed else quote}"
            self._add(f" {begun}", rf"[ \t\n]++{re.escape(begun)}")
            if not is_fixed:
                self._add_value(between(quote))
                self._add(quote, quote)
        self._add(f"{end}>", f"{IN_TAG}{end}>")

    def _add(self, markup: str, pattern: str) -> None:
        self.marked += markup
        self.fixed[-1] += pattern

    def _add_value(self, pattern: str) -> None:
        self.marked += _PLACE.format(len(self.values))
        self.values.append(pattern)
        self.fixed.append("")


def _joined(fixed: Sequence[str], values: Sequence[str]) -> str:
    return "".join(chain.from_iterable(zip_longest(fixed, values, fillvalue="")))


def _written(texts: Sequence[str], *, is_attribute: bool) -> Sequence[str]:
    """Write texts, or values of attributes: https://www.w3.org/TR/xml-c14n#ProcessingModel"""
    together = "\0".join(texts)
    if not any(character in together for character in ('&"\t\n' if is_attribute else f"&>{GONE}")):
        return texts
    if is_attribute:
        together = together.replace("\t", " ").replace("\n", " ")
    plain = unescaped(together.replace(GONE, "")) or ""
    escaped = plain.replace("&", "&amp;").replace("<", "&lt;")
    escaped = escaped.replace('"', "&quot;") if is_attribute else escaped.replace(">", "&gt;")
    return escaped.split("\0")
