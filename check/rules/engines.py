"""Rules of single search engines, which apply only to a check for that search engine."""

from collections.abc import Iterator
from typing import ClassVar, NamedTuple
from urllib.parse import unquote

from sitemapx.check.api import BatchResult, Check
from sitemapx.check.findings import Position, RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent

_YANDEX = "https://yandex.com/support/webmaster/en/controlling-robot/sitemap"
_BING = (
    "https://blogs.bing.com/webmaster/July-2025/"
    "Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search"
)
#: Characters that Yandex accepts in a URL. Sources differ (another page says 2,048); by tests with
#: its validator, percent-escapes are decoded first.
_YANDEX_URL = 1024
#: Bytes that Yandex accepts in lastmod, changefreq and priority. Only lastmod can be valid and
#: longer: priority is read as a number, and changefreq is one of seven words.
_YANDEX_VALUE = 100
_DATE = len("2026-01-01")


class _TimelessDates(NamedTuple):
    """Numbers of dated entries and of those without a time; position of the first of the latter."""

    dated: int
    without_time: int
    first: Position


class SearchEngines(Check):
    """Checks requirements that only one search engine documents."""

    rules: ClassVar = {
        "google-feed-link": Rule(
            "error",
            "Feed item without a link for Google to crawl",
            "Google reads the URL of a page from the link of an item, and skips items without one.",
            "https://www.sitemaps.org/protocol.html#otherformats",
            "Add a link with the http or https URL of the page.",
            requires="engine google",
        ),
        "yandex-feed": Rule(
            "error",
            "Feed, which Yandex does not read as a sitemap",
            "Yandex supports XML sitemaps and text lists, but no RSS or Atom feeds.",
            _YANDEX,
            "Submit the output of convert --to sitemap.",
            requires="engine yandex",
        ),
        "yandex-url-length": Rule(
            "error",
            "URL longer than Yandex accepts",
            "Yandex reports URLs of more than 1,024 characters as errors.",
            "https://yandex.com/support/webmaster/en/error-dictionary/sitemap",
            "Give the page a shorter URL.",
            requires="engine yandex",
        ),
        "yandex-lastmod-length": Rule(
            "warning",
            "lastmod longer than Yandex accepts",
            "Yandex accepts at most 100 bytes in lastmod, changefreq and priority.",
            _YANDEX,
            "Write the date with at most three digits after the seconds.",
            requires="engine yandex",
        ),
        "bing-lastmod-time": Rule(
            "note",
            "lastmod without the time of day",
            "Bing decides by lastmod what to crawl again, and recommends date and time. The time "
            "must be that of the change, never that of the build.",
            _BING,
            "Write date, time and time zone if they are known; else keep the date.",
            requires="engine bing",
        ),
    }

    def begin_file(self, file: File) -> Iterator[RawFinding]:
        self._dated = self._without_time = 0
        self._first = Position()
        if file.is_feed and "yandex-feed" in self.context.codes:
            message = f"Yandex does not read {file.format.title} as a sitemap"
            yield RawFinding("yandex-feed", message)

    def check_batch(self, view: BatchView) -> BatchResult:
        codes, findings = self.context.codes, list[RawFinding]()
        if "google-feed-link" in codes and view.file.is_feed:
            findings += (
                view.urls.finding("google-feed-link", "item has no link to a page", at)
                for at, loc in enumerate(view.urls.locs)
                if not loc
            )
        if "yandex-url-length" in codes:
            for at, loc in enumerate(view.urls.locs):
                if len(loc) > _YANDEX_URL and (length := len(unquote(loc))) > _YANDEX_URL:
                    message = f"URL has {length:,} characters; Yandex accepts {_YANDEX_URL:,}"
                    findings.append(view.urls.finding("yandex-url-length", message, at))
        if "lastmod" not in view.batch.field_counts() or view.file.is_feed:
            return BatchResult(findings)
        column = view.batch.column("lastmod")
        if "yandex-lastmod-length" in codes:
            for at, date in enumerate(column):
                if date and len(date) > _YANDEX_VALUE:
                    message = f"lastmod has {len(date):,} bytes; Yandex accepts {_YANDEX_VALUE}"
                    findings.append(view.urls.finding("yandex-lastmod-length", message, at, date))
        if "bing-lastmod-time" not in codes or view.file.is_index:
            return BatchResult(findings)
        dated = sum(map(bool, column))
        without_time = [at for at, date in enumerate(column) if date and len(date) <= _DATE]
        first = Position()
        for at in without_time[:1]:
            first = view.urls.position_of(at, column[at])
        return BatchResult(findings, _TimelessDates(dated, len(without_time), first))

    def merge(self, partial: _TimelessDates | None, batch: IndexedBatch, file: File) -> None:
        if partial:
            if not self._without_time:
                self._first = partial.first
            self._dated += partial.dated
            self._without_time += partial.without_time

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        if self._without_time:
            message = (
                f"{self._without_time:,} of {self._dated:,} lastmod values have no time of day"
            )
            yield RawFinding("bing-lastmod-time", message, self._first)
