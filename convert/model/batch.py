"""Batches of entries, and the fields that they have."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress, islice, repeat
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values.urllist import UriList


class Encoded(NamedTuple):
    """
    A batch of entries as bytes.

    Attributes:
        data: The bytes of all entries, concatenated.
        held: Number of entries in `data`; an entry that the format does not support is not counted.
        chunks: Function that returns the bytes of each entry, in order; empty bytes for an entry
            that the format does not support.

    """

    data: bytes
    held: int
    chunks: Callable[[], Sequence[bytes]]

    @classmethod
    def from_chunks(cls, chunks: Sequence[bytes]) -> "Encoded":
        """
        Create an instance from the bytes of each entry.

        Examples:
            >>> Encoded.from_chunks([b"a", b"", b"b"])[:2]
            (b'ab', 2)

        """
        return cls(b"".join(chunks), len(chunks) - chunks.count(b""), lambda: chunks)

    @classmethod
    def of_lines(cls, data: bytes, count: int) -> "Encoded":
        r"""
        Create an instance from `count` lines, one for each entry.

        Examples:
            >>> Encoded.of_lines(b"a\nb\n", 2).chunks()
            [b'a\n', b'b\n']

        """
        return cls(data, count, lambda: data.splitlines(keepends=True))


#: The names of an entry's fields, in order.
FIELDS: tuple[str, ...] = Entry.__struct_fields__
#: The fields that a source itself contains.
STATED_FIELDS = tuple(name for name in FIELDS if name != "source")

_columns = attrgetter(*FIELDS)
#: The value of each field without a value: None or an empty tuple.
EMPTY = {name: getattr(Entry(), name) for name in FIELDS}
_BATCH = 4096


class Encoder(Protocol):
    """Interface of the method of a `Writer` that `Batch.encoded` calls."""

    def encode(self, batch: "Batch") -> Encoded: ...


class Batch:
    """
    A sequence of entries that are processed together.

    Args:
        entries: The entries, in order.
        field_counts: Result of the method of the same name; None to compute it on first use.

    """

    def __init__(
        self, entries: Sequence[Entry], field_counts: Mapping[str, int] | None = None
    ) -> None:
        self._entries = entries
        self._field_counts = field_counts

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The entries, in order."""
        return self._entries

    def __len__(self) -> int:
        return len(self.entries)

    def field_counts(self) -> Mapping[str, int]:
        """Return the number of entries that have a value, by field; unused fields are omitted."""
        if self._field_counts is None:
            columns = zip(*map(_columns, self.entries), strict=True)
            counted = {
                name: len(column) - column.count(empty)
                for (name, empty), column in zip(EMPTY.items(), columns, strict=False)
            }
            self._field_counts = {name: count for name, count in counted.items() if count}
        return self._field_counts

    def encoded(self, writer: Encoder) -> Encoded:
        """Encode the entries with a writer."""
        return writer.encode(self)

    def locs(self) -> Sequence[str]:
        """Return the URLs, one for each entry; an empty string for an entry without a URL."""
        return [entry.loc or "" for entry in self.entries]

    def uris(self) -> UriList | None:
        """Return the URLs if all of them are certainly valid URIs, else None."""
        return UriList.of_list(self.locs())

    def column(self, name: str) -> Sequence[Any]:
        """Return the values of the field `name` of `Entry`, one for each entry."""
        return [getattr(entry, name) for entry in self.entries]

    def select(self, selectors: Iterable[object]) -> "Batch":
        """Return a batch of the entries whose selector is true, with one selector per entry."""
        selectors = list(selectors)
        return self if all(selectors) else self._select(selectors)

    def _select(self, selectors: Sequence[object]) -> "Batch":
        return Batch(list(compress(self.entries, selectors)))

    def with_column(self, name: str, values: Iterable[Any]) -> "Batch":
        """Return a batch in which the field `name` has new values, one for each entry."""
        pairs = zip(self.entries, values, strict=True)
        return Batch([replace(entry, **{name: value}) for entry, value in pairs])

    def without(self, names: Collection[str]) -> "Batch":
        """Return a batch without the values of the fields that `names` contains."""
        if self.field_counts().keys().isdisjoint(names):
            return self
        empty = {name: EMPTY[name] for name in names}
        return Batch([replace(entry, **empty) for entry in self.entries])


class Columns(Batch):
    """
    A batch of entries as columns; `Entry` objects are created on first use.

    Args:
        locs: The URL of each entry; None for an entry without one.
        columns: Name of a field -> its values, one for each entry.
        others: For each entry, names of fields that have a value which was not read; they count in
            `field_counts`. None if all values were read.

    """

    def __init__(
        self,
        locs: Sequence[Any],
        columns: Mapping[str, Sequence[Any]],
        others: Sequence[frozenset[str]] | None = None,
    ) -> None:
        self._locs = locs
        self._more = columns
        self._others = others
        counts = Counter(
            {
                name: len(locs) - column.count(EMPTY[name])
                for name, column in {"loc": locs, **columns}.items()
            }
        )
        for names, count in Counter(others).items():
            counts.update(dict.fromkeys(names, count))
        super().__init__((), {name: count for name, count in counts.items() if count})

    def __len__(self) -> int:
        return len(self._locs)

    @cached_property
    def entries(self) -> Sequence[Entry]:
        columns = {"loc": self._locs, **self._more}
        in_order = [columns.get(name) or repeat(empty) for name, empty in EMPTY.items()]
        return list(map(Entry, *in_order))

    def locs(self) -> Sequence[str]:
        if None in self._locs:  # feed items may have no URL
            return [loc or "" for loc in self._locs]
        return self._locs

    def column(self, name: str) -> Sequence[Any]:
        if name == "loc":
            return self._locs
        return self._more.get(name) or [EMPTY[name]] * len(self._locs)

    def _select(self, selectors: Sequence[object]) -> Batch:
        more = {name: list(compress(column, selectors)) for name, column in self._more.items()}
        others = self._others and list(compress(self._others, selectors))
        return Columns(list(compress(self._locs, selectors)), more, others)

    def with_column(self, name: str, values: Iterable[Any]) -> Batch:
        columns = {**self._more, name: list(values)}
        return Columns(columns.pop("loc", self._locs), columns, self._others_without({name}))

    def without(self, names: Collection[str]) -> Batch:
        more = {name: column for name, column in self._more.items() if name not in names}
        return Columns(self._locs, more, self._others_without(names))

    def _others_without(self, names: Collection[str]) -> Sequence[frozenset[str]] | None:
        return self._others and [others.difference(names) for others in self._others]


def batched(entries: Iterable[Entry]) -> Iterator[Batch]:
    """Group entries into batches of 4,096."""
    source = iter(entries)
    while some := list(islice(source, _BATCH)):
        yield Batch(some)
