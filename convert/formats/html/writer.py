"""
Writes HTML site maps: pages of links to each other and to the pages of a site.

https://html.spec.whatwg.org; built-in pages should meet WCAG 2.2 AA: https://www.w3.org/TR/WCAG22/
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from sitemapx.convert.formats.html.collection import LinkCollection
from sitemapx.convert.formats.html.lists import Item, clean_text, render_items
from sitemapx.convert.formats.html.plan import (
    MapPage,
    PageLink,
    plan_pages,
    read_style,
    render_page,
    render_page_list,
)
from sitemapx.convert.formats.html.template import PageTemplate
from sitemapx.convert.formats.pages import Layout, PageWriter, WrittenPage
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter

_PIECES = 1000


class HtmlWriter(PageWriter):
    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def begin(self, head: Head, layout: Layout) -> None:
        self._title = clean_text(head.title or "")
        self._language = head.language or "en"
        self._is_fragment = layout.is_fragment
        self._template = PageTemplate(layout.template) if layout.template else None
        self._links = LinkCollection(self._reporter, self._language)

    def add(self, batch: Batch) -> int:
        return self._links.add_batch(batch)

    def plan(self, limit: int | None) -> int:
        self._links.sort_items()
        self._plan = plan_pages(self._links, limit)
        pages = len(self._plan.pages)
        return pages if pages > 1 else 0

    def files(self, names: Sequence[str]) -> Iterator[WrittenPage]:
        pages = self._plan.pages
        items = iter(self._links)
        first = self._make_page()
        if len(pages) == 1:
            yield WrittenPage(0, pages[0].entries, self._write_page(first, items))
            return
        links = [
            PageLink(name, self._plan.label(page), page.links)
            for name, page in zip(names[1:], pages, strict=True)
        ]
        up = PageLink(names[0], first.title, 0)
        for number, page in enumerate(pages, 1):
            page_of = first._replace(
                heading=links[number - 1].text,
                up=up,
                previous=links[number - 2] if number > 1 else None,
                next=links[number] if number < len(pages) else None,
            )
            yield WrittenPage(
                number, page.entries, self._write_page(page_of, islice(items, page.items))
            )
        yield WrittenPage(0, len(pages), self._write_page(first, (), links))

    def _make_page(self) -> MapPage:
        language = self._language
        hosts = self._plan.hosts
        title = self._title or (f"Site map of {hosts[0]}" if len(hosts) == 1 else "Site map")
        in_english = "" if language.lower().partition("-")[0] == "en" else ' lang="en"'
        return MapPage(title, title, language, in_english, "" if self._title else in_english)

    def _write_page(
        self, page: MapPage, items: Iterable[Item], links: Sequence[PageLink] = ()
    ) -> Iterator[bytes]:
        """Yield the HTML of a page; on the first of several, `links` lead to the other pages."""
        if self._template:
            yield self._fill_in(self._template, page, list(items), links)
            return
        pieces = self._render_content(page, items, links)
        if not self._is_fragment:
            pieces = render_page(page, pieces)
        while some := list(islice(pieces, _PIECES)):
            yield "".join(some).encode()

    def _render_content(
        self, page: MapPage, items: Iterable[Item], links: Sequence[PageLink]
    ) -> Iterator[str]:
        if links:
            return render_page_list(links, page.in_english)
        return render_items(items, page.language, has_hosts=len(self._plan.hosts) > 1)

    def _fill_in(
        self,
        template: PageTemplate,
        page: MapPage,
        items: Sequence[Item],
        links: Sequence[PageLink],
    ) -> bytes:
        variables = page._asdict() | {"items": items, "pages": links, "style": read_style()}
        return template.render(variables, "".join(self._render_content(page, items, links)))

    def close(self) -> None:
        self._links.close()
