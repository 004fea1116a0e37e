"""
The fast path of the RSS reader: items of a few plain elements, for targets that want but URLs.

As in `formats.sitemap.fast`, a block is taken only if all of it is proved to be well-formed
and to say the same as on the slow path; what the target does not want is counted, not read. So
this module may be deleted without a change in what comes out.
"""

import re
from collections.abc import Collection

from sitemapx.convert.model.batch import FIELDS, Columns
from sitemapx.convert.values.rfc822 import parse_rfc822, parse_usual
from sitemapx.convert.xml.plain import decoded, has_cdata_end, unescaped_urls

__all__ = ["read_regular_rss"]

#: The fields of an entry that are read here; where more are wanted, the slow path reads all.
_READ = frozenset({"loc", "lastmod"})
_NEVER_HERE = frozenset({"changefreq", "priority", "images", "videos", "news", "alternates"})

_SPACE = r"[ \t\r\n]*+"
#: One that is not blank.
_CDATA = re.compile(r"<!\[CDATA\[\s*+(?!\]\])[^\]]*+(?:\](?!\]>)[^\]]*+)*+\]\]>")
#: What stands for a CDATA section, which may be in texts that are but counted; no text has it.
_SECTION = "\x01"
_VALUE = rf"([^<{_SECTION}]++)"
_COUNTED = r"\s*+[^<\s][^<]*+"
#: The elements that may stand in an item. Each has a group: for its value if that is read, else
#: for one letter of its tag, which tells that it is there.
_ELEMENTS = {
    "link": f"<link>{_VALUE}</link>",
    "guid": f'<(g)uid(?: isPermaLink="(?:true|false)")?+>{_COUNTED}</guid>',
    "pubDate": f"<pubDate>{_VALUE}</pubDate>",
    "title": f"<(t)itle>{_COUNTED}</title>",
    "description": f"<(d)escription>{_COUNTED}</description>",
    "category": f"<(c)ategory>{_COUNTED}</category>",
    "author": f"<(a)uthor>{_COUNTED}</author>",
    "dc:creator": f"<(d)c:creator>{_COUNTED}</dc:creator>",
}
# (Not possessive where there are groups inside: before Python 3.11.5 that finds wrong spans, and
# later it may. No element can be read in two ways, so nothing is tried twice.)
_ITEM = re.compile(rf"<item>{_SPACE}(?:(?:{'|'.join(_ELEMENTS.values())}){_SPACE})*</item>{_SPACE}")
_WIDTH = len(_ELEMENTS) + 1
#: The fields that are counted only, and the elements they are in.
_UNREAD = {
    "title": "title",
    "description": "description",
    "id": "guid",
    "published": "pubDate",
    "authors": "author",
    "categories": "category",
}
#: These may stand often; the others once, or the slow path decides which counts.
_LISTS = ("category", "author", "dc:creator")
_other_entity = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)").search


def read_regular_rss(data: bytes, wanted: Collection[str] | None) -> Columns | None:
    """
    Read a block of RSS 2.0 items in no namespace, with `dc` bound as usual.

    Returns:
        None if more is wanted than this path reads, or anything about the block is not regular.

    """
    if wanted is None or not set(wanted) & set(FIELDS) - _IGNORED <= _NEVER_HERE | _READ:
        return None
    text = decoded(data)
    if text is None:
        return None
    if "<!" in text:
        text = _CDATA.sub(_SECTION, text)
    has_others = text.count("&") != text.count("&amp;") and _other_entity(text)
    if has_others or has_cdata_end(text):
        return None
    parts = _ITEM.split(text)
    if len(parts) == 1 or any(parts[0::_WIDTH]):
        return None
    columns = {name: parts[n::_WIDTH] for n, name in enumerate(_ELEMENTS, 1)}
    counts = {name: len(column) - column.count(None) for name, column in columns.items()}
    if not _is_plain(counts, len(columns["link"]), text):
        return None
    locs = unescaped_urls(list(map(str.strip, columns["link"])))
    dates = _dates(columns["pubDate"])
    if locs is None or dates is None:
        return None
    pairs = zip(columns["author"], columns["dc:creator"], strict=True)
    columns["author"] = [author or creator for author, creator in pairs]
    unread = {field: columns[name] for field, name in _UNREAD.items()}
    return Columns(locs, {"lastmod": dates}, unread)


_IGNORED = frozenset({"mobile", "extras"})  # no element that is read here can give these


def _is_plain(counts: dict[str, int], items: int, text: str) -> bool:
    """Return whether each item has a link, and nothing twice that may stand but once."""
    once = sum(count for name, count in counts.items() if name not in _LISTS)
    often = sum(text.count(f"</{name}>") for name in _LISTS if counts[name])
    return counts["link"] == items and text.count("</") == items + once + often


def _dates(column: list[str | None]) -> list[str] | list[str | None] | None:
    """Make dates of a column; None if one cannot be read, which the slow path tells."""
    texts = [text for text in column if text]
    dates = parse_usual(texts)
    if dates is None:
        unknown: list[str] = []
        found = [parse_rfc822(text, unknown.append) for text in texts]
        dates = [date for date in found if date]
        if unknown or len(dates) < len(found):
            return None
    if len(dates) == len(column):
        return dates
    in_order = iter(dates)
    return [next(in_order) if text else None for text in column]
