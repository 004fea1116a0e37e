"""The metadata of an HTML page that matters to a list of pages: whether it is to be listed."""

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from sitemapx.convert.html.robotsmeta import says_noindex
from sitemapx.convert.values import uris, urls

__all__ = ["Page", "parse_page"]

_charset = re.compile(rb"charset\s*=\s*[\"']?\s*[\w-]", re.IGNORECASE).search
#: A URL of a srcset, and what is said of its size.
_candidate = re.compile(r"[\s,]*(?:([^\s,]\S*?),+(?=\s|$)|([^\s,]\S*)[^,]*)")
_refresh = re.compile(r"\s*0*\s*[;,]\s*url\s*=\s*[\"']?\s*([^\"']*)", re.IGNORECASE).match


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

    """

    canonical: str | None
    noindex: tuple[str, ...]
    leads_to: str | None
    images: tuple[str, ...]


def parse_page(data: bytes, url: str) -> Page:
    """
    Parse a page, however badly it is written.

    Args:
        data: The file.
        url: Its address, against which what it says is resolved.

    """
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if is_utf16:
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    encoding = "utf-8" if is_utf16 or not _charset(data[:1024]) else None
    root = etree.fromstring(data, etree.HTMLParser(encoding=encoding)) if data.strip() else None
    if root is None:  # nothing but space and comments
        return Page(None, (), None, ())
    bases = (one.get("href", "").strip() for one in root.iter("base"))
    base = urls.resolve(next(filter(None, bases), ""), url) or url
    # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    links = (
        one for one in root.iterfind("head//link") if "canonical" in _lower(one, "rel").split()
    )
    canonical = next((href for link in links if (href := link.get("href", "").strip())), "")
    address = (urls.resolve(canonical, base) or "").partition("#")[0] if canonical else ""
    metas = [(_lower(one, "name"), _lower(one, "http-equiv"), one) for one in root.iter("meta")]
    refreshes = (_refresh(one.get("content", "")) for _, kind, one in metas if kind == "refresh")
    target = next((m[1].strip() for m in refreshes if m), None)
    images = (urls.resolve(image, base) for image in _images(root))
    return Page(
        canonical=address if uris.to_uri(address) else None,
        noindex=tuple(name for name, _, one in metas if says_noindex(one.get("content", ""))),
        leads_to=target and (urls.resolve(target, base) or target),
        images=tuple(dict.fromkeys(url for url in images if url and urls.is_absolute(url))),
    )


def _lower(element: etree._Element, name: str) -> str:
    return element.get(name, "").strip().lower()


def _images(root: etree._Element) -> Iterator[str]:
    """List what the images of a page lead to, of all sizes: https://html.spec.whatwg.org/#srcset"""
    for one in root.iter("img", "source"):
        if one.tag == "img" and (src := one.get("src", "").strip()):
            yield src
        for m in _candidate.finditer(one.get("srcset", "")):
            yield m[1] or m[2]
