"""
Fetches the pages that sitemaps list, and reports faults (`check --live`).

    pages ─► queue on disk ─► crawler, many at a time ─► answers on disk
                  └────────────── in order ──────────────────┴──► findings

Fetching begins after all sources have been read, so that the number of pages is known and reading
does not wait for a slow site. Findings are in the order of the sitemaps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from sitemapx.check.api import Check, CheckContext, Look
from sitemapx.check.findings import Position, RawFinding
from sitemapx.check.live.crawler import Crawler, fetch_all
from sitemapx.check.live.drift import DatedPage, DriftFinder
from sitemapx.check.live.faults import LIVE_RULES, PageAnswer, faults
from sitemapx.check.live.settings import Live
from sitemapx.check.live.store import Answers
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File
from sitemapx.convert.disk.spill import DiskQueue
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import pluralize

_IN_MEMORY = 24 << 20


@dataclass
class LiveSummary:
    """
    Counts of the check of published pages.

    Attributes:
        pages: Number of pages to check.
        known: Number of pages with a valid response from an earlier run.
        asked: Number of pages that were requested; robots.txt or an error prevented the remaining
            requests.
        has_state: Whether responses are stored for the next run.
        is_interrupted: Whether the run was interrupted with Ctrl-C.

    """

    pages: int = 0
    known: int = 0
    asked: int = 0
    has_state: bool = False
    is_interrupted: bool = False


class _ListedPage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A page: its URL for requests and as written, its lastmod, and the position of its entry."""

    url: str
    loc: str
    lastmod: str
    source: str | None
    line: int | None
    column: int | None

    @property
    def position(self) -> Position:
        return Position(self.line, self.column)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_ListedPage).decode


class LivePages(Check):
    """Checks the responses of published pages; fills in the counts of `summary`."""

    rules = LIVE_RULES

    def __init__(self, context: CheckContext, live: Live, summary: LiveSummary) -> None:
        super().__init__(context)
        self._live, self._summary = live, summary
        self._fetcher = live.fetcher.without_cookies()  # as crawlers do
        summary.has_state = live.state is not None
        # Opened early, so that a wrong file is reported before a run of hours.
        self._answers = Answers(live.state, live.fetcher.user_agent, live.max_age)
        self._pages = DiskQueue(_IN_MEMORY)
        self._count = 0
        self._drift = DriftFinder()
        #: Number of pages that were not fetched, and the first one, by code and reason.
        self._not_fetched: dict[tuple[str, str], tuple[int, _ListedPage]] = {}

    def look(self, view: BatchView) -> Look:
        return Look(partial=view.batch.column("lastmod"))

    def merge(self, partial: Sequence[str | None], batch: IndexedBatch, file: File) -> None:
        if not file.is_index:
            for at, loc in enumerate(batch.urls.locs):
                if at not in batch.before and urls.is_absolute(loc):
                    position = batch.urls.position_of(at)
                    place = file.source, *position
                    page = _ListedPage(_requestable_url(loc), loc, partial[at] or "", *place)
                    self._pages.add_row(_encode(page))
                    self._count += 1

    def end_run(self) -> Iterator[RawFinding]:
        summary = self._summary
        summary.pages = min(self._count, self._live.sample or self._count)
        try:
            self._fetch_pages()
            if not self._fetcher.is_spent:
                self._answers.end_run()
        except KeyboardInterrupt:
            summary.is_interrupted = True
        finally:
            self._answers.save()
        for page in self._sample():
            yield from self._findings(page)
        yield from self._drift.findings("live-lastmod")
        for (code, why), (count, first) in self._not_fetched.items():
            message = f"{pluralize(count, 'page')} not fetched: {why} (first: {first.loc})"
            yield RawFinding(code, message, first.position, source=first.source)

    def _sample(self) -> Iterator[_ListedPage]:
        """Yield the pages to check: all, or an evenly distributed sample, always the same."""
        sample, count = self._summary.pages, self._count
        for number, row in enumerate(self._pages):
            if (number + 1) * sample // count > number * sample // count:
                yield _decode(row)

    def _fetch_pages(self) -> None:
        crawler, summary, done = Crawler(self._fetcher), self._summary, 0

        def tick() -> None:
            self._live.progress(summary.known + done, summary.pages)

        for url, answer in fetch_all(self._urls_to_fetch(), crawler.ask, tick):
            self._answers.put(url, answer)
            done += 1
            summary.asked += answer.state not in ("disallowed", "not-fetched")

    def _urls_to_fetch(self) -> Iterator[str]:
        """Yield the URLs without a usable stored response; count those that have one."""
        for page in self._sample():
            if self._answers.is_settled(page.url, partial(self._is_fine, page)):
                self._summary.known += 1
            else:
                yield page.url

    def _is_fine(self, page: _ListedPage, answer: PageAnswer) -> bool:
        return not self._faults(page, answer)

    def _faults(self, page: _ListedPage, answer: PageAnswer) -> list[tuple[str, str]]:
        return list(faults(page.url, answer, self.context.robots.agents))

    def _findings(self, page: _ListedPage) -> Iterator[RawFinding]:
        """Yield the faults of a page; if it was not fetched, count the reason instead."""
        answer = self._answers.get(page.url)
        if answer is None:
            self._count_not_fetched("live-not-fetched", "interrupted", page)
            return
        self._compare_dates(page, answer)
        for code, message in self._faults(page, answer):
            yield RawFinding(code, message, page.position, page.loc, page.source)
        if answer.state in ("disallowed", "not-fetched"):
            self._count_not_fetched(f"live-{answer.state}", answer.why, page)

    def _compare_dates(self, page: _ListedPage, answer: PageAnswer) -> None:
        dated = DatedPage(page.loc, page.lastmod, page.position, page.source)
        if page.lastmod and not answer.hops:
            if answer.modified:
                self._drift.compare(dated, "page", answer.modified, may_be_newer=False)
            elif answer.last_modified:  # mostly the time of publication, or even of the request
                self._drift.compare(dated, "Last-Modified", answer.last_modified, may_be_newer=True)

    def _count_not_fetched(self, code: str, why: str, page: _ListedPage) -> None:
        count, first = self._not_fetched.get((code, why), (0, page))
        self._not_fetched[code, why] = count + 1, first

    def close(self) -> None:
        self._fetcher.close()
        self._pages.close()
        self._answers.close()


def _requestable_url(loc: str) -> str:
    """Normalize a URL for a request; return an invalid one unchanged, which the crawler reports."""
    return uris.to_uri(loc) or loc.encode("utf-8", "replace").decode()
