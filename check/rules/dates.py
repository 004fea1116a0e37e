"""Rules for dates and priorities, of single entries and of the whole file."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import ClassVar, NamedTuple

from sitemapx.check.api import BatchResult, Check, CheckContext
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent
from sitemapx.convert.values import uris, w3cdate
from sitemapx.convert.values.words import pluralize

_LASTMOD = "https://www.sitemaps.org/protocol.html#lastmoddef"
_BLOG = "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping"
#: Minimum number of entries for rules about equal values; fewer values may be equal by chance.
_MANY = 10
#: Minimum number of pages for the rule about changes within two days.
_MANY_PAGES = 20
#: Percentage of pages that rarely change within the same two days.
_NEARLY_ALL = 90
#: The longest average time per page that is taken for the build of a site.
_BUILD_TIME = timedelta(seconds=10)
#: Fields that may have the same value in all entries, and a placeholder for several values.
_REPEATED, _VARIES = ("lastmod", "priority"), object()
#: Finds a line that ends with a time, so that the time zone is missing.
_time_without_zone = re.compile(r"T[0-9:.]++$", re.MULTILINE).search


class _BatchValues(NamedTuple):
    """
    Dates and priorities of a batch.

    Attributes:
        newest: The newest lastmod; empty if there is no lastmod.
        days: Number of entries by day; empty for feeds.
        times: The first and the last lastmod if every entry has one, with a time, and they ascend.
        same: Name and value of each checked field with the same value in all entries.
        listed: The lastmod of each listed sitemap, by its canonical URL, if the file is an index.
        has_news: Whether any entry is a news article; news sitemaps have only recent dates.

    """

    newest: str
    days: Mapping[str, int]
    times: tuple[str, str] | None
    same: Mapping[str, object]
    listed: Mapping[str, str]
    has_news: bool


def is_placeholder(date: str) -> bool:
    """Return whether a date is before 1990, older than the Web."""
    return date < "1990"


class DatesAndPriorities(Check):
    """Checks `lastmod` and `priority`."""

    rules: ClassVar = {
        "date-in-future": Rule(
            "warning",
            "Date is in the future",
            "If a site lists impossible dates, search engines distrust all its dates.",
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
        "lastmod-churn": Rule(
            "note",
            "Nearly all entries changed at the same time",
            "This looks like the time of a build. Google ignores lastmod values that prove "
            "unreliable.",
            _BLOG,
            "Set lastmod to the last change of each page or listed sitemap; convert --lastmod git "
            "and convert --lastmod content find it.",
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
        self._listed: dict[str, str] = {}
        self._newest_listed: dict[str, str] = {}

    def begin_file(self, file: File) -> None:
        self._newest = ""
        self._days: Counter[str] = Counter()
        self._times: list[tuple[str, str] | None] = []
        self._has_news = False
        self._same: dict[str, object] = {}

    def check_batch(self, view: BatchView) -> BatchResult:
        batch, counts = view.batch, view.batch.field_counts()
        name = _name_of_date(view.file)
        findings: list[RawFinding] = []
        newest, days, times = "", Counter[str](), None
        if "lastmod" in counts:
            column = batch.column("lastmod")
            written = list(filter(None, column))
            newest = max(written)
            findings += self._date_findings(view, column, newest, name)
            if not view.file.is_feed:
                days = Counter([date[:10] for date in written])
                times = _times_in_order(written) if len(written) == len(column) else None
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
        values = _BatchValues(newest, days, times, same, listed, "news" in counts)
        return BatchResult(findings, values)

    def _date_findings(
        self, view: BatchView, column: Sequence[str | None], newest: str, name: str
    ) -> Iterator[RawFinding]:
        today = self.context.now[:10]
        if newest[:10] >= today:
            now = w3cdate.moment(self.context.now)
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
        self._days.update(partial.days)
        self._times.append(partial.times)
        self._has_news = self._has_news or partial.has_news
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
        if self._newest and not file.is_index and not self._has_news:
            if file.url:
                self._newest_listed[uris.canonicalize(file.url)] = self._newest
            if extent.entries >= _MANY_PAGES and self._same.get("lastmod") is _VARIES:
                yield from self._churn(extent.entries)

    def _churn(self, entries: int) -> Iterator[RawFinding]:
        pairs = {
            day: (day, _day_after(day))
            for day in self._days
            if len(day) == 10 and day <= self.context.now
        }
        counts = {day: sum(self._days[day] for day in pair) for day, pair in pairs.items()}
        start = max(counts, key=counts.__getitem__, default="")
        if not start or counts[start] * 100 < entries * _NEARLY_ALL:
            return
        days = " and ".join(day for day in pairs[start] if self._days[day])
        message = f"{counts[start]:,} of {entries:,} entries have a lastmod on {days}"
        times = [time for pair in self._times for time in pair or ("",)]
        if "" not in times and times == sorted(times):
            span = w3cdate.moment(times[-1]) - w3cdate.moment(times[0])
            seconds = pluralize(int(span.total_seconds()), "second")
            if span < entries * _BUILD_TIME:
                message += f", one after the other within {seconds}"
        yield RawFinding("lastmod-churn", message)

    def end_run(self) -> Iterator[RawFinding]:
        """Report indexes that give all sitemaps one date although their newest entries differ."""
        dated: dict[str | None, dict[str, str]] = {}
        for url, date in self._listed.items():
            child = self.context.children.get(url)
            if child:
                dated.setdefault(child.source, {})[url] = date
        for source, dates in dated.items():
            newest = {self._newest_listed[url][:10] for url in dates if url in self._newest_listed}
            if len(set(dates.values())) == 1 and len(newest) > 1:
                message = f"{len(dates):,} listed sitemaps have lastmod {max(dates.values())}"
                differ = f"but their newest entries are from {min(newest)} to {max(newest)}"
                yield RawFinding("lastmod-churn", f"{message}, {differ}", source=source)


def _times_in_order(dates: Sequence[str]) -> tuple[str, str] | None:
    """Return the first and the last date if all have a time, and the dates ascend; else None."""
    day = len("2026-06-01")
    has_times = len(dates[0]) > day and len(min(dates, key=len)) > day  # few dates have a time
    return (dates[0], dates[-1]) if has_times and dates == sorted(dates) else None


def _day_after(day: str) -> str:
    return (w3cdate.moment(day) + timedelta(days=1)).date().isoformat()


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
