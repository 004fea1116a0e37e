"""Rows: the items of a block as columns, before those that make no entry are left out."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

from sitemapx.convert.model.batch import EMPTY, FIELDS, Columns
from sitemapx.convert.model.entry import Entry

__all__ = ["Rows"]


class Rows(NamedTuple):
    """
    The items of a block.

    Attributes:
        columns: The values of each field that is in use, one for each item.
        are_kept: Whether each item makes an entry; None if all do.

    """

    columns: Mapping[str, Sequence[Any]]
    are_kept: Sequence[bool] | None = None

    def with_entries(self, entries: Mapping[int, Entry | None]) -> "Rows":
        """Put entries into the rows with these numbers; where there is none, none is kept."""
        count = len(self.columns["loc"])
        columns: dict[str, Sequence[Any]] = {}
        for name in FIELDS:
            empty = EMPTY[name]
            usual = self.columns.get(name)
            if usual is None and all(getattr(e, name, empty) == empty for e in entries.values()):
                continue
            column = [*(usual or [empty] * count)]
            for number, entry in entries.items():
                column[number] = getattr(entry, name, empty)
            columns[name] = column
        if None not in entries.values():
            return Rows(columns)
        return Rows(columns, [entries.get(number, True) is not None for number in range(count)])

    def batch(self, wants: Callable[[str], bool]) -> Columns:
        """Make a batch of the rows; of fields that are not wanted it only counts the values."""
        columns = {name: self._kept(column) for name, column in self.columns.items()}
        locs = columns.pop("loc")
        unread = {
            name: column
            if EMPTY[name] is None
            else [None if value == () else value for value in column]
            for name, column in columns.items()
            if not wants(name)
        }
        return Columns(locs, {name: columns[name] for name in columns if wants(name)}, unread)

    def _kept(self, column: Sequence[Any]) -> Sequence[Any]:
        return column if self.are_kept is None else list(compress(column, self.are_kept))
