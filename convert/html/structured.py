"""
Dates in the structured data of a page, as JSON-LD: https://schema.org/dateModified

Only what is said of the page itself counts: not of its comments, its images or its site, nor of
other pages that it lists.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["MENTIONED", "OTHERS", "dates_in"]

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
