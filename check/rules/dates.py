"""Dates and priorities, one by one and all together."""

import re
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from sitemapx.check.api import Check, CheckContext, Entries, File
from sitemapx.check.findings import Rule
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import clock, uris, w3cdate

__all__ = ["DatesAndPriorities", "is_placeholder"]

_LASTMOD = "https://www.sitemaps.org/protocol.html#lastmoddef"
_BLOG = "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping"
#: Fewer entries than this may well be alike.
_MANY = 10
#: Fields that may have the same value in all entries; stands for that one of them has several.
_REPEATED, _VARIES = ("lastmod", "priority"), object()
#: Finds a line that ends with a time.
_time_without_zone = re.compile(r"T[0-9:.]++$", re.MULTILINE).search


class _BatchValues(NamedTuple):
    """The newest date of a batch, and what all of its entries have in the fields of `_REPEATED`."""

    newest: str
    same: dict[str, object]


def is_placeholder(date: str) -> bool:
    """Return whether a date is before 1990, older than the Web."""
    return date < "1990"


class DatesAndPriorities(Check):
    """Looks at `lastmod` and `priority`."""

    rules: ClassVar = {
        "date-in-future": Rule(
            "warning",
            "Date is in the future",
            "Search engines distrust all dates of a site where they find impossible ones.",
            _LASTMOD,
            "Set the date to the actual one. Check the server's clock and time zone.",
        ),
        "date-placeholder": Rule(
            "warning",
            "Placeholder date",
            "Dates before 1990, such as 0001-01-01 and 1970-01-01, predate the Web; programs write "
            "them when the date is unknown.",
            _LASTMOD,
            "Set the actual date, or omit it.",
        ),
        "date-without-zone": Rule(
            "warning",
            "Time zone missing",
            "W3C Datetime requires a time zone after a time; without one, it may be off by hours.",
            "https://www.w3.org/TR/NOTE-datetime",
            "Add Z or an offset such as +01:00, or write the date alone.",
        ),
        "later-than-file": Rule(
            "warning",
            "Page lastmod is later than its sitemap's lastmod",
            "Search engines reread a sitemap only if its lastmod in the index is newer.",
            "https://www.sitemaps.org/protocol.html#sitemapIndex_lastmod",
            "Set lastmod in the index to the last change of the sitemap or of any page in it.",
        ),
        "same-lastmod": Rule(
            "note",
            "All entries have the same lastmod",
            "This looks like the generation time. Google ignores lastmod values that prove "
            "unreliable.",
            _BLOG,
            "Set lastmod to the last change of each page, or omit it.",
        ),
        "same-priority": Rule(
            "note",
            "All entries have the same priority",
            "Priorities rank the pages of a site, so one value for all has no effect.",
            "https://www.sitemaps.org/protocol.html#prioritydef",
            "Omit the priority.",
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._now = clock.now()
        self._listed: dict[str, str] = {}

    def begin(self, file: File) -> None:
        """Begin to compare."""
        self._name = "date" if file.is_feed else "lastmod"
        self._newest = ""
        self._same: dict[str, object] = {}

    def inspect(self, batch: Batch, entries: Entries) -> _BatchValues:
        """Look at the columns."""
        field_counts = batch.field_counts()
        newest = ""
        same: dict[str, object] = {}
        for name in _REPEATED:
            column = batch.column(name) if name in field_counts else [None]
            if name == "lastmod" and name in field_counts:
                newest = max(filter(None, column))
                self._look_at_dates(column, newest, entries)
            if column.count(column[0]) == len(column):
                same[name] = column[0]
        dates = [batch.column(one) for one in ("lastmod", "published") if one in field_counts]
        self._look_for_placeholders(dates, entries)
        return _BatchValues(newest, same)

    def _look_for_placeholders(
        self, columns: Sequence[Sequence[str | None]], entries: Entries
    ) -> None:
        if not any(date and is_placeholder(date) for column in columns for date in column):
            return
        for at, dates in enumerate(zip(*columns, strict=True)):
            for date in dict.fromkeys(dates):
                if date and is_placeholder(date):
                    message = f"{self._name} {date} is a placeholder"
                    entries.report("date-placeholder", message, at=at, text=date)

    def take(self, inspected: _BatchValues, file: File) -> None:
        """Compare with earlier batches."""
        self._newest = max(self._newest, inspected.newest)
        for name in _REPEATED:
            value = inspected.same.get(name, _VARIES)
            if value != self._same.setdefault(name, value):
                self._same[name] = _VARIES

    def batch(self, batch: Batch, file: File) -> None:
        """Remember the dates of the sitemaps that an index lists."""
        if file.is_index:
            pairs = zip(batch.locs(), batch.column("lastmod"), strict=True)
            self._listed |= {uris.canonical(loc): date for loc, date in pairs if date}

    def _look_at_dates(self, column: Sequence[str | None], newest: str, entries: Entries) -> None:
        today = self._now[:10]
        if newest[:10] >= today:
            now = w3cdate.moment(self._now)
            for at, date in enumerate(column):
                if date and date[:10] >= today and w3cdate.moment(date) > now:
                    message = f"{self._name} {date} is in the future"
                    entries.report("date-in-future", message, at=at, text=date)
        dates = "\n".join(filter(None, column))
        for at, date in enumerate(column) if _time_without_zone(dates) else ():
            if date and _time_without_zone(date):
                message = f"{self._name} {date} has no time zone"
                entries.report("date-without-zone", message, at=at, text=date)

    def end(self, file: File) -> None:
        """Look at all values together."""
        listed = self._listed.get(uris.canonical(file.url)) if file.url else None
        if listed and self._newest:
            width = min(len(listed), len(self._newest), 10)
            if self._newest[:width] > listed[:width]:
                message = f"an entry has lastmod {self._newest}, its sitemap {listed} in the index"
                file.report("later-than-file", message)
        if file.entries >= _MANY and not file.is_index:
            for name in _REPEATED:
                value = self._same.get(name)
                if value not in (None, _VARIES):
                    said = self._name if name == "lastmod" else name
                    file.report(f"same-{name}", f"all {file.entries:,} entries have {said} {value}")
