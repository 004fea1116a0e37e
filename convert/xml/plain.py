"""Decodes bytes and references in XML text, without a parser."""

import re
from functools import lru_cache
from typing import cast

from sitemapx.convert.xml.repair.references import character_of, is_xml_character
from sitemapx.patterns import lazy_pattern

BLANKS = " \t\r\n"
_absolute = re.compile(r"(?:https?://[^/?#\s].*+\n)*+").fullmatch
#: Replaces the control characters that XML forbids.
_CONTROLS = bytes(code if code > 31 or code in b"\t\n\r" else 32 for code in range(256))
_KNOWN = "(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});"
_not_amp = re.compile("&(?!amp;)").search
_known_references = lazy_pattern(f"&{_KNOWN}")
#: Matches known references; of an unknown reference, only the ampersand.
_begun = lazy_pattern(f"&(?:{_KNOWN})?+")
_odd_reference = lazy_pattern(f"&(?!{_KNOWN})")
_numeric = lazy_pattern("&#[0-9xA-Fa-f]++;")
#: With more characters than this per reference, one scan for all references is faster than a search
#: for each predefined reference.
_SPARSE = 30
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def has_odd_text(text: str) -> bool:
    """Return whether a document contains `]]>`, or a reference that is unknown or illegal."""
    return ("]" in text and "]]>" in text) or not _are_references_known(text)


def _are_references_known(text: str) -> bool:
    """Return whether each reference is predefined, or numeric for a legal character."""
    return "&" not in text or _not_amp(text) is None or _references(text) is not None


def _references(text: str) -> dict[str, str] | None:
    """Map the references in a text to characters; None if any is unknown or illegal."""
    if _is_sparse(text):
        found = {*_begun.findall(text)}
    elif _odd_reference.search(text):
        return None
    else:
        found = {reference for reference in _ENTITIES if reference in text}
        if "&#" in text:
            found.update(_numeric.findall(text))
    characters = {reference: _character(reference) for reference in found}
    return None if None in characters.values() else cast("dict[str, str]", characters)


def _is_sparse(text: str) -> bool:
    return text.count("&") * _SPARSE < len(text)


def decode_xml(data: bytes) -> str | None:
    """Decode UTF-8 and strip leading whitespace; None if a byte or character is illegal in XML."""
    if data.translate(_CONTROLS) != data:
        return None
    if not data.isascii() and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data):
        return None  # U+FFFE and U+FFFF
    try:
        return data.decode().lstrip(BLANKS)
    except UnicodeDecodeError:
        return None


def resolve_references(text: str) -> str | None:
    """Resolve all references; None if any is unknown or illegal."""
    if "&" not in text:
        return text
    if _not_amp(text) is None:  # the most frequent case
        return text.replace("&amp;", "&")
    characters = _references(text)
    if characters is None:
        return None
    if _is_sparse(text):
        return _known_references.sub(lambda m: characters[m[0]], text)
    for reference, character in characters.items():
        if reference != "&amp;":  # `&amp;lt;` must not become `<`
            text = text.replace(reference, "&amp;" if character == "&" else character)
    return text.replace("&amp;", "&")


@lru_cache(maxsize=1000)
def _character(reference: str) -> str | None:
    """Return the character of a reference; None if the reference is unknown or illegal."""
    if reference[1:2] != "#":
        return _ENTITIES.get(reference)
    code = int(reference[3:-1], 16) if reference[2] == "x" else int(reference[2:-1])
    return character_of(code) if is_xml_character(code) else None


def split_urls(lines: str, count: int) -> list[str] | None:
    """Split `count` lines, each ending in LF, into http(s) URLs; None for any other text."""
    if not lines.isascii() and ("\ufeff" in lines or "\u200b" in lines):
        return None
    locs = lines.split()  # splits at any whitespace, which URLs cannot contain
    return locs if len(locs) == lines.count("\n") == count and _absolute(lines) else None
