"""What an HTML page says that matters to a list of pages: whether it is one to be listed."""

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from sitemapx.convert import urls

__all__ = ["Page", "parse_page"]

#: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
_ROBOTS = frozenset({"robots", "googlebot", "bingbot"})
_charset = re.compile(rb"charset\s*=\s*[\"']?\s*[\w-]", re.IGNORECASE).search
#: A URL of a srcset, and what is said of its size.
_candidate = re.compile(r"[\s,]*(?:([^\s,]\S*?),+(?=\s|$)|([^\s,]\S*)[^,]*)")
_refresh = re.compile(r"\s*0*\s*[;,]\s*url\s*=", re.IGNORECASE).match


class Page(NamedTuple):
    """
    A page.

    Attributes:
        canonical: Its address by its own words, made absolute, without a fragment; None if its
            head says none, or what is none.
        is_hidden: Whether it asks not to be indexed.
        is_redirect: Whether it only leads on, by `<meta http-equiv="refresh">`.
        images: The http(s) addresses of its images, in all their sizes, each once.

    """

    canonical: str | None
    is_hidden: bool
    is_redirect: bool
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
        return Page(None, is_hidden=False, is_redirect=False, images=())
    bases = (one.get("href", "").strip() for one in root.iter("base"))
    base = urls.resolve(next(filter(None, bases), ""), url) or url
    # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    links = (
        one for one in root.iterfind("head//link") if "canonical" in _lower(one, "rel").split()
    )
    canonical = next((href for one in links if (href := one.get("href", "").strip())), "")
    address = (urls.resolve(canonical, base) or "").partition("#")[0] if canonical else ""
    metas = [(_lower(one, "name"), _lower(one, "http-equiv"), one) for one in root.iter("meta")]
    said = [_lower(one, "content") for name, _, one in metas if name in _ROBOTS]
    words = {word for text in said for word in re.split(r"[\s,]+", text)}
    images = (urls.resolve(image, base) for image in _images(root))
    return Page(
        canonical=address if urls.to_uri(address) else None,
        is_hidden=not words.isdisjoint({"noindex", "none"}),
        is_redirect=any(
            kind == "refresh" and _refresh(one.get("content", "")) for _, kind, one in metas
        ),
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
