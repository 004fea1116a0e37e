"""
Dates in the structured data of a page (https://schema.org/dateModified), as JSON-LD or microdata.

Only what is said of the page itself counts: not of its comments, its images or its site, nor of
other pages that it lists.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sitemapx.convert.html.foreign import OpenElements
from sitemapx.convert.html.tags import Tags

#: The names of the dates, and what they are called here; a page without any of them has none.
MENTIONED = {"dateModified": "modified", "datePublished": "published"}
#: Things on a page, or around it, that have dates of their own.
OTHERS = frozenset(
    {
        *("AudioObject", "Comment", "ImageObject", "MediaObject", "Organization", "Person"),
        *("Rating", "Review", "VideoObject", "WebSite"),
    }
)


def dates_in(text: str, is_this_page: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """
    Return the dates in a script of JSON-LD, each with its name; none if it is no JSON.

    Args:
        text: The script.
        is_this_page: Tells of a URL whether it is that of the page.

    >>> text = '[{"@type": "WebSite", "dateModified": "2026"}, {"dateModified": "2025"}]'
    >>> list(dates_in(text, lambda url: True))
    [('dateModified', '2025')]

    """
    if not any(name in text for name in MENTIONED):
        return
    try:
        # not strict: in a text, scripts of pages have line ends
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    for node in _nodes(found):
        if OTHERS.isdisjoint(_texts(node.get("@type"))) and all(
            map(is_this_page, _texts(node.get("url")))
        ):
            for name in MENTIONED:
                yield from ((name, text) for text in _texts(node.get(name)))


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """List what is described at the top, or is what the page is about."""
    for node in value if isinstance(value, list) else [value]:
        if isinstance(node, dict):
            yield node
            graph, main = node.get("@graph"), node.get("mainEntity")
            for inner in (graph if isinstance(graph, list) else [graph], [main]):
                yield from (one for one in inner if isinstance(one, dict))


def _texts(value: Any) -> list[str]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


# ---- microdata: https://html.spec.whatwg.org/#the-microdata-model

#: Elements without an end tag.
_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr"),
    }
)


class MicrodataItem(NamedTuple):
    """
    An item, which an element with `itemscope` describes.

    Attributes:
        start: Position of that element; -1 for the page itself.
        types: Its types without their vocabulary, such as Article.

    """

    start: int = -1
    types: frozenset[str] = frozenset()


def items_of(text: str, name: str) -> dict[int, MicrodataItem]:
    """
    Find the item that each element of a name is a property of.

    Returns:
        The innermost item around each element, by the position of its start tag.

    >>> page = '<div itemscope itemtype="https://schema.org/Article"><p>by<p><time></div><time>'
    >>> [sorted(item.types) for item in items_of(page, "time").values()]
    [['Article'], []]

    """
    found: dict[int, MicrodataItem] = {}
    elements, items = OpenElements(), [MicrodataItem()]
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
            names = frozenset(one.rstrip("/").rpartition("/")[2] for one in types)
            item = MicrodataItem(tag.start, names)
        elements.begin(tag.name)
        items.append(item)
    return found
