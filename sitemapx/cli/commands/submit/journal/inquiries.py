"""What search engines report about a site, as records."""

from collections.abc import Sequence

from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.commands.submit.journal.records import Records
from sitemapx.convert.values import urls
from sitemapx.convert.values.uris import normal, to_uri
from sitemapx.convert.values.words import counted
from sitemapx.errors import RefusedError, UsageError
from sitemapx.submit.engines.reports import Inspection, SitemapReport
from sitemapx.submit.inquiry import DAY, Inquiry
from sitemapx.submit.journal.inspections import last_inspection, pages_to_inspect
from sitemapx.submit.journal.queries import sites

__all__ = ["inspected_pages", "listed_sitemaps"]

_SITEMAPS = (
    "ENGINE",
    "SITEMAP",
    "TYPE",
    "STATE",
    "ERRORS",
    "WARNINGS",
    "URLS",
    "SUBMITTED",
    "DOWNLOADED",
)
_PAGES = ("ENGINE", "PAGE", "VERDICT", "CRAWLED", "FETCH", "ROBOTS", "CANONICAL", "COVERAGE")


def listed_sitemaps(connections: Connections, given: Sequence[str]) -> tuple[Records, bool]:
    """
    Ask search engines which sitemaps they list.

    Args:
        given: URLs of the sites; none for those that are known.

    Returns:
        The records, and whether all search engines answered.

    Raises:
        UsageError: If no search engine can say, or no site is known.

    """
    inquiries = connections.inquiries("report", "list sitemaps")
    rows, objects, is_complete = [], [], True
    for site in _sites(connections, given):
        for inquiry in inquiries:
            try:
                reports = inquiry.reports(site)
            except RefusedError as error:
                _report_refusal(connections, inquiry.name, site, error)
                is_complete = False
                continue
            if not reports:
                connections.console.notice(f"{inquiry.name}: lists no sitemap of {site}")
            rows += [(inquiry.name, *_cells(one)) for one in reports]
            objects += [{"engine": inquiry.name, "site": site, **one._asdict()} for one in reports]
    return Records("Sitemaps that search engines list", _SITEMAPS, rows, objects), is_complete


def _sites(connections: Connections, given: Sequence[str]) -> list[str]:
    wrong = [url for url in given if to_uri(url) is None]
    if wrong:
        shown = urls.without_user(wrong[0])
        raise UsageError(f"invalid URL {shown!r}: expected an absolute http(s) URL")
    known = given or [connections.settings.site or ""]
    found = [urls.site(url) for url in known if url] or sites(connections.journal)
    if not found:
        path = connections.settings.path
        raise UsageError(f"missing URL: pass one of the site, or set site in {path}")
    return list(dict.fromkeys(found))


def _report_refusal(
    connections: Connections, engine: str, subject: str, error: RefusedError
) -> None:
    answer = error.answer
    action = f"; {answer.action}" if answer.action else ""
    connections.console.notice(f"{engine}: {subject}: {answer.reason}{action}")


def _cells(one: SitemapReport) -> tuple[str, ...]:
    counts = ("-" if count is None else f"{count:,}" for count in (one.errors, one.warnings))
    return (
        one.url,
        one.kind or "-",
        one.status or ("pending" if one.is_pending else "processed"),
        *counts,
        "-" if one.urls is None else f"{one.urls:,}",
        one.submitted or "-",
        one.downloaded or "-",
    )


def inspected_pages(
    connections: Connections, given: Sequence[str], most: int
) -> tuple[Records, bool]:
    """
    Ask search engines whether pages are in their index.

    Args:
        given: URLs of the pages; none to choose some that sitemaps list.
        most: Maximum number of pages.

    Returns:
        The records, and whether all pages were inspected.

    Raises:
        UsageError: If no search engine can say.

    """
    inquiries = connections.inquiries("inspect", "inspect pages")
    rows, objects, is_complete = [], [], True
    for inquiry in inquiries:
        before = connections.clock.now() - DAY
        found: list[Inspection] = []
        if given:
            pages = _not_inspected(connections, inquiry.name, given, before, found)
        else:
            pages = pages_to_inspect(connections.journal, inquiry.name, most, before)
        if not (pages or found):
            message = "no pages to inspect: pass their URLs, or submit a sitemap first"
            connections.console.notice(f"{inquiry.name}: {message}")
        if len(pages) > most:
            message = f"{counted(len(pages) - most, 'page')} not inspected (--inspect {most})"
            connections.console.notice(f"{inquiry.name}: {message}")
        is_complete = _inspect(connections, inquiry, pages[:most], found) and is_complete
        rows += [(inquiry.name, *_inspection_cells(one)) for one in found]
        objects += [{"engine": inquiry.name, **one._asdict()} for one in found]
    return Records("Inspected pages", _PAGES, rows, objects), is_complete


def _not_inspected(
    connections: Connections,
    engine: str,
    given: Sequence[str],
    before: float,
    found: list[Inspection],
) -> list[str]:
    """Return the pages that were not inspected since a time; add the results of the others."""
    pages = []
    for url in {normal(url): url for url in given}.values():
        known = last_inspection(connections.journal, engine, url, before)
        if known:
            found.append(known)
            connections.console.notice(f"{engine}: {url}: inspected less than a day ago")
        else:
            pages.append(url)
    return pages


def _inspect(
    connections: Connections, inquiry: Inquiry, pages: Sequence[str], found: list[Inspection]
) -> bool:
    """Inspect pages, and add the results; return whether all were inspected."""
    console, count = connections.console, 0
    try:
        for one in inquiry.inspections(pages):
            found.append(one)
            count += 1
            console.pages(count, len(pages))
    except RefusedError as error:
        console.close()
        _report_refusal(connections, inquiry.name, pages[count], error)
        return False
    console.close()
    return True


def _inspection_cells(one: Inspection) -> tuple[str, ...]:
    cells = (one.verdict, one.crawled, one.fetch, one.robots, one.canonical, one.coverage)
    return one.url, *(cell or "-" for cell in cells)
