"""
Dates in structured data of a page (https://schema.org/dateModified), as JSON-LD or microdata.

Only dates of the page itself count, not dates of comments, images, the site or other pages.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sitemapx.convert.html.foreign import OpenElements
from sitemapx.convert.html.tags import Tags

#: Kinds of dates by name; a page without these names has no dates.
MENTIONED = {"dateModified": "modified", "datePublished": "published"}
#: Types that have their own dates.
OTHERS = frozenset(
    {
        *("AudioObject", "Comment", "ImageObject", "MediaObject", "Organization", "Person"),
        *("Rating", "Review", "VideoObject", "WebSite"),
    }
)


def find_dates(text: str, is_this_page: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """
    Yield the name and text of each date in a JSON-LD script; nothing if the script is invalid.

    Args:
        is_this_page: Returns whether a URL belongs to the page.

    >>> text = '[{"@type": "WebSite", "dateModified": "2026"}, {"dateModified": "2025"}]'
    >>> list(find_dates(text, lambda url: True))
    [('dateModified', '2025')]

    """
    if not any(name in text for name in MENTIONED):
        return
    try:
        # not strict, as strings in practice contain line breaks
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    for node in _list_nodes(found):
        if OTHERS.isdisjoint(_list_texts(node.get("@type"))) and all(
            map(is_this_page, _list_texts(node.get("url")))
        ):
            for name in MENTIONED:
                yield from ((name, text) for text in _list_texts(node.get(name)))


def _list_nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the top-level nodes of JSON-LD, and the main entities of the page."""
    for node in value if isinstance(value, list) else [value]:
        if isinstance(node, dict):
            yield node
            graph, main = node.get("@graph"), node.get("mainEntity")
            for inner in (graph if isinstance(graph, list) else [graph], [main]):
                yield from (node for node in inner if isinstance(node, dict))


def _list_texts(value: Any) -> list[str]:
    return [
        item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)
    ]


# ---- microdata: https://html.spec.whatwg.org/#the-microdata-model

#: Elements without end tag.
_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr"),
    }
)


class MicrodataItem(NamedTuple):
    """An item at the position of its `itemscope` (-1: the page), with types such as Article."""

    start: int = -1
    types: frozenset[str] = frozenset()


def find_items(text: str, name: str) -> dict[int, MicrodataItem]:
    """
    Map the position of each element of this name to the innermost microdata item around it.

    >>> page = '<div itemscope itemtype="https://schema.org/Article"><p>by<p><time></div><time>'
    >>> [sorted(item.types) for item in find_items(page, "time").values()]
    [['Article'], []]
    """
    found: dict[int, MicrodataItem] = {}
    elements, items = OpenElements(), [MicrodataItem()]
    for tag in Tags(text):
        if tag.is_foreign or not tag.name:
            continue
        if tag.is_end:
            elements.end_element(tag.name)
            del items[len(elements.names) + 1 :]
            continue
        item = items[-1]
        if tag.name == name:
            found[tag.start] = item
        if tag.name in _VOID:
            continue
        if "itemscope" in tag.source.lower() and "itemscope" in (given := tag.attributes()):
            types = given.get("itemtype", "").split()
            names = frozenset(name.rstrip("/").rpartition("/")[2] for name in types)
            item = MicrodataItem(tag.start, names)
        elements.begin_element(tag.name)
        items.append(item)
    return found
