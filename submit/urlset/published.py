"""Sources as engines know them: where they are published, and what they are."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from sitemapx.convert.model.document import Head
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import local_path
from sitemapx.convert.values import uris, urls

__all__ = ["ROBOTS_FORMATS", "PublishedSource", "address_of", "set_name"]

#: Formats of sitemaps that every search engine finds in robots.txt.
ROBOTS_FORMATS = ("sitemap", "sitemapindex", "text")


class PublishedSource(NamedTuple):
    """
    A source, as engines know it.

    Attributes:
        source: What it was called.
        set_id: The set that its URLs make up, as the journal numbers it.
        address: Where it is published; None if that is not known.
        fingerprint: What tells whether any of its URLs changed.
        digest: Likewise, and whether any of them may now leave it without being removed, or not.
        head: What it says of itself.
        is_feed: Whether it is a feed.
        format: Name of its format; empty for a directory.
        empty: Listed sitemaps without URLs, if other sitemaps of the source have some: they may be
            broken, so nothing that left the source counts as removed.

    """

    source: str
    set_id: int
    address: str | None
    fingerprint: str
    digest: str
    head: Head
    is_feed: bool
    format: str = ""
    empty: Sequence[str] = ()


def address_of(source: str, opener: Opener) -> str | None:
    """Find where a source is published; a folder, with a final slash."""
    if urls.is_absolute(source):
        return urls.without_user(source)
    name = local_path(source)
    if opener.url or name is None:
        return opener.url
    return next((url for mapping in opener.mappings if (url := mapping.url_of(name))), None)


def set_name(source: str, address: str | None) -> str:
    """Name the set of a source: by its address, else by its path."""
    if address:
        return uris.normal(address)
    return source if source == "-" else os.path.abspath(urls.without_user(source))
