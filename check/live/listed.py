"""The listed pages of a batch, and findings that stand for many of them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from sitemapx.check.api import BatchResult
from sitemapx.check.findings import Position, RawFinding
from sitemapx.check.live.content import Versions
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import pluralize

#: Maximum number of pages that are named in a finding about several.
_MOST_NAMED = 3


class ListedPage(Struct, frozen=True, array_like=True, gc=False):
    """A page: its URL as written, its lastmod and versions, and the position of its entry."""

    loc: str
    lastmod: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    source: str | None = None
    line: int | None = None
    column: int | None = None

    @property
    def position(self) -> Position:
        return Position(self.line, self.column)

    @property
    def url(self) -> str:
        """The URL as it is requested."""
        return uris.to_uri(self.loc) or self.loc.encode("utf-8", "replace").decode()

    def finding(self, code: str, message: str) -> RawFinding:
        return RawFinding(code, message, self.position, self.loc, self.source)


class ListedFacts(NamedTuple):
    """Lastmods and versions of the pages of a batch; `versions` is empty if no page has any."""

    lastmods: Sequence[str | None]
    versions: Sequence[Versions]


def extract_listed_facts(view: BatchView) -> BatchResult:
    """Collect the facts of a batch that `listed_pages` needs, for `Check.check_batch`."""
    versions = view.versions
    pairs = [
        tuple(zip(*page, strict=True))
        for page in zip(versions.languages, versions.hrefs, strict=True)
    ]
    return BatchResult(partial=ListedFacts(view.batch.column("lastmod"), pairs))


def listed_pages(facts: ListedFacts, batch: IndexedBatch, file: File) -> Iterator[ListedPage]:
    """
    Yield the pages with an absolute URL in a batch that were not listed before.

    An index yields none.
    """
    if file.is_index:
        return
    for at, loc in enumerate(batch.urls.locs):
        if at not in batch.before and urls.is_absolute(loc):
            versions = tuple(facts.versions[at]) if facts.versions else ()
            place = file.source, *batch.urls.position_of(at)
            yield ListedPage(loc, facts.lastmods[at] or "", versions, *place)


class PageTally:
    """Counts pages with the same fault, for one finding that names the first of them."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._first: dict[tuple[str, str], list[ListedPage]] = {}

    def add_page(self, code: str, fault: str, page: ListedPage) -> None:
        """Count a page; `fault` is an addition to "3 pages", such as "without a canonical URL"."""
        key = code, fault
        self._counts[key] = self._counts.get(key, 0) + 1
        first = self._first.setdefault(key, [])
        if len(first) < _MOST_NAMED:
            first.append(page)

    def findings(self) -> Iterator[RawFinding]:
        """Yield a finding for each fault, at the first page."""
        for (code, fault), count in self._counts.items():
            first = self._first[code, fault]
            names = ", ".join(page.loc for page in first)
            message = f"{pluralize(count, 'page')} {fault} (first: {names})"
            yield RawFinding(code, message, first[0].position, source=first[0].source)
