"""Which URLs a sitemap may hold: https://www.sitemaps.org/protocol.html#location"""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from sitemapx.check.api import Check, File
from sitemapx.check.findings import Rule
from sitemapx.check.positions import Position
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import counted

__all__ = ["Scope"]

_LOCATION = "https://www.sitemaps.org/protocol.html#location"
_CROSS = "https://www.sitemaps.org/protocol.html#submit_robots"
#: Who lists more hosts than this has one finding for the others.
_MOST_HOSTS = 1000


class Scope(Check):
    """Looks whether URLs are on the host and below the folder of their sitemap."""

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
        "outside-folder": Rule(
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
        ),
    }

    def begin(self, file: File) -> None:
        """Find out what the file may hold."""
        self._origin = urls.origin(file.url) if file.url else ""
        self._folder = f"{uris.canonical(file.url or '').partition('?')[0].rpartition('/')[0]}/"
        self._counts: Counter[str] = Counter()
        self._first: dict[str, tuple[Position, str]] = {}

    def batch(self, batch: Batch, file: File) -> None:
        """Look at all URLs at once, and at each only where one is elsewhere."""
        locs = batch.locs()
        if not self._origin:
            self._count(locs, file)
        elif not self.context.listed.begin_with(self._folder):
            for at, loc in enumerate(locs):
                if urls.is_absolute(loc) and not loc.startswith(self._folder):
                    self._judge(at, loc, file)

    def _judge(self, at: int, loc: str, file: File) -> None:
        origin = urls.origin(loc)
        if origin and origin != self._origin:
            is_same = origin.partition(":")[2] == self._origin.partition(":")[2]
            code = "other-scheme" if is_same else "other-host"
            was_fetched = urls.is_absolute(file.source or "")
            robots = self.context.robots.of(origin, self._origin, may_fetch=was_fetched)
            if not (file.url and robots and robots.lists(file.url)):
                file.report(code, f"URL is on {origin}, the sitemap on {self._origin}", at=at)
        elif origin and not file.is_feed and not uris.canonical(loc).startswith(self._folder):
            file.report("outside-folder", f"URL is not below {self._folder}", at=at)

    def _count(self, locs: Sequence[str], file: File) -> None:
        first = next(iter(self._counts), "")
        if first and self.context.listed.begin_with(f"{first}/"):
            self._counts[first] += len(locs)
            return
        for at, loc in enumerate(locs):
            origin = urls.origin(loc) if urls.is_absolute(loc) else ""
            if not origin or (origin not in self._first and len(self._first) >= _MOST_HOSTS):
                continue
            if origin not in self._first:
                self._first[origin] = file.position_of(at), loc
            self._counts[origin] += 1

    def end(self, file: File) -> None:
        """Report each host beside the most frequent one, where nobody says which is right."""
        (main, most), *others = self._counts.most_common() or [("", 0)]
        rest = "most are" if most * 2 > self._counts.total() else "others are"
        for origin, count in others:
            position, loc = self._first[origin]
            message = f"{counted(count, 'URL is', 'URLs are')} on {origin}; {rest} on {main}"
            file.report_at(position, "several-hosts", message, loc=loc)
