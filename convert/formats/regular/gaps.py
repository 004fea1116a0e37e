"""
The gaps between usual items, in which others are, and their rows among those of the usual ones.

A path that understands only usual items leaves the others to a reader that understands more.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sitemapx.convert.formats.regular.cleaning import GONE, cleaned
from sitemapx.convert.formats.regular.rows import Rows
from sitemapx.convert.model.batch import Columns
from sitemapx.convert.xml.cutting.cutter import Block
from sitemapx.convert.xml.plain import BLANKS

__all__ = ["GapReader"]


class GapReader:
    """Reader of the items in gaps."""

    def __init__(self, item: str, read: Callable[[Block, int], Rows | None]) -> None:
        """
        Take the name of items, with its prefix.

        Args:
            read: Reads a block in which only those items are left; takes how many there were.

        """
        self._starts_item = re.compile(rf"<{re.escape(item)}[\s>/]").match
        self._end_tag = f"</{item}>"
        self._read = read

    def filled(
        self,
        block: Block,
        gaps: Sequence[str],
        locs: Sequence[str],
        columns: Mapping[str, Sequence[object]],
    ) -> Columns | None:
        """
        Read the gaps of a block, and put their rows in place.

        Args:
            gaps: What stands before each usual item, and after the last.
            locs: The URLs of the usual items.
            columns: What else is counted of them, None where there is nothing.

        Returns:
            None if most items are not usual, or it is in doubt what belongs to which.

        """
        counts = {number: self._items_in(gap) for number, gap in enumerate(gaps) if gap}
        places = {number: count for number, count in counts.items() if count is not None}
        number = sum(places.values())
        if len(places) < len(counts) or number > len(locs):
            return None
        data = _without_others(block.data, [gap.encode() for gap in gaps if gap])
        rows = self._read(block._replace(data=data), len(locs) + number)
        if rows is None or len(rows.columns["loc"]) != number:
            return None
        merged = {"loc": _merged([*locs], rows.columns["loc"], places)}
        for name in {**columns, **rows.columns}:
            if name != "loc":
                usual = columns.get(name) or [None] * len(locs)
                merged[name] = _merged(usual, rows.counted(name) or [None] * number, places)
        are_kept = rows.are_kept and _merged([True] * len(locs), rows.are_kept, places)
        return Rows(merged, are_kept).batch("loc".__eq__)

    def _items_in(self, gap: str) -> int | None:
        """Count the items in a gap; None if there is more than whole items and comments."""
        text = cleaned(gap.encode()) if "!" in gap else gap
        if text is None or "<?" in text:  # there may be anything in an instruction
            return None
        text = text.strip(BLANKS + GONE)
        is_whole = not text or (self._starts_item(text) and text.endswith(self._end_tag))
        return text.count(self._end_tag) if is_whole else None


def _without_others(data: bytes, gaps: Sequence[bytes]) -> bytes:
    """Leave only the gaps in a block, in the lines where they are."""
    parts: list[bytes] = []
    end = 0
    for gap in gaps:
        start = data.index(gap, end)
        parts += b"\n" * data.count(b"\n", end, start), gap
        end = start + len(gap)
    return b"".join(parts)


def _merged(
    usual: Sequence[Any], others: Sequence[Any], places: Mapping[int, int]
) -> Sequence[Any]:
    """Put so many of the others before the usual ones with these numbers."""
    merged: list[Any] = []
    begin = taken = 0
    for number, count in places.items():
        merged += usual[begin:number]
        merged += others[taken : taken + count]
        begin, taken = number, taken + count
    return [*merged, *usual[begin:]]
