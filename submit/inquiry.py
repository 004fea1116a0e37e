"""Requests to a search engine besides submissions: reports, inspections and withdrawals."""

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from sitemapx.convert.values import urls
from sitemapx.errors import RefusedError
from sitemapx.optionnames import advice
from sitemapx.submit.engines.engine import (
    Engine,
    Inspecting,
    Inspection,
    Reporting,
    SitemapReport,
    Withdrawing,
)
from sitemapx.submit.engines.exchange import Answer, Steps
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.queries import record_inspection, record_withdrawal, used_quota
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.submission import Clock
from sitemapx.submit.transport.transport import Transport, run_steps

T = TypeVar("T")

DAY = 24 * 60 * 60
_QUOTA = "daily quota of {:,} inspections is used up for {}"


class Inquiry:
    """Requests reports, inspections and withdrawals from one search engine."""

    def __init__(
        self, selected: SelectedEngine, journal: Journal, transport: Transport, clock: Clock
    ) -> None:
        self._engine: Engine = selected.engine
        self._secrets = selected.secrets
        self._journal = journal
        self._transport = transport
        self._clock = clock

    @property
    def name(self) -> str:
        return self._engine.about.name

    def _run_steps(self, steps: Steps[T]) -> T:
        return run_steps(steps, self._transport, self._secrets)

    def reports(self, site: str) -> Sequence[SitemapReport]:
        """Return reports on the sitemaps of a site; empty if the engine cannot report."""
        engine = self._engine
        if not isinstance(engine, Reporting):
            return ()
        return self._run_steps(engine.report(urls.authority(site), site))

    def inspections(self, pages: Sequence[str]) -> Iterator[Inspection]:
        """
        Inspect pages at the allowed rate; record each result in the journal, and yield it.

        Yields nothing if the engine cannot inspect. Raises `RefusedError` if a page is not
        inspected, for example because the quota is used up.
        """
        engine = self._engine
        if not isinstance(engine, Inspecting):
            return
        pause = 60 / engine.inspection_quota.per_minute
        begun = -pause
        for page in pages:
            time.sleep(max(pause - (time.monotonic() - begun), 0))
            begun = time.monotonic()
            yield self._inspection(engine, page)

    def _inspection(self, engine: Inspecting, page: str) -> Inspection:
        if self._clock.seconds_left() <= 0:
            action = advice("run again", "raise --budget")
            raise RefusedError(Answer("left", None, "time budget is used up", action))
        site = urls.site(page)
        host, most = urls.authority(site), engine.inspection_quota.per_day
        name, now = self._run_steps(engine.find_property(page, host, site)), self._clock.now()
        if name and most and used_quota(self._journal, self.name, name, now - DAY) >= most:
            reason = _QUOTA.format(most, name)
            raise RefusedError(Answer("left", None, reason, advice("run again tomorrow")))
        found = self._run_steps(engine.inspect(page, host, site))
        record_inspection(self._journal, self.name, name, found, now)
        return found

    def withdrawal(self, sitemap: str) -> Outcome:
        """Withdraw a sitemap, and record this if the engine accepts; a refusal is an outcome."""
        site = urls.site(sitemap)
        host = urls.authority(site)
        engine, now = self._engine, self._clock.now()
        assert isinstance(engine, Withdrawing)
        try:
            answer = self._run_steps(engine.withdraw(sitemap, host, site))
        except RefusedError as error:
            answer = error.answer
        is_done = answer.state == "accepted"
        if is_done:
            record_withdrawal(self._journal, self.name, sitemap, site, answer, now)
        counts = {"sent": 1, "accepted": int(is_done), "refused": int(not is_done)}
        return Outcome.from_answer(answer, self.name, "sitemaps", host, (), **counts)
