"""Values that the official schema surely accepts, all of a batch at once."""

import re

from sitemapx.check.urlindex import Versions
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import w3cdate

__all__ = ["are_values_right"]

_SHORTEST_LOC = 12
_FIELDS = frozenset({"loc", "lastmod", "changefreq", "priority", "alternates"})
#: Comments, CDATA, references by numbers, and an attribute with a syntax of its own.
_ODD = (b"<!", b"#", b" media=")
#: How the words and numbers are written that need no second look.
_VALUES = {
    "changefreq": rb"(?:always|hourly|daily|weekly|monthly|yearly|never)</changefreq>",
    "priority": rb"(?:0(?:\.[0-9]+)?|1(?:\.0+)?)</priority>",
}
_written = {name: re.compile(b"<%s>%s" % (name.encode(), value)) for name, value in _VALUES.items()}
_is_language = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*").fullmatch


def are_values_right(batch: Batch, data: bytes, versions: Versions) -> bool:
    """
    Return whether all values of a batch are right; False may be wrong.

    Args:
        batch: One whose elements are known to be right, and in order.
        data: The items of the batch, as they are written.
        versions: Those of the pages.

    """
    census = batch.census()
    if not census.keys() <= _FIELDS or any(odd in data for odd in _ODD):
        return False
    for name in ("lastmod", *_written):
        count = census.get(name, 0)
        if data.count(b"<%s>" % name.encode()) != count:
            return False
        if count and name in _written and len(_written[name].findall(data)) != count:
            return False
    languages = {language for some in set(versions.languages) for language in some}
    return (
        batch.uris() is not None
        and min(map(len, batch.locs())) >= _SHORTEST_LOC
        and ("alternates" not in census or _are_links_right(data, versions))
        and all(map(_is_language, languages))
        and (
            "lastmod" not in census
            or w3cdate.are_schema_dates(date for date in batch.column("lastmod") if date)
        )
    )


def _are_links_right(data: bytes, versions: Versions) -> bool:
    """Return whether all links have an address in its usual spelling, and a language."""
    return versions.is_normal and data.count(b" href=") == sum(map(len, versions.hrefs))
