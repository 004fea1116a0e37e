"""
The fast path of the sitemap reader: blocks of regular markup, without an XML parser.

Most sitemaps are the same few tags over and over. A block is taken here only if all of it is
proved to be so, and to mean the same as on the slow path; anything else (attributes, comments,
CDATA, extensions, another order, a value that is odd) is left to that, block by block. So this
module may be deleted without a change in what comes out.
"""

import re
from functools import cache

from sitemapx.convert import dates, kinds
from sitemapx.convert.document import Columns
from sitemapx.convert.repair import is_xml_character

__all__ = [
    "decoded",
    "has_odd_text",
    "read_regular",
    "read_regular_locs",
    "unescaped",
    "unescaped_urls",
]

_BLANKS = " \t\r\n"
_SPACE = rf"[{_BLANKS}]*+"
#: One <url> and the space after it; the groups are its values.
_URL = re.compile(
    rf"<url>{_SPACE}<loc>([^<]++)</loc>{_SPACE}"
    rf"(?:<lastmod>([^<]*+)</lastmod>{_SPACE})?"
    rf"(?:<changefreq>([^<]*+)</changefreq>{_SPACE})?"
    rf"(?:<priority>([^<]*+)</priority>{_SPACE})?"
    rf"</url>{_SPACE}"
)
_locs = re.compile("<loc>([^<]*)").findall
_absolute = re.compile(r"(?:https?://[^/?#\s].*+\n)*+").fullmatch
#: Control characters, and sequences that begin the two non-characters which XML forbids.
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_KNOWN = "(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});"
_other_entity = re.compile(f"&(?!{_KNOWN})").search
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_CHANGEFREQS = frozenset(
    {None, "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
)


#: What the protocol's own fields are like, where nothing needs a word; URLs are looked at later.
_PLAIN = {
    "loc": "[^<]++",
    "lastmod": f"(?a:{dates.W3C})",
    "changefreq": "(?:always|hourly|daily|weekly|monthly|yearly|never)",
    "priority": r"(?:0(?:\.[0-9]++)?+|1(?:\.0++)?+)",
}


@cache
def _all_alike(fields: tuple[str, ...]) -> re.Pattern[str]:
    """Make the pattern of a block in which each <url> has just these fields."""
    inner = "".join(f"<{name}>{_PLAIN[name]}</{name}>{_SPACE}" for name in fields)
    return re.compile(f"(?:<url>{_SPACE}{inner}</url>{_SPACE})++")


def read_regular_locs(data: bytes) -> Columns | None:
    """
    Read just the URLs of `<url>` elements that all have the same fields; the rest is checked.

    Returns:
        None if anything about the block is not regular, or the fields are not the same.

    """
    try:
        text = data.decode().lstrip(_BLANKS)
    except UnicodeDecodeError:
        return None
    if has_odd_text(text):
        return None
    first = text[: text.find("</url>")]
    fields = tuple(name for name in _PLAIN if f"<{name}>" in first)
    if not _all_alike(fields).fullmatch(text):
        return None
    texts = _locs(text)
    if not "".join(texts).isprintable():  # nothing else can have control characters in it
        return None
    locs = unescaped_urls(texts)
    return Columns(locs, {}, dict.fromkeys(fields[1:], locs)) if locs else None


def read_regular(data: bytes) -> Columns | None:
    """
    Read a block of `<url>` elements in the sitemap's own namespace, which is the default.

    Returns:
        None if anything about the block is not regular.

    """
    text = _checked_text(data)
    if text is None:
        return None
    parts = _URL.split(text)
    if len(parts) == 1 or any(parts[0::5]):  # nothing may stand between the matches
        return None
    locs, lastmods, changefreqs = unescaped_urls(parts[1::5]), parts[2::5], parts[3::5]
    if locs is None:
        return None
    if not dates.are_w3c(date or "" for date in lastmods) or not _CHANGEFREQS.issuperset(
        changefreqs
    ):
        return None
    priorities = _priorities(parts[4::5])
    if priorities is None:
        return None
    if "" in lastmods:
        lastmods = [date or None for date in lastmods]
    return Columns(locs, {"lastmod": lastmods, "changefreq": changefreqs, "priority": priorities})


def _checked_text(data: bytes) -> str | None:
    """Decode a block, if all its characters and entities are legal."""
    text = decoded(data)
    return text if text and not has_odd_text(text) else None


def has_odd_text(text: str) -> bool:
    """Tell whether there is anything in a document that no text in it may have."""
    if "]" in text and "]]>" in text:
        return True
    # Most often there is but one kind of entity, and counting is quicker than searching.
    if text.count("&") == text.count("&amp;"):
        return False
    return _other_entity(text) is not None or unescaped(text) is None


def decoded(data: bytes) -> str | None:
    """Decode a block, if all its characters are legal in XML."""
    if len(data.translate(None, _CONTROLS)) != len(data):
        return None
    if not data.isascii() and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data):
        return None  # U+FFFE and U+FFFF
    try:
        return data.decode().lstrip(_BLANKS)
    except UnicodeDecodeError:
        return None


def unescaped(text: str) -> str | None:
    """Undo entities and references to characters; None if there is no such character in XML."""
    if "&#" in text:
        try:
            return re.sub(f"&{_KNOWN}", _character, text)
        except ValueError:
            return None
    if "&" in text:
        if text.count("&") == text.count("&amp;"):
            return text.replace("&amp;", "&")
        for entity, character in _ENTITIES.items():
            text = text.replace(entity, character)
    return text


def _character(m: re.Match[str]) -> str:
    if character := _ENTITIES.get(m[0]):
        return character
    code = int(m[0][3:-1], 16) if m[0][2] == "x" else int(m[0][2:-1])
    if not is_xml_character(code):
        raise ValueError
    return chr(code)


def unescaped_urls(texts: list[str]) -> list[str] | None:
    """Undo the entities of URLs; None if one is relative, or has anything to be cleaned away."""
    lines = unescaped("\n".join(texts) + "\n")
    if lines is None:
        return None
    if not lines.isascii() and ("\ufeff" in lines or "\u200b" in lines):
        return None
    locs = lines.split()  # at any white space: no URL may have some
    return locs if len(locs) == lines.count("\n") == len(texts) and _absolute(lines) else None


def _priorities(texts: list[str | None]) -> list[float | None] | None:
    """Make numbers of the few different texts that there are."""
    values: dict[str | None, float | None] = {None: None}
    for text in set(texts) - {None}:
        assert text is not None
        if text.strip(" ") != text:
            return None
        values[text] = kinds.PRIORITY.parse(text, lambda code, message: None) if text else None
        if text and values[text] is None:
            return None
    return [values[text] for text in texts]
