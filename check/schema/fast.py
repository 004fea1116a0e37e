"""Values that the official schema surely accepts, all of a batch at once."""

import re

from sitemapx.check.urlindex import Versions
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import w3cdate
from sitemapx.convert.values.urllist import UriList

__all__ = ["are_values_right"]

_SHORTEST_LOC = 12
_FIELDS = frozenset({"loc", "lastmod", "changefreq", "priority", "alternates", "images"})
#: White space beyond that of XML, which readers remove from the ends of a value, and references,
#: which may stand for it.
_beyond_xml = re.compile(
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80|&#"
).search
_is_language = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*").fullmatch


def are_values_right(batch: Batch, data: bytes, versions: Versions) -> bool:
    """
    Return whether all values of a batch are right; False may be wrong.

    Args:
        batch: One whose elements are known to be right, and in order, with right words and numbers.
        data: The items of the batch, as they are written.
        versions: Those of the pages.

    """
    field_counts = batch.field_counts()
    if not field_counts.keys() <= _FIELDS:
        return False
    return (
        batch.uris() is not None
        and not (_may_be_beyond_xml(data) and _beyond_xml(data))
        and min(map(len, batch.locs())) >= _SHORTEST_LOC
        and ("alternates" not in field_counts or _are_links_right(data, versions))
        and ("images" not in field_counts or _are_images_right(batch))
        and (
            "lastmod" not in field_counts
            or w3cdate.are_schema_dates(set(filter(None, batch.column("lastmod"))))
        )
    )


def _may_be_beyond_xml(data: bytes) -> bool:
    """Look for what `_beyond_xml` finds; a number sign is rarer than an ampersand."""
    return not data.isascii() or (b"#" in data and b"&#" in data)


def _are_links_right(data: bytes, versions: Versions) -> bool:
    """Return whether all links have an address in its usual spelling, and a language."""
    languages = {language for some in set(versions.languages) for language in some}
    return (
        versions.is_normal
        and b" media=" not in data  # which has a syntax of its own
        and data.count(b" href=") == sum(map(len, versions.hrefs))
        and all(map(_is_language, languages))
    )


def _are_images_right(batch: Batch) -> bool:
    """Return whether all addresses of images are URIs that need no change."""
    images = [image for some in batch.column("images") for image in some]
    addresses = [one.loc or "" for one in images] + [one.license for one in images if one.license]
    return UriList.of_list(addresses) is not None
