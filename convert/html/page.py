"""Extract the metadata and the visible text of HTML pages."""

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from html import unescape
from typing import NamedTuple

from sitemapx.convert.html.decoding import decode_page, is_binary
from sitemapx.convert.html.facts import ALL, PageFacts, read_facts
from sitemapx.convert.html.foreign import OpenElements
from sitemapx.convert.html.robotsmeta import Ban, find_ban
from sitemapx.convert.html.tags import Tag, Tags, remove_tags
from sitemapx.convert.html.text import INLINE
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.dates import parse_date

#: A URL in `srcset`, with its descriptor.
_candidate = re.compile(r"[\s,]*(?:([^\s,]\S*?),+(?=\s|$)|([^\s,]\S*)[^,]*)")
_refresh = re.compile(r"\s*+0*+\s*+[;,]\s*+url\s*+=\s*+[\"']?+\s*+([^\"']*)", re.IGNORECASE).match


class LanguageVersion(NamedTuple):
    language: str
    url: str


class Page(NamedTuple):
    """
    Metadata of a page; URLs are absolute, and missing values None.

    Attributes:
        canonical: Canonical URL without fragment; also None if invalid.
        bans: Directives in `<meta>` by which crawlers must not index the page.
        leads_to: Target of an immediate `<meta http-equiv="refresh">`, as written if invalid.
        images: Distinct URLs of images in all sizes.
        heading: Text of the first `<h1>`.
        modified: Date of the last change, as W3C Datetime.
        published: Date of publication, as W3C Datetime.
        bad_dates: Texts that are given as dates but are invalid.
        sitemaps: URLs in `<link rel="sitemap">`.
        feeds: URLs in `<link rel="alternate">` with the media type of a feed.
        links: URLs in links and frames, without fragments, also those in comments and scripts.

    """

    canonical: str | None
    bans: tuple[Ban, ...]
    leads_to: str | None
    images: tuple[str, ...]
    title: str | None = None
    heading: str | None = None
    description: str | None = None
    language: str | None = None
    alternates: tuple[LanguageVersion, ...] = ()
    modified: str | None = None
    published: str | None = None
    bad_dates: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def parse_page(data: bytes, url: str, wanted: Collection[str] = ALL) -> Page:
    """Parse the page at a URL; `wanted` selects metadata that is slow to read (see `ALL`)."""
    return _build_page(decode_page(data), url, wanted)


def _build_page(text: str, url: str, wanted: Collection[str] = ALL) -> Page:
    facts = read_facts(text, wanted)
    base = urls.join(facts.base, url) or url
    address = (urls.join(facts.canonical, base) or "").partition("#")[0]
    canonical = address if facts.canonical and uris.to_uri(address) else None
    refreshes = (_refresh(content) for content in facts.refreshes)
    target = next((m[1].strip() for m in refreshes if m), None)
    images = (urls.join(image, base) for image in _list_images(facts))
    dates, bad_dates = _find_dates(facts, base, {url, canonical or url}, wanted)
    return Page(
        canonical=canonical,
        bans=tuple(ban for name, content in facts.metas if (ban := find_ban(name, content))),
        leads_to=target and (urls.join(target, base) or target),
        images=tuple(dict.fromkeys(url for url in images if url and urls.is_absolute(url))),
        title=_join_lines(unescape(facts.title or "")),
        heading=facts.heading or None,
        description=_join_lines(_find_meta(facts.metas, "description")),
        language=facts.language.strip() or None,
        alternates=tuple(_resolve_versions(facts.versions, base)),
        modified=dates.get("modified"),
        published=dates.get("published"),
        bad_dates=bad_dates,
        sitemaps=tuple(_resolve_links(facts.sitemaps, base)),
        feeds=tuple(_resolve_links(facts.feeds, base)),
        links=tuple(_resolve_links((link.partition("#")[0] for link in facts.links), base)),
    )


def _resolve_links(addresses: Iterable[str], base: str) -> Iterator[str]:
    """Resolve distinct URLs against `base`, and yield the resulting http(s) URLs."""
    resolved = (urls.join(address, base) or "" for address in dict.fromkeys(addresses))
    return filter(urls.is_absolute, resolved)


def _join_lines(text: str) -> str | None:
    return " ".join(text.split()) or None


def _find_meta(metas: Iterable[tuple[str, str]], name: str) -> str:
    return next((content for key, content in metas if key == name and content.strip()), "")


def _resolve_versions(links: Iterable[tuple[str, str]], base: str) -> Iterator[LanguageVersion]:
    for language, href in links:
        address = urls.join(href, base)
        if address and urls.is_absolute(address):
            yield LanguageVersion(language, address)


def _list_images(facts: PageFacts) -> Iterator[str]:
    """Yield the URLs of images in all sizes, as written (https://html.spec.whatwg.org/#srcset)."""
    for src, srcset in facts.images:
        if src:
            yield src
        for m in _candidate.finditer(srcset):
            yield m[1] or m[2]


