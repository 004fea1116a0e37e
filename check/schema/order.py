"""The order in which the schemas want elements, and which neighbour an element is wrong beside."""

from collections.abc import Iterable, Sequence
from itertools import islice

from sitemapx.convert.formats.sitemap.elements import shape_of
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.elements import local_name, name_of, split_name
from sitemapx.convert.xml.namespaces import prefix_of
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["misplaced", "names_of", "place_of", "rank_of"]

_CORE = ("loc", *datatypes.CORE)
#: So many elements before and after one are compared with it.
_MOST = 100


def names_of(parent: XmlElement) -> Sequence[str]:
    """List the names of the children of an element, in the order of its schema."""
    shape = shape_of(parent)
    return tuple(child.name for child in shape.children) if shape else _CORE


def rank_of(element: XmlElement, names: Sequence[str], *, is_in_item: bool) -> int | None:
    """Return which place an element has in its parent; in an item, extensions come last."""
    if is_in_item and prefix_of(split_name(element)[0]) != "":
        return len(names)
    name = local_name(element)
    return names.index(name) if name in names else None


def misplaced(element: XmlElement) -> str:
    """Say before or after which of its neighbours an element must come."""
    if found := place_of(element):
        where, other = found
        return f"<{name_of(element)}> must come {where} <{name_of(other)}>"
    return f"<{name_of(element)}> is not allowed here"


def place_of(element: XmlElement) -> tuple[str, XmlElement] | None:
    """Return the neighbour that an element must come "before" or "after"; None if it may not."""
    parent = element.getparent()
    if parent is None:
        return None
    names, is_in_item = names_of(parent), shape_of(parent) is None
    own = rank_of(element, names, is_in_item=is_in_item)

    def first(others: Iterable[XmlElement], *, is_later: bool) -> XmlElement | None:
        """Find the farthest element that this one must change places with."""
        found = None
        for other in islice(others, _MOST):
            rank = rank_of(other, names, is_in_item=is_in_item)
            if rank is not None and own is not None and own != rank:
                found = other if (rank > own) == is_later else found
        return found

    before = first(element.itersiblings("*", preceding=True), is_later=True)
    if before is not None:
        return "before", before
    after = first(element.itersiblings("*"), is_later=False)
    return None if after is None else ("after", after)
