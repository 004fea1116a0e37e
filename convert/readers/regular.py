"""
The fast path of the sitemap reader: blocks of regular markup, without an XML parser.

Most sitemaps are the same few tags over and over. A block is taken here only if all of it is
proved to be so, and to mean the same as on the slow path; anything else (attributes, comments,
CDATA, extensions, another order, a value that is odd) is left to that, block by block. So this
module may be deleted without a change in what comes out.
"""

import re
from collections.abc import Sequence
from functools import cache

from sitemapx.convert import dates, kinds
from sitemapx.convert.document import Columns
from sitemapx.convert.references import is_xml_character, referenced
from sitemapx.convert.uris import Uris

__all__ = [
    "decoded",
    "has_cdata_end",
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
_absolute = re.compile(r"(?:https?://[^/?#\s].*+\n)*+").fullmatch
#: Control characters, and sequences that begin the two non-characters which XML forbids.
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_KNOWN = "(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});"
_not_amp = re.compile("&(?!amp;)").search
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
def _all_alike(fields: tuple[str, ...]) -> re.Pattern[bytes]:
    """Make the pattern of a <url> with just these fields and the space after it, all in ASCII."""
    loc, *rest = (f"<{name}>{_PLAIN[name]}</{name}>{_SPACE}" for name in fields)
    group = loc.replace(_PLAIN["loc"], f"({_PLAIN['loc']})")
    return re.compile(f"<url>{_SPACE}{group}{''.join(rest)}</url>{_SPACE}".encode())


def read_regular_locs(data: bytes) -> Columns | None:
    """
    Read just the URLs of `<url>` elements that all have the same fields; the rest is checked.

    Returns:
        None if anything about the block is not regular, or the fields are not the same.

    """
    data = data.lstrip()
    first = data[: data.find(b"</url>")]
    fields = tuple(name for name in _PLAIN if f"<{name}>".encode() in first)
    if fields[:1] != ("loc",):
        return None
    parts = _all_alike(fields).split(data)
    if any(parts[0::2]):  # nothing may stand between the matches
        return None
    locs = _checked_locs(b"\n".join([*parts[1::2], b""]), len(parts) // 2)
    return Columns(locs, {}, dict.fromkeys(fields[1:], locs)) if locs else None


def _checked_locs(data: bytes, count: int) -> Sequence[str] | None:
    """Read so many URLs, a line each, with entities; None if one takes a parser."""
    lines = unescaped(data.decode("ascii")) if data.isascii() else None
    if lines and (uris := Uris.of(lines, count)):  # which has no character that XML forbids
        return uris
    text = _checked_text(data)
    return _locs(text, count) if text else None


def _locs(text: str, count: int) -> Sequence[str] | None:
    """Do the same with what has only characters and entities that are legal."""
    lines = unescaped(text)
    return None if lines is None else Uris.of(lines, count) or _split_urls(lines, count)


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
    locs = _locs("\n".join([*parts[1::5], ""]), len(parts) // 5)
    lastmods, changefreqs = parts[2::5], parts[3::5]
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
    if has_cdata_end(text):
        return True
    return _not_amp(text) is not None and unescaped(text) is None


def has_cdata_end(text: str) -> bool:
    """Tell whether there is a `]]>`, which XML forbids in a text."""
    return "]" in text and "]]>" in text


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
    return referenced(code)


def unescaped_urls(texts: list[str]) -> list[str] | None:
    """Undo the entities of URLs; None if one is relative, or has anything to be cleaned away."""
    lines = unescaped("\n".join(texts) + "\n")
    return None if lines is None else _split_urls(lines, len(texts))


def _split_urls(lines: str, count: int) -> list[str] | None:
    """Split so many lines; None if one is no absolute URL, or has anything to be cleaned away."""
    if not lines.isascii() and ("\ufeff" in lines or "\u200b" in lines):
        return None
    locs = lines.split()  # at any white space: no URL may have some
    return locs if len(locs) == lines.count("\n") == count and _absolute(lines) else None


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
