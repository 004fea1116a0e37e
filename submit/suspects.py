"""Suspects: URLs that an engine rejects, while it is not known whether it accepts any others."""

from collections.abc import Callable

from sitemapx.submit.engines.engine import SubmissionBatch
from sitemapx.submit.engines.exchange import Answer
from sitemapx.submit.journal.journal import Journal

__all__ = ["Suspects"]

#: What an engine accepted of a site not longer ago than this shows that it knows the key.
_DAY = 86_400


class Suspects:
    """The URLs that an engine rejects one by one, and the sites of which it accepts others."""

    def __init__(self, journal: Journal, target: int, now: Callable[[], float]) -> None:
        """
        Begin with none.

        Args:
            target: The engine and the kind, as the journal numbers them.

        """
        self._journal = journal
        self._target = target
        self._now = now
        self._accepting: set[str] = set()
        self._urls: dict[str, list[str]] = {}

    def accepts(self, site: str) -> bool:
        """Return whether the engine accepts URLs of a site, now or not long ago."""
        since = self._now() - _DAY
        if site not in self._accepting and self._journal.accepted(self._target, site, since):
            self._accepting.add(site)
        return site in self._accepting

    def rejects_all(self, site: str) -> bool:
        """Return whether the engine rejects all that it is sent of a site, and names no URL."""
        return not self.accepts(site) and len(self._urls.get(site, ())) > 1

    def judge(self, batch: SubmissionBatch, answer: Answer) -> None:
        """Add the URLs of a rejected batch; refuse all of the site once the engine takes others."""
        urls = self._urls.setdefault(batch.site, [])
        if answer.blames_urls and not answer.parts:
            urls += [url for url in batch.urls if url not in answer.refused]
        if urls and self.accepts(batch.site):
            self._journal.refuse(self._target, urls)
            urls.clear()