def _find_dates(
    facts: PageFacts, base: str, addresses: Collection[str], wanted: Collection[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """
    Return the first valid date of each wanted kind, and the invalid dates found before them.

    The kinds are "modified" and "published". Dates of pages other than `addresses` are ignored.
    """
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


# ---- files

#: Maximum number of bytes to read from a page, like Googlebot:
#: https://developers.google.com/search/docs/crawling-indexing/googlebot
MAX_PAGE = 15_000_000


class PagePlace(NamedTuple):
    path: str
    url: str


class PageFile(NamedTuple):
    """
    Result of reading the file of a page: the page, or the reason in `error`.

    Attributes:
        digest: Checksum of the visible text, in hexadecimal digits; empty unless requested.
        is_cut: Whether the file is larger than `MAX_PAGE`, and was read only up to there.

    """

    page: Page | None = None
    digest: str = ""
    is_cut: bool = False
    error: str = ""


def read_page_file(
    place: PagePlace, wanted: Collection[str] = (), *, with_digest: bool = False
) -> PageFile:
    """
    Read and parse the file of a page; `wanted` is as for `parse_page`.

    Only regular files are read: others, such as pipes, may never end. Errors are returned in
    `PageFile.error`.
    """
    try:
        if not stat.S_ISREG(os.stat(place.path).st_mode):
            return PageFile(error="not a regular file")
        with open(place.path, "rb") as file:
            data = file.read(MAX_PAGE + 1)
    except OSError as error:  # read errors have no file name
        return PageFile(error=f"cannot be read: {error.strerror}")
    if is_binary(data):
        return PageFile(error="not an HTML page but binary data")
    text = decode_page(data[:MAX_PAGE])
    digest = _content_digest(text) if with_digest else ""
    return PageFile(_build_page(text, place.url, wanted), digest, len(data) > MAX_PAGE)


def report_cut(reporter: Reporter, loc: str) -> None:
    message = f"page is larger than {MAX_PAGE:,} bytes"
    reporter.problem("page-too-large", message, done="; only its beginning was read", loc=loc)


def report_bad_dates(reporter: Reporter, page: Page, loc: str) -> None:
    for text in page.bad_dates:
        reporter.problem(
            "bad-date", f"invalid date {text!r} in the page", done="; dropped", loc=loc
        )


# ---- the visible text of a page, and its digest

_SIZE = 12
#: Elements with the content of a page, in order of preference.
_CONTENT = ("main", "article")
#: Elements that are not the content of a page, as sites repeat them.
_FRAMES = ("nav", "header", "footer")
#: Elements with text that contains no markup.
_SHOWN = frozenset({"plaintext", "textarea", "xmp"})
#: Elements whose end tag also closes open elements inside.
_CLOSING = frozenset(
    {
        *("address", "aside", "blockquote", "button", "center", "dd", "details", "dialog"),
        *("dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "form", "hgroup"),
        *("li", "listing", "menu", "ol", "pre", "search", "section", "summary", "table", "ul"),
    }
)


def _content_digest(text: str) -> str:
    data = visible_text(text).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=_SIZE).hexdigest()


def visible_text(text: str) -> str:
    """
    Return the text of `<main>`, else of all `<article>`, else of the page without its frame.

    The frame consists of `<nav>`, `<header>` and `<footer>`. Scripts, styles, templates and
    attributes are skipped, and whitespace is collapsed.

    >>> visible_text("<nav>Home</nav><h1>Fish &amp;  chips</h1><p>h<b>o</b>t<footer>2026")
    'Fish & chips hot'
    """
    found = _VisibleText(text, frozenset())
    if found.open:  # end tags are missing: elements may end with their parent
        found = _VisibleText(text, _CLOSING)
    return str(found)


class _VisibleText:
    """Collects the text of `<main>`, `<article>` and the rest; `str` returns the first found."""

    def __init__(self, source: str, closing: frozenset[str]) -> None:
        self._source = source
        self._names = closing.union(_CONTENT, _FRAMES)
        self._parts: dict[str, list[str]] = {"main": [], "article": [], "": []}
        self.open = OpenElements()
        self._read()

    def __str__(self) -> str:
        text = "".join(next(filter(None, self._parts.values()), []))
        return " ".join(unescape(remove_tags(text, INLINE)).split())

    def _read(self) -> None:
        end = 0
        is_template = False
        for tag in Tags(self._source, self._names):
            if not is_template:
                self._add_text(self._source[end : tag.start])
            end = tag.end
            if tag.name == "template" and not tag.is_foreign:
                is_template = not tag.is_end
            elif tag.is_foreign:
                self._add_text(_escape_raw(tag))
            else:
                self._read_tag(tag)
        if not is_template:
            self._add_text(self._source[end:])

    def _read_tag(self, tag: Tag) -> None:
        name = tag.name
        self._add_text(_escape_raw(tag) if name in _SHOWN else " ")
        if name in self._names and tag.is_end:
            self.open.end_element(name)
        elif name in self._names:
            self.open.begin_element(name)
            self._add_text("")  # record that the element exists

    def _add_text(self, text: str) -> None:
        for name in _CONTENT:
            if name in self.open:
                self._parts[name].append(text)
        if not any(name in self.open for name in _FRAMES):
            self._parts[""].append(text)


def _escape_raw(tag: Tag) -> str:
    return " " + tag.raw.replace("<", "&lt;") + " "
