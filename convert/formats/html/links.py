"""Links of a site map: where each belongs in the tree of directories, and what it is called."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgspec import Struct

from sitemapx.convert.values.urls import PERCENT_ENCODED

__all__ = ["Item", "MapLink", "TreePlace", "clean", "decoded"]

#: Characters that HTML forbids (https://html.spec.whatwg.org/#preprocessing-the-input-stream).
_ILLEGAL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Invisible characters that are letters of words: they join and separate others.
_JOINERS = "\u200c\u200d"


class MapLink(Struct, frozen=True, array_like=True, omit_defaults=True):
    """
    A link.

    Attributes:
        url: The URL, as RFC 3986 requires it.
        title: Title of the page; None if it is unknown.
        lastmod: Date of the last change (W3C Datetime).
        language: Language code of the page, or "x-default".

    """

    url: str
    title: str | None = None
    lastmod: str | None = None
    language: str | None = None

    @property
    def text(self) -> str:
        """The title, else the last segment of the path with the query, else the host."""
        return self.title or _name(self.url)


class TreePlace(NamedTuple):
    """
    The place of a URL in the tree of directories.

    Attributes:
        host: Host and port.
        folders: The segments of the path, as they are in the URL.

    """

    host: str
    folders: Sequence[str]

    @classmethod
    def of(cls, url: str) -> "TreePlace":
        """
        Return the place of a URL.

        >>> TreePlace.of("https://e.example/blog/a%20b/?page=2")
        TreePlace(host='e.example', folders=['blog', 'a%20b'])

        """
        parts = _path(url).split("/")
        host, folders = parts[2], parts[3:]
        if "" in folders:
            folders = [folder for folder in folders if folder]
        if "@" in host:
            host = host.rpartition("@")[2]
        return cls(host.lower(), folders)

    @property
    def key(self) -> str:
        """A text by which a page is sorted before those in its directory."""
        return "\1".join([self.host, *self.folders, "\0"])


class Item(Struct, array_like=True, omit_defaults=True):
    """
    A page with its versions in other languages: one item of a list.

    Attributes:
        place: The place of the item in the tree.
        links: The link to the page, then those to its versions.
        entries: How many of the links are entries of the source.
        group: What the versions of a page have in common; empty for a page without versions.
        section: First directory of the path if there are pages in it; empty for pages at the top.

    """

    place: TreePlace
    links: list[MapLink]
    entries: int
    group: str = ""
    section: str = ""


def clean(text: str) -> str:
    """Put a text on one line, without the characters that HTML forbids."""
    return _ILLEGAL.sub("", " ".join(text.split()))


def decoded(part: str) -> str:
    """
    Decode a part of a URL as far as the result can be read.

    >>> decoded("gr%C3%BC%C3%9Fe-2"), decoded("%FF"), decoded("a%0Ab%E2%80%AE"), decoded("%20")
    ('grüße-2', '%FF', 'a%0Ab%E2%80%AE', '%20')

    """
    if "%" not in part:
        return part
    text = unquote(part, errors=PERCENT_ENCODED)
    if text.isprintable():
        return text if text.strip() else part
    return "".join(c if c.isprintable() or c in _JOINERS else quote(c) for c in text)


def _path(url: str) -> str:
    """Return a URL up to the end of its path."""
    if "?" in url or "#" in url:
        return url.partition("#")[0].partition("?")[0]
    return url


def _name(url: str) -> str:
    """Return what a page without a title is called."""
    if "?" not in url and url.count("/") > 3 and "#" not in url:
        return decoded(url.rstrip("/").rpartition("/")[2])
    path = _path(url)
    _, mark, query = url[len(path) :].partition("#")[0].partition("?")
    name = path.rstrip("/").rpartition("/")[2]
    if path.rstrip("/").count("/") == 2:
        name = TreePlace.of(url).host + "/" * bool(mark)
    return decoded(f"{name}{mark}{query}")
