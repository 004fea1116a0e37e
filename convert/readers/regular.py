"""
The fast path of the sitemap reader: blocks of regular markup, without an XML parser.

Most sitemaps are the same few tags over and over. A block is taken here only if all of it is
proved to be so, and to mean the same as on the slow path; anything else (attributes, comments,
CDATA, extensions, another order, a value that is odd) is left to that, block by block. So this
module may be deleted without a change in what comes out.
"""

import re

from sitemapx.convert import dates, kinds
from sitemapx.convert.document import Columns

__all__ = ["decoded", "read_regular", "unescaped_urls"]

_SPACE = r"[ \t\r\n]*+"
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
_other_entity = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)").search
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_CHANGEFREQS = frozenset(
    {None, "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
)


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
    if (b"]" in data and b"]]>" in data) or (b"&" in data and _other_entity(data)):
        return None
    return decoded(data)


def decoded(data: bytes) -> str | None:
    """Decode a block, if all its characters are legal in XML."""
    if len(data.translate(None, _CONTROLS)) != len(data):
        return None
    if not data.isascii() and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data):
        return None  # U+FFFE and U+FFFF
    try:
        return data.decode().lstrip(" \t\r\n")
    except UnicodeDecodeError:
        return None


def unescaped_urls(texts: list[str]) -> list[str] | None:
    """Undo the entities of URLs; None if one is relative, or has anything to be cleaned away."""
    lines = "\n".join(texts) + "\n"
    if "&" in lines:
        for entity, character in _ENTITIES.items():
            lines = lines.replace(entity, character)
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
