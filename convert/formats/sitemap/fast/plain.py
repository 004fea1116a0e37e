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

from sitemapx.convert.model.batch import Columns
from sitemapx.convert.values import datatypes, w3cdate
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.xml.plain import BLANKS, decoded, has_odd_text, split_urls, unescaped

__all__ = ["read_regular", "read_regular_locs"]
_SPACE = rf"[{BLANKS}]*+"
#: One <url> and the space after it; the groups are its values.
_URL = re.compile(
    rf"<url>{_SPACE}<loc>([^<]++)</loc>{_SPACE}"
    rf"(?:<lastmod>([^<]*+)</lastmod>{_SPACE})?"
    rf"(?:<changefreq>([^<]*+)</changefreq>{_SPACE})?"
    rf"(?:<priority>([^<]*+)</priority>{_SPACE})?"
    rf"</url>{_SPACE}"
)
_CHANGEFREQS = frozenset(
    {None, "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
)


#: What the protocol's own fields are like, where nothing needs a word; URLs are looked at later.
_PLAIN = {
    "loc": "[^<]++",
    "lastmod": f"(?a:{w3cdate.W3C})",
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
    if lines and (uris := UriList.of(lines, count)):  # which has no character that XML forbids
        return uris
    text = _checked_text(data)
    return _locs(text, count) if text else None


def _locs(text: str, count: int) -> Sequence[str] | None:
    """Do the same with what has only characters and entities that are legal."""
    lines = unescaped(text)
    return None if lines is None else UriList.of(lines, count) or split_urls(lines, count)


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
    if not w3cdate.are_w3c(date or "" for date in lastmods) or not _CHANGEFREQS.issuperset(
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


def _priorities(texts: list[str | None]) -> list[float | None] | None:
    """Make numbers of the few different texts that there are."""
    values: dict[str | None, float | None] = {None: None}
    for text in set(texts) - {None}:
        assert text is not None
        if text.strip(" ") != text:
            return None
        values[text] = datatypes.PRIORITY.parse(text, lambda code, message: None) if text else None
        if text and values[text] is None:
            return None
    return [values[text] for text in texts]
