"""
Find the sitemaps of a site: what its robots.txt names, else what is where sitemaps usually are.

https://www.sitemaps.org/protocol.html#submit_robots; the usual places are those that
ultimate-sitemap-parser and others look at.
"""

import re
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitemapx.convert.formats import all_formats
from sitemapx.convert.reading import read
from sitemapx.errors import FetchError, InputError

if TYPE_CHECKING:
    from sitemapx.convert.fetching import Fetcher

__all__ = ["site_of", "sitemaps_of"]

#: In this order; the first that is one counts.
_USUAL = (
    *("sitemap.xml", "sitemap.xml.gz", "sitemap_index.xml", "sitemap_index.xml.gz"),
    *("sitemap-index.xml", "sitemap-index.xml.gz", ".sitemap.xml", "sitemap"),
    *("admin/config/search/xmlsitemap", "sitemap/sitemap-index.xml"),
    *("sitemap_news.xml", "sitemap_news.xml.gz", "sitemap-news.xml", "sitemap-news.xml.gz"),
)
_host = re.compile(r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*(?::\d+)?/?|localhost(?::\d+)?/?").fullmatch
_root = re.compile(r"https?://[^/?#]+/?", re.IGNORECASE).fullmatch
#: Endings of names that are those of files.
_FILES = (".gz", ".html", ".htm", ".json", ".php", ".tsv", ".xml", ".yaml", ".yml", ".zip")


def site_of(source: str) -> str | None:
    """
    Give the address of the site that a source stands for: a host, or the URL of its root.

    >>> site_of("example.com"), site_of("https://example.com"), site_of("sitemap.xml")
    ('https://example.com/', 'https://example.com/', None)

    """
    if _root(source):
        return source.rstrip("/") + "/"
    suffixes = chain(_FILES, *(one.suffixes for one in all_formats()))
    if _host(source) and not source.lower().endswith(tuple(suffixes)):
        return f"https://{source.rstrip('/')}/"
    return None


def sitemaps_of(source: str, why: InputError, fetcher: "Fetcher") -> list[str]:
    """
    Find the sitemaps of the site that a source stands for.

    Args:
        source: What was asked for, without user and password.
        why: Why that cannot be read itself.
        fetcher: Fetches, and is told what was found.

    Raises:
        InputError: If the source is no site, or has no sitemap.

    """
    site = site_of(source)
    if site is None or (isinstance(why, FetchError) and why.status is None):
        raise why
    is_host = site != source and not _root(source)
    try:
        site, named = _named(site, fetcher, is_host=is_host)
    except FetchError as error:
        raise InputError(f"{why.message}; {error}", source) from error
    if named:
        more = f" and {len(named) - 3:,} more" if len(named) > 3 else ""
        fetcher.say(f"{site}robots.txt names {', '.join(named[:3])}{more}")
        return named
    for path in _USUAL:
        if _is_sitemap(site + path, fetcher):
            fetcher.say(f"{site}robots.txt names no sitemap; found {site + path}")
            return [site + path]
    said = "its robots.txt names no sitemap, and none is where they usually are; name its URL"
    raise InputError(f"{why.message}; {said}", source)


def _named(site: str, fetcher: "Fetcher", *, is_host: bool) -> tuple[str, list[str]]:
    """List what robots.txt names, and give the address of the site that answered."""
    try:
        robots = fetcher.robots(site)
    except FetchError as error:
        if error.status is not None:
            return site, []
        if is_host and site.startswith("https:"):
            with suppress(FetchError):
                return _named(site.replace("https:", "http:", 1), fetcher, is_host=True)
        raise
    except InputError:
        return site, []
    return site, [urljoin(site, url) for url in dict.fromkeys(robots.sitemaps)]


def _is_sitemap(url: str, fetcher: "Fetcher") -> bool:
    try:
        read(url, fetcher=fetcher).close()
    except InputError as error:
        if isinstance(error, FetchError) and error.retry_after is not None:
            raise  # the host is in trouble: it may have sitemaps, at another time
        return False
    return True
