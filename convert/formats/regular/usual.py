"""The usual texts and attributes: patterns that match only what nothing is reported of."""

from collections.abc import Mapping
from itertools import permutations

from sitemapx.convert.formats.regular.cleaning import GONE
from sitemapx.convert.xml.plain import BLANKS

__all__ = [
    "LENGTH",
    "PLAIN_TEXT",
    "QUOTED_TEXT",
    "QUOTED_URL",
    "SPACE",
    "TEXT",
    "URL",
    "between",
    "in_any_order",
    "quoted",
    "text_up_to",
]

#: Control characters that XML does not allow, marks among them, for the inside of `[^]`.
_FORBIDDEN = r"\x00-\x08\x0b\x0c\x0e-\x1f"
SPACE = rf"[{BLANKS}]*+"
_REFERENCE = "&(?:amp|lt|gt|quot|apos);"
#: References to characters that XML allows.
_NUMBER = (
    "&#(?:3[3-9]|[4-9][0-9]|1[01][0-9]|12[0-6]|1[6-9][0-9]|[2-9][0-9][0-9]|[1-9][0-9]{3}"
    "|x(?:2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|[1-9A-Ca-c][0-9A-Fa-f]{3}));"
)
_CDATA = rf"<!\[CDATA\[\s*+[^\s\]{_FORBIDDEN}](?:[^\]{_FORBIDDEN}]++|\](?!\]>))*+\]\]>"
#: A text without CDATA sections, and one that is not blank.
PLAIN_TEXT = rf"(?:[^<&\]{_FORBIDDEN}]++|{_REFERENCE}|{_NUMBER}|\](?!\]>)|{GONE})*+"
TEXT = rf"(?:{SPACE}(?:[^<&\s\]{_FORBIDDEN}]|{_REFERENCE}){PLAIN_TEXT}|{_CDATA})"


def text_up_to(longest: int) -> str:
    """Match a text that is not blank and has no more characters, nor markup in a CDATA section."""
    content = rf"\s*+[^\s\]<{_FORBIDDEN}][^\]<{_FORBIDDEN}]*+"
    plain = rf"{SPACE}(?:[^<&\s\]{_FORBIDDEN}]|{_REFERENCE}){PLAIN_TEXT}"
    return (
        rf"(?:(?=[^<]{{1,{longest}}}<){plain}"
        rf"|<!\[CDATA\[(?=[^<]{{1,{longest}}}<){content}\]\]>)"
    )


#: What URLs have: ASCII but the references, the character that ends them and `]`, and all else but
#: white space and what is cleaned away.
_IN_URLS = {"<": r"!-%'-;=-\\^-~", '"': r"!#-%'-;=-~", "'": "!-%(-;=-~"}
_QUOTES = "\"'"
_BEYOND_ASCII = r"[^\x00-\x7e\s\ufeff\u200b]"


def _url(end: str) -> str:
    """Match an absolute URL, before this character."""
    characters = f"[{_IN_URLS[end]}]"
    return (
        f"https?://(?![/?#])(?:{characters}|{_BEYOND_ASCII})"
        f"(?:{characters}++|{_REFERENCE}|&#(?:38|x26);|{_BEYOND_ASCII})*+"
    )


#: An absolute URL.
URL = _url("<")
QUOTED_URL = f"(?:{'|'.join(quote + _url(quote) + quote for quote in _QUOTES)})"


def quoted(quote: str, first: str = "", but: str = "") -> str:
    """
    Match the value of an attribute.

    Args:
        first: What it begins with.
        but: What is not in the rest.

    """
    return f"{quote}{first}{between(quote, but)}{quote}"


def between(quote: str, but: str = "") -> str:
    """Match what is between such quotation marks, without these characters."""
    return rf"(?:[^<&{but}{_FORBIDDEN}{quote}]++|{_REFERENCE}|{_NUMBER})*+"


def _not_blank(quote: str) -> str:
    first = rf"(?:[^<&\s{_FORBIDDEN}{quote}]|{_REFERENCE})"
    return quoted(quote, first, but=BLANKS[1:])


#: The value of an attribute that is not blank.
QUOTED_TEXT = f"(?:{'|'.join(map(_not_blank, _QUOTES))})"
#: The size of a file.
LENGTH = "(?:\"[0-9]{1,18}\"|'[0-9]{1,18}')"


def in_any_order(required: Mapping[str, str], optional: Mapping[str, str]) -> str:
    """Make the pattern of attributes, of their names and patterns of their values."""
    space = f"[{BLANKS}]++"
    others = "|".join(f"{name}={value}" for name, value in optional.items())
    between = f"(?:{space}(?:{others}))*+" if others else ""
    orders = (
        between.join(f"{space}{name}={required[name]}" for name in order)
        for order in permutations(required)
    )
    # An attribute that stands twice is not well-formed.
    no_second = "".join(rf"(?![^<]*?\s{name}=[^<]*?\s{name}=)" for name in optional)
    return f"{no_second}{between}(?:{'|'.join(orders)}){between}{SPACE}"
