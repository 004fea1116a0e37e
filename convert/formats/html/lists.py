"""Headings and nested lists: the markup of links in the tree of directories."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from sitemapx.convert.formats.html.links import Item, MapLink, decoded

__all__ = ["content", "isolated"]


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
