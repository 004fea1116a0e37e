"""Rejected URLs, while it is unknown whether the engine accepts any others of their site."""

from collections import Counter, defaultdict

from sitemapx.submit.engines.engine import SubmissionBatch
from sitemapx.submit.engines.exchange import Answer
from sitemapx.submit.journal.journal import Journal

__all__ = ["Suspects"]


class Suspects:
    """
    URLs that an engine rejects one by one, by site.

    They are refused for good once the engine accepts another URL of the site in the same run:
    before that, the cause may be the key, the site or the engine itself.

    Args:
        journal: Records which URLs are refused for good.
        target: The engine and the kind, as the journal numbers them.

    """

    def __init__(self, journal: Journal, target: int) -> None:
        self._journal = journal
        self._target = target
        self._accepting: set[str] = set()
        self._unnamed: Counter[str] = Counter()
        self._urls: defaultdict[str, list[str]] = defaultdict(list)

    def accepts(self, site: str) -> bool:
        """Return whether the engine has accepted a URL of a site in this run."""
        return site in self._accepting

    def is_any(self, site: str) -> bool:
        """Return whether rejected URLs of a site may be good."""
        return bool(self._urls[site])

    def unnamed(self, site: str) -> int:
        """Return how many of them were rejected without a word about the URL itself."""
        return self._unnamed[site]

    def judge(self, batch: SubmissionBatch, answer: Answer) -> None:
        """Record the answer to a batch, and refuse the suspects of a site that is accepted."""
        site, urls = batch.site, self._urls[batch.site]
        if answer.blames_urls and not answer.parts:
            suspects = [url for url in batch.urls if url not in answer.refused]
            urls += suspects
            self._unnamed[site] += 0 if answer.names_url else len(suspects)
        rest = answer.refused.keys() | answer.postponed.keys()
        if answer.state == "accepted" and not rest.issuperset(batch.urls):
            self._accepting.add(site)
        if urls and self.accepts(site):
            self._journal.refuse(self._target, urls)
            urls.clear()
            self._unnamed[site] = 0
