"""Reads the sources to submit; the URLs of each source become a set of current URLs."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from typing import Any, NamedTuple, Protocol

from sitemapx.convert.formats.table import SITEMAP_INDEX
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
from sitemapx.submit.fingerprints import Digest, file_fingerprints, fingerprints
from sitemapx.submit.journal.currenturls import LIST, CurrentUrls

#: Sitemap formats that are listed in robots.txt.
ROBOTS_FORMATS = ("sitemap", "sitemapindex", "text")


@dataclass(kw_only=True)
class _UrlCollector:
    """
    Adds the URLs of a source to `current`; URLs of feeds and news sitemaps may expire.

    Attributes:
        may_expire: Whether all URLs may leave the set without being submitted as removed.
        is_selected: As in `SetReader`.
        is_xml: Whether the reader reports URLs that are not absolute.
        is_checked: Whether a check reports URLs that are too long or have an invalid host.

    """

    current: CurrentUrls
    reporter: Reporter
    set_id: int
    may_expire: bool
    digest: Digest
    is_selected: Callable[[str], bool] | None = None
    is_xml: bool = False
    is_checked: bool = False

    def add_batches(
        self, batches: Iterable[Batch], fingerprints_of: Callable[[Batch], list[str]]
    ) -> None:
        for batch in batches:
            self._add_batch(batch, fingerprints_of(batch))
        self.reporter.close()

    def _add_batch(self, batch: Batch, fingerprints: Sequence[str]) -> None:
        may_expire = [self.may_expire] * len(batch)
        if not self.may_expire and "news" in batch.field_counts():
            may_expire = [bool(news) for news in batch.column("news")]
        self.digest.update(batch, fingerprints, may_expire)
        selected = [True] * len(batch)
        if is_selected := self.is_selected:
            dates = zip(batch.column("lastmod"), batch.column("published"), strict=True)
            selected = [
                bool((date := lastmod or published) and is_selected(date))
                for lastmod, published in dates
            ]
        columns: list[Sequence[Any]] = [batch.locs(), fingerprints, selected, may_expire]
        if not batch.uris():
            locs = columns[0]
            sent = [uris.to_uri(urls.without_user(loc)) if loc else None for loc in locs]
            self._report_unusable(locs, sent)
            columns = [list(compress(column, sent)) for column in (sent, *columns[1:])]
        self.current.add_urls(self.set_id, *columns)

    def _report_unusable(self, locs: Sequence[str], sent: Sequence[str | None]) -> None:
        for loc, uri in zip(locs, sent, strict=True):
            if loc and not uri and not self._is_reported(loc):
                message = f"not an absolute http(s) URL: {loc!r}; not sent"
                self.reporter.problem("bad-loc", message)
            elif not loc:
                self.reporter.tally("no-loc", "entry has no URL; not sent")

    def _is_reported(self, loc: str) -> bool:
        if not urls.is_absolute(loc):
            return self.is_xml
        site = "/".join(loc.split("/", 3)[:3])
        return self.is_checked and (len(loc) > urls.MAX_LENGTH or uris.to_uri(site) is None)


class PublishedSource(NamedTuple):
    """
    A source with its public URL and fingerprint.

    Attributes:
        source: Path or URL; `-` for standard input.
        set_id: Journal ID of the set of URLs in the source.
        address: Public URL of the file; None if unknown or for a directory.
        fingerprint: Hash of the URLs and the fingerprints of their pages.
        digest: `fingerprint`, followed by a hash of whether each URL may expire.
        head: Metadata of the first file; empty for an index.
        format: Name of the format; empty if nothing was read.
        parts: Paths or URLs of the files that were read: the source, or the sitemaps it lists.
        empty: Listed sitemaps without URLs, if other sitemaps have URLs. Empty sitemaps may be
            broken, so missing URLs do not count as removed.

    """

    source: str
    set_id: int
    address: str | None
    fingerprint: str
    digest: str
    head: Head
    is_feed: bool
    format: str = ""
    parts: Sequence[str] = ()
    empty: Sequence[str] = ()


def address_of(source: str, opener: Opener) -> str | None:
    """Return the public URL of a source, or None if it is unknown."""
    if urls.is_absolute(source):
        return urls.without_user(source)
    name = local_path(source)
    if opener.url or name is None:
        return opener.url
    return next((url for mapping in opener.mappings if (url := mapping.url_of(name))), None)


def _set_name(source: str, address: str | None) -> str:
    if address:
        return uris.normalize(address)
    return source if source == "-" else os.path.abspath(urls.without_user(source))


class Inspector(Protocol):
    """A check that runs on sources while they are read; see `sitemapx.check`."""

    def opener(self, opener: Opener) -> Opener:
        """Return an opener that checks everything it opens."""
        ...

    def report(self, problem: Problem) -> None:
        """Report a problem of a reader as a finding."""
        ...

    def finish(self) -> None:
        """Report the findings that concern all sources together."""
        ...


@dataclass(kw_only=True)
class SetReader:
    """
    Reads sources one after the other into `current`, the URLs of all sets.

    Attributes:
        is_selected: Returns whether to send an entry, given its date; entries without a date are
            not sent. None to send all entries.
        checking: Check that runs on the sources while they are read, except on directories of
            pages.
        progress: Called repeatedly with the numbers of URLs and bytes read so far.

    """

    current: CurrentUrls
    opener: Opener
    steps: Sequence[Step]
    is_selected: Callable[[str], bool] | None
    checking: Inspector | None
    report: ProblemHandler
    progress: Callable[[int, int], object]
    _size: int = field(default=0, init=False)

    def read_sources(self, sources: Sequence[str]) -> list[PublishedSource]:
        """
        Read sources and describe each; a host name or root URL stands for all sitemaps of a site.

        Raises `InputError` if a source cannot be read, `OutputError` if URLs cannot be stored.
        """
        fetcher = self.opener.fetcher or Fetcher()
        found = [self._read_source(source) for source in _expand_hosts(sources, fetcher)]
        if self.checking:
            self.checking.finish()
        return found

    def _read_source(self, source: str) -> PublishedSource:
        address = address_of(source, self.opener)
        is_checked = bool(self.checking) and not os.path.isdir(source)
        opener, report = self._opener(source, address, is_checked=is_checked)
        if address and (path := local_path(source)):
            # The set was named by its path until its URL was known.
            self.current.journal.rename_set(os.path.abspath(path), uris.normalize(address))
        set_id = self.current.journal.set_id(_set_name(source, address))
        # Standard input without a URL may be a different set each time.
        is_named = bool(address) or source != "-"
        fingerprints_of, digest = _fingerprints_of(source, address), Digest()
        first: SourcePart | None = None
        begin, parts, empty = self.current.count, list[str](), list[str]()
        with closing(opener.open([source], report, self._on_read)) as inputs:
            for part in inputs:
                first = first or part
                collector = _UrlCollector(
                    current=self.current,
                    reporter=Reporter(self.report, source=urls.without_user(source)),
                    set_id=set_id,
                    may_expire=part.family == "feed" or not is_named,
                    digest=digest,
                    is_selected=self.is_selected,
                    is_xml=part.family == "sitemap",
                    is_checked=is_checked,
                )
                before, batches = self.current.count, part.batches
                for step in self.steps:
                    batches = step.run(batches, collector.reporter)
                collector.add_batches(batches, fingerprints_of)
                parts += [part.source] if part.source else []
                if self.current.count == before and part.source and part.depth:
                    empty.append(part.source)
        head, family, format_name = _describe(first) if first else (Head(), "", "")
        if os.path.isdir(source):
            address = None  # the URL of the directory, but not of a sitemap
        return PublishedSource(
            source,
            set_id,
            address or head.self_link,
            digest.fingerprint,
            digest.all,
            head,
            family == "feed",
            format_name,
            parts,
            empty if self.current.count > begin else [],
        )

    def _opener(
        self, source: str, address: str | None, *, is_checked: bool
    ) -> tuple[Opener, ProblemHandler]:
        # Never submit the contents of a local file that merely has the same name.
        opener = self.opener._replace(beside=None)
        if local_path(source):
            opener = opener._replace(url=address)
        if self.checking and is_checked:
            return self.checking.opener(opener), self.checking.report
        return opener, self.report

    def _on_read(self, count: int) -> None:
        self._size += count
        self.progress(self.current.count, self._size)


def read_list(current: CurrentUrls, path: str, report: ProblemHandler) -> None:
    """Add the URLs of a plain list to the current URLs, as the set `LIST`."""
    collector = _UrlCollector(
        current=current,
        reporter=Reporter(report, source=path),
        set_id=LIST,
        may_expire=True,
        digest=Digest(),
    )
    with closing(Opener(format="text").open([path], report)) as inputs:
        for part in inputs:
            collector.add_batches(part.batches, fingerprints)


def _describe(first: SourcePart) -> tuple[Head, str, str]:
    if first.depth:
        return Head(), "sitemap", SITEMAP_INDEX.name
    return first.head, first.family, first.format


def _fingerprints_of(source: str, address: str | None) -> Callable[[Batch], list[str]]:
    if os.path.isdir(source) and address:
        return partial(file_fingerprints, folder=source, url=address)
    return fingerprints


def _expand_hosts(sources: Sequence[str], fetcher: Fetcher) -> Iterator[str]:
    """Yield the sources; replace each host name or root URL with the sitemaps of its site."""
    for source in sources:
        if source != "-" and not os.path.exists(source) and site_of(source):
            site = fetcher.without_user(source) if urls.is_absolute(source) else source
            yield from sitemaps_of(site, InputError("a site", site), fetcher)
        else:
            yield source
