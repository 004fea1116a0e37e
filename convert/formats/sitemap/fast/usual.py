"""The usual markup of extensions: patterns that match only what nothing is reported of."""

from collections.abc import Mapping

from sitemapx.convert.formats.regular.usual import (
    PLAIN_TEXT,
    QUOTED_TEXT,
    QUOTED_URL,
    SPACE,
    URL,
    in_any_order,
)
from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, Element
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.namespaces import NAMESPACES

__all__ = ["usual_extensions"]

_TEXTS = {datatypes.TEXT: PLAIN_TEXT, datatypes.URL: URL}
_LINK = in_any_order(
    {"rel": "(?:\"alternate\"|'alternate')", "hreflang": QUOTED_TEXT, "href": QUOTED_URL}, {}
)


def usual_extensions(prefixes: Mapping[str, str]) -> dict[str, str]:
    """
    Make the patterns of links and images, after the `<` of each.

    Args:
        prefixes: Those that the document declares, with their namespaces.

    Returns:
        A pattern for each field that such elements fill.

    """
    names = {namespace: f"{prefix}:" if prefix else "" for prefix, namespace in prefixes.items()}
    found: dict[str, str] = {}
    if prefix := names.get(NAMESPACES["xhtml"]):
        found["alternates"] = rf"{prefix}link{_LINK}(?:/>|>{SPACE}</{prefix}link>)"
    if prefix := names.get(NAMESPACES["image"]):
        found["images"] = _element(IMAGE, prefix)
    return found


def _element(element: Element, prefix: str) -> str:
    """Match an element with what it must have first, and two more of its children at most."""
    required: list[str] = []
    optional: list[str] = []
    for child in element.children:
        if child.kind and child.kind in _TEXTS and not child.attributes:
            name = f"{prefix}{child.name}"
            pattern = f"<{name}>{_TEXTS[child.kind]}</{name}>{SPACE}"
            (required if child.is_required else optional).append(pattern)
    pairs = (
        f"{first}(?:{'|'.join(second for second in optional if second != first)}|)"
        for first in optional
    )
    name = f"{prefix}{element.name}"
    return f"{name}>{SPACE}{''.join(required)}(?:{'|'.join(pairs)}|)</{name}>"
