"""Compares the lastmod of pages with the dates of the pages themselves."""

from collections.abc import Iterator
from heapq import nlargest
from operator import attrgetter
from typing import NamedTuple

from sitemapx.check.findings import RawFinding
from sitemapx.check.live.listed import ListedPage
from sitemapx.convert.values import w3cdate
from sitemapx.convert.values.words import pluralize

#: Number of days by which equal dates may differ because of time zones.
_TOLERANCE = 1
#: Maximum number of pages listed in the finding.
_WORST = 3


class _Drift(NamedTuple):
    """A page with a wrong lastmod, the correct date, and the days by which lastmod is later."""

    days: int
    page: ListedPage
    origin: str
    date: str

    @property
    def size(self) -> int:
        """Number of days between the dates."""
        return abs(self.days)

    def __str__(self) -> str:
        way = "ahead" if self.days > 0 else "behind"
        return (
            f"{self.page.loc} has lastmod {self.page.lastmod}, {self.origin} {self.date} "
            f"({pluralize(self.size, 'day')} {way})"
        )


class DriftFinder:
    """Counts the pages whose lastmod is wrong, and keeps those with the largest difference."""

    def __init__(self) -> None:
        self._compared = self._ahead = self._behind = 0
        self._worst: list[_Drift] = []

    def compare(self, page: ListedPage, origin: str, date: str, *, may_be_newer: bool) -> None:
        """
        Compare the lastmod of a page with another date, a W3C Datetime; `origin` names its source.

        If the date `may_be_newer` than the last change, as file times are, an earlier lastmod is
        accepted.
        """
        self._compared += 1
        days = _days_between(date, page.lastmod)
        if days > 0 or (days < 0 and not may_be_newer):
            self._ahead += days > 0
            self._behind += days < 0
            self._worst.append(_Drift(days, page, origin, date))
            self._worst = nlargest(_WORST, self._worst, key=attrgetter("size"))

    def findings(self, code: str) -> Iterator[RawFinding]:
        """Yield one finding, at the worst page, about all pages with a wrong lastmod, if any."""
        if self._worst:
            worst = self._worst[0].page
            counts = {"ahead": self._ahead, "behind": self._behind}
            ways = " and ".join(f"{count:,} {way}" for way, count in counts.items() if count)
            message = (
                f"lastmod of {self._ahead + self._behind:,} of {pluralize(self._compared, 'page')} "
                f"differs from the date of the page ({ways}); worst: "
                + "; ".join(map(str, self._worst))
            )
            yield worst.finding(code, message)


def _days_between(date: str, lastmod: str) -> int:
    """Return the number of days from `date` to `lastmod`; 0 if they may be the same day."""
    width = min(len(date), len(lastmod), len("2026-06-01"))
    if date[:width] == lastmod[:width]:
        return 0
    days = (w3cdate.moment(lastmod[:10]) - w3cdate.moment(date[:10])).days
    return days if abs(days) > _TOLERANCE else 0
