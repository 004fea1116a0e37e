"""Open sources one after the other, with what indexes among them list."""

import os
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitemapx.convert.ahead import ahead
from sitemapx.convert.document import Document
from sitemapx.convert.fetching import Fetcher
from sitemapx.convert.following import Follower, Input
from sitemapx.convert.mapping import Mapping
from sitemapx.convert.problems import Context, Report, ignore
from sitemapx.convert.reading import Source, read
from sitemapx.convert.sources import local_path

if TYPE_CHECKING:
    from sitemapx.convert.worker import Encode
    from sitemapx.convert.workers import Reading, Workers

__all__ = ["Opener"]


class Opener(NamedTuple):
    """
    How to open sources.

    Attributes:
        format: The format of the sources, where their contents are not to decide.
        url: Where the source is published: relative URLs resolve against it.
        follows: Whether an index stands for the sitemaps that it lists, or for itself.
        mappings: Where the files of an index are on disk.
        beside: Whether what an index on disk lists is looked for beside it by its name: "last", if
            nothing maps it; "first", whatever maps it; or None, not at all. Nor is it if `url`
            tells where the index is published, or what it lists is fetched.
        map_option: The option that gives the mappings, for messages.
        home: Where a set that is written anew is: what an index on disk lists is found there, too.
        images: Whether the images in the pages of a folder are listed.
        jobs: How many files on disk are read at once, each by a process of its own.
        fetches: Whether what a source on disk lists may be fetched. What a fetched source lists
            always is: a file leads to no request that nobody asked for.
        pages: How many further pages of a feed are read (RFC 5005).
        max_depth: How deep an index may be in others; search engines follow none in another.
        max_files: How many sitemaps of one source are read.
        fetcher: Fetches what is not on disk; one with the usual settings, if none is given.
        contexts: Makes the context of each source.

    """

    format: str | None = None
    url: str | None = None
    follows: bool = True
    mappings: Sequence[Mapping] = ()
    beside: Literal["first", "last"] | None = "last"
    map_option: str = "--map"
    home: Mapping | None = None
    images: bool = False
    jobs: int = 1
    fetches: bool = False
    pages: int = 0
    max_depth: int = 8
    max_files: int = 50_000
    fetcher: Fetcher | None = None
    contexts: Callable[..., Context] = Context

    def open(
        self,
        sources: Iterable[Source],
        report: Report = ignore,
        on_read: Callable[[int], None] = lambda count: None,
        wanted: Collection[str] | None = None,
        encode: "Encode | None" = None,
    ) -> Generator[Input]:
        """
        Open one source after the other; each is closed when the next is asked for.

        A source that lists others, or goes on elsewhere, is an input for each of them. One that
        cannot be read but is a host or the root of a site, such as `example.com`, stands for the
        sitemaps of that site.

        Args:
            sources: Paths, http(s) URLs, hosts, `-` for standard input, or binary streams.
            report: Is told of problems as they come.
            on_read: Is told how many bytes were read, before they are unpacked; also that none
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
        reads: Callable[..., Document],
        on_read: Callable[[int], None],
        encode: "Encode | None",
    ) -> "AbstractContextManager[Workers | None]":
        if self.jobs == 1 or not hasattr(os, "fork"):  # as on Windows
            return nullcontext()
        from sitemapx.convert.workers import Workers

        return closing(Workers(self.jobs, reads, on_read, encode))

    def _begun(self, source: Source, workers: "Workers | None") -> "Reading | None":
        """Begin to read a source, if it is a file."""
        path = local_path(source)
        if workers is None or path is None or not os.path.isfile(path):
            return None
        return workers.begin(path, format=self.format, source_url=self.url)
