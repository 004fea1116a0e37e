"""
Fetches the pages that sitemaps list, and reports faults (`check --live`).

    pages ─► queue on disk ─► crawler, many at a time ─► answers on disk
                  └────────────── in order ──────────────────┴──► findings

Fetching begins after all sources have been read, so that the number of pages is known and reading
does not wait for a slow site. Findings on single pages are in the order of the sitemaps.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import msgspec

from sitemapx.check.api import BatchResult, Check, CheckContext
from sitemapx.check.findings import RawFinding
from sitemapx.check.live.content import lacks_canonical
from sitemapx.check.live.crawler import Crawler, fetch_all
from sitemapx.check.live.drift import DriftFinder
from sitemapx.check.live.faults import PageAnswer, faults, other_type
from sitemapx.check.live.listed import (
    ListedFacts,
    ListedPage,
    PageTally,
    extract_listed_facts,
    listed_pages,
)
from sitemapx.check.live.rules import LIVE_RULES
from sitemapx.check.live.settings import Live
from sitemapx.check.live.store import Answers
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File
from sitemapx.convert.disk.spill import DiskQueue
from sitemapx.convert.values import urls

_IN_MEMORY = 24 << 20


@dataclass
class LiveSummary:
    """
    Counts of the check of published pages.

    Attributes:
        pages: Number of pages to check.
        known: Number of pages with a usable stored response.
        requested: Number of pages fetched in this run, successfully or not; without pages that
            robots.txt disallows, or for which a request could not be sent.
        has_state: Whether responses are stored for the next run.
        is_interrupted: Whether the run was interrupted with Ctrl-C.

    """

    pages: int = 0
    known: int = 0
    requested: int = 0
    has_state: bool = False
    is_interrupted: bool = False


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(ListedPage).decode


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
        self._tally = PageTally()

    def check_batch(self, view: BatchView) -> BatchResult:
        return extract_listed_facts(view)

    def merge(self, partial: ListedFacts, batch: IndexedBatch, file: File) -> None:
        for page in listed_pages(partial, batch, file):
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
        yield from self._tally.findings()

    def _sample(self) -> Iterator[ListedPage]:
        """Yield the pages to check: all of them, or a reproducible, evenly distributed sample."""
        sample, count = self._summary.pages, self._count
        for number, row in enumerate(self._pages):
            if (number + 1) * sample // count > number * sample // count:
                yield _decode(row)

    def _fetch_pages(self) -> None:
        crawler, summary, done = Crawler(self._fetcher), self._summary, 0

        def tick() -> None:
            self._live.progress(summary.known + done, summary.pages)

        for url, answer in fetch_all(self._urls_to_fetch(), crawler.fetch_page, tick):
            self._answers.put(url, answer)
            done += 1
            summary.requested += answer.state not in ("disallowed", "not-fetched")

    def _urls_to_fetch(self) -> Iterator[str]:
        """Yield the URLs without a usable stored response; count those that have one."""
        for page in self._sample():
            if self._answers.is_settled(page.url, partial(self._is_fine, page)):
                self._summary.known += 1
            else:
                yield page.url

    def _is_fine(self, page: ListedPage, answer: PageAnswer) -> bool:
        return not self._faults(page, answer)

    def _faults(self, page: ListedPage, answer: PageAnswer) -> list[tuple[str, str]]:
        return list(faults(page, answer, self.context.robots.agents, self._find_block))

    def _find_block(self, url: str) -> str:
        """Return why robots.txt, fetched if necessary, disallows a URL; empty if it does not."""
        origin = urls.origin(url)
        robots = self.context.robots.text_for(origin, origin, may_fetch=True)
        blocks = robots.disallowed([url]) if robots else ()
        return "; ".join(reason for _, reason in blocks)

    def _findings(self, page: ListedPage) -> Iterator[RawFinding]:
        """Yield the faults of a page; count those that are reported at the end for all pages."""
        answer = self._answers.get(page.url)
        if answer is None:
            self._tally.add_page("live-not-fetched", "not fetched: interrupted", page)
            return
        for code, message in self._faults(page, answer):
            yield page.finding(code, message)
        if answer.state in ("disallowed", "not-fetched"):
            self._tally.add_page(f"live-{answer.state}", f"not fetched: {answer.why}", page)
        elif answer.state == "page" and not answer.hops:
            self._compare_dates(page, answer)
            if lacks_canonical(answer.content, self.context.robots.agents):
                self._tally.add_page("live-canonical-missing", "without a canonical URL", page)
            if kind := other_type(answer):
                self._tally.add_page("live-not-a-page", f"of type {kind}", page)

    def _compare_dates(self, page: ListedPage, answer: PageAnswer) -> None:
        if page.lastmod:
            if date := answer.content.modified:
                self._drift.compare(page, "page", date, may_be_newer=False)
            elif date := answer.last_modified:  # mostly the time of publication or of the request
                self._drift.compare(page, "Last-Modified", date, may_be_newer=True)

    def close(self) -> None:
        self._fetcher.close()
        self._pages.close()
        self._answers.close()
