"""Headings and nested lists: the markup of links in the tree of directories."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgspec import Struct

from sitemapx.convert.values.urls import PERCENT_ENCODED

# ---- links of a site map: where each belongs in the tree of directories, and what it is called

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


#: So many lists are nested at most, for narrow screens.
_DEPTH = 8


class _NestedList:
    """A list whose items are opened and closed as the directories of the paths are."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._lists = 0

    def item(self, folders: Sequence[str], markup: str) -> str:
        """Return the markup that puts an item into these directories, below those above it."""
        kept = 0
        for one, other in zip(self._open, folders[:-1], strict=False):
            if one != other:
                break
            kept += 1
        before = self._close(kept)
        for folder in folders[kept:-1]:
            before += self._begin(folder, isolated(decoded(folder)))
        return before + self._begin(folders[-1] if folders else "", markup)

    def _begin(self, folder: str, markup: str) -> str:
        begin = "<li>"
        if self._lists == len(self._open):
            self._lists += 1
            begin = "\n<ul>\n<li>" if self._open else "<ul>\n<li>"
        self._open.append(folder)
        return f"{begin}{markup}"

    def _close(self, depth: int) -> str:
        markup = ""
        while len(self._open) > depth:
            if self._lists > len(self._open):
                self._lists -= 1
                markup += "</ul>\n"
            markup += "</li>\n"
            self._open.pop()
        return markup

    def end(self) -> str:
        """Return the markup after the last item."""
        markup = self._close(0)
        if self._lists:
            self._lists = 0
            markup += "</ul>\n"
        return markup


def content(items: Iterable[Item], language: str, *, has_hosts: bool) -> Iterator[str]:
    """
    Return headings and lists of these items, piece by piece.

    Args:
        language: Language of the page; links in it are not marked.
        has_hosts: Whether each host gets a heading.

    """
    host = section = ""
    nested = _NestedList()
    for item in items:
        folders = item.place.folders
        if item.place.host != host or item.section != section:
            yield nested.end()
            if item.place.host != host and has_hosts:
                yield f"<h2>{escape(item.place.host)}</h2>\n"
            host, section = item.place.host, item.section
            if section:
                is_page = len(folders) == 1
                name = _first(item, language) if is_page else isolated(decoded(section))
                level = 3 if has_hosts else 2
                yield f"<h{level}>{name}</h{level}>\n"
                if is_page:
                    yield _versions(item, language)
                    continue
        markup = _first(item, language) + _versions(item, language)
        yield nested.item(_shallow(folders[1:]) if section else folders[-1:], markup)
    yield nested.end()


def _shallow(folders: Sequence[str]) -> Sequence[str]:
    """Return directories with those that are too deep to be indented as one."""
    if len(folders) <= _DEPTH:
        return folders
    return [*folders[: _DEPTH - 2], "/".join(folders[_DEPTH - 2 : -1]), folders[-1]]


def _first(item: Item, language: str) -> str:
    return _link(item.links[0], language, is_version=len(item.links) > 1)


def _versions(item: Item, language: str) -> str:
    """Return the list of the other versions of a page; empty if there are none."""
    if len(item.links) == 1:
        return ""
    links = [_link(one, language, is_version=True) for one in item.links[1:]]
    markup = "".join(f"<li>{link}</li>" for link in links)
    return f'\n<ul class="versions">{markup}</ul>\n'


def _link(link: MapLink, language: str, *, is_version: bool = False) -> str:
    """Return a link, with the language of a page where it differs or has versions."""
    attributes = code = ""
    if link.language and (is_version or link.language != language):
        attributes = f' hreflang="{escape(link.language)}"'
        if link.language != "x-default":
            attributes += f' lang="{escape(link.language)}"'
        code = f" <small>{escape(link.language)}</small>" if is_version else ""
    name = isolated(link.text)
    date = f' <time datetime="{link.lastmod}">{link.lastmod[:10]}</time>' if link.lastmod else ""
    return f'<a href="{escape(link.url)}"{attributes}>{name}{code}</a>{date}'


def isolated(text: str) -> str:
    """Return a text as markup that does not change the direction of what is around it."""
    return escape(text) if text.isascii() else f"<bdi>{escape(text)}</bdi>"
