"""Opens sources one after the other, including the sitemaps that indexes list."""

import os
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from itertools import chain, islice, repeat

from sitemapx.convert.formats.format import Context
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import ProblemHandler, log
from sitemapx.convert.parallel.files import Encode, FileWorkers, Reading, ReadSource
from sitemapx.convert.parallel.items import read_ahead
from sitemapx.convert.sources.discovery import site_of
from sitemapx.convert.sources.follower import Follower
from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.read import read
from sitemapx.convert.sources.source import (
    NO_SOURCES,
    Source,
    SourcePart,
    local_path,
    require_source,
)
from sitemapx.convert.values import urls
from sitemapx.convert.values.words import require_list
from sitemapx.errors import UsageError


class Opener(ReadOptions):
    """Opens sources; its fields are the options of `ReadOptions`."""

    __slots__ = ()

    def open(
        self,
        sources: Iterable[Source],
        report: ProblemHandler = log,
        on_read: Callable[[int], None] = lambda count: None,
        wanted: Collection[str] | None = None,
        encode: Encode | None = None,
    ) -> Generator[SourcePart]:
        """
        Open sources one after the other; each is closed when the next one is requested.

        An index yields one part for each listed sitemap that is read, and a feed one for each page.
        A host name or the root of a site, such as `example.com`, that cannot be read as a source
        itself yields the sitemaps of that site.

        Args:
            sources: Paths, URLs, host names, `-` for standard input, or binary streams.
            report: Called with each problem as it is found; by default, problems are logged.
            on_read: Called with the number of (compressed) bytes just read; repeatedly with 0 while
                waiting for the network or a process.
            wanted: Names of the fields that will be used; others may be missing. None for all.
            encode: Applied to batches only in other processes (`jobs`). Required for several
                processes if `contexts` is set: contexts then share no state; only their reports are
                transferred. On Windows, both must be picklable.

        Returns:
            Generator of the parts.

        Raises:
            InputError: If a source cannot be read.
            UsageError: If a source is missing or invalid, `format` is unknown or cannot be read,
                a directory is read without `url`, or standard output is written to a source.

        """
        with closing(self.open_each(sources, report, on_read, wanted, encode)) as opened:
            for _, parts in opened:
                yield from map(SourcePart.named, parts) if self.with_source else parts

    def open_each(
        self,
        sources: Iterable[Source],
        report: ProblemHandler,
        on_read: Callable[[int], None],
        wanted: Collection[str] | None = None,
        encode: Encode | None = None,
    ) -> Generator[tuple[Source, Generator[SourcePart]]]:
        """
        Open sources like `open`, but yield each source with a generator of its parts.

        The parts of an unreadable source raise `InputError`, after which the next source can be
        read. `with_source` has no effect.
        """
        fetcher = self.fetcher or Fetcher()
        reads_file = partial(read, wanted=wanted, keep_all=self.keep_all, contexts=self.contexts)
        with self._workers(reads_file, on_read, encode) as workers:
            reads = partial(
                reads_file,
                on_read=on_read,
                images=self.images,
                page_fields=self.page_fields,
                skips_page=self.skips_page,
                processes=self.processes,
                fetcher=fetcher,
            )
            first = list(islice(sources := iter(require_list("sources", sources)), 2))
            if not first:
                raise UsageError(NO_SOURCES)
            all_sources = chain(first, sources)
            if len(first) < 2 or not self.jobs:
                readings: Iterator[tuple[Source, Reading | None]] = zip(all_sources, repeat(None))
            else:
                readings = ((source, self._start(source, workers)) for source in all_sources)
            for source, reading in read_ahead(readings):
                follower = Follower(self, fetcher, reads, report, lambda: on_read(0), workers)
                yield source, follower.inputs(source, reading)

    def _workers(
        self, reads: ReadSource, on_read: Callable[[int], None], encode: Encode | None
    ) -> AbstractContextManager[FileWorkers | None]:
        shares_nothing = self.contexts is Context or encode is not None
        if self.processes == 1 or not shares_nothing:
            return nullcontext()
        is_explicit = bool(self.jobs)
        return closing(FileWorkers(self.processes, reads, on_read, encode, is_explicit=is_explicit))

    @property
    def processes(self) -> int:
        """Maximum number of processes that read sources."""
        if not hasattr(os, "fork"):  # on Windows, where processes start slowly
            return self.jobs or 1
        get_affinity = getattr(os, "sched_getaffinity", None)  # macOS lacks this function
        return self.jobs or (len(get_affinity(0)) if get_affinity else os.cpu_count() or 1)

    def _start(self, source: Source, workers: FileWorkers | None) -> Reading | None:
        path = local_path(source)
        if workers is None or path is None or not os.path.isfile(path):
            return None
        return workers.submit(path, 2, format=self.format, source_url=self.url)


def read_site(
    site: str, *, fetcher: Fetcher | None = None, report: ProblemHandler = log
) -> Iterator[Entry]:
    """
    Read the sitemaps of a site: all in robots.txt, else at a common URL or linked by the home page.

    The sitemaps that an index lists are read as well. The `source` of an entry is the URL of the
    sitemap or feed that lists it.

    Args:
        site: Host name, such as `example.com`, or the URL of the home page.
        fetcher: Fetches the sitemaps; None for a fetcher with default settings.
        report: Called with each problem as it is found; by default, problems are logged.

    Returns:
        Iterator over the entries.

    Raises:
        InputError: If the site cannot be reached or has no sitemaps; raised while iterating.
        UsageError: If `site` is neither a host name nor a URL.

    """
    require_source(site)
    if not (urls.is_absolute(site) or site_of(site)):
        raise UsageError(
            f"{site!r} is neither a URL nor the name of a host on the Internet: pass one such as "
            "example.com or https://example.com/"
        )
    return _entries(site, fetcher, report)


def _entries(site: str, fetcher: Fetcher | None, report: ProblemHandler) -> Iterator[Entry]:
    for part in Opener(fetcher=fetcher, with_source=True).open([site], report):
        for batch in part.batches:
            yield from batch.entries
