"""Convert between HTML and plain text."""

import re
from html import unescape

_tag = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--.*?--)>", re.DOTALL)
#: Inline elements, whose tags do not separate words.
INLINE = frozenset(
    {
        *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q"),
        *("s", "small", "span", "strong", "sub", "sup", "tt", "u", "var", "wbr"),
    }
)
_inline_tag = re.compile(f"</?(?:{'|'.join(INLINE)})(?![A-Za-z0-9])[^<>]*>", re.IGNORECASE)


def plain_text(markup: str) -> str:
    """
    Convert HTML to plain text on one line.

    >>> plain_text("<p>Fish &amp; <b>chips</b>,</p><p>hot</p>")
    'Fish & chips, hot'
    """
    return " ".join(unescape(_tag.sub(" ", _inline_tag.sub("", markup))).split())


def as_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
