"""Inquiries to a search engine: the sitemaps that it lists, pages in its index, withdrawals."""

import time
from collections.abc import Iterator, Sequence

from sitemapx.convert.values import urls
from sitemapx.errors import RefusedError
from sitemapx.submit.clock import Clock
from sitemapx.submit.engines.engine import Engine
from sitemapx.submit.engines.exchange import Answer
from sitemapx.submit.engines.reports import (
    Inspecting,
    Inspection,
    Reporting,
    SitemapReport,
    Withdrawing,
)
from sitemapx.submit.journal.inspections import record_inspection, used_quota
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.journal.queries import record_withdrawal
from sitemapx.submit.outcome import Outcome, readable
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.transport.transport import Transport, run

__all__ = ["DAY", "Inquiry"]

#: Seconds.
DAY = 24 * 60 * 60
_TIME = Answer("left", None, "time budget is used up", "run again, or raise --budget")
_QUOTA = "daily quota of {:,} inspections is used up for {}"


class Inquiry:
    """
    Inquiries to one search engine.

    Args:
        selected: The search engine, with its secrets.
        journal: Records inspections and withdrawals.
        transport: Answers requests.
        clock: The time, and how much of it is left.

    """

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
        """Name of the search engine."""
        return self._engine.about.name

    def reports(self, site: str) -> Sequence[SitemapReport]:
        """
        Return the sitemaps that the search engine lists for a site; none if it lists none at all.

        Raises:
            RefusedError: If it does not say.

        """
        engine = self._engine
        if not isinstance(engine, Reporting):
            return ()
        try:
            return run(engine.report(urls.authority(site), site), self._transport, self._secrets)
        except RefusedError as error:
            raise RefusedError(readable(error.answer, self._secrets)) from error

    def inspections(self, pages: Sequence[str]) -> Iterator[Inspection]:
        """
        Inspect pages, no faster than the search engine allows, and record the results.

        Raises:
            RefusedError: If a page is not inspected, as when the quota is used up.
            OutputError: If the journal cannot be written.

        """
        engine = self._engine
        if not isinstance(engine, Inspecting):
            return
        pause = 60 / engine.inspection_quota.per_minute
        for page in pages:
            begun = time.monotonic()
            yield self._inspection(engine, page)
            time.sleep(max(pause - (time.monotonic() - begun), 0))

    def _inspection(self, engine: Inspecting, page: str) -> Inspection:
        if self._clock.left() <= 0:
            raise RefusedError(readable(_TIME, self._secrets))
        site = urls.site(page)
        host, most = urls.authority(site), engine.inspection_quota.per_day
        try:
            run(self._engine.open("urls", host, site), self._transport, self._secrets)
            name, now = engine.property_of(page), self._clock.now()
            if name and used_quota(self._journal, self.name, name, now - DAY) >= most:
                reason = _QUOTA.format(most, name)
                raise RefusedError(Answer("left", None, reason, "run again tomorrow"))
            found = run(engine.inspect(page, host, site), self._transport, self._secrets)
        except RefusedError as error:
            raise RefusedError(readable(error.answer, self._secrets)) from error
        record_inspection(self._journal, self.name, name, found, now)
        return found

    def withdrawal(self, sitemap: str) -> Outcome:
        """
        Withdraw a sitemap, and forget that the search engine accepted it.

        Raises:
            OutputError: If the journal cannot be written.

        """
        site = urls.site(sitemap)
        host = urls.authority(site)
        engine, now = self._engine, self._clock.now()
        assert isinstance(engine, Withdrawing)
        try:
            answer = run(engine.withdraw(sitemap, host, site), self._transport, self._secrets)
        except RefusedError as error:
            answer = error.answer
        answer = readable(answer, self._secrets)
        is_done = answer.state == "accepted"
        if is_done:
            record_withdrawal(self._journal, self.name, sitemap, site, answer, now)
        return Outcome(
            engine=self.name,
            kind="sitemaps",
            host=host,
            state=answer.state,
            status=answer.status,
            sent=1,
            accepted=int(is_done),
            refused=int(not is_done),
            reason=answer.reason,
            action=answer.action,
        )
