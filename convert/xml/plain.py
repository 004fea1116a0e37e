"""XML text without a parser: characters and references."""

import re

from sitemapx.convert.xml.repair.references import character_of, is_xml_character

__all__ = [
    "BLANKS",
    "decoded",
    "has_cdata_end",
    "has_odd_text",
    "split_urls",
    "unescaped",
    "unescaped_urls",
]

BLANKS = " \t\r\n"
_absolute = re.compile(r"(?:https?://[^/?#\s].*+\n)*+").fullmatch
#: Control characters, and sequences that begin the two non-characters which XML forbids.
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_KNOWN = "(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});"
_not_amp = re.compile("&(?!amp;)").search
_other_entity = re.compile(f"&(?!{_KNOWN})").search
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


def has_odd_text(text: str) -> bool:
    """Return whether there is anything in a document that no text in it may have."""
    if has_cdata_end(text):
        return True
    return _not_amp(text) is not None and unescaped(text) is None


def has_cdata_end(text: str) -> bool:
    """Return whether there is a `]]>`, which XML forbids in a text."""
    return "]" in text and "]]>" in text


def decoded(data: bytes) -> str | None:
    """Decode a block, if all its characters are legal in XML."""
    if len(data.translate(None, _CONTROLS)) != len(data):
        return None
    if not data.isascii() and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data):
        return None  # U+FFFE and U+FFFF
    try:
        return data.decode().lstrip(BLANKS)
    except UnicodeDecodeError:
        return None


def unescaped(text: str) -> str | None:
    """Undo entities and references to characters; None if one is not known, or not for XML."""
    if "&" not in text:
        return text
    if _not_amp(text) is None:  # most often there is but one kind of entity
        return text.replace("&amp;", "&")
    if _other_entity(text):
        return None
    if "&#" in text:
        try:
            return re.sub(f"&{_KNOWN}", _character, text)
        except ValueError:
            return None
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text


def _character(m: re.Match[str]) -> str:
    if character := _ENTITIES.get(m[0]):
        return character
    code = int(m[0][3:-1], 16) if m[0][2] == "x" else int(m[0][2:-1])
    if not is_xml_character(code):
        raise ValueError
    return character_of(code)


def unescaped_urls(texts: list[str]) -> list[str] | None:
    """Undo the entities of URLs; None if one is relative, or has anything to be cleaned away."""
    lines = unescaped("\n".join(texts) + "\n")
    return None if lines is None else split_urls(lines, len(texts))


def split_urls(lines: str, count: int) -> list[str] | None:
    """Split so many lines; None if one is no absolute URL, or has anything to be cleaned away."""
    if not lines.isascii() and ("\ufeff" in lines or "\u200b" in lines):
        return None
    locs = lines.split()  # at any white space: no URL may have some
    return locs if len(locs) == lines.count("\n") == count and _absolute(lines) else None
