"""References to characters by their numbers: which there are, and what they mean."""

from contextlib import suppress

from sitemapx.convert.xml.tags import outside
from sitemapx.patterns import lazy_pattern

#: References to 128 to 159.
_C1 = lazy_pattern(rb"&#(?:0*(12[89]|1[345][0-9])|x0*([89][0-9A-Fa-f]));")


#: What libxml2 drops from text while it recovers: predefined entities, a `<` that begins no tag,
#: and `]]>`, with all text before it.
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


def for_recovery(data: bytes) -> bytes:
    """Write the characters as numbers that libxml2 drops from text after the first error."""
    parts: list[bytes] = []
    at = 0
    for m in outside(_DROPPED, data):
        parts += data[at : m.start()], _NUMBERED[m[0]]
        at = m.end()
    return b"".join([*parts, data[at:]])


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
    Return the character that a reference to a number means.

    From 128 to 159 that is a character of windows-1252, as in HTML: no other is meant there
    (https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state).

    >>> f"{ord(character_of(128)):X}", character_of(65)
    ('20AC', 'A')

    """
    if 0x80 <= code <= 0x9F:
        with suppress(UnicodeDecodeError):
            return bytes([code]).decode("cp1252")
    return chr(code)


def with_meant_references(data: bytes) -> bytes:
    """Replace the references to control characters that mean those of windows-1252."""
    if b"#" not in data or not _C1.search(data):  # a single byte is found fast
        return data
    parts: list[bytes] = []
    at = 0
    for m in outside(_C1, data):
        code = int(m[1]) if m[1] else int(m[2], 16)
        parts += data[at : m.start()], b"&#%d;" % ord(character_of(code))
        at = m.end()
    return b"".join([*parts, data[at:]])
