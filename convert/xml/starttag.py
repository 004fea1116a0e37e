"""The start tag before the first item, and the namespaces that it declares."""

import re
from typing import NamedTuple

from sitemapx.patterns import lazy_pattern

__all__ = ["StartTag", "tag_name", "usual_start_tag"]

_BLANK = r"[ \t\r\n]"
_URI = r"https?://[A-Za-z0-9][A-Za-z0-9./_-]*"
_ATTRIBUTE = (
    rf'{_BLANK}+(?:xmlns(?::(?!xml)([a-z]+))?="({_URI})"'
    rf'|xsi:schemaLocation="(?:[A-Za-z0-9:./_-]|{_BLANK})*")'
)
_usual = re.compile(rf"<([A-Za-z]+)((?:{_ATTRIBUTE})*){_BLANK}*>").fullmatch
_attributes = lazy_pattern(_ATTRIBUTE)


class StartTag(NamedTuple):
    """
    A start tag.

    Attributes:
        name: The namespace, or the empty string, and the local name.
        namespaces: Those of all prefixes that are declared in it and around it.

    """

    name: tuple[str, str]
    namespaces: dict[str | None, str]


def tag_name(tag: bytes) -> bytes:
    """Return the name of a start tag, whatever follows it."""
    return re.split(rb"[\s/>]", tag[1:], maxsplit=1)[0]


def usual_start_tag(tag: bytes) -> StartTag | None:
    """
    Read a tag of nothing but declarations, as nearly all sitemaps have it.

    Returns:
        None for any other, and for one that a parser might refuse.

    """
    if not (m := _usual(tag.decode("latin-1"))):
        return None
    attributes = list(_attributes.finditer(m[2]))
    namespaces: dict[str | None, str] = {one[1]: one[2] for one in attributes if one[2]}
    locations = sum(not one[2] for one in attributes)
    if len(namespaces) + locations < len(attributes) or locations > ("xsi" in namespaces):
        return None
    return StartTag((namespaces.get(None, ""), m[1]), namespaces)
