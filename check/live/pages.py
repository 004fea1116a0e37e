"""
Ask for the pages that a set lists, and tell what is wrong with the answers.

    pages ─► queue on disk ─► crawler, many at a time ─► answers on disk
                  └────────────── in order ──────────────────┴──► findings

It begins when all sources are read: then it is known how many pages there are, and no source waits
for a slow site. Findings come in the order of the set, whoever answered first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import msgspec

from sitemapx.check.api import Check, CheckContext, File, OnFinding
from sitemapx.check.live.answer import PageAnswer
from sitemapx.check.live.crawler import Crawler
from sitemapx.check.live.pool import answers_to
from sitemapx.check.live.rules import RULES, faults
from sitemapx.check.live.settings import Live
from sitemapx.check.live.store import Answers
from sitemapx.convert.disk.spill import DiskQueue
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import counted

__all__ = ["LivePages", "LiveSummary"]

_IN_MEMORY = 24 << 20


@dataclass
class LiveSummary:
    """
    The counts of what was asked and answered.

    Attributes:
        pages: How many were to be asked for.
        known: Of how many something was known before, from the state.
        asked: For how many was asked; the others were not allowed, or not possible.
        has_state: Whether the answers are kept for the next run.
        is_interrupted: Whether somebody did not want to wait for the others.

    """

    pages: int = 0
    known: int = 0
    asked: int = 0
    has_state: bool = False
    is_interrupted: bool = False


class _ListedPage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A page, as it is asked for and as it is written, and where it stands."""

    url: str
    loc: str
    source: str | None
    line: int | None
    column: int | None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_ListedPage).decode


class LivePages(Check):
    """Looks at the answers of servers."""

    rules = RULES

    def __init__(self, context: CheckContext, live: Live, summary: LiveSummary) -> None:
        """
        Take how to ask.

        Args:
            summary: Takes the counts.

        """
        super().__init__(context)
        self._live, self._summary = live, summary
        self._fetcher = live.fetcher.without_cookies()  # as crawlers do
        summary.has_state = live.state is not None
        # Early, for who names a wrong file is not to learn it after hours.
        self._answers = Answers(live.state, live.fetcher.user_agent, live.max_age)
        self._pages = DiskQueue(_IN_MEMORY)
        self._count = 0
        #: What was not asked for, by code and reason: how many pages, and the first.
        self._unasked: dict[tuple[str, str], tuple[int, _ListedPage]] = {}

    def batch(self, batch: Batch, file: File) -> None:
        """Remember the pages, each once."""
        if file.is_index:
            return
        before = self.context.listed.before
        for at, loc in enumerate(batch.locs()):
            if at not in before and urls.is_absolute(loc):
                page = _ListedPage(_address(loc), loc, file.source, *file.position_of(at))
                self._pages.add(_encode(page))
                self._count += 1

    def finish(self, report: OnFinding) -> None:
        """Ask, and tell what is wrong with what came, also if not all did."""
        summary = self._summary
        summary.pages = min(self._count, self._live.sample or self._count)
        try:
            self._ask()
            if not self._fetcher.is_spent:
                self._answers.end()
        except KeyboardInterrupt:
            summary.is_interrupted = True
        finally:
            self._answers.save()
        for page in self._sampled():
            self._report(page, report)
        for (code, why), (count, first) in self._unasked.items():
            message = f"{counted(count, 'page')} not fetched: {why} (first: {first.loc})"
            report(code, message, source=first.source, line=first.line, column=first.column)

    def _sampled(self) -> Iterator[_ListedPage]:
        """Return the pages to ask for: all, or some, always the same ones, evenly spread."""
        sample, count = self._summary.pages, self._count
        for number, row in enumerate(self._pages):
            if (number + 1) * sample // count > number * sample // count:
                yield _decode(row)

    def _ask(self) -> None:
        crawler, summary, done = Crawler(self._fetcher), self._summary, 0

        def tick() -> None:
            self._live.progress(summary.known + done, summary.pages)

        for url, answer in answers_to(self._open_questions(), crawler.ask, tick):
            self._answers.put(url, answer)
            done += 1
            summary.asked += answer.state not in ("disallowed", "unasked")

    def _open_questions(self) -> Iterator[str]:
        """Return the URLs whose answers are not known."""
        for page in self._sampled():
            if self._answers.is_settled(page.url, partial(self._is_fine, page)):
                self._summary.known += 1
            else:
                yield page.url

    def _is_fine(self, page: _ListedPage, answer: PageAnswer) -> bool:
        return not self._faults(page, answer)

    def _faults(self, page: _ListedPage, answer: PageAnswer) -> list[tuple[str, str]]:
        return list(faults(page.url, answer, self.context.robots.agents))

    def _report(self, page: _ListedPage, report: OnFinding) -> None:
        """Report what is wrong with a page, or count that nothing is known of it."""
        answer = self._answers.get(page.url)
        if answer is None:
            self._count_unasked("live-unasked", "interrupted", page)
            return
        for code, message in self._faults(page, answer):
            source, line, column = page.source, page.line, page.column
            report(code, message, source=source, line=line, column=column, loc=page.loc)
        if answer.state in ("disallowed", "unasked"):
            self._count_unasked(f"live-{answer.state}", answer.why, page)

    def _count_unasked(self, code: str, why: str, page: _ListedPage) -> None:
        count, first = self._unasked.get((code, why), (0, page))
        self._unasked[code, why] = count + 1, first

    def close(self) -> None:
        """Release the disk space."""
        self._fetcher.close()
        self._pages.close()
        self._answers.close()


def _address(loc: str) -> str:
    """Write a URL as it can be asked for; what is none is told by the answer."""
    return uris.to_uri(loc) or loc.encode("utf-8", "replace").decode()
