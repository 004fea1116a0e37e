"""Open sources one after the other, with what indexes among them list."""

import os
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.problems import ProblemHandler, ignore
from sitemapx.convert.parallel.lookahead import ahead
from sitemapx.convert.sources.follower import Follower
from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.read import Source, read
from sitemapx.convert.sources.source import local_path
from sitemapx.convert.sources.sourcepart import SourcePart

if TYPE_CHECKING:
    from sitemapx.convert.parallel.pool import Reading, WorkerPool
    from sitemapx.convert.parallel.worker import Encode, ReadFile

__all__ = ["Opener"]


class Opener(ReadOptions):
    """Opens sources by its options; see `ReadOptions`."""

    __slots__ = ()

    def open(
        self,
        sources: Iterable[Source],
        report: ProblemHandler = ignore,
        on_read: Callable[[int], None] = lambda count: None,
        wanted: Collection[str] | None = None,
        encode: "Encode | None" = None,
    ) -> Generator[SourcePart]:
        """
        Open one source after the other; each is closed when the next is asked for.

        A source that lists others, or goes on elsewhere, is an input for each of them. One that
        cannot be read but is a host or the root of a site, such as `example.com`, stands for the
        sitemaps of that site.

        Args:
            sources: Paths, http(s) URLs, hosts, `-` for standard input, or binary streams.
            report: Called with problems as they come.
            on_read: Called with how many bytes were read, before they are unpacked; also that none
                were, again and again, while the network is waited for.
            wanted: The fields that will be looked at; others may be missing in the entries.
            encode: What the processes that read (`jobs`) do with the batches, if anything.

        Raises:
            InputError: If a source cannot be read.

        """
        fetcher = self.fetcher or Fetcher()
        reads = partial(read, wanted=wanted, images=self.images, contexts=self.contexts)
        with self._workers(reads, on_read, encode) as workers:
            reads = partial(reads, on_read=on_read, fetcher=fetcher)
            begun = ((source, self._begun(source, workers)) for source in sources)
            for source, reading in ahead(begun):
                follower = Follower(self, fetcher, reads, report, lambda: on_read(0), workers)
                yield from follower.inputs(source, reading)

    def _workers(
        self,
        reads: "ReadFile",
        on_read: Callable[[int], None],
        encode: "Encode | None",
    ) -> "AbstractContextManager[WorkerPool | None]":
        if self.jobs == 1 or not hasattr(os, "fork"):  # as on Windows
            return nullcontext()
        from sitemapx.convert.parallel.pool import WorkerPool

        return closing(WorkerPool(self.jobs, reads, on_read, encode))

    def _begun(self, source: Source, workers: "WorkerPool | None") -> "Reading | None":
        """Begin to read a source, if it is a file."""
        path = local_path(source)
        if workers is None or path is None or not os.path.isfile(path):
            return None
        return workers.begin(path, format=self.format, source_url=self.url)
