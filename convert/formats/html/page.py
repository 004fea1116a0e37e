"""The document around the lists: landmarks, navigation and style."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

from sitemapx.convert.formats.html.lists import isolated

__all__ = ["MapPage", "PageLink", "page_list", "render", "style"]


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
