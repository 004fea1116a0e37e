"""Options of reading sources, and of following those that list others."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from sitemapx.convert.formats.format import Context, ContextFactory
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.sources.source import Source
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.streams.stream import Opened

__all__ = ["ReadOptions", "ReadSource"]


class ReadOptions(NamedTuple):
    """
    Options of reading sources, and of following those that they list.

    Attributes:
        format: The format of the sources, where their contents are not to decide.
        url: Where the source is published: relative URLs resolve against it.
        follows: Whether an index stands for the sitemaps that it lists, or for itself.
        mappings: Where the files of an index are on disk.
        beside: Whether what an index on disk lists is looked for beside it by its name: "last", if
            nothing maps it; "first", whatever maps it; or None, not at all. Nor is it if `url`
            tells where the index is published, or what it lists is fetched.
        map_option: The parameter that gives the mappings, for messages.
        home: Where a set that is written anew is: what an index on disk lists is found there, too.
        images: Whether the images in the pages of a folder are listed.
        jobs: How many processes read: files on disk, each by one, or the blocks of a large source.
            0: as many as pay off.
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
    mappings: Sequence[UrlMap] = ()
    beside: Literal["first", "last"] | None = "last"
    map_option: str = "mappings"
    home: UrlMap | None = None
    images: bool = False
    jobs: int = 1
    fetches: bool = False
    pages: int = 0
    max_depth: int = 8
    max_files: int = 50_000
    fetcher: Fetcher | None = None
    contexts: ContextFactory = Context


class ReadSource(Protocol):
    """Opens a source: `sitemapx.convert.read`, with its other options given."""

    def __call__(
        self,
        source: Source | Opened,
        /,
        *,
        format: str | None = None,
        source_url: str | None = None,
        report: ProblemHandler,
    ) -> Document:
        """Open the source."""
        ...
