"""
Divides a site map into pages, and renders the document around the lists of each page.

A section, the first directory of a path, stays on one page if it fits; small sections share a page,
and large sections are divided.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from sitemapx.convert.formats.html.lists import Item, decode_part, isolate

#: Host and section.
_Key = tuple[str, str]


class PagePlan(NamedTuple):
    """
    Range of sections on a page, with the numbers of items, links and entries.

    A section that needs several pages is divided into `parts`; `part` counts from 1.
    """

    first: _Key
    last: _Key
    items: int
    links: int
    entries: int
    part: int = 1
    parts: int = 1

    def append(self, other: "PagePlan") -> "PagePlan":
        pairs = zip(self[2:5], other[2:5], strict=True)
        return PagePlan(self.first, other.last, *(size + more for size, more in pairs))


class SitePlan(NamedTuple):
    """Plan of all pages; `hosts` has at most two hosts, enough to detect that there are several."""

    pages: Sequence[PagePlan]
    hosts: Sequence[str]

    def label(self, page: PagePlan) -> str:
        """Return the name of a page: its section, or its first and last section."""
        first, last = self._name_section(page.first), self._name_section(page.last)
        if page.parts > 1:
            return f"{first} ({page.part:,}/{page.parts:,})"
        return first if first == last else f"{first} – {last}"  # noqa: RUF001 - a range

    def _name_section(self, key: _Key) -> str:
        host, section = key
        if len(self.hosts) > 1 and section:
            return f"{host}/{decode_part(section)}"
        return decode_part(section) or host


def plan_pages(items: Iterable[Item], limit: int | None) -> SitePlan:
    """
    Divide items into pages of at most `limit` links, or of one item that has more.

    Without a limit, there is a single page.
    """
    hosts: dict[str, None] = {}
    pages: list[PagePlan] = []
    for (host, _), some in groupby(items, key=_key):
        if len(hosts) < 2:
            hosts[host] = None
        parts = list(_split_section(some, limit))
        if len(parts) > 1:
            pages += [page._replace(part=n, parts=len(parts)) for n, page in enumerate(parts, 1)]
        elif pages and pages[-1].parts == 1 and _fits(pages[-1].links + parts[0].links, limit):
            pages[-1] = pages[-1].append(parts[0])
        else:
            pages += parts
    return SitePlan(pages or [PagePlan(("", ""), ("", ""), 0, 0, 0)], list(hosts))


def _split_section(items: Iterable[Item], limit: int | None) -> Iterator[PagePlan]:
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


# ---- the document around the lists


class PageLink(NamedTuple):
    """A link to another page of the site map, with the number of links there."""

    url: str
    text: str
    links: int


class MapPage(NamedTuple):
    """
    A page of a site map.

    Attributes:
        heading: The sections of this page; on the first or only page, `title`.
        in_english: HTML attribute that marks English texts on a page in another language.
        title_in_english: The same attribute for `title`, if the title is generated.
        up: Link to the first page, which lists the others; None on the first page itself.

    """

    title: str
    heading: str
    language: str
    in_english: str = ""
    title_in_english: str = ""
    up: PageLink | None = None
    previous: PageLink | None = None
    next: PageLink | None = None


def read_style() -> str:
    return files("sitemapx.convert.formats.html").joinpath("page.css").read_text("utf-8")


def render_page(page: MapPage, content: Iterable[str]) -> Iterator[str]:
    """Yield the HTML document of a page around `content`, the HTML of its lists."""
    about = page.title if page.up is None else f"{page.heading} - {page.title}"
    in_english = page.in_english
    yield f"""<!DOCTYPE html>
<html lang="{escape(page.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title{page.title_in_english}>{escape(about)}</title>
<style>
{read_style()}</style>
</head>
<body>
<a class="skip" href="#main"{in_english}>Skip to content</a>
<header>
<h1{page.title_in_english if page.up is None else ""}>{isolate(page.heading)}</h1>
{"".join(_render_navigation(page))}</header>
<main id="main" tabindex="-1">
"""
    yield from content
    yield "</main>\n</body>\n</html>\n"


def _render_navigation(page: MapPage) -> Iterator[str]:
    if page.up is None:
        return
    yield f'<nav aria-labelledby="pages">\n<h2 id="pages"{page.in_english}>Pages</h2>\n<ul>\n'
    yield f"<li>{_render_link(page.up)}</li>\n"
    for rel, word, link in (("prev", "Previous", page.previous), ("next", "Next", page.next)):
        if link:
            yield f"<li><span{page.in_english}>{word}:</span> {_render_link(link, rel)}</li>\n"
    yield "</ul>\n</nav>\n"


def _render_link(link: PageLink, rel: str = "") -> str:
    more = f' rel="{rel}"' if rel else ""
    return f'<a href="{escape(link.url)}"{more}>{isolate(link.text)}</a>'


def render_page_list(links: Sequence[PageLink], in_english: str) -> Iterator[str]:
    """Yield a list of links to the other pages as HTML, for the first page."""
    yield f'<nav aria-labelledby="pages">\n<h2 id="pages"{in_english}>Pages</h2>\n<ul>\n'
    for link in links:
        noun = "link" if link.links == 1 else "links"
        count = f"<small{in_english}>{link.links:,} {noun}</small>"
        yield f"<li>{_render_link(link)} {count}</li>\n"
    yield "</ul>\n</nav>\n"
