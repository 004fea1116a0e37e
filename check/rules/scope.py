"""Rules for the location of URLs: https://www.sitemaps.org/protocol.html#location"""

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from sitemapx.check.api import Check
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchUrls, File, FileExtent
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import pluralize

_LOCATION = "https://www.sitemaps.org/protocol.html#location"
_CROSS = "https://www.sitemaps.org/protocol.html#submit_robots"
#: Maximum number of hosts that are counted; URLs on further hosts are ignored.
_MOST_HOSTS = 1000


class Scope(Check):
    """Checks that URLs are on the host and in the directory of their sitemap."""

    rules: ClassVar = {
        "other-host": Rule(
            "error",
            "URL host differs from the sitemap's",
            "A sitemap may list only URLs on its own host, unless the robots.txt of the other "
            "host names it.",
            _CROSS,
            "List the URL in a sitemap on its own host, or name this sitemap in the robots.txt of "
            "that host.",
        ),
        "other-scheme": Rule(
            "error",
            "URL scheme differs from the sitemap's",
            "Search engines treat http: and https: as two sites; a sitemap covers only its own.",
            _LOCATION,
            "Use the scheme that serves the pages, and publish the sitemap there.",
        ),
        "outside-directory": Rule(
            "warning",
            "URL outside the sitemap's directory",
            "A sitemap may list only URLs in or below its own directory, unless it is submitted "
            "via webmaster tools or robots.txt.",
            _LOCATION,
            "Publish the sitemap at the root of the site.",
        ),
        "several-hosts": Rule(
            "warning",
            "URLs from several hosts in one sitemap",
            "A sitemap covers one scheme, host and port.",
            _LOCATION,
            "Write one sitemap per host. To check against its own host, pass --source-url.",
            is_summary=True,
        ),
    }

    def begin_file(self, file: File) -> None:
        self._origin = urls.origin(file.url) if file.url else ""
        self._folder = f"{uris.canonicalize(file.url or '').partition('?')[0].rpartition('/')[0]}/"
        self._counts: Counter[str] = Counter()
        self._first: dict[str, RawFinding] = {}

    def merge(self, partial: None, batch: IndexedBatch, file: File) -> Iterator[RawFinding]:
        if file.lists_feeds:
            return
        if not self._origin:
            self._count_origins(batch.urls)
        elif not batch.urls.begin_with(self._folder):
            for at, loc in enumerate(batch.urls.locs):
                if urls.is_absolute(loc) and not loc.startswith(self._folder):
                    for code, message in self._errors(loc, file):
                        yield batch.urls.finding(code, message, at)

    def _errors(self, loc: str, file: File) -> Iterator[tuple[str, str]]:
        origin = urls.origin(loc)
        if origin and origin != self._origin:
            is_same = origin.partition(":")[2] == self._origin.partition(":")[2]
            was_fetched = urls.is_absolute(file.source or "")
            robots = self.context.robots.text_for(origin, self._origin, may_fetch=was_fetched)
            if not (file.url and robots and robots.lists(file.url)):
                code = "other-scheme" if is_same else "other-host"
                yield code, f"URL is on {origin}, the sitemap on {self._origin}"
        elif origin and not file.is_feed and not uris.canonicalize(loc).startswith(self._folder):
            yield "outside-directory", f"URL is not below {self._folder}"

    def _count_origins(self, batch_urls: BatchUrls) -> None:
        first = next(iter(self._counts), "")
        if first and batch_urls.begin_with(f"{first}/"):
            self._counts[first] += len(batch_urls)
            return
        for at, loc in enumerate(batch_urls.locs):
            origin = urls.origin(loc) if urls.is_absolute(loc) else ""
            if not origin or (origin not in self._first and len(self._first) >= _MOST_HOSTS):
                continue
            if origin not in self._first:
                self._first[origin] = RawFinding(
                    "several-hosts", "", batch_urls.position_of(at), loc
                )
            self._counts[origin] += 1

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        (main, most), *others = self._counts.most_common() or [("", 0)]
        rest = "most are" if most * 2 > self._counts.total() else "others are"
        for origin, count in others:
            message = f"{pluralize(count, 'URL is', 'URLs are')} on {origin}; {rest} on {main}"
            yield self._first[origin]._replace(message=message)
