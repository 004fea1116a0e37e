"""A part of a set: puts the URLs of one input into the listing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import uris, urls
from sitemapx.submit.journal.listing import Listing

__all__ = ["SetPart"]


@dataclass(kw_only=True)
class SetPart:
    """
    A part of a set; what a feed lists may roll off, as may the articles of a news sitemap.

    Attributes:
        listing: Takes the URLs.
        reporter: Takes the problems.
        set_id: The set, as the journal numbers it.
        rolls: Whether all entries may leave the set without being removed.
        is_selected: Tells of a date whether what changed then may be sent.
        is_xml: Whether its reader tells of URLs that are not absolute.
        is_checked: Whether what checks it tells of URLs that are too long, or have no host.

    """

    listing: Listing
    reporter: Reporter
    set_id: int
    rolls: bool
    is_selected: Callable[[str], bool] | None = None
    is_xml: bool = False
    is_checked: bool = False

    def rolling(self, batch: Batch) -> Sequence[bool]:
        """Return for each entry whether it may leave the set without being removed."""
        if self.rolls or "news" not in batch.field_counts():
            return [self.rolls] * len(batch)
        return [bool(news) for news in batch.column("news")]

    def add(self, batch: Batch, fingerprints: Sequence[str], rolls: Sequence[bool]) -> None:
        """Put a batch into the listing."""
        flags: Sequence[bool] = [True] * len(batch)
        if is_selected := self.is_selected:
            dates = zip(batch.column("lastmod"), batch.column("published"), strict=True)
            flags = [bool((date := one or other) and is_selected(date)) for one, other in dates]
        locs = batch.locs()
        if not batch.uris():
            sent = [uris.to_uri(urls.without_user(loc)) if loc else None for loc in locs]
            self._report_unusable(locs, sent)
            fingerprints, flags = list(compress(fingerprints, sent)), list(compress(flags, sent))
            rolls = list(compress(rolls, sent))
            locs = [uri for uri in sent if uri]
        self.listing.add(self.set_id, locs, fingerprints, flags, rolls)

    def _report_unusable(self, locs: Sequence[str], sent: Sequence[str | None]) -> None:
        """Report what cannot be sent, unless it is reported elsewhere."""
        for loc, uri in zip(locs, sent, strict=True):
            if loc and not uri and not self._is_reported(loc):
                message = f"not an absolute http(s) URL: {loc!r}; not sent"
                self.reporter.problem("bad-loc", message)
            elif not loc:
                self.reporter.tally("no-loc", "entry has no URL; not sent")

    def _is_reported(self, loc: str) -> bool:
        """Return whether a reader or a check reports a URL that cannot be sent."""
        if not urls.is_absolute(loc):
            return self.is_xml
        site = "/".join(loc.split("/", 3)[:3])
        return self.is_checked and (len(loc) > urls.MAX_LENGTH or uris.to_uri(site) is None)
