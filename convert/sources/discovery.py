"""
Finds the sitemaps of a site (in robots.txt, at common URLs, on the home page), and listed files.

https://www.sitemaps.org/protocol.html#submit_robots; the common URLs are the same as in
ultimate-sitemap-parser.
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
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import FetchError, InputError
from sitemapx.patterns import lazy_pattern
from sitemapx.suggestions import suggest_file

if TYPE_CHECKING:
    from sitemapx.convert.http.fetcher import Fetcher


#: Common paths of sitemaps, in the order in which they are tried.
_USUAL = (
    *("sitemap.xml", "sitemap.xml.gz", "sitemap_index.xml", "sitemap_index.xml.gz"),
    *("sitemap-index.xml", "sitemap-index.xml.gz", ".sitemap.xml", "sitemap"),
    *("admin/config/search/xmlsitemap", "sitemap/sitemap-index.xml"),
    *("sitemap_news.xml", "sitemap_news.xml.gz", "sitemap-news.xml", "sitemap-news.xml.gz"),
)
_host = lazy_pattern(r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*(?::\d+)?/?|localhost(?::\d+)?/?")
_numeric = lazy_pattern(r"\d+(?:\.\d+){3}(?::\d+)?(?:/.*)?")
_root = lazy_pattern(r"https?://[^/?#]+/?", re.IGNORECASE)
#: Number of decompressed bytes to read of a file that may be a sitemap, and of the home page.
_PEEK = 1 << 16
#: File extensions that are also top-level domains; names with them are file names.
_FILES = (".md", ".mov", ".zip")


def site_of(source: str) -> str | None:
    """
    Return the URL of the home page if a source is a host name or the root of a site, else None.

    A name without a port, except for `localhost`, must have a known top-level domain that is not a
    file extension.

    >>> site_of("example.com"), site_of("https://example.com"), site_of("sitemap.xm")
    ('https://example.com/', 'https://example.com/', None)
    """
    if _root.fullmatch(source):
        return source.rstrip("/") + "/"
    return (
        f"https://{source.rstrip('/')}/" if _host.fullmatch(source) and _is_public(source) else None
    )


def _is_public(source: str) -> bool:
    name = source.rstrip("/").lower()
    if ":" in name or name == "localhost":
        return True
    if name.endswith(tuple(chain(_FILES, *(known.suffixes for known in all_formats())))):
        return False
    from sitemapx.convert.values.relative import has_top_level_domain

    return has_top_level_domain(name)


def _probable_url(source: str) -> str | None:
    """Return the URL for a source that looks like a URL without its scheme, or None."""
    if _numeric.fullmatch(source):
        return f"http://{source}"
    host, slash, _ = source.partition("/")
    return f"https://{source}" if slash and site_of(host) else None


def sitemaps_of(
    source: str, why: InputError, fetcher: "Fetcher", outputs: Collection[str] = ()
) -> list[str]:
    """
    Return the URLs of the sitemaps of a site: all in robots.txt, else the first at a common URL.

    Otherwise, return the sitemaps, or else the feeds, that the home page links. If nothing is
    found, raise `why`, the error of reading `source` itself, or another `InputError`; for a missing
    file, the message may suggest a similar file that is not in `outputs`.
    """
    if os.path.lexists(source):
        raise why
    site = site_of(source)
    if site is None and (meant := _probable_url(source)):
        raise InputError(f"{why.message}; to fetch it from the web, pass {meant}", source) from why
    if site is None and isinstance(why.__cause__, FileNotFoundError):
        why.message += suggest_file(source, outputs)
    if site is None or (isinstance(why, FetchError) and why.status is None):
        raise why
    from sitemapx.convert.http.errors import is_trouble

    is_host = site != source and not _root.fullmatch(source)
    try:
        site, named, lack = _robots_sitemaps(site, fetcher, is_host=is_host)
    except FetchError as error:
        raise InputError(f"{why.message}; {error}", source) from error
    if named:
        fetcher.say(f"{site}robots.txt lists {shorten_list(named)}")
        return named
    failure = ""
    for path in _USUAL:
        try:
            if _is_sitemap(site + path, fetcher):
                fetcher.say(f"{site}robots.txt {lack}; found {site + path}")
                return [site + path]
        except FetchError as error:
            if is_trouble(error):
                raise  # a temporary failure: the site may have sitemaps
            if error.status in (401, 403):
                failure = f" ({error.message})"
        except InputError:
            pass
    if linked := _linked_sitemaps(site, fetcher):
        fetcher.say(f"{site}robots.txt {lack}; the home page names {shorten_list(linked)}")
        return linked
    message = f"its robots.txt {lack}, and there is no sitemap at the usual paths{failure}"
    raise InputError(f"{why.message}; {message}; pass the URL of the sitemap", source)


def _linked_sitemaps(site: str, fetcher: "Fetcher") -> list[str]:
    from sitemapx.convert.html.page import parse_page

    try:
        with fetcher.open(site) as opened:
            start = unpack(opened, Reporter(), peek=_PEEK)[0]
            page = parse_page(start, opened.url or site, ())
    except InputError:
        return []
    return [*(page.sitemaps or page.feeds)]


def _robots_sitemaps(site: str, fetcher: "Fetcher", *, is_host: bool) -> tuple[str, list[str], str]:
    """
    Find the sitemaps in robots.txt; with `is_host`, try http as well if https gets no response.

    Returns the URL of the site that responded, the URLs of the sitemaps, and the predicate of a
    message that robots.txt lists no sitemap, such as "is missing". Raises `FetchError` for a
    temporary failure, or without a response.
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
                return _robots_sitemaps(site.replace("https:", "http:", 1), fetcher, is_host=True)
        raise
    except InputError as error:
        return site, [], f"cannot be read ({error.message})"
    from urllib.parse import urljoin

    named = [urljoin(site, url) for url in dict.fromkeys(robots.sitemaps)]
    return site, named, "lists no sitemap"


