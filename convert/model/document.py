"""
The stream between readers and writers.

Entries travel in batches: a reader yields the entries of some hundred kilobytes at a time, and
a writer encodes them at once. That costs one step of every generator in between a batch, not an
entry, and no more memory than a batch. Whoever wants single entries iterates the `Document`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import Self

from msgspec import Struct

from sitemapx.convert.model.batch import FIELDS, Batch, batched
from sitemapx.convert.model.entry import Entry

__all__ = ["Document", "Head"]


class Head(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """
    The metadata of a feed; sitemaps and lists have none.

    Attributes:
        title: Title. RSS `title`; Atom `title`.
        link: URL of the site. RSS `link`; Atom `link rel="alternate"`.
        description: Description. RSS `description`; Atom `subtitle`.
        language: Language code (BCP 47). RSS `language`; Atom `xml:lang`.
        id: IRI that identifies the feed. Atom `id`.
        authors: Names. Atom `author/name`; RSS `managingEditor`, `dc:creator`, `itunes:author`.
        self_link: URL of the feed. `atom:link rel="self"`.
        hubs: URLs of WebSub hubs. `atom:link rel="hub"`.
        next_link: URL of the next page of a paged feed. `atom:link rel="next"` or
            `rel="prev-archive"` (RFC 5005).
        updated: Date of the last change, as W3C Datetime. RSS `lastBuildDate`; Atom `updated`.

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
    One source, opened: its head, and its entries as they are read.

    Iterating reads, once; at the end the source is closed. Who may stop before that closes the
    document, or uses it in a `with` statement.

    Attributes:
        head: What the source says of itself.
        is_index: Whether the entries are the sitemaps of an index and not pages.
        family: "sitemap" or "feed", whose foreign elements (`extras`) fit into no other; empty
            for a format that holds those of any.
        holds: The fields that its entries may have.
        batches: The entries, in batches.

    """

    def __init__(
        self,
        batches: Iterable[Batch],
        *,
        head: Head | None = None,
        is_index: bool = False,
        family: str = "",
        holds: Collection[str] = FIELDS,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        self.batches = self._closing(batches)
        self.head = head or Head()
        self.is_index = is_index
        self.family = family
        self.holds = holds
        self.close = close

    def _closing(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        yield from batches
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Document":
        """
        Make a document of entries from anywhere.

        >>> [entry.loc for entry in Document.of([Entry(loc="https://example.com/")])]
        ['https://example.com/']
        """
        return cls(batched(entries))

    def __iter__(self) -> Iterator[Entry]:
        return chain.from_iterable(batch.entries for batch in self.batches)
