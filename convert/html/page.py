"""The metadata of an HTML page: what a list of pages says of it, and whether it is to be listed."""

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from typing import NamedTuple

from sitemapx.convert.html.content import content_digest
from sitemapx.convert.html.decoding import decoded, is_binary
from sitemapx.convert.html.facts import ALL, PageFacts, read_facts
from sitemapx.convert.html.robotsmeta import says_noindex
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.dates import parse_date

#: A URL of a srcset, and what is said of its size.
_candidate = re.compile(r"[\s,]*(?:([^\s,]\S*?),+(?=\s|$)|([^\s,]\S*)[^,]*)")
_refresh = re.compile(r"\s*+0*+\s*+[;,]\s*+url\s*+=\s*+[\"']?+\s*+([^\"']*)", re.IGNORECASE).match


class LanguageVersion(NamedTuple):
    """
    A version of a page for another language.

    Attributes:
        language: The language, as it is written.
        url: Its absolute address.

    """

    language: str
    url: str


class Page(NamedTuple):
    """
    A page.

    Attributes:
        canonical: Its address by its own words, made absolute, without a fragment; None if its
            head says none, or what is none.
        noindex: Whom it asks not to index it: the names of such `<meta>`; see `robotsmeta`.
        leads_to: Where it leads at once, by `<meta http-equiv="refresh">`; None if it stays, the
            address as it is written if that is none.
        images: The http(s) addresses of its images, in all their sizes, each once.
        title: Its title; None if it has none, or an empty one.
        description: Its description, by `<meta name="description">`.
        language: Its language, by `<html lang>`.
        alternates: Its versions for other languages, by `<link rel="alternate" hreflang>`.
        modified: When it was changed, by its own words, as a W3C Datetime.
        published: When it was published, likewise.
        bad_dates: What is written in place of dates.
        sitemaps: URLs of the sitemaps that it names.
        feeds: URLs of the feeds that it names.

    """

    canonical: str | None
    noindex: tuple[str, ...]
    leads_to: str | None
    images: tuple[str, ...]
    title: str | None = None
    description: str | None = None
    language: str | None = None
    alternates: tuple[LanguageVersion, ...] = ()
    modified: str | None = None
    published: str | None = None
    bad_dates: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()


def parse_page(data: bytes, url: str, wanted: Collection[str] = ALL) -> Page:
    """
    Parse a page, however badly it is written.

    Args:
        data: The file.
        url: Its address, against which what it says is resolved.
        wanted: Which of the attributes are wanted that take time.

    """
    return _page_of(decoded(data), url, wanted)


def _page_of(text: str, url: str, wanted: Collection[str] = ALL) -> Page:
    """Read a page that is decoded; see `parse_page`."""
    facts = read_facts(text, wanted)
    base = urls.join(facts.base, url) or url
    address = (urls.join(facts.canonical, base) or "").partition("#")[0]
    canonical = address if facts.canonical and uris.to_uri(address) else None
    refreshes = (_refresh(content) for content in facts.refreshes)
    target = next((m[1].strip() for m in refreshes if m), None)
    images = (urls.join(image, base) for image in _images(facts))
    dates, bad_dates = _dates(facts, base, {url, canonical or url}, wanted)
    return Page(
        canonical=canonical,
        noindex=tuple(name for name, content in facts.metas if says_noindex(content)),
        leads_to=target and (urls.join(target, base) or target),
        images=tuple(dict.fromkeys(url for url in images if url and urls.is_absolute(url))),
        title=_in_one_line(unescape(facts.title or "")),
        description=_in_one_line(_first(facts.metas, "description")),
        language=facts.language.strip() or None,
        alternates=tuple(_versions(facts.versions, base)),
        modified=dates.get("modified"),
        published=dates.get("published"),
        bad_dates=bad_dates,
        sitemaps=tuple(_absolute(facts.sitemaps, base)),
        feeds=tuple(_absolute(facts.feeds, base)),
    )