def _is_sitemap(url: str, fetcher: "Fetcher") -> bool:
    """Return whether a file starts as a known XML format or a list of URLs, or raise an error."""
    with fetcher.open(url) as opened:
        start = unpack(opened, Reporter(), peek=_PEEK)[0]
    lines = decode_start(start).splitlines()[: -1 if len(start) == _PEEK else None]
    is_list = all(urls.is_absolute(line) for line in lines if line.strip())
    return bool(detect(start).roots) or is_list


# ---- files on disk that an index lists by URL

#: Maximum number of trailing path segments of a URL that are looked up in the directory of an
#: index.
_PARTS = 8


class ListedFile(NamedTuple):
    """Path of a listed sitemap; `is_guess` is set if it was found only by its name."""

    path: str
    is_guess: bool = False

    @property
    def is_file(self) -> bool:
        """Whether the path may be a regular file: not a directory, pipe or device."""
        path = self.path
        return is_storage(path) or not os.path.exists(path) or os.path.isfile(path)


class ListedFiles:
    """Finds the files for URLs in an index; `index` is its path, or None if it is not a file."""

    def __init__(self, options: ReadOptions, index: str | None) -> None:
        self._mappings = list(options.mappings)
        self._order = options.beside
        self._home = home = options.home if index else None
        self._is_output = home and (is_storage(home.folder) or home.url_of(index or "") is not None)
        self._folder = None
        if index:
            folder = os.path.dirname(index) or os.curdir
            if options.url:  # implies the URLs of the files in its directory
                place = 0 if self._order == "first" else len(self._mappings)
                exact = UrlMap.create(options.url.rpartition("/")[0], folder)
                self._mappings.insert(place, exact)
            elif not options.fetches:
                self._folder = folder

    def maps(self, loc: str) -> bool:
        """Return whether a URL has the prefix of a mapping, even if no file is found for it."""
        return any(loc.startswith(mapping.url) for mapping in self._mappings)

    def find(self, loc: str, taken: Collection[str], *, fetches: bool) -> ListedFile | None:
        """
        Return the file for a URL, or None; unless found by its name, the file may be missing.

        A file found only by name is not used if its real path is in `taken`.
        """
        path = self._map(loc, fetches=fetches)
        is_looked_for = self._order == "first" or (self._order and not path)
        guess = self._beside(loc, taken) if is_looked_for else None
        is_same = path and guess and os.path.realpath(path) == os.path.realpath(guess)
        if guess and not is_same:
            return ListedFile(guess, is_guess=True)
        return ListedFile(path) if path else None

    def candidate(self, loc: str) -> str | None:
        """Return the relative path of a file that `find` ignores as only its name fits, or None."""
        found = None if self._order else self._beside(loc, ())
        return found and os.path.relpath(found, self._folder)

    def _map(self, loc: str, *, fetches: bool) -> str | None:
        """
        Return the path for a URL by a mapping, else at the location of the output, else None.

        Of several mappings, the first whose file exists applies, or else the very first. At the
        location of the output, the file may be missing only if nothing can be fetched instead.
        """
        paths = [path for mapping in self._mappings if (path := mapping.path_of(loc))]
        if paths:
            return next(filter(os.path.exists, paths), paths[0])
        home = self._home and self._home.path_of(loc)
        is_usable = home and (os.path.exists(home) or (self._is_output and not fetches))
        return home if is_usable else None

    def _beside(self, loc: str, taken: Collection[str]) -> str | None:
        """
        Return the file whose path below the directory of the index is the longest end of the URL.

        Return None if no file matches, or if the real path of the file is in `taken`.
        """
        if self._folder is None:
            return None
        from urllib.parse import unquote

        path = loc.partition("://")[2].partition("/")[2].partition("#")[0].partition("?")[0]
        parts = [unquote(part, errors="surrogateescape") for part in path.split("/")]
        if any(part in ("", ".", "..") or "/" in part or "\0" in part for part in parts):
            return None
        for start in range(max(0, len(parts) - _PARTS), len(parts)):
            path = os.path.normpath(os.path.join(self._folder, *parts[start:]))
            if os.path.isfile(path):
                return None if os.path.realpath(path) in taken else path
        return None
