"""What robots.txt says of the sitemap, and of the pages in it."""

from typing import ClassVar

from sitemapx.convert import urls
from sitemapx.convert.checkedfile import CheckedFile
from sitemapx.convert.document import Batch
from sitemapx.convert.findings import Rule
from sitemapx.convert.rules.check import Check, Known

__all__ = ["Robots"]

_RFC = "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2"


class Robots(Check):
    """Looks what crawlers may fetch, where a robots.txt is known."""

    rules: ClassVar = {
        "disallowed": Rule(
            "error",
            "a page that robots.txt disallows",
            "The crawler may not fetch what the sitemap asks it to fetch.",
            _RFC,
            "Allow it in robots.txt, or take it out of the sitemap.",
        ),
        "sitemap-disallowed": Rule(
            "error",
            "a sitemap that robots.txt disallows",
            "The crawler may not read the sitemap at all.",
            _RFC,
            "Allow it in robots.txt, or put it elsewhere.",
        ),
        "not-in-robots": Rule(
            "note",
            "a sitemap that robots.txt does not name",
            "Engines to which it is not submitted do not find it.",
            "https://www.sitemaps.org/protocol.html#submit_robots",
            "Add a Sitemap line; `sitemapx robots add FILE URL` does.",
        ),
    }

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self._listed: set[str] = set()

    def begin(self, file: CheckedFile) -> None:
        """Look at the sitemap itself."""
        url = file.url
        self._text = self._origin = None
        if not url:
            self._text = self.known.robots.of("")
            return
        self._origin = urls.origin(url)
        was_fetched = urls.is_absolute(file.source or "")
        self._text = self.known.robots.of(self._origin, may_fetch=was_fetched)
        if self._text is None:
            return
        for _, said in self._text.disallowed([url]):
            file.found("sitemap-disallowed", said)
        if urls.canonical(url) not in self._listed and not self._text.lists(url):
            file.found("not-in-robots", url)

    def batch(self, batch: Batch, file: CheckedFile) -> None:
        """Look at the pages that are on its host."""
        locs = batch.locs()
        if file.is_index:
            self._listed.update(map(urls.canonical, locs))
        if self._text is None:
            return
        for loc, said in self._text.disallowed([loc for loc in locs if urls.is_absolute(loc)]):
            if not self._origin or urls.origin(loc) == self._origin:
                file.found("disallowed", said, at=locs.index(loc))
