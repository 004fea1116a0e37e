"""Reader of the set that is submitted: its URLs into a listing, and what its sources are."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from sitemapx.convert.formats.sitemap.definition import SITEMAP_INDEX
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.discovery import site_of, sitemaps_of
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import SourcePart, local_path
from sitemapx.convert.steps.step import Step
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError
from sitemapx.submit.journal.listing import LIST, Listing
from sitemapx.submit.urlset.fingerprints import Digest, fingerprints, of_files
from sitemapx.submit.urlset.part import SetPart
from sitemapx.submit.urlset.published import PublishedSource, address_of, set_name

__all__ = ["Inspector", "SetReader", "read_list"]


class Inspector(Protocol):
    """Inspects a set while it is read, as `sitemapx.check` does."""

    def opener(self, opener: Opener) -> Opener:
        """Return an opener of which everything opened is inspected."""
        ...

    def report(self, problem: Problem) -> None:
        """Take a problem of reading."""
        ...

    def finish(self) -> None:
        """Report the findings on all sources together."""
        ...


@dataclass(kw_only=True)
class SetReader:
    """
    Reader of sources, one after the other.

    Attributes:
        listing: Takes the URLs.
        steps: What to do with entries before.
        is_selected: Whether what changed at a date may be sent; without a date it may not.
        checking: Checks what is read, on its way, and is told of problems in the place of `report`;
            but for folders of pages, which are no sitemaps.
        report: Called with problems; a URL that is none is one.
        progress: Called with how many entries and how many bytes were read.
        listed: Filled with each source and the path or URL of a sitemap that was read because of
            it.

    """

    listing: Listing
    opener: Opener
    steps: Sequence[Step]
    is_selected: Callable[[str], bool] | None
    checking: Inspector | None
    report: ProblemHandler
    progress: Callable[[int, int], object]
    listed: list[tuple[str, str]] = field(default_factory=list, init=False)
    _size: int = field(default=0, init=False)

    def read(self, sources: Sequence[str]) -> list[PublishedSource]:
        """
        Read sources into the listing.

        Raises:
            InputError: If a source cannot be read.
            OutputError: If there is no room on disk.

        """
        fetcher = self.opener.fetcher or Fetcher()
        found = [self._read(source) for source in _expanded(sources, fetcher)]
        if self.checking:
            self.checking.finish()
        return found

    def _read(self, source: str) -> PublishedSource:
        """Read a source."""
        address = address_of(source, self.opener)
        is_checked = bool(self.checking) and not os.path.isdir(source)
        opener, report = self._opener(source, address, is_checked=is_checked)
        if address and (path := local_path(source)):
            # Before its address was known, it was called by its path.
            self.listing.journal.rename_set(os.path.abspath(path), uris.normal(address))
        set_id = self.listing.journal.set_id(set_name(source, address))
        # Standard input without an address may be another set each time.
        is_named = bool(address) or source != "-"
        fingerprints_of, digest = _fingerprints_of(source, address), Digest()
        first: SourcePart | None = None
        begin, empty = self.listing.count, list[str]()
        with closing(opener.open([source], report, self._on_read)) as inputs:
            for one in inputs:
                first = first or one
                if one.source:
                    self.listed.append((source, one.source))
                part = SetPart(
                    listing=self.listing,
                    reporter=Reporter(self.report, source=urls.without_user(source)),
                    set_id=set_id,
                    rolls=one.family == "feed" or not is_named,
                    is_selected=self.is_selected,
                    is_xml=one.family == "sitemap",
                    is_checked=is_checked,
                )
                before = self.listing.count
                self._take(one, part, fingerprints_of, digest)
                if self.listing.count == before and one.source and one.depth:
                    empty.append(one.source)
        if self.listing.count == begin:
            empty = []
        head, family, format_name = _about(first) if first else (Head(), "", "")
        if os.path.isdir(source):
            address = None  # that of its pages, but not of a sitemap
        address = address or head.self_link
        return PublishedSource(
            source,
            set_id,
            address,
            digest.fingerprint,
            digest.all,
            head,
            family == "feed",
            format_name,
            empty,
        )

    def _opener(
        self, source: str, address: str | None, *, is_checked: bool
    ) -> tuple[Opener, ProblemHandler]:
        """Return what opens a source, and what is told of its problems."""
        # What search engines are told is never taken from a file by its name alone.
        opener = self.opener._replace(beside=None)
        if local_path(source):
            opener = opener._replace(url=address)
        if self.checking and is_checked:
            return self.checking.opener(opener), self.checking.report
        return opener, self.report

    def _on_read(self, count: int) -> None:
        self._size += count
        self.progress(self.listing.count, self._size)

    def _take(
        self,
        one: SourcePart,
        part: SetPart,
        fingerprints_of: Callable[[Batch], list[str]],
        digest: Digest,
    ) -> None:
        """Put the entries of an input into the listing."""
        batches = one.batches
        for step in self.steps:
            batches = step.run(batches, part.reporter)
        for batch in batches:
            batch_fingerprints, rolls = fingerprints_of(batch), part.rolling(batch)
            part.add(batch, batch_fingerprints, rolls)
            digest.update(batch, batch_fingerprints, rolls)
        part.reporter.close()


def read_list(listing: Listing, path: str, report: ProblemHandler) -> None:
    """
    Read a list of URLs, of which nothing is known but that they shall be sent.

    Raises:
        InputError: If it cannot be read.
        OutputError: If there is no room on disk.

    """
    part = SetPart(listing=listing, reporter=Reporter(report, source=path), set_id=LIST, rolls=True)
    with closing(Opener(format="text").open([path], report)) as inputs:
        for one in inputs:
            for batch in one.batches:
                part.add(batch, fingerprints(batch), part.rolling(batch))
    part.reporter.close()


def _about(first: SourcePart) -> tuple[Head, str, str]:
    """Return the head, the family and the format of a source, by its first part."""
    if first.depth:
        return Head(), "sitemap", SITEMAP_INDEX.name
    return first.head, first.family, first.format


def _fingerprints_of(source: str, address: str | None) -> Callable[[Batch], list[str]]:
    """Return what takes fingerprints: a folder has more to show than its pages say."""
    if os.path.isdir(source) and address:
        return partial(of_files, folder=source, url=address)
    return fingerprints


def _expanded(sources: Sequence[str], fetcher: Fetcher) -> Iterator[str]:
    """Put in place of a host the sitemaps of its site, for it is they that have an address."""
    for source in sources:
        if source != "-" and not os.path.exists(source) and site_of(source):
            site = fetcher.without_user(source) if urls.is_absolute(source) else source
            yield from sitemaps_of(site, InputError("a site", site), fetcher)
        else:
            yield source
