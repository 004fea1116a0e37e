"""
Find the sitemaps of a site: what its robots.txt names, else what is where sitemaps usually are.

https://www.sitemaps.org/protocol.html#submit_robots; the usual places are those that
ultimate-sitemap-parser and others look at.
"""

import os
import re
from collections.abc import Collection
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sitemapx.convert.formats.registry import all_formats, detect
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.source import is_storage
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.streams.encodings import decode_start
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.values import urls
from sitemapx.convert.values.words import listed
from sitemapx.errors import FetchError, InputError
from sitemapx.patterns import lazy_pattern
from sitemapx.suggestions import suggest_file

if TYPE_CHECKING:
    from sitemapx.convert.http.fetcher import Fetcher


#: In this order; the first that is one counts.
_USUAL = (
    *("sitemap.xml", "sitemap.xml.gz", "sitemap_index.xml", "sitemap_index.xml.gz"),
    *("sitemap-index.xml", "sitemap-index.xml.gz", ".sitemap.xml", "sitemap"),
    *("admin/config/search/xmlsitemap", "sitemap/sitemap-index.xml"),
    *("sitemap_news.xml", "sitemap_news.xml.gz", "sitemap-news.xml", "sitemap-news.xml.gz"),
)
_host = lazy_pattern(r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*(?::\d+)?/?|localhost(?::\d+)?/?")
_numeric = lazy_pattern(r"\d+(?:\.\d+){3}(?::\d+)?(?:/.*)?")
_root = lazy_pattern(r"https?://[^/?#]+/?", re.IGNORECASE)
#: So many bytes tell what a file is.
_PEEK = 1 << 16
#: Endings of files that are top-level domains, too.
_FILES = (".md", ".mov", ".zip")


def site_of(source: str) -> str | None:
    """
    Return the address of the site that a source stands for: a host, or the URL of its root.

    A name without a port is a host only in a top-level domain; others are those of files.

    >>> site_of("example.com"), site_of("https://example.com"), site_of("sitemap.xm")
    ('https://example.com/', 'https://example.com/', None)

    """
    if _root.fullmatch(source):
        return source.rstrip("/") + "/"
    return (
        f"https://{source.rstrip('/')}/" if _host.fullmatch(source) and _is_public(source) else None
    )


def _is_public(source: str) -> bool:
    """Return whether this names a host that all of the Internet may know, or has a port."""
    name = source.rstrip("/").lower()
    if ":" in name or name == "localhost":
        return True
    if name.endswith(tuple(chain(_FILES, *(one.suffixes for one in all_formats())))):
        return False
    from sitemapx.convert.values.relative import has_top_level_domain

    return has_top_level_domain(name)


def _address(source: str) -> str | None:
    """Return the URL that somebody means who leaves https:// out."""
    if _numeric.fullmatch(source):
        return f"http://{source}"
    host, slash, _ = source.partition("/")
    return f"https://{source}" if slash and site_of(host) else None


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
    if os.path.lexists(source):  # whatever it is called, it is no host
        raise why
    site = site_of(source)
    if site is None and (meant := _address(source)):
        raise InputError(f"{why.message}; to fetch it from the web, pass {meant}", source) from why
    if site is None and isinstance(why.__cause__, FileNotFoundError):
        why.message += suggest_file(source)
    if site is None or (isinstance(why, FetchError) and why.status is None):
        raise why
    from sitemapx.convert.http.errors import is_trouble

    is_host = site != source and not _root.fullmatch(source)
    try:
        site, named, lack = _named(site, fetcher, is_host=is_host)
    except FetchError as error:
        raise InputError(f"{why.message}; {error}", source) from error
    if named:
        fetcher.say(f"{site}robots.txt lists {listed(named)}")
        return named
    refusal = ""
    for path in _USUAL:
        try:
            if _is_sitemap(site + path, fetcher):
                fetcher.say(f"{site}robots.txt {lack}; found {site + path}")
                return [site + path]
        except FetchError as error:
            if is_trouble(error):
                raise  # it may have sitemaps, at another time
            if error.status in (401, 403):
                refusal = f" ({error.message})"
        except InputError:
            pass
    if linked := _linked(site, fetcher):
        fetcher.say(f"{site}robots.txt {lack}; the home page names {listed(linked)}")
        return linked
    message = f"its robots.txt {lack}, and there is no sitemap at the usual places{refusal}"
    raise InputError(f"{why.message}; {message}; pass the URL of the sitemap", source)


def _linked(site: str, fetcher: "Fetcher") -> list[str]:
    """List the sitemaps that the home page of a site names, or else its feeds."""
    from sitemapx.convert.html.page import parse_page

    try:
        with fetcher.open(site) as opened:
            start = unpack(opened, Reporter(), peek=_PEEK)[0]
            page = parse_page(start, opened.url or site, ())
    except InputError:
        return []
    return [*(page.sitemaps or page.feeds)]


def _named(site: str, fetcher: "Fetcher", *, is_host: bool) -> tuple[str, list[str], str]:
    """
    List what robots.txt names.

    Returns:
        The address of the site that answered, the sitemaps, and why there are none, if so.

    Raises:
        FetchError: If it does not answer, or may have another answer at another time.

    """
    from sitemapx.convert.http.errors import is_trouble

    try:
        robots = fetcher.robots(site)
    except FetchError as error:
        if error.status is not None and not is_trouble(error):
            is_missing = error.status in (404, 410)
            return site, [], "is missing" if is_missing else f"cannot be read ({error.message})"
        if is_host and error.status is None and site.startswith("https:"):
            with suppress(FetchError):
                return _named(site.replace("https:", "http:", 1), fetcher, is_host=True)
        raise
    except InputError as error:
        return site, [], f"cannot be read ({error.message})"
    from urllib.parse import urljoin

    named = [urljoin(site, url) for url in dict.fromkeys(robots.sitemaps)]
    return site, named, "lists no sitemap"


def _is_sitemap(url: str, fetcher: "Fetcher") -> bool:
    """
    Return whether this begins as XML of a format that is known, or as a list and nothing else.

    Raises:
        InputError: If it cannot be fetched, or is of no format.

    """
    with fetcher.open(url) as opened:
        start = unpack(opened, Reporter(), peek=_PEEK)[0]
    lines = decode_start(start).splitlines()[: -1 if len(start) == _PEEK else None]
    is_list = all(urls.is_absolute(line) for line in lines if line.strip())
    return bool(detect(start).roots) or is_list


# ---- find the files on disk that an index lists by their addresses

#: So many of the last parts of a path are looked for beside an index.
_PARTS = 8


class ListedFile(NamedTuple):
    """
    A listed file on disk.

    Attributes:
        path: Its path.
        is_guess: Whether nothing but its name says that it is the one that is listed.

    """

    path: str
    is_guess: bool = False

    @property
    def is_file(self) -> bool:
        """Whether it is a file, as far as is known, and no folder, pipe or device."""
        path = self.path
        return is_storage(path) or not os.path.exists(path) or os.path.isfile(path)


class ListedFiles:
    """Knows where the files are that a source lists; see `Opener`."""

    def __init__(self, opener: ReadOptions, index: str | None) -> None:
        """Take the path of the source, if it is on disk."""
        self._mappings = list(opener.mappings)
        self._order = opener.beside
        self._home = opener.home if index else None
        self._folder = None
        if index:
            folder = os.path.dirname(index) or os.curdir
            if opener.url:  # where a file is published tells it of the files beside it
                place = 0 if self._order == "first" else len(self._mappings)
                exact = UrlMap.of(opener.url.rpartition("/")[0], folder)
                self._mappings.insert(place, exact)
            elif not opener.fetches:
                self._folder = folder

    def maps(self, loc: str) -> bool:
        """Return whether a mapping is for this address, even if it leads nowhere."""
        return any(loc.startswith(mapping.url) for mapping in self._mappings)

    def find(self, loc: str, taken: Collection[str], *, fetches: bool) -> ListedFile | None:
        """
        Find the file of an address.

        Args:
            taken: The real paths of files that are known to be others.
            fetches: Whether what is not on disk is fetched.

        """
        path = self._mapped(loc, fetches=fetches)
        is_looked_for = self._order == "first" or (self._order and not path)
        guess = self._beside(loc, taken) if is_looked_for else None
        is_same = path and guess and os.path.realpath(path) == os.path.realpath(guess)
        if guess and not is_same:
            return ListedFile(guess, is_guess=True)
        return ListedFile(path) if path else None

    def candidate(self, loc: str) -> str | None:
        """Name a file beside the index that may be the one, if no name is to be trusted."""
        found = None if self._order else self._beside(loc, ())
        return found and os.path.relpath(found, self._folder)

    def _mapped(self, loc: str, *, fetches: bool) -> str | None:
        """Find the file where something says that it is, whether it is there or not."""
        path = next((path for mapping in self._mappings if (path := mapping.path_of(loc))), None)
        if path or not self._home:
            return path
        home = self._home.path_of(loc)  # one that can be fetched is at home only if it is there
        return home if home and (not fetches or os.path.exists(home)) else None

    def _beside(self, loc: str, taken: Collection[str]) -> str | None:
        """Find a file beside the index that has the name, and as much of the path as can be."""
        if self._folder is None:
            return None
        from urllib.parse import unquote

        path = loc.partition("://")[2].partition("/")[2].partition("#")[0].partition("?")[0]
        parts = [unquote(part, errors="surrogateescape") for part in path.split("/")]
        if any(part in ("", ".", "..") or "/" in part or "\0" in part for part in parts):
            return None
        for start in range(max(0, len(parts) - _PARTS), len(parts)):
            found = os.path.normpath(os.path.join(self._folder, *parts[start:]))
            if os.path.isfile(found):
                return None if os.path.realpath(found) in taken else found
        return None
