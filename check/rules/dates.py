"""Rules for dates and priorities, of single entries and of the whole file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from sitemapx.check.api import Check, CheckContext, Look
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent
from sitemapx.convert.values import clock, uris, w3cdate

_LASTMOD = "https://www.sitemaps.org/protocol.html#lastmoddef"
_BLOG = "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping"
#: Fewer entries than this may well be alike.
_MANY = 10
#: Fields that may have the same value in all entries, and a placeholder for several values.
_REPEATED, _VARIES = ("lastmod", "priority"), object()
#: Finds a line that ends with a time.
_time_without_zone = re.compile(r"T[0-9:.]++$", re.MULTILINE).search


class _BatchValues(NamedTuple):
    """
    Dates and priorities of a batch.

    Attributes:
        newest: The newest lastmod.
        same: The value of each field of `_REPEATED` that is the same in all entries.
        listed: The lastmod of each listed sitemap, by its canonical URL, if the file is an index.

    """

    newest: str
    same: Mapping[str, object]
    listed: Mapping[str, str]


def is_placeholder(date: str) -> bool:
    """Return whether a date is before 1990, older than the Web."""
    return date < "1990"


class DatesAndPriorities(Check):
    """Checks `lastmod` and `priority`."""

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
        "lastmod-after-sitemap": Rule(
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

    def begin_file(self, file: File) -> None:
        self._newest = ""
        self._same: dict[str, object] = {}

    def look(self, view: BatchView) -> Look:
        batch, counts = view.batch, view.batch.field_counts()
        name = _name_of_date(view.file)
        findings: list[RawFinding] = []
        newest = ""
        if "lastmod" in counts:
            column = batch.column("lastmod")
            newest = max(filter(None, column))
            findings += self._date_findings(view, column, newest, name)
        dates = [batch.column(field) for field in ("lastmod", "published") if field in counts]
        findings += _placeholders(view, dates, name)
        columns = {field: batch.column(field) if field in counts else [None] for field in _REPEATED}
        same = {
            field: column[0]
            for field, column in columns.items()
            if column.count(column[0]) == len(column)
        }
        listed: Mapping[str, str] = {}
        if view.file.is_index:
            pairs = zip(batch.locs(), batch.column("lastmod"), strict=True)
            listed = {uris.canonicalize(loc): date for loc, date in pairs if date}
        return Look(findings, _BatchValues(newest, same, listed))

    def _date_findings(
        self, view: BatchView, column: Sequence[str | None], newest: str, name: str
    ) -> Iterator[RawFinding]:
        today = self._now[:10]
        if newest[:10] >= today:
            now = w3cdate.moment(self._now)
            for at, date in enumerate(column):
                if date and date[:10] >= today and w3cdate.moment(date) > now:
                    message = f"{name} {date} is in the future"
                    yield view.urls.finding("date-in-future", message, at, date)
        dates = "\n".join(filter(None, column))
        for at, date in enumerate(column) if _time_without_zone(dates) else ():
            if date and _time_without_zone(date):
                message = f"{name} {date} has no time zone"
                yield view.urls.finding("date-without-zone", message, at, date)

    def merge(self, partial: _BatchValues, batch: IndexedBatch, file: File) -> None:
        self._newest = max(self._newest, partial.newest)
        for name in _REPEATED:
            value = partial.same.get(name, _VARIES)
            if value != self._same.setdefault(name, value):
                self._same[name] = _VARIES
        self._listed.update(partial.listed)

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        listed = self._listed.get(uris.canonicalize(file.url)) if file.url else None
        if listed and self._newest:
            width = min(len(listed), len(self._newest), 10)
            if self._newest[:width] > listed[:width]:
                page = f"a page in this sitemap changed on {self._newest}"
                message = f"the index says {listed}, but {page}"
                yield RawFinding("lastmod-after-sitemap", message)
        if extent.entries >= _MANY and not file.is_index:
            for field in _REPEATED:
                value = self._same.get(field)
                if value not in (None, _VARIES):
                    name = _name_of_date(file) if field == "lastmod" else field
                    message = f"all {extent.entries:,} entries have {name} {value}"
                    yield RawFinding(f"same-{field}", message)


def _name_of_date(file: File) -> str:
    return "date" if file.is_feed else "lastmod"


def _placeholders(
    view: BatchView, columns: Sequence[Sequence[str | None]], name: str
) -> Iterator[RawFinding]:
    oldest = (min(filter(None, column), default="") for column in columns)
    if not any(date and is_placeholder(date) for date in oldest):
        return
    for at, dates in enumerate(zip(*columns, strict=True)):
        for date in dict.fromkeys(dates):
            if date and is_placeholder(date):
                message = f"{name} {date} is a placeholder"
                yield view.urls.finding("date-placeholder", message, at, date)