def _absolute(addresses: Iterable[str], base: str) -> Iterator[str]:
    """Make addresses absolute, and leave out what is no http(s) URL."""
    resolved = (urls.join(address, base) or "" for address in dict.fromkeys(addresses))
    return filter(urls.is_absolute, resolved)


def _in_one_line(text: str) -> str | None:
    return " ".join(text.split()) or None


def _first(metas: Iterable[tuple[str, str]], name: str) -> str:
    return next((content for one, content in metas if one == name and content.strip()), "")


def _versions(links: Iterable[tuple[str, str]], base: str) -> Iterator[LanguageVersion]:
    for language, href in links:
        address = urls.join(href, base)
        if address and urls.is_absolute(address):
            yield LanguageVersion(language, address)


def _images(facts: PageFacts) -> Iterator[str]:
    """List what the images of a page lead to, of all sizes: https://html.spec.whatwg.org/#srcset"""
    for src, srcset in facts.images:
        if src:
            yield src
        for m in _candidate.finditer(srcset):
            yield m[1] or m[2]


def _dates(
    facts: PageFacts, base: str, addresses: Collection[str], wanted: Collection[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Find the wanted dates: of each the first that is one, and all before it that are none."""
    if not wanted:
        return {}, ()
    own = set(map(uris.normalize, addresses))

    def is_this_page(address: str) -> bool:
        absolute = (urls.join(address, base) or "").partition("#")[0]
        return uris.normalize(absolute) in own

    found: dict[str, str] = {}
    bad: list[str] = []
    for name, text in facts.dates(is_this_page):
        if name in wanted and name not in found and text.strip():
            if date := parse_date(text):
                found[name] = date
            else:
                bad.append(text.strip())
    return found, tuple(bad)


# ---- the file of a page, as far as anybody wants to know it

#: So many bytes of a page are read: https://developers.google.com/search/docs/crawling-indexing/googlebot
#: reads no more of one than 15 MB.
MAX_PAGE = 15_000_000


class PagePlace(NamedTuple):
    """
    Where a page is.

    Attributes:
        path: The path of its file.
        url: Its address.

    """

    path: str
    url: str


class PageFile(NamedTuple):
    """
    What was found in the file of a page.

    Attributes:
        page: The page; None if there is an error.
        digest: The digest of its content, if it is wanted.
        is_cut: Whether the file is larger than what was read of it.
        error: Why it cannot be read; empty if it was.

    """

    page: Page | None = None
    digest: str = ""
    is_cut: bool = False
    error: str = ""


def read_page_file(
    place: PagePlace, wanted: Collection[str] = (), *, with_digest: bool = False
) -> PageFile:
    """
    Read the file of a page.

    Args:
        place: Where it is; what is no file, such as a pipe, may never end, and is not read.
        wanted: As for `parse_page`.
        with_digest: Whether the digest is wanted.

    """
    try:
        if not stat.S_ISREG(os.stat(place.path).st_mode):
            return PageFile(error="not a regular file")
        with open(place.path, "rb") as file:
            data = file.read(MAX_PAGE + 1)
    except OSError as error:  # an error of reading names no file
        return PageFile(error=f"cannot be read: {error.strerror}")
    if is_binary(data):
        return PageFile(error="not an HTML page but binary data")
    text = decoded(data[:MAX_PAGE])
    digest = content_digest(text) if with_digest else ""
    return PageFile(_page_of(text, place.url, wanted), digest, len(data) > MAX_PAGE)


def report_cut(reporter: Reporter, loc: str) -> None:
    """Report that a page was not read to its end."""
    message = f"page is larger than {MAX_PAGE:,} bytes"
    reporter.problem("page-too-large", message, done="; only its beginning was read", loc=loc)


def report_bad_dates(reporter: Reporter, page: Page, loc: str) -> None:
    """Report what a page has in place of the dates that were wanted."""
    for text in page.bad_dates:
        reporter.problem(
            "bad-date", f"invalid date {text!r} in the page", done="; dropped", loc=loc
        )
