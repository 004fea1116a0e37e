"""
The stream between readers and writers.

Entries travel in batches: a reader yields the entries of some hundred kilobytes at a time, and
a writer encodes them at once. That costs one step of every generator in between a batch, not an
entry, and no more memory than a batch. Whoever wants single entries iterates the `Document`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, islice, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct
from msgspec.structs import replace

from sitemapx.convert.entry import Entry
from sitemapx.convert.uris import Uris

if TYPE_CHECKING:
    from sitemapx.convert.encoded import Encoded
    from sitemapx.convert.formats import Writer

__all__ = ["EMPTY", "FIELDS", "Batch", "Document", "Head"]

#: The names of an entry's fields, in order.
FIELDS: tuple[str, ...] = Entry.__struct_fields__

_columns = attrgetter(*FIELDS)
#: What each field is when it has no value.
EMPTY = {name: getattr(Entry(), name) for name in FIELDS}
_BATCH = 4096


class Head(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a feed says of itself; sitemaps and lists say nothing."""

    title: str | None = None
    link: str | None = None
    description: str | None = None
    language: str | None = None
    #: Atom `id`.
    id: str | None = None
    #: Names. Atom `author/name`; RSS `managingEditor`, `dc:creator`, `itunes:author`.
    authors: tuple[str, ...] = ()
    #: Where the feed is published: `atom:link rel="self"`.
    self_link: str | None = None
    #: WebSub hubs: `atom:link rel="hub"`.
    hubs: tuple[str, ...] = ()
    #: Where a paged feed goes on: `atom:link` of rel "next" or "prev-archive" (RFC 5005).
    next_link: str | None = None
    #: W3C Datetime. RSS `lastBuildDate`; Atom `updated`.
    updated: str | None = None


class Batch:
    """
    Some entries, in order, and which of their fields are in use.

    Attributes:
        entries: The entries.

    """

    def __init__(self, entries: Sequence[Entry], census: Mapping[str, int] | None = None) -> None:
        self.entries = entries
        self._census = census

    def __len__(self) -> int:
        return len(self.entries)

    def census(self) -> Mapping[str, int]:
        """Count for each field that is in use how many entries have a value there."""
        if self._census is None:
            columns = zip(*map(_columns, self.entries), strict=True)
            counted = {
                name: len(column) - column.count(empty)
                for (name, empty), column in zip(EMPTY.items(), columns, strict=False)
            }
            self._census = {name: count for name, count in counted.items() if count}
        return self._census

    def encoded(self, writer: "Writer") -> "Encoded":
        """Give the bytes that a writer makes of the entries."""
        return writer.encode(self)

    def locs(self) -> Sequence[str]:
        """List the URLs; the empty string for an entry without one."""
        return [entry.loc or "" for entry in self.entries]

    def uris(self) -> Uris | None:
        """Give the URLs if all are URIs that need no change."""
        return Uris.of_list(self.locs())

    def column(self, name: str) -> Sequence[Any]:
        """List the values of a field."""
        return [getattr(entry, name) for entry in self.entries]

    def select(self, chosen: Iterable[object]) -> "Batch":
        """Take the entries for which there is something true."""
        chosen = list(chosen)
        return self if all(chosen) else self._selected(chosen)

    def _selected(self, chosen: Sequence[object]) -> "Batch":
        return Batch(list(compress(self.entries, chosen)))

    def with_column(self, name: str, values: Iterable[Any]) -> "Batch":
        """Put other values into a field."""
        pairs = zip(self.entries, values, strict=True)
        return Batch([replace(entry, **{name: value}) for entry, value in pairs])

    def without(self, names: Collection[str]) -> "Batch":
        """Leave fields out."""
        if self.census().keys().isdisjoint(names):
            return self
        empty = {name: EMPTY[name] for name in names}
        return Batch([replace(entry, **empty) for entry in self.entries])


class Columns(Batch):
    """
    A batch of entries that have only the fields of the sitemap protocol itself.

    The entries are made when somebody wants to see them; who needs but the URLs does not.
    """

    def __init__(
        self,
        locs: Sequence[str],
        columns: Mapping[str, Sequence[Any]],
        unread: Mapping[str, Sequence[object]] | None = None,
    ) -> None:
        """
        Take the URLs, and other columns by the names of their fields.

        Args:
            columns: A value for each entry, None where it has none.
            unread: The same for fields that nobody asked for: they are only counted.

        """
        self._locs = locs
        self._more = columns
        self._unread = unread or {}
        read = {"loc": locs, **columns}
        counts = {name: len(locs) - column.count(EMPTY[name]) for name, column in read.items()}
        for name, unread_column in self._unread.items():
            counts[name] = len(locs) - unread_column.count(None)
        super().__init__((), {name: count for name, count in counts.items() if count})
        del self.entries

    def __len__(self) -> int:
        return len(self._locs)

    def __getattr__(self, name: str) -> Any:
        """Make the entries when they are asked for first."""
        if name != "entries":
            raise AttributeError(name)
        columns = {"loc": self._locs, **self._more}
        in_order = [columns.get(name) or repeat(empty) for name, empty in EMPTY.items()]
        self.entries = list(map(Entry, *in_order))
        return self.entries

    def locs(self) -> Sequence[str]:
        """List the URLs."""
        return self._locs

    def column(self, name: str) -> Sequence[Any]:
        """List the values of a field."""
        if name == "loc":
            return self._locs
        return self._more.get(name) or [EMPTY[name]] * len(self._locs)

    def _selected(self, chosen: Sequence[object]) -> Batch:
        def selected(columns: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
            return {name: list(compress(column, chosen)) for name, column in columns.items()}

        locs = list(compress(self._locs, chosen))
        return Columns(locs, selected(self._more), selected(self._unread))

    def with_column(self, name: str, values: Iterable[Any]) -> Batch:
        """Put other values into a field."""
        columns = {**self._more, name: list(values)}
        unread = {other: column for other, column in self._unread.items() if other != name}
        return Columns(columns.pop("loc", self._locs), columns, unread)

    def without(self, names: Collection[str]) -> Batch:
        """Leave fields out."""
        more, unread = (
            {name: column for name, column in columns.items() if name not in names}
            for columns in (self._more, self._unread)
        )
        return Columns(self._locs, more, unread)


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
    def of(cls, entries: Iterable[Entry], *, head: Head | None = None) -> "Document":
        """
        Make a document of entries from anywhere.

        >>> [entry.loc for entry in Document.of([Entry(loc="https://example.com/")])]
        ['https://example.com/']
        """
        return cls(batched(entries), head=head)

    def __iter__(self) -> Iterator[Entry]:
        return chain.from_iterable(batch.entries for batch in self.batches)


def batched(entries: Iterable[Entry]) -> Iterator[Batch]:
    """Gather single entries into batches."""
    source = iter(entries)
    while some := list(islice(source, _BATCH)):
        yield Batch(some)
