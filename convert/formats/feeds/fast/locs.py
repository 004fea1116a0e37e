"""
The fastest path of feeds: blocks of which nobody wants more than the URLs, and all items are usual.

Of all else it is enough that it is right, and that it says something: so it is counted.
"""

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from sitemapx.convert.formats.feeds.fast.usualmedia import UsualMedia
from sitemapx.convert.formats.regular.columns import raw_loc_column
from sitemapx.convert.formats.regular.items import once
from sitemapx.convert.formats.regular.usual import SPACE
from sitemapx.convert.model.batch import Columns
from sitemapx.convert.xml.cutting.block import Block
from sitemapx.convert.xml.plain import decoded

__all__ = ["UsualItems"]


class UsualItems:
    """
    Reader of the URLs of usual items.

    Each item has one URL, which a group named `loc` has, in quotation marks or not.
    """

    def __init__(
        self, item: str, always: Collection[str] = (), media: UsualMedia | None = None
    ) -> None:
        """
        Begin without elements in the items of this name.

        Args:
            always: The fields that all items have, whatever their elements.
            media: Takes Media RSS out of blocks before, if it may be there.

        """
        self._item = item
        self._always = always
        self._media = media
        self._elements: list[str] = []
        self._fields: list[str] = []

    @property
    def next_group(self) -> int:
        """The number of the first group of the element that is added next."""
        return len(self._fields) + 1

    def add(
        self,
        name: str,
        field: str,
        rest: str,
        *more: str,
        is_only: bool = False,
        beside: Sequence[int] = (),
    ) -> None:
        """
        Add an element.

        Args:
            field: That which is there if the element is; the empty string for none.
            rest: What follows the name in a pattern.
            more: The fields of its groups, if it has any.
            is_only: Whether an item may have the element once.
            beside: The groups of other elements, beside which it may not be.

        """
        numbers = [*beside, self.next_group] if is_only else beside
        # A pattern that begins with letters is passed over fast.
        self._elements.append(f"{name}{''.join(map(once, numbers))}(){rest}")
        self._fields += [field, *more]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        inside = f"<(?:{'|'.join(self._elements)})"
        for mark, fields in self._media.marks.items() if self._media else ():
            is_only = self._media is not None and mark == self._media.only
            inside += f"|{mark}{once(self.next_group) if is_only else ''}{'()' * len(fields)}"
            self._fields += fields
        return re.compile(rf"<{self._item}>{SPACE}(?:(?:{inside}){SPACE})*</{self._item}>{SPACE}")

    def read(self, block: Block) -> Columns | None:
        """Read a block of whole items; None if not all are usual."""
        text = self._text(block.data)
        parts = self._pattern.split(text) if text else [""]
        step = len(self._fields) + 1
        if len(parts) == 1 or any(parts[::step]):  # nothing may stand between the matches
            return None
        columns: dict[str, Sequence[str | None]] = {}
        for number, field in enumerate(self._fields, 1):
            column = parts[number::step]
            columns[field] = _either(columns[field], column) if field in columns else column
        links = _bare(columns.pop("loc"))
        locs = raw_loc_column(links) if links else None
        if locs is None or locs.odd:
            return None
        columns.pop("", None)
        if self._media and not self._media.settle(columns):
            return None
        updated = columns.get("lastmod", columns["published"])
        columns["lastmod"] = _either(updated, columns["published"])
        columns |= dict.fromkeys(self._always, links)
        return Columns(locs.values, {}, columns)

    def _text(self, data: bytes) -> str | None:
        """Decode a block, and put marks in the places of media."""
        text = decoded(data)
        return self._media.marked(text) if self._media and text and "<media:" in text else text


def _bare(links: Sequence[str | None]) -> Sequence[str]:
    """Take quotation marks away; none of the links if one is missing."""
    found = [link[1:-1] if link[0] in "\"'" else link for link in links if link]
    return found if len(found) == len(links) else []


def _either(column: Sequence[str | None], other: Sequence[str | None]) -> Sequence[str | None]:
    return [another if one is None else one for one, another in zip(column, other, strict=True)]
