"""What an HTML page says that matters to a list of pages: whether it is one to be listed."""

import re
from typing import NamedTuple
from urllib.parse import urljoin

from lxml import etree

__all__ = ["Page", "parse_page"]

#: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
_ROBOTS = frozenset({"robots", "googlebot", "bingbot"})
_charset = re.compile(rb"charset\s*=\s*[\"']?\s*[\w-]", re.IGNORECASE).search
_refresh = re.compile(r"\s*0*\s*[;,]\s*url\s*=", re.IGNORECASE).match


class Page(NamedTuple):
    """
    A page.

    Attributes:
        canonical: Its address by its own words, made absolute.
        is_hidden: Whether it asks not to be indexed.
        is_redirect: Whether it only leads on, by `<meta http-equiv="refresh">`.
        images: The addresses of its images, made absolute, each once.

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
    encoding = None if _charset(data[:1024]) else "utf-8"
    root = etree.fromstring(data, etree.HTMLParser(encoding=encoding)) if data.strip() else None
    if root is None:  # nothing but space and comments
        return Page(None, is_hidden=False, is_redirect=False, images=())
    base = next((href for href in _values(root, "base", "href")), None)
    base = urljoin(url, base) if base else url
    links = (one for one in root.iter("link") if "canonical" in one.get("rel", "").lower().split())
    canonical = next((href for one in links if (href := one.get("href", "").strip())), None)
    metas = [(_lower(one, "name"), _lower(one, "http-equiv"), one) for one in root.iter("meta")]
    said = [_lower(one, "content") for name, _, one in metas if name in _ROBOTS]
    words = {word for text in said for word in re.split(r"[\s,]+", text)}
    sources = (src for src in _values(root, "img", "src") if not src.startswith("data:"))
    return Page(
        canonical=urljoin(base, canonical) if canonical else None,
        is_hidden=not words.isdisjoint({"noindex", "none"}),
        is_redirect=any(
            kind == "refresh" and _refresh(one.get("content", "")) for _, kind, one in metas
        ),
        images=tuple(dict.fromkeys(urljoin(base, src) for src in sources)),
    )


def _lower(element: etree._Element, name: str) -> str:
    return element.get(name, "").strip().lower()


def _values(root: etree._Element, tag: str, attribute: str) -> list[str]:
    """List what an attribute has where it is not empty."""
    values = (element.get(attribute, "").strip() for element in root.iter(tag))
    return [value for value in values if value]
