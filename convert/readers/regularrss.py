"""
The fast path of the RSS reader: items of a few plain elements, for targets that want but URLs.

As `regular` does for sitemaps: a block is taken only if all of it is proved to be well-formed
and to say the same as on the slow path; what the target does not want is counted, not read. So
this module may be deleted without a change in what comes out.
"""

import re
from collections.abc import Collection

from sitemapx.convert.document import FIELDS, Columns
from sitemapx.convert.feeddates import parse_rfc822, parse_usual
from sitemapx.convert.readers.regular import decoded, unescaped_urls

__all__ = ["read_regular_rss"]

#: The fields of an entry that are read here; where more are wanted, the slow path reads all.
_READ = frozenset({"loc", "lastmod"})
_NEVER_HERE = frozenset({"changefreq", "priority", "images", "videos", "news", "alternates"})

_SPACE = r"[ \t\r\n]*+"
_CDATA = re.compile(r"<!\[CDATA\[(?:[^\]]|\](?!\]>))*+\]\]>")
_TEXT = rf"(?:[^<]*+|{_CDATA.pattern})"
#: The elements that may stand in an item, each with a group for what it holds.
_ELEMENTS = {
    "link": "<link>([^<]++)</link>",
    "guid": '<guid(?: isPermaLink="(?:true|false)")?+>([^<]++)</guid>',
    "pubDate": "<pubDate>([^<]++)</pubDate>",
    "title": rf"<title>({_TEXT})</title>",
    "description": rf"<description>({_TEXT})</description>",
    "category": rf"<category>({_TEXT})</category>",
    "author": rf"<(?:dc:creator|author)>({_TEXT})</(?:dc:creator|author)>",
}
_ITEM = re.compile(
    rf"<item>{_SPACE}(?:(?:{'|'.join(_ELEMENTS.values())}){_SPACE})*+</item>{_SPACE}"
)
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
_LISTS = ("category", "author")
_other_entity = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)").search
#: An element with nothing in it; the end of an item may follow another tag at once.
_blank = re.compile(r">\s*</(?!item>)").search
_blank_cdata = re.compile(r"<!\[CDATA\[\s*\]\]>").search
_mixed_tags = re.compile(r"<dc:creator>[^<]*</author>|<author>[^<]*</dc:creator>").search


def read_regular_rss(data: bytes, wanted: Collection[str] | None) -> Columns | None:
    """
    Read a block of RSS 2.0 items in no namespace, with `dc` bound as usual.

    Returns:
        None if more is wanted than this path reads, or anything about the block is not regular.

    """
    if wanted is None or not set(wanted) & set(FIELDS) - _IGNORED <= _NEVER_HERE | _READ:
        return None
    text = decoded(data)
    if text is None or not _is_sound(text):
        return None
    parts = _ITEM.split(text)
    if len(parts) == 1 or any(parts[0::_WIDTH]):
        return None
    columns = {name: parts[n::_WIDTH] for n, name in enumerate(_ELEMENTS, 1)}
    if not _is_plain(columns, text):
        return None
    locs = unescaped_urls([link.strip() for link in columns["link"] if link])
    dates = _dates(columns["pubDate"])
    if locs is None or dates is None:
        return None
    unread = {field: columns[name] for field, name in _UNREAD.items()}
    return Columns(locs, {"lastmod": dates}, unread)


_IGNORED = frozenset({"mobile", "extras"})  # no element that is read here can give these


def _is_sound(text: str) -> bool:
    """Tell whether entities and ends of CDATA are legal, no tag is crossed, and none is empty."""
    if "<!" in text:
        if _blank_cdata(text):
            return False
        text = _CDATA.sub("x", text)
    return "]]>" not in text and not (_other_entity(text) or _mixed_tags(text) or _blank(text))


def _is_plain(columns: dict[str, list[str]], text: str) -> bool:
    """Tell whether each element stands once in an item, and none is empty."""
    for name, column in columns.items():
        found = len(column) - column.count(None)  # type: ignore[arg-type]
        if name not in _LISTS and text.count(f"</{name}>") != found:
            return False
    return None not in columns["link"]


def _dates(column: list[str | None]) -> list[str] | list[str | None] | None:
    """Make dates of a column; None if one cannot be read, which the slow path tells."""
    texts = [text for text in column if text]
    dates = parse_usual(texts)
    if dates is None:
        found = list(map(parse_rfc822, texts))
        dates = [date for date in found if date]
        if len(dates) < len(found):
            return None
    if len(dates) == len(column):
        return dates
    in_order = iter(dates)
    return [next(in_order) if text else None for text in column]
