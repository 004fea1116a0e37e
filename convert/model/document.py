"""
The stream of entries between readers and writers.

Entries are processed in batches, so that the overhead of each generator is per batch rather than
per entry. Iterating over a `Document` yields single entries.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from itertools import chain
from typing import Self

from msgspec import Struct

from sitemapx.convert.model.batch import FIELDS, Batch, batched
from sitemapx.convert.model.coercion import to_entry
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import log
from sitemapx.convert.model.reporter import Reporter
from sitemapx.errors import UsageError


class Head(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    Metadata of a feed; sitemaps and URL lists have none.

    Attributes:
        title: Title of the feed. RSS, Atom and JSON Feed `title`.
        link: URL of the website. RSS `link`; Atom `link rel="alternate"`; JSON Feed
            `home_page_url`.
        description: Description. RSS and JSON Feed `description`; Atom `subtitle`.
        language: Language code (BCP 47). RSS and JSON Feed `language`; Atom `xml:lang`.
        id: IRI that identifies the feed. Atom `id`.
        authors: Names of the authors. RSS `managingEditor`, `dc:creator`, `itunes:author`; Atom
            `author/name`; JSON Feed `authors`.
        self_link: URL of the feed itself. `atom:link rel="self"`; JSON Feed `feed_url`.
        hubs: URLs of WebSub hubs. `atom:link rel="hub"`; JSON Feed `hubs`.
        next_link: URL of the next page of a paged feed (RFC 5005). `atom:link rel="next"` or
            `rel="prev-archive"`; JSON Feed `next_url`.
        updated: Date of the last change (W3C Datetime). RSS `lastBuildDate`, else `atom:updated`,
            `pubDate` or `dc:date`; Atom `updated`.

    """

    title: str | None = None
    link: str | None = None
    description: str | None = None
    language: str | None = None
    id: str | None = None
    authors: tuple[str, ...] = ()
    self_link: str | None = None
    hubs: tuple[str, ...] = ()
    next_link: str | None = None
    updated: str | None = None


class Document:
    """
    An open source: its head, and its entries as a stream.

    Iterate over a document to get its `Entry` objects. This works once; the source is closed when
    it has been read to its end. To stop earlier, use the document in a `with` statement or call
    `close`.

    A document is also a stream of Arrow data with a column for each field, which libraries for data
    frames read directly: `polars.DataFrame(document)`. This requires the extra `sitemapx[arrow]`.

    Attributes:
        head: Metadata of the source.
        is_index: Whether the entries are the listed sitemaps of a sitemap index, or the feeds of
            an OPML file, rather than pages.
        family: "sitemap" or "feed" if the format belongs to one of these, else empty. Foreign XML
            elements (`Entry.extras`) cannot be converted from one family to the other.
        holds: Names of the fields that the entries may have.
        format: Name of the format; empty if the document was not read from a file.
        source: Name of the source; None if unknown.
        batches: Iterator over the entries in batches; an alternative to iterating over the
            document.
        close: Function that closes the source.

    """

    def __init__(
        self,
        batches: Iterable[Batch],
        *,
        head: Head | None = None,
        is_index: bool = False,
        family: str = "",
        holds: Collection[str] = FIELDS,
        format: str = "",
        source: str | None = None,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        self.batches = self._closing(batches)
        self.head = head or Head()
        self.is_index = is_index
        self.family = family
        self.holds = holds
        self.format = format
        self.source = source
        self.close = close
        self._is_streamed = False

    def _closing(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        yield from batches
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if isinstance(self.batches, Generator):
            self.batches.close()  # reports the problems counted so far
        self.close()

    @classmethod
    def from_entries(cls, entries: Iterable[object], base_url: str | None = None) -> "Document":
        """
        Create a document from an iterable of entries, or of other rows that `sitemapx.write` takes.

        Relative URLs are resolved against `base_url`. Iterating over the document raises
        UsageError for a row that cannot be converted.

        Examples:
            >>> [entry.loc for entry in Document.from_entries([Entry(loc="https://example.com/")])]
            ['https://example.com/']

        """
        return cls(batched(to_entry(row, base_url) for row in entries))

    def __arrow_c_schema__(self) -> object:
        from sitemapx.convert.model import tabular

        return tabular.schema().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """
        Return the entries as a PyCapsule that contains an Arrow stream.

        Raises:
            InputError: If the document cannot be read; an error after the first batch is raised by
                the library that reads the stream.
            UsageError: If pyarrow is not installed, or the document was iterated over before.

        """
        from sitemapx.convert.arrow.batches import SourcedBatches
        from sitemapx.convert.model import tabular

        if self._is_streamed:
            raise UsageError("document can be read only once: open it again, or use `table`")
        self._is_streamed = True
        reporter = Reporter(log, source=self.source)
        parts = [SourcedBatches(self.batches, self.source)]
        reader = tabular.record_reader(parts, tabular.COLUMNS, reporter)
        return reader.__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[Entry]:
        self._is_streamed = True
        return chain.from_iterable(batch.entries for batch in self.batches)
