"""Items of microdata in a page: https://html.spec.whatwg.org/#the-microdata-model"""

from typing import NamedTuple

from sitemapx.convert.html.openelements import OpenElements
from sitemapx.convert.html.tags import Tags

__all__ = ["Item", "items_of"]

#: Elements without an end tag.
_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr"),
    }
)


class Item(NamedTuple):
    """
    An item, which an element with `itemscope` describes.

    Attributes:
        start: Position of that element; -1 for the page itself.
        types: Its types without their vocabulary, such as Article.

    """

    start: int = -1
    types: frozenset[str] = frozenset()


def items_of(text: str, name: str) -> dict[int, Item]:
    """
    Find the item that each element of a name is a property of.

    Returns:
        The innermost item around each element, by the position of its start tag.

    >>> page = '<div itemscope itemtype="https://schema.org/Article"><p>by<p><time></div><time>'
    >>> [sorted(item.types) for item in items_of(page, "time").values()]
    [['Article'], []]

    """
    found: dict[int, Item] = {}
    elements, items = OpenElements(), [Item()]
    for tag in Tags(text):
        if tag.is_foreign or not tag.name:
            continue
        if tag.is_end:
            elements.end(tag.name)
            del items[len(elements.names) + 1 :]
            continue
        item = items[-1]
        if tag.name == name:
            found[tag.start] = item
        if tag.name in _VOID:
            continue
        if "itemscope" in tag.source.lower() and "itemscope" in (given := tag.attributes()):
            types = given.get("itemtype", "").split()
            item = Item(tag.start, frozenset(one.rstrip("/").rpartition("/")[2] for one in types))
        elements.begin(tag.name)
        items.append(item)
    return found
