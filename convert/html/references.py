"""Character references in attribute values, where fewer are recognized than in text."""

import re
from html import unescape
from html.entities import html5

_reference = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|([A-Za-z][A-Za-z0-9]*)(;|(=)|))").sub


def resolve_in_attribute(value: str) -> str:
    """
    Replace the character references in an attribute value.

    Query parameters that look like references without semicolon are kept:
    https://html.spec.whatwg.org/#named-character-reference-state

    >>> resolve_in_attribute("?a=1&amp;b=2&copy=3&notit;&para &eacute")
    '?a=1&b=2&copy=3&notit;¶ é'
    """
    return _reference(_replace, value)


def _replace(m: re.Match[str]) -> str:
    name, end = m[1], m[2]
    if not name:
        return unescape(m[0])
    if end == ";" and f"{name};" in html5:
        return html5[f"{name};"]
    if not end and name in html5:
        return html5[name]
    return m[0]
