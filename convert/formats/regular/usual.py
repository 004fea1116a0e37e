"""The usual texts and attributes: patterns that match only what nothing is reported of."""

from collections.abc import Mapping
from itertools import permutations

from sitemapx.convert.formats.regular.items import MARKS
from sitemapx.convert.xml.plain import BLANKS

__all__ = [
    "LENGTH",
    "QUOTED_TEXT",
    "QUOTED_URL",
    "SPACE",
    "TEXT",
    "in_any_order",
]

SPACE = rf"[{BLANKS}]*+"
_REFERENCE = "&(?:amp|lt|gt|quot|apos);"
#: References to characters that XML allows.
_NUMBER = (
    "&#(?:3[3-9]|[4-9][0-9]|1[01][0-9]|12[0-6]|1[6-9][0-9]|[2-9][0-9][0-9]|[1-9][0-9]{3}"
    "|x(?:2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|[1-9A-Ca-c][0-9A-Fa-f]{3}));"
)
_CDATA = rf"<!\[CDATA\[\s*+[^\s\]{MARKS}](?:[^\]{MARKS}]++|\](?!\]>))*+\]\]>"
#: A text without CDATA sections, and one that is not blank.
_PLAIN_TEXT = rf"(?:[^<&\]{MARKS}]++|{_REFERENCE}|{_NUMBER}|\](?!\]>))*+"
TEXT = rf"(?:{SPACE}(?:[^<&\s\]{MARKS}]|{_REFERENCE}){_PLAIN_TEXT}|{_CDATA})"

#: No URL has these: white space, and what is cleaned away.
_NOT_IN_URLS = r"\s\ufeff\u200b"


def _quoted(first: str, rest: str, references: str) -> str:
    """Match the value of an attribute, of which the first character says that it is not blank."""
    return "|".join(
        f"{quote}{first.format(quote)}(?:[^<&{rest}{quote}{MARKS}]++|{references})*+{quote}"
        for quote in "\"'"
    )


_WORD = rf"(?:[^<&\s{MARKS}{{}}]|{_REFERENCE})"
_ADDRESS = rf"https?://[^/?#<&{_NOT_IN_URLS}{{}}]"
#: The value of an attribute that is not blank.
QUOTED_TEXT = f"(?:{_quoted(_WORD, BLANKS[1:], f'{_REFERENCE}|{_NUMBER}')})"
#: One that is an absolute URL.
QUOTED_URL = f"(?:{_quoted(_ADDRESS, _NOT_IN_URLS, _REFERENCE)})"
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
