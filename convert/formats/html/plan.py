"""
The division of a site map into pages.

A section, which is the first directory of the paths, is kept on one page if it fits; small ones
share a page, and a large one gets pages of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from sitemapx.convert.formats.html.lists import Item, decoded, isolated

#: Host, and section.
_Key = tuple[str, str]


class PagePlan(NamedTuple):
    """
    A page.

    Attributes:
        first: Host and name of the first section on the page.
        last: The same of the last one.
        items: Number of items on the page.
        links: Number of links on the page.
        entries: Number of links that are entries of the source.
        part: Number of the page, from 1, among the pages of a section that needs several.
        parts: Number of these pages.

    """

    first: _Key
    last: _Key
    items: int
    links: int
    entries: int
    part: int = 1
    parts: int = 1

    def joined(self, other: "PagePlan") -> "PagePlan":
        """Return a page with the items of another one after its own."""
        pairs = zip(self[2:5], other[2:5], strict=True)
        return PagePlan(self.first, other.last, *(one + more for one, more in pairs))


class SitePlan(NamedTuple):
    """
    All pages.

    Attributes:
        pages: The pages; a single one has everything.
        hosts: The first hosts, so many that it is known whether there are several.

    """

    pages: Sequence[PagePlan]
    hosts: Sequence[str]

    def label(self, page: PagePlan) -> str:
        """Return what a page is about: its section, or its first and last one."""
        first, last = self._name(page.first), self._name(page.last)
        if page.parts > 1:
            return f"{first} ({page.part:,}/{page.parts:,})"
        return first if first == last else f"{first} – {last}"  # noqa: RUF001 - a range

    def _name(self, key: _Key) -> str:
        host, section = key
        if len(self.hosts) > 1 and section:
            return f"{host}/{decoded(section)}"
        return decoded(section) or host


def planned(items: Iterable[Item], limit: int | None) -> SitePlan:
    """
    Divide items into pages.

    Args:
        limit: Maximum number of links on a page; None for a single page.

    """
    hosts: dict[str, None] = {}
    pages: list[PagePlan] = []
    for (host, _), some in groupby(items, key=_key):
        if len(hosts) < 2:
            hosts[host] = None
        parts = list(_parts(some, limit))
        if len(parts) > 1:
            pages += [one._replace(part=n, parts=len(parts)) for n, one in enumerate(parts, 1)]
        elif pages and pages[-1].parts == 1 and _fits(pages[-1].links + parts[0].links, limit):
            pages[-1] = pages[-1].joined(parts[0])
        else:
            pages += parts
    return SitePlan(pages or [PagePlan(("", ""), ("", ""), 0, 0, 0)], list(hosts))


def _parts(items: Iterable[Item], limit: int | None) -> Iterator[PagePlan]:
    """Divide the items of a section."""
    key, count, links, entries = ("", ""), 0, 0, 0
    for item in items:
        more = len(item.links)
        if count and not _fits(links + more, limit):
            yield PagePlan(key, key, count, links, entries)
            count = links = entries = 0
        key, count = _key(item), count + 1
        links, entries = links + more, entries + item.entries
    yield PagePlan(key, key, count, links, entries)


def _fits(links: int, limit: int | None) -> bool:
    return limit is None or links <= limit


def _key(item: Item) -> _Key:
    return item.place.host, item.section


# ---- the document around the lists: landmarks, navigation and style


class PageLink(NamedTuple):
    """
    A link to another page of the site map.

    Attributes:
        url: Its URL, relative to this page unless there is a base URL.
        text: What it is about.
        links: Number of links on it.

    """

    url: str
    text: str
    links: int


class MapPage(NamedTuple):
    """
    A page of a site map.

    Attributes:
        title: Title of the site map.
        heading: What this page is about: `title`, or its sections if there are several pages.
        language: Language code of the page.
        words: The attribute that marks English words on a page in another language.
        title_words: The same for `title`, if it is not that of the site.
        up: The first page, which lists the others; None on that page itself.
        previous: The page before this one.
        next: The page after this one.

    """

    title: str
    heading: str
    language: str
    words: str = ""
    title_words: str = ""
    up: PageLink | None = None
    previous: PageLink | None = None
    next: PageLink | None = None


def style() -> str:
    """Return the style sheet."""
    return files("sitemapx.convert.formats.html").joinpath("page.css").read_text("utf-8")


def render(page: MapPage, content: Iterable[str]) -> Iterator[str]:
    """Return a document, piece by piece."""
    about = page.title if page.up is None else f"{page.heading} - {page.title}"
    words = page.words
    yield f"""<!DOCTYPE html>
<html lang="{escape(page.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title{page.title_words}>{escape(about)}</title>
<style>
{style()}</style>
</head>
<body>
<a class="skip" href="#main"{words}>Skip to content</a>
<header>
<h1{page.title_words if page.up is None else ""}>{isolated(page.heading)}</h1>
{"".join(_navigation(page))}</header>
<main id="main" tabindex="-1">
"""
    yield from content
    yield "</main>\n</body>\n</html>\n"


def _navigation(page: MapPage) -> Iterator[str]:
    """Return links to the pages above and beside this one."""
    if page.up is None:
        return
    yield f'<nav aria-labelledby="pages">\n<h2 id="pages"{page.words}>Pages</h2>\n<ul>\n'
    yield f"<li>{_link(page.up)}</li>\n"
    for rel, word, link in (("prev", "Previous", page.previous), ("next", "Next", page.next)):
        if link:
            yield f"<li><span{page.words}>{word}:</span> {_link(link, rel)}</li>\n"
    yield "</ul>\n</nav>\n"


def _link(link: PageLink, rel: str = "") -> str:
    more = f' rel="{rel}"' if rel else ""
    return f'<a href="{escape(link.url)}"{more}>{isolated(link.text)}</a>'


def page_list(links: Sequence[PageLink], words: str) -> Iterator[str]:
    """Return the list of all pages, for the first one."""
    yield f'<nav aria-labelledby="pages">\n<h2 id="pages"{words}>Pages</h2>\n<ul>\n'
    for link in links:
        noun = "link" if link.links == 1 else "links"
        count = f"<small{words}>{link.links:,} {noun}</small>"
        yield f"<li>{_link(link)} {count}</li>\n"
    yield "</ul>\n</nav>\n"
