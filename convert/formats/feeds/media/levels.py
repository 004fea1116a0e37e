"""The elements of Media RSS in one place, and which of them were taken: all others are lost."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from sitemapx.convert.formats.feeds.handlers import leave_out
from sitemapx.convert.formats.format import Context
from sitemapx.convert.xml.elements import line_of, name_of
from sitemapx.convert.xml.namespaces import prefix_of
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["Level", "Origin", "group_by_name", "key_of"]

#: Elements by their local names; with a prefix, if that is not the one of Media RSS.
Level = Mapping[str, Sequence[XmlElement]]

#: The attributes that are read; the elements that are not here have none.
_ATTRIBUTES: dict[str, frozenset[str]] = {
    "content": frozenset({"url", "type", "medium", "duration", "isDefault", "expression"}),
    "thumbnail": frozenset({"url"}),
    "player": frozenset({"url"}),
    "embed": frozenset({"url"}),
    "title": frozenset({"type"}),
    "description": frozenset({"type"}),
    "rating": frozenset({"scheme"}),
    "restriction": frozenset({"relationship", "type"}),
    "credit": frozenset({"role"}),
    "price": frozenset({"type", "price", "currency"}),
    "starRating": frozenset({"average", "min", "max"}),
    "statistics": frozenset({"views"}),
}
_NONE: frozenset[str] = frozenset()


def group_by_name(nodes: Iterable[XmlElement]) -> Level:
    """Sort elements by their names."""
    level: dict[str, list[XmlElement]] = {}
    for node in nodes:
        key = key_of(str(node.tag))
        if key in level:
            level[key].append(node)
        else:
            level[key] = [node]
    return level


@lru_cache(1000)
def key_of(tag: str) -> str:
    """Return the local name of an element, with a prefix if that is not the one of Media RSS."""
    namespace, _, local = tag.rpartition("}")
    prefix = prefix_of(namespace[1:])
    return local if prefix == "media" else f"{prefix}:{local}"


class Origin:
    """
    The origin of values, and which elements were taken: all others are lost.

    Attributes:
        offset: What to add to the lines of elements.
        context: Called with what is wrong and what is lost.
        loc: The page.

    """

    def __init__(self, offset: int, context: Context, loc: str | None) -> None:
        self.offset = offset
        self.context = context
        self.loc = loc
        self._taken: set[XmlElement] = set()
        self._levels: dict[XmlElement, Level] = {}

    def inside(self, node: XmlElement) -> Level:
        """Return the children of an element by their names."""
        level = self._levels.get(node)
        if level is None:
            level = self._levels[node] = group_by_name(node)
        return level

    def take(self, node: XmlElement) -> XmlElement:
        """Note that what this element says is kept."""
        self._taken.add(node)
        return node

    def lost(self, nodes: Iterable[XmlElement]) -> list[XmlElement]:
        """List the elements that were not taken."""
        return [node for node in nodes if node not in self._taken]

    def lost_in(self, level: Level, *others: str) -> list[XmlElement]:
        """
        Return the elements of a level that were not taken; report what is left of those that were.

        Args:
            others: The names of elements that are not asked for.

        """
        taken = self._taken
        lost: list[XmlElement] = []
        for name, nodes in level.items():
            if name not in others:
                for node in nodes:
                    if node in taken:
                        self.report_attributes(name, node)
                    else:
                        lost.append(node)
        return lost

    def report_attributes(self, name: str, node: XmlElement) -> None:
        """Return which attributes are not read of an element of this name."""
        found = node.keys() if node.attrib else ()
        if found and not (known := _ATTRIBUTES.get(name, _NONE)).issuperset(found):
            for attribute in found:
                if attribute not in known:
                    self.leave_out(f"<{name_of(node)} {attribute}>", node)

    def leave_out(self, what: str, node: XmlElement) -> None:
        """Count something that the model has no place for, if anybody wants media."""
        if self.context.wants("images") or self.context.wants("videos"):
            leave_out(what, node, self.offset, self.context)

    def problem(self, code: str, message: str, node: XmlElement, done: str = "; dropped") -> None:
        """Report what is wrong with an element, if anybody wants media, and what was done."""
        if self.context.wants("images") or self.context.wants("videos"):
            line = line_of(node, self.offset)
            self.context.problem(code, message, done=done, line=line, loc=self.loc)
