"""
Compare two sources, entry by entry.

Batches of both are interleaved, and equal entries are discarded at once; only differing or
displaced entries are kept, on disk if memory is full. Therefore, sources of any size and order can
be compared; the comparison is fast if the order is similar.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby, repeat, zip_longest
from os import PathLike
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from sitemapx.convert.disk.spill import BYTES_IN_MEMORY, Sorter
from sitemapx.convert.model.batch import FIELDS, Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values.uris import normalize_all
from sitemapx.errors import UsageError


class Side(Protocol):
    """One of the two sources of a comparison: a `Document` or a `SourcePart`."""

    @property
    def family(self) -> str: ...

    @property
    def holds(self) -> Collection[str]: ...

    @property
    def batches(self) -> Iterator[Batch]: ...


class Difference(NamedTuple):
    """
    Difference between an old and a new entry.

    Attributes:
        old: The old entry; None if it was added.
        new: The new entry; None if it was removed.
        fields: Names of the fields that differ; empty unless the entry was changed.

    """

    old: Entry | None
    new: Entry | None
    fields: tuple[str, ...] = ()

    @property
    def change(self) -> Literal["added", "removed", "changed"]:
        """Kind of the difference ("added", "removed" or "changed")."""
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"

    @property
    def entry(self) -> Entry:
        """The new entry, or the old one if it was removed."""
        entry = self.new or self.old
        assert entry is not None
        return entry


#: Memory per waiting entry in bytes, besides its contents.
_ROW = 500
#: Compared values of an entry -> the entry; None if it can be built from these values.
WaitingEntries = dict[tuple[Any, ...], Entry | None]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[bool, Entry]).decode


class Comparison:
    """
    Differences between two sources, sorted by URL.

    Entries are compared if their URLs (or their IDs, if they have no URL) are exactly the same,
    unless `normalize` is set. A URL that is listed twice counts as two entries. The order of the
    entries does not matter. Iterating reads both sources, and is possible only once.

    Args:
        old: The old document or source.
        new: The new document or source.
        fields: Names of the fields to compare.
        normalize: Whether to compare normalized URLs, as `sitemapx.submit` does; differences have
            the URLs as written.
        in_memory: Number of bytes to keep in memory; data beyond that goes to a temporary file.

    Attributes:
        fields: Names of the compared fields: the requested fields that both formats support.
        read: Number of entries read so far from both sources.
        same: Number of pairs of equal entries found so far.
        uncompared: Names of the fields that have values but are not compared.

    Examples:
        >>> from sitemapx.convert import Document, Entry
        >>> old = Document.from_entries([Entry(loc="https://example.com/", lastmod="2024")])
        >>> new = Document.from_entries([Entry(loc="https://example.com/", lastmod="2025")])
        >>> [(one.change, one.fields) for one in Comparison(old, new)]
        [('changed', ('lastmod',))]

    """

    def __init__(
        self,
        old: Side,
        new: Side,
        fields: Collection[str] = FIELDS,
        *,
        normalize: bool = False,
        in_memory: int = BYTES_IN_MEMORY,
    ) -> None:
        for side in (old, new):
            if isinstance(side, str | PathLike):
                raise UsageError(f"{side!r} is not a Document: pass read({str(side)!r})")
        common = set(fields) & set(old.holds) & set(new.holds) - {"loc", "source"}
        if old.family and new.family and old.family != new.family:
            common -= {"extras"}  # not comparable across families
        self.fields = tuple(name for name in FIELDS if name in common)
        self.read = self.same = 0
        self.uncompared: set[str] = set()
        self._old, self._new = old, new
        self._normalizes = normalize
        self._in_memory = in_memory
        self._names = ("loc", *self.fields)

    def __iter__(self) -> Iterator[Difference]:
        """
        Read both sources and yield the differences.

        Raises:
            InputError: If a source cannot be read to its end.
            OutputError: If the disk is full.

        """
        with closing(Sorter(self._in_memory // 2)) as sorter:
            for unmatched in self._find_unmatched():
                keys = self._keys([entry for _, entry in unmatched])
                sorter.add_rows(keys, list(map(_encode, unmatched)))
            for _, rows in groupby(map(_decode, sorter), lambda row: self._keys([row[1]])):
                yield from self._differences(sorted(rows, key=_encode))

    def _find_unmatched(self) -> Iterator[list[tuple[bool, Entry]]]:
        """
        Yield lists of entries without an equal entry on the other side so far, as (is_new, entry).

        Waiting entries are yielded whenever memory is full, and at the end.
        """
        waiting: tuple[WaitingEntries, WaitingEntries] = ({}, {})
        size = 0
        for is_new, batch in _interleave(self._old.batches, self._new.batches):
            locs = self._comparable(batch.column("loc"))
            rows = list(zip(locs, *map(batch.column, self.fields), strict=True))
            more = batch.field_counts().keys() - set(self._names)
            self.uncompared |= more - {"source"}
            has_more = more or self._normalizes  # then rows lack the URL as written
            entries = batch.entries if has_more else repeat(None, len(rows))
            yield self._match(is_new, zip(rows, entries, strict=True), waiting)
            self.read += len(rows)
            size += len(_encode(rows))
            if sum(map(len, waiting)) * (_ROW + 3 * size // self.read) > self._in_memory // 2:
                yield self._flush(waiting)
        yield self._flush(waiting)

    def _match(
        self,
        is_new: bool,
        rows: Iterable[tuple[tuple[Any, ...], Entry | None]],
        waiting: tuple[WaitingEntries, WaitingEntries],
    ) -> list[tuple[bool, Entry]]:
        """
        Remove pairs of equal entries from `waiting`; add entries without an equal one.

        Returns rows that equal a waiting entry of their own side, as (is_new, entry).
        """
        mine, theirs = waiting[is_new], waiting[not is_new]
        repeated: list[tuple[bool, Entry]] = []
        for values, entry in rows:
            if values in theirs:
                del theirs[values]
                self.same += 1
            elif values in mine:
                repeated.append((is_new, self._entry(values, entry)))
            else:
                mine[values] = entry
        return repeated

    def _flush(self, waiting: tuple[WaitingEntries, WaitingEntries]) -> list[tuple[bool, Entry]]:
        """Clear `waiting`, and return its entries as (is_new, entry)."""
        entries = [
            (bool(side), self._entry(values, entry))
            for side, rows in enumerate(waiting)
            for values, entry in rows.items()
        ]
        for rows in waiting:
            rows.clear()
        return entries

    def _entry(self, values: tuple[Any, ...], entry: Entry | None) -> Entry:
        return entry or Entry(**dict(zip(self._names, values, strict=True)))

    def _differences(self, rows: Iterable[tuple[bool, Entry]]) -> Iterator[Difference]:
        """
        Discard equal pairs among the entries of one URL; yield the rest, paired if possible.

        Rows are (is_new, entry), the old entries first.
        """
        values = self._values
        old: dict[Any, list[Entry]] = {}
        added: list[Entry] = []
        for is_new, entry in rows:  # old entries come first
            if not is_new:
                old.setdefault(values(entry), []).append(entry)
            elif alike := old.get(values(entry)):
                alike.pop()
                self.same += 1
            else:
                added.append(entry)
        removed = chain.from_iterable(old.values())
        for before, after in zip_longest(removed, added):
            fields = self._differing(before, after) if before and after else ()
            yield Difference(before, after, fields)

    def _values(self, entry: Entry) -> tuple[Any, ...]:
        return (entry.loc is None, *(getattr(entry, name) for name in self.fields))

    def _comparable(self, locs: Sequence[str | None]) -> Sequence[str | None]:
        if not self._normalizes:
            return locs
        found = normalize_all([loc or "" for loc in locs])
        return [loc and normal for loc, normal in zip(locs, found, strict=True)]

    def _keys(self, entries: Sequence[Entry]) -> list[bytes]:
        """Return the compared form of each URL, or the ID of an entry without a URL, as bytes."""
        locs = self._comparable([entry.loc for entry in entries])
        names = (loc or entry.id or "" for loc, entry in zip(locs, entries, strict=True))
        return [name.encode("utf-8", "surrogatepass") for name in names]

    def _differing(self, old: Entry, new: Entry) -> tuple[str, ...]:
        return tuple(name for name in self.fields if getattr(old, name) != getattr(new, name))


def _interleave(*sides: Iterator[Batch]) -> Iterator[tuple[bool, Batch]]:
    """
    Interleave the batches of two sides, as (is_second_side, batch).

    While both are sorted by URL, the side with the lower last URL advances, so that equal entries
    come close to each other; otherwise, the side from which fewer entries have been read.
    """
    left = dict(enumerate(sides))
    count, last = [0, 0], ["", ""]
    are_sorted = True
    while left:
        side = min(left, key=(last if are_sorted else count).__getitem__)
        batch = next(left[side], None)
        if batch is None:
            del left[side]
            continue
        locs = [last[side], *batch.locs()]
        are_sorted = are_sorted and locs == sorted(locs)
        last[side] = locs[-1]
        count[side] += len(batch)
        yield bool(side), batch
