"""Options for reading sources and the sitemaps that they list."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitemapx.convert.formats.format import Context, ContextFactory
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.values.words import pluralize

if TYPE_CHECKING:
    from sitemapx.convert.html.page import PagePlace


class ReadOptions(NamedTuple):
    """
    Options for reading sources and the sitemaps that they list.

    Attributes:
        format: Name of the format of the sources; None to detect it.
        url: Public URL of the source; relative URLs are resolved against it. The sitemaps that a
            local index lists in the directory of this URL are read from the directory of the index.
        follows: Whether to read the sitemaps that an index lists, instead of the index itself.
        mappings: Maps URL prefixes of listed sitemaps to directories.
        beside: Whether to look for the listed sitemaps of a local index by name in its directory:
            "last" (if no mapping applies), "first" (before the mappings) or None (never). Names are
            not looked up if `url` or `fetches` is set.
        map_option: Name of the parameter for `mappings`, for messages.
        home: Location of the output if it is a set on disk that will be rewritten; listed sitemaps
            are looked up there as well.
        outputs: Paths of files to be written, which are not suggested for a missing source.
        images: Whether to list the images on the HTML pages of a directory.
        page_fields: Names of the fields that are read from these pages; None for all wanted fields.
        skips_page: Function that returns whether an HTML page of a directory is not read; None to
            read all.
        keep_all: Whether to keep pages in an export that do not belong in a sitemap, such
            as redirects.
        jobs: Number of processes that read local files or the pages of a directory; 0 to choose
            automatically.
        fetches: Whether to fetch the listed sitemaps of a local index that are not found on disk.
            Those of a fetched index are fetched anyway, unless a mapping applies.
        pages: Maximum number of further pages of a feed to read (RFC 5005).
        max_depth: Maximum nesting depth of sitemap indexes; 1 allows no index within an index.
        max_files: Maximum number of listed sitemaps to read per source.
        selects: Function that returns whether a sitemap that an index lists is read, given its
            entry in the index; None to read all.
        with_source: Whether the entries name their source (`Entry.source`).
        fetcher: Fetches URLs; None for a fetcher with default settings.
        contexts: Creates the `Context` of each source.

    """

    format: str | None = None
    url: str | None = None
    follows: bool = True
    mappings: Sequence[UrlMap] = ()
    beside: Literal["first", "last"] | None = "last"
    map_option: str = "mappings"
    home: UrlMap | None = None
    outputs: Collection[str] = ()
    images: bool = False
    keep_all: bool = False
    page_fields: Collection[str] | None = None
    skips_page: "Callable[[PagePlace], bool] | None" = None
    jobs: int = 1
    fetches: bool = False
    pages: int = 0
    max_depth: int = 8
    max_files: int = 50_000
    selects: Callable[[Entry], object] | None = None
    with_source: bool = False
    fetcher: Fetcher | None = None
    contexts: ContextFactory = Context

    def selected(self, rows: Iterable[Entry], context: Context) -> Iterator[Entry]:
        """Yield the entries of an index that `selects` accepts; report the number of the others."""
        number = skipped = 0
        for row in rows:
            number += 1
            if self.selects is None or self.selects(row):
                yield row
            else:
                skipped += 1
        if skipped:
            message = f"{skipped:,} of {pluralize(number, 'listed sitemap')} skipped: not selected"
            context.problem("listed-sitemap-skipped", message)
