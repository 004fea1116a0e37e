"""Dates pages by their visible content: `lastmod` is the time of the run that found a change."""

from contextlib import closing

from sitemapx.convert.disk.spill import DigestSet
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.steps.lastmod.datesfile import (
    DatedContent,
    DatesFile,
    DateSource,
    LocatedPage,
)
from sitemapx.convert.steps.lastmod.step import NO_FILE
from sitemapx.convert.values import clock, uris


class PublishedDates:
    """Dates of pages in the published sitemap, which is read on first use."""

    def __init__(self, source: str, opener: Opener, reporter: Reporter) -> None:
        self._source = source
        self._opener = opener
        self._reporter = reporter
        self._dates: list[str] = []
        self._known: DigestSet | None = None

    def date_of(self, loc: str) -> str | None:
        known = self._known or self._read()
        number = known.get(uris.normalize(loc))
        return None if number is None else self._dates[number]

    def _read(self) -> DigestSet:
        self._known = known = DigestSet()
        numbers: dict[str, int] = {}
        wanted = ("loc", "lastmod")
        with closing(
            self._opener.open([self._source], self._reporter.handler, wanted=wanted)
        ) as parts:
            for part in parts:
                for batch in part.batches:
                    for loc, date in zip(batch.locs(), batch.column("lastmod"), strict=True):
                        if loc and date:
                            known.add_text(
                                uris.normalize(loc), numbers.setdefault(date, len(numbers))
                            )
        self._dates = list(numbers)
        return known

    def close(self) -> None:
        if self._known:
            self._known.close()


class ContentDates(DateSource):
    """
    Dates at which the content of pages changed, according to the digests of earlier runs.

    A page without a recorded change has its date in the published sitemap, if there is one.
    """

    reads = ()
    needs_digest = True
    needs_all = True

    def __init__(self, file: DatesFile, published: PublishedDates | None) -> None:
        self._file = file
        self._published = published
        self._now = clock.now()

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the date as the base class does, and record it for the next run."""
        if page.file is None:
            return None, NO_FILE
        known = self._file.get(page.loc)
        if page.file.error:
            if known:  # the page keeps its date
                self._file.record(page.loc, known)
            return None, "page cannot be read"
        if known and known.digest != page.file.digest:
            date: str | None = self._now
        else:
            date = known.date if known else None
            if date is None and self._published:
                date = self._published.date_of(page.loc)
        self._file.record(page.loc, DatedContent(date, page.file.digest))
        return date, "" if date else "no change of the page's content found yet"

    def save(self, *, is_complete: bool) -> None:
        self._file.save(keeps_others=not is_complete)
        if self._published:
            self._published.close()


def content_dates(
    reporter: Reporter, path: str, published: str | None, opener: Opener
) -> ContentDates:
    """Create a source from the `DatesFile` at `path`, and the `published` sitemap (path or URL)."""
    file = DatesFile(path, reporter)
    dates = PublishedDates(published, opener, reporter) if published else None
    return ContentDates(file, dates)
