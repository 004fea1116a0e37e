"""Rules for robots.txt, which must allow access to the sitemap and its pages."""

from collections.abc import Iterator
from typing import ClassVar

from sitemapx.check.api import Check, CheckContext
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.robotsfiles import RobotsText
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import File
from sitemapx.convert.values import uris, urls

_RFC = "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2"


class Robots(Check):
    """Checks whether a known robots.txt allows a sitemap and its pages, and lists the sitemap."""

    rules: ClassVar = {
        "disallowed": Rule(
            "error",
            "URL blocked by robots.txt",
            "The sitemap lists a page that the crawler may not fetch.",
            _RFC,
            "Allow the page in robots.txt, or remove it from the sitemap.",
        ),
        "sitemap-disallowed": Rule(
            "error",
            "Sitemap blocked by robots.txt",
            "The crawler may not read the sitemap at all.",
            _RFC,
            "Allow the sitemap in robots.txt, or move it.",
        ),
        "not-in-robots": Rule(
            "note",
            "Sitemap not referenced in robots.txt",
            "Search engines find it only if it is submitted to them.",
            "https://www.sitemaps.org/protocol.html#submit_robots",
            "Add a Sitemap line, for example with `sitemapx robots add FILE URL`.",
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._listed: set[str] = set()
        self._text: RobotsText | None = None

    def begin_file(self, file: File) -> Iterator[RawFinding]:
        url, redirect = file.url, file.redirect
        self._origin = urls.origin(url) if url else ""
        self._text = self._text_for(file, self._origin) if url else None
        texts = {url: self._text} if url else {}
        if redirect:  # crawlers request this URL first
            texts[redirect] = self._text_for(file, urls.origin(redirect))
        is_listed = False
        for one, text in texts.items():
            is_listed |= uris.canonicalize(one) in self._listed
            if text:
                is_listed |= text.lists(one)
                for _, message in text.disallowed([one]):
                    before = f"{one}, which redirects, is " if one == redirect else ""
                    yield RawFinding("sitemap-disallowed", f"{before}{message}")
        if self._text and not is_listed:
            yield RawFinding("not-in-robots", f"{url} is not referenced in robots.txt")

    def _text_for(self, file: File, origin: str) -> RobotsText | None:
        was_fetched = urls.is_absolute(file.source or "")
        return self.context.robots.text_for(origin, self._origin, may_fetch=was_fetched)

    def merge(self, partial: None, batch: IndexedBatch, file: File) -> Iterator[RawFinding]:
        locs = batch.urls.locs
        if file.is_index:
            self._listed.update(map(uris.canonicalize, locs))
        if not self._origin and (first := next(filter(urls.is_absolute, locs), None)):
            self._origin = urls.origin(first)
            self._text = self._text_for(file, self._origin)
        if self._text is None:
            return
        for loc, message in self._text.disallowed([loc for loc in locs if urls.is_absolute(loc)]):
            if urls.origin(loc) == self._origin:
                yield batch.urls.finding("disallowed", message, locs.index(loc))
