"""Numeric character references: which are legal, and which character each means."""

import re
from contextlib import suppress

from sitemapx.convert.xml.tags import replace_outside
from sitemapx.patterns import lazy_pattern

_C1 = lazy_pattern(rb"&#(?:0*(12[89]|1[345][0-9])|x0*([89][0-9A-Fa-f]));")


#: Matches text that libxml2 drops in recovery mode: predefined entities, a `<` that does not begin
#: a tag, and `]]>` with all text before it.
_DROPPED = lazy_pattern(rb"&(?:amp|lt|gt|quot|apos);|<(?![A-Za-z_:/!?\x80-\xff])|\]\]>")
_NUMBERED = {
    b"&amp;": b"&#38;",
    b"&lt;": b"&#60;",
    b"&gt;": b"&#62;",
    b"&quot;": b"&#34;",
    b"&apos;": b"&#39;",
    b"<": b"&#60;",
    b"]]>": b"]]&#62;",
}


def escape_for_recovery(data: bytes) -> bytes:
    """Replace characters that libxml2 drops in recovery mode with numeric references."""
    return replace_outside(_DROPPED, data, lambda m: _NUMBERED[m[0]])


def is_xml_character(code: int) -> bool:
    """Return whether XML 1.0 allows this character (https://www.w3.org/TR/xml/#charsets)."""
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )


def character_of(code: int) -> str:
    """
    Return the character of a numeric reference.

    References to 128 to 159 mean windows-1252 characters, as in HTML
    (https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state).

    >>> f"{ord(character_of(128)):X}", character_of(65)
    ('20AC', 'A')
    """
    if 0x80 <= code <= 0x9F:
        with suppress(UnicodeDecodeError):
            return bytes([code]).decode("cp1252")
    return chr(code)


def fix_references(data: bytes) -> bytes:
    """Replace references to 128 to 159 with references to the intended characters."""
    if b"#" not in data or not _C1.search(data):  # a search for a single byte is fast
        return data

    def replace(m: re.Match[bytes]) -> bytes:
        code = int(m[1]) if m[1] else int(m[2], 16)
        return b"&#%d;" % ord(character_of(code))

    return replace_outside(_C1, data, replace)
