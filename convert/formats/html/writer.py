"""
Write HTML: pages of links to each other and to the pages of a site.

https://html.spec.whatwg.org; pages meet WCAG 2.2 AA (https://www.w3.org/TR/WCAG22/).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from sitemapx.convert.formats.html.collection import LinkCollection
from sitemapx.convert.formats.html.lists import Item, clean, content
from sitemapx.convert.formats.html.plan import MapPage, PageLink, page_list, planned, render, style
from sitemapx.convert.formats.html.template import PageTemplate
from sitemapx.convert.formats.pages import Layout, PageWriter, WrittenPage
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter

#: Pieces of markup are written this many at a time.
_PIECES = 1000


class HtmlWriter(PageWriter):
    """Writer of site maps in HTML."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def begin(self, head: Head, layout: Layout) -> None:
        """Read the template, if there is one."""
        self._title = clean(head.title or "")
        self._language = head.language or "en"
        self._is_fragment = layout.is_fragment
        self._template = PageTemplate(layout.template) if layout.template else None
        self._links = LinkCollection(self._reporter, self._language)

    def add(self, batch: Batch) -> int:
        """Collect the links of a batch."""
        return self._links.add(batch)

    def plan(self, limit: int | None) -> int:
        """Put the links in order, and divide them into pages by section."""
        self._links.arrange()
        self._plan = planned(self._links, limit)
        pages = len(self._plan.pages)
        return pages if pages > 1 else 0

    def files(self, names: Sequence[str]) -> Iterator[WrittenPage]:
        """Write the pages, then the one that lists them; or a single page."""
        pages = self._plan.pages
        items = iter(self._links)
        first = self._page()
        if len(pages) == 1:
            yield WrittenPage(0, pages[0].entries, self._written(first, items))
            return
        links = [
            PageLink(name, self._plan.label(page), page.links)
            for name, page in zip(names[1:], pages, strict=True)
        ]
        up = PageLink(names[0], first.title, 0)
        for number, page in enumerate(pages, 1):
            one = first._replace(
                heading=links[number - 1].text,
                up=up,
                previous=links[number - 2] if number > 1 else None,
                next=links[number] if number < len(pages) else None,
            )
            yield WrittenPage(number, page.entries, self._written(one, islice(items, page.items)))
        yield WrittenPage(0, len(pages), self._written(first, (), links))

    def _page(self) -> MapPage:
        """Return the first page, without its contents."""
        language = self._language
        hosts = self._plan.hosts
        title = self._title or (f"Site map of {hosts[0]}" if len(hosts) == 1 else "Site map")
        words = "" if language.lower().partition("-")[0] == "en" else ' lang="en"'
        return MapPage(title, title, language, words, "" if self._title else words)

    def _written(
        self, page: MapPage, items: Iterable[Item], links: Sequence[PageLink] = ()
    ) -> Iterator[bytes]:
        """
        Write a page.

        Args:
            links: Links to the other pages, on the first one of several.

        """
        if self._template:
            yield self._filled_in(self._template, page, list(items), links)
            return
        pieces = self._content(page, items, links)
        if not self._is_fragment:
            pieces = render(page, pieces)
        while some := list(islice(pieces, _PIECES)):
            yield "".join(some).encode()

    def _content(
        self, page: MapPage, items: Iterable[Item], links: Sequence[PageLink]
    ) -> Iterator[str]:
        if links:
            return page_list(links, page.words)
        return content(items, page.language, has_hosts=len(self._plan.hosts) > 1)

    def _filled_in(
        self,
        template: PageTemplate,
        page: MapPage,
        items: Sequence[Item],
        links: Sequence[PageLink],
    ) -> bytes:
        """Write a page by a template."""
        variables = page._asdict() | {"items": items, "pages": links, "style": style()}
        return template.render(variables, "".join(self._content(page, items, links)))

    def close(self) -> None:
        """Release the disk space."""
        self._links.close()
