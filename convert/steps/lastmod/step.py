"""
The step that fills in the dates of pages.

Unknown dates stay empty: today's date on last year's page is worse than no date.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from sitemapx.convert.html.page import PagePlace, read_page_file, report_bad_dates, report_cut
from sitemapx.convert.http.errors import is_unreachable
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.parallel.items import map_items
from sitemapx.convert.sources.folder import file_of
from sitemapx.convert.sources.urlmap import folder_address
from sitemapx.convert.steps.lastmod.datesfile import DateSource, LocatedPage
from sitemapx.convert.steps.step import Step
from sitemapx.convert.values import uris, urls, w3cdate
from sitemapx.convert.values.dates import parse_date
from sitemapx.errors import FetchError, InputError, UsageError
from sitemapx.optionnames import option

#: Creates a source of dates that reports to this reporter.
MakeSource = Callable[[Reporter], DateSource]


def fill_lastmod(
    sources: Sequence[MakeSource],
    folder: str | None = None,
    url: str | None = None,
    processes: int = 1,
) -> Step:
    """
    Fill in the lastmod of entries that have none, from the first source that has a date.

    Args:
        folder: Directory with the files of the pages; None if no source needs files.
        url: URL of the directory; None if the directory is the root of the only host.

    """
    base = url and folder_address(url)
    made: list[DateSource] = []

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        made[:] = [make(reporter) for make in sources]
        dating = _LastmodFiller(made, _FileLocator(folder, base), reporter, processes)
        yield from map(dating.fill_batch, batches)

    def save(is_complete: bool) -> None:
        for source in made:
            source.save(is_complete=is_complete)

    return Step("lastmod", run, ("loc", "lastmod"), save=save)


class _FileLocator:
    def __init__(self, folder: str | None, base: str | None) -> None:
        self._folder = folder
        self._base = base
        self._host = ""

    def page(self, loc: str) -> LocatedPage:
        if self._folder and not self._base:
            host = urls.host(loc)
            if self._host and host != self._host:
                raise UsageError(
                    f"entries are on several hosts ({self._host}, {host}); pass "
                    f"{option('source_url')} with the URL of the site that the files belong to"
                )
            self._host = host
        return LocatedPage(loc, file_of(loc, self._folder, self._base) if self._folder else None)


class _LastmodFiller:
    def __init__(
        self,
        sources: Sequence[DateSource],
        locator: _FileLocator,
        reporter: Reporter,
        processes: int,
    ) -> None:
        self._sources = sources
        self._locator = locator
        self._reporter = reporter
        reads = [source.reads for source in sources if source.reads is not None]
        self._reads_files = bool(reads)
        self._read = partial(
            read_page_file,
            wanted={name for names in reads for name in names},
            with_digest=any(source.needs_digest for source in sources),
        )
        self._processes = processes
        self._needs_all = any(source.needs_all for source in sources)
        self._tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()[:10]

    def fill_batch(self, batch: Batch) -> Batch:
        dates = list(batch.column("lastmod"))
        wanted = [
            (number, self._locator.page(loc))
            for number, (loc, date) in enumerate(zip(batch.locs(), dates, strict=True))
            if loc and (self._needs_all or not date)
        ]
        if not wanted:
            return batch
        for number, page in self._with_files(wanted):
            dates[number] = self._date(page, dates[number])
        return batch.with_column("lastmod", dates)

    def _with_files(
        self, pages: Sequence[tuple[int, LocatedPage]]
    ) -> Iterator[tuple[int, LocatedPage]]:
        """Yield the pages with their indexes, and with the contents of their files if needed."""
        if not self._reads_files:
            yield from pages
            return
        places = (PagePlace(page.path, page.loc) for _, page in pages if page.path)
        files = map_items(self._read, places, self._processes)
        for number, page in pages:
            found = page._replace(file=next(files)[1]) if page.path else page
            self._report_file(found)
            yield number, found

    def _report_file(self, page: LocatedPage) -> None:
        file = page.file
        if file and file.error:
            self._reporter.problem("path-unreadable", file.error, loc=page.loc)
        elif file and file.page:
            if file.is_cut:
                report_cut(self._reporter, page.loc)
            report_bad_dates(self._reporter, file.page, page.loc)

    def _date(self, page: LocatedPage, present: str | None) -> str | None:
        """Return `present`, or a source's first date that is not in the future; else report why."""
        date, reasons = present, list[str]()
        for source in self._sources:
            if not date or source.needs_all:
                found, reason = source.date_of(page)
                if found and found[:10] > self._tomorrow:
                    found, reason = None, "date in the future"
                reasons.append(reason)
                date = date or found
        if not date:
            why = ", ".join(dict.fromkeys(filter(None, reasons)))
            self._reporter.tally("no-date", f"{why}; no lastmod", loc=page.loc)
        return date


# ---- dates in files and of files

NO_FILE = "entry has no local file"


class PageDates(DateSource):
    """Modification dates in the metadata of pages."""

    reads = ("modified",)

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        found = page.file and page.file.page
        if found is None:
            return None, "page cannot be read" if page.file else NO_FILE
        return found.modified, "" if found.modified else "page has no modification date"


class FileTimes(DateSource):
    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        if page.path is None:
            return None, NO_FILE
        return datetime.fromtimestamp(int(os.stat(page.path).st_mtime), UTC).isoformat(), ""


# ---- dates of responses: the `Last-Modified` with which a server sends a page

#: A page whose Last-Modified is this close to the response was generated for it.
_GENERATED = timedelta(seconds=2)


class ResponseDates(DateSource):
    """
    Dates in the `Last-Modified` header of pages, which are requested one after the other.

    Pages that robots.txt disallows are not requested. Bodies are read only if the fetcher has a
    cache, since the cache then makes later requests conditional.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        if uris.to_uri(page.loc) is None:
            return None, "URL cannot be fetched"
        try:
            if not self._may_fetch(page.loc):
                return None, "robots.txt disallows the page"
            with self._fetcher.open(page.loc) as response:
                if uris.normalize(response.url or "") != uris.normalize(page.loc):
                    return None, "page redirects"
                modified, sent = (
                    parse_date(next(iter(response.headers(name)), ""))
                    for name in ("Last-Modified", "Date")
                )
        except FetchError as error:
            return None, f"page returns {error.status}" if error.status else "page is unreachable"
        except InputError:
            return None, "page cannot be fetched"
        if not modified:
            return None, "page has no Last-Modified"
        if sent and w3cdate.moment(sent) - w3cdate.moment(modified) < _GENERATED:
            return None, "Last-Modified is the time of the response"
        return modified, ""

    def _may_fetch(self, url: str) -> bool:
        """Return whether robots.txt allows a request (RFC 9309, section 2.3.1)."""
        try:
            return self._fetcher.robots(url).can_fetch(url, self._fetcher.user_agent)
        except FetchError as error:
            return not is_unreachable(error)
