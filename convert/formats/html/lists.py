"""The links of a site map, and their markup: headings and lists, nested by directory."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgspec import Struct

from sitemapx.convert.values.urls import PERCENT_ENCODED

# ---- links, and their places in the tree of directories

#: Characters that HTML forbids (https://html.spec.whatwg.org/#preprocessing-the-input-stream).
_ILLEGAL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: Invisible characters that are part of words: they join or separate letters.
_JOINERS = "\u200c\u200d"


class MapLink(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A link; the URL conforms to RFC 3986, and the language may be "x-default"."""

    url: str
    title: str | None = None
    lastmod: str | None = None
    language: str | None = None

    @property
    def text(self) -> str:
        """Text of the link: the title, else the last path segment (or host) with the query."""
        return self.title or _name_url(self.url)


class TreePlace(NamedTuple):
    """
    Position of a page in the tree of directories: host with port, and segments of the path.

    The segments are percent-encoded as in the URL.
    """

    host: str
    folders: Sequence[str]

    @classmethod
    def from_url(cls, url: str) -> "TreePlace":
        """
        Return the position of a URL.

        >>> TreePlace.from_url("https://e.example/blog/a%20b/?page=2")
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
        """Sort key that puts a page before the pages in its directory."""
        return "\1".join([self.host, *self.folders, "\0"])


class Item(Struct, array_like=True, omit_defaults=True):
    """
    An item of a list: a page with its language versions.

    Attributes:
        links: The link to the page, then the links to its versions.
        entries: Number of links that are entries of the source.
        group: Identifies the set of versions of the page; empty if the page has no other versions.
        is_first: Whether the link comes before those to the other versions of the page.
        section: First directory of the path if it contains pages; empty for pages at the top.

    """

    place: TreePlace
    links: list[MapLink]
    entries: int
    group: str = ""
    is_first: bool = False
    section: str = ""


def clean_text(text: str) -> str:
    """Join the lines of a text, and remove characters that HTML forbids."""
    return _ILLEGAL.sub("", " ".join(text.split()))


def decode_part(part: str) -> str:
    """
    Percent-decode a part of a URL, except for characters that are not printable.

    >>> decode_part("gr%C3%BC%C3%9Fe-2"), decode_part("%FF"), decode_part("a%0Ab%E2%80%AE")
    ('grüße-2', '%FF', 'a%0Ab%E2%80%AE')
    >>> decode_part("%20")
    '%20'
    """
    if "%" not in part:
        return part
    text = unquote(part, errors=PERCENT_ENCODED)
    if text.isprintable():
        return text if text.strip() else part
    return "".join(c if c.isprintable() or c in _JOINERS else quote(c) for c in text)


def _path(url: str) -> str:
    if "?" in url or "#" in url:
        return url.partition("#")[0].partition("?")[0]
    return url


def _name_url(url: str) -> str:
    """Return the text of a link to a page without a title."""
    if "?" not in url and url.count("/") > 3 and "#" not in url:
        return decode_part(url.rstrip("/").rpartition("/")[2])
    path = _path(url)
    _, mark, query = url[len(path) :].partition("#")[0].partition("?")
    name = path.rstrip("/").rpartition("/")[2]
    if path.rstrip("/").count("/") == 2:
        name = TreePlace.from_url(url).host + "/" * bool(mark)
    return decode_part(f"{name}{mark}{query}")


#: Maximum depth of nested lists, for narrow screens.
_DEPTH = 8


class _NestedList:
    """Renders a list whose items are nested like the directories in their paths."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._lists = 0

    def add_item(self, folders: Sequence[str], markup: str) -> str:
        kept = 0
        for opened, folder in zip(self._open, folders[:-1], strict=False):
            if opened != folder:
                break
            kept += 1
        before = self._close_items(kept)
        for folder in folders[kept:-1]:
            before += self._open_item(folder, isolate(decode_part(folder)))
        return before + self._open_item(folders[-1] if folders else "", markup)

    def _open_item(self, folder: str, markup: str) -> str:
        begin = "<li>"
        if self._lists == len(self._open):
            self._lists += 1
            begin = "\n<ul>\n<li>" if self._open else "<ul>\n<li>"
        self._open.append(folder)
        return f"{begin}{markup}"

    def _close_items(self, depth: int) -> str:
        markup = ""
        while len(self._open) > depth:
            if self._lists > len(self._open):
                self._lists -= 1
                markup += "</ul>\n"
            markup += "</li>\n"
            self._open.pop()
        return markup

    def close_all(self) -> str:
        """Return the markup after the last item, and reset the list."""
        markup = self._close_items(0)
        if self._lists:
            self._lists = 0
            markup += "</ul>\n"
        return markup


def render_items(items: Iterable[Item], language: str, *, has_hosts: bool) -> Iterator[str]:
    """
    Yield the markup of headings for hosts (if `has_hosts`) and sections, and of lists of links.

    Links in other languages than `language` are marked.
    """
    host = section = ""
    nested = _NestedList()
    for item in items:
        folders = item.place.folders
        if item.place.host != host or item.section != section:
            yield nested.close_all()
            if item.place.host != host and has_hosts:
                yield f"<h2>{escape(item.place.host)}</h2>\n"
            host, section = item.place.host, item.section
            if section:
                is_page = len(folders) == 1
                name = _render_first(item, language) if is_page else isolate(decode_part(section))
                level = 3 if has_hosts else 2
                yield f"<h{level}>{name}</h{level}>\n"
                if is_page:
                    yield _render_versions(item, language)
                    continue
        markup = _render_first(item, language) + _render_versions(item, language)
        yield nested.add_item(_limit_depth(folders[1:]) if section else folders[-1:], markup)
    yield nested.close_all()


def _limit_depth(folders: Sequence[str]) -> Sequence[str]:
    """Join the directories beyond the maximum depth of nested lists into one."""
    if len(folders) <= _DEPTH:
        return folders
    return [*folders[: _DEPTH - 2], "/".join(folders[_DEPTH - 2 : -1]), folders[-1]]


def _render_first(item: Item, language: str) -> str:
    return _render_link(item.links[0], language, is_version=len(item.links) > 1)


def _render_versions(item: Item, language: str) -> str:
    """Return an HTML list of the other language versions of a page; "" for a single version."""
    if len(item.links) == 1:
        return ""
    links = [_render_link(link, language, is_version=True) for link in item.links[1:]]
    markup = "".join(f"<li>{link}</li>" for link in links)
    return f'\n<ul class="versions">{markup}</ul>\n'


def _render_link(link: MapLink, language: str, *, is_version: bool = False) -> str:
    """Return a link as HTML; if `is_version`, the text includes the language code."""
    attributes = code = ""
    if link.language and (is_version or link.language != language):
        attributes = f' hreflang="{escape(link.language)}"'
        if link.language != "x-default":
            attributes += f' lang="{escape(link.language)}"'
        code = f" <small>{escape(link.language)}</small>" if is_version else ""
    name = isolate(link.text)
    date = f' <time datetime="{link.lastmod}">{link.lastmod[:10]}</time>' if link.lastmod else ""
    return f'<a href="{escape(link.url)}"{attributes}>{name}{code}</a>{date}'


def isolate(text: str) -> str:
    """Escape a text, and isolate it from the text direction of its surroundings."""
    return escape(text) if text.isascii() else f"<bdi>{escape(text)}</bdi>"
