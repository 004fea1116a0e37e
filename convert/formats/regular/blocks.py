"""
The reader of regular blocks, most of whose items match the patterns of a grammar.

An item is odd if no pattern understands it, or if the slow path would report something of it: such
items alone are parsed. What comes out is the same as on the slow path, and this package may be
deleted without a change in it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, compress
from typing import Protocol

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.regular.cleaning import GONE, bare, cleaned
from sitemapx.convert.formats.regular.columns import Column
from sitemapx.convert.formats.regular.extensions import Extension, ForeignExtension
from sitemapx.convert.formats.regular.items import Items
from sitemapx.convert.formats.regular.patterns import Taken
from sitemapx.convert.formats.regular.rows import Rows
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.xml.cutting.block import Block
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.convert.xml.plain import BLANKS

__all__ = ["Grammar", "RegularReader"]

#: So many of the odd items are looked at where too many are odd.
_SAMPLE = 20


class Grammar(Protocol):
    """The grammar of the items of a document."""

    @property
    def extensions(self) -> Sequence[Extension]:
        """The elements that are taken out of a block before it is split, in this order."""
        ...

    def is_foreign(self, element: XmlElement) -> bool:
        """Return whether a child of an item has no fields in an entry."""
        ...

    @property
    def is_exact(self) -> bool:
        """Whether items without extensions match only if they are well-formed, without comments."""
        ...

    def split(self, text: str) -> Items:
        """Take a block apart, in which marks stand for the elements of extensions."""
        ...

    def columns(self, items: Items, marks: str) -> dict[str, Column] | None:
        """Make columns of the texts; None if one of the marks is where none may be."""
        ...

    def joined(self, columns: dict[str, Column]) -> dict[str, Column]:
        """Make the columns of entries of all columns, those of extensions among them."""
        ...


class RegularReader:
    """Reader of blocks in which most items are regular."""

    def __init__(
        self,
        markup: BlockParser,
        grammar: Grammar,
        read: Callable[[ParsedItems], Iterator[Entry]],
        context: Context,
        *,
        most_odd: float = 1 / 2,
    ) -> None:
        """
        Take the grammar.

        Args:
            read: Reads the items that are odd.
            most_odd: Where a larger share of them is odd, there is a way that takes less time.

        """
        self._markup = markup
        self._grammar = grammar
        self._read_parsed = read
        self._context = context
        self._most_odd = most_odd
        self._end_tag = markup.end_tag
        start = rf"[{BLANKS}{GONE}]*+<{re.escape(self._end_tag[2:-1])}[\s>/]"
        self._starts_item = re.compile(start).match
        self._foreign = ForeignExtension(self._parsed_item, grammar.is_foreign)
        self._extensions = [self._foreign, *grammar.extensions]
        self._marks = "".join(extension.mark for extension in self._extensions)
        self._is_bare = grammar.is_exact

    def read(self, block: Block) -> Batch | None:
        """
        Read a block of whole items.

        Returns:
            None if it is for the slow path.

        """
        rows = self._rows(block)
        return rows and rows.batch(self._context.wants)

    def _rows(self, block: Block) -> Rows | None:
        text = bare(block.data, self._marks) if self._is_bare else cleaned(block.data)
        if not text:
            return None
        found: list[tuple[Extension, Taken]] = []
        for extension in [self._foreign] if self._is_bare else self._extensions:
            if extension.is_in(text):
                is_wanted = self._is_needed(extension)
                taken = extension.take(text, is_wanted=is_wanted)
                text = taken.text
                found.append((extension, taken))
        items = self._grammar.split(text)
        if self._is_bare and any(map(self._has_extension, filter(None, items.gaps))):
            self._is_bare = False  # for all blocks to come
            return self._rows(block)
        columns = self._grammar.columns(items, "".join(extension.mark for extension, _ in found))
        if columns and (found or any(items.gaps)):
            columns = self._placed(columns, items.gaps, text, found)
        if not columns:
            return None
        columns = self._grammar.joined(columns)
        odd, losses = self._exceptions(columns)
        rows: Rows | None = Rows({name: column.values for name, column in columns.items()})
        if odd and rows:
            rows = self._with_parsed(block, text, rows, odd)
        if rows:
            for what, numbers in losses.items():
                self._context.leave_out(what, times=sum(number not in odd for number in numbers))
        return rows

    def _has_extension(self, text: str) -> bool:
        return any(extension.is_in(text) for extension in self._grammar.extensions)

    def _is_needed(self, extension: Extension) -> bool:
        return extension.is_needed or self._context.wants(extension.field)

    def _placed(
        self,
        columns: Mapping[str, Column],
        gaps: Sequence[str],
        text: str,
        found: Sequence[tuple[Extension, Taken]],
    ) -> dict[str, Column] | None:
        """Say which item each row and each extension belongs to; None if that is in doubt."""
        unknown = self._unknown(gaps)
        if unknown is None:
            return None
        placed = {name: _spread(column, unknown) for name, column in columns.items()}
        placed["loc"] = placed["loc"]._replace(odd={*unknown}.union(placed["loc"].odd))
        pieces = text.split(self._end_tag)[:-1] if found else []
        if found and len(pieces) != len(placed["loc"].values):
            return None
        for extension, taken in found:
            is_wanted = self._is_needed(extension)
            column = extension.column(taken, pieces, is_wanted=is_wanted)
            if column is None or extension.field in placed:  # of another prefix, in its own order
                return None
            placed[extension.field] = column
        return placed

    def _exceptions(
        self, columns: Mapping[str, Column]
    ) -> tuple[set[int], Mapping[str, Sequence[int]]]:
        """List the odd items, and those with losses; the first with each loss tells its line."""
        odd = {row for column in columns.values() for row in column.odd}
        losses: dict[str, list[int]] = {}
        for column in columns.values():
            for what, rows in column.losses.items():
                losses.setdefault(what, []).extend(rows)
        for what, found in losses.items():
            if not self._context.has_left_out(what) and (new := {*found}.difference(odd)):
                odd.add(min(new))
        return odd, losses

    def _with_parsed(self, block: Block, text: str, rows: Rows, odd: set[int]) -> Rows | None:
        """Parse the odd items, and put their entries among the others."""
        count = len(rows.columns["loc"])
        if len(odd) > self._most_odd * count:
            some, _ = self._parsed(block, sorted(odd)[:_SAMPLE], count)
            return self._rows(block) if self._learn(some, text) else None
        parse = self._parsed_and_seen if self._context.observer.needs_elements else self._parsed
        elements, line_offset = parse(block, sorted(odd), count)
        if not elements:
            return None
        entries = {
            number: next(self._read_parsed(ParsedItems([element], line_offset)), None)
            for number, element in elements.items()
        }
        with_extras = (number for number, entry in entries.items() if entry and entry.extras)
        self._learn({number: elements[number] for number in with_extras}, text)
        return rows.with_entries(entries)

    def _learn(self, elements: Mapping[int, XmlElement], text: str) -> bool:
        """Learn the foreign elements of items that were parsed; return whether any is new."""
        some = {n: item for n, item in elements.items() if any(map(self._grammar.is_foreign, item))}
        pieces = text.split(self._end_tag) if some else []
        learned = [self._foreign.learn(item, pieces[n]) for n, item in some.items()]
        return any(learned)

    def _unknown(self, gaps: Sequence[str]) -> Sequence[int] | None:
        """
        Return the numbers of the items that were not understood, among all.

        Args:
            gaps: What stands before each item that was understood, and after the last.

        Returns:
            None if there is anything but whole items between them.

        """
        unknown: list[int] = []
        for number in compress(range(len(gaps)), gaps):
            gap = gaps[number]
            text = cleaned(gap.encode()) if "!" in gap else gap
            if text is None or "<?" in text:
                return None  # there may be anything in an instruction
            *others, rest = text.split(self._end_tag)
            if not all(map(self._starts_item, others)) or rest.strip(BLANKS + GONE):
                return None
            first = number + len(unknown)
            unknown.extend(range(first, first + len(others)))
        return unknown

    def _parsed(
        self, block: Block, numbers: Sequence[int], count: int
    ) -> tuple[dict[int, XmlElement], int]:
        """
        Parse the items of a block with these numbers, which are in order.

        Args:
            count: How many there are in the block.

        Returns:
            The elements, and what to add to the parser's line numbers. None of them if the items
            cannot be told apart.

        """
        end_tag = self._end_tag.encode()
        *pieces, _ = block.data.split(end_tag)
        if len(pieces) != count:
            return {}, 0
        starts = list(accumulate((len(piece) + len(end_tag) for piece in pieces), initial=0))
        parts: list[bytes] = []
        done = 0
        for number in numbers:
            lines = block.data.count(b"\n", starts[done], starts[number])
            parts += b"\n" * lines, pieces[number], end_tag
            done = number + 1
        data = b"".join(parts)
        elements, line_offset = self._markup.lone_items(data, block.line) or ([], 0)
        if len(elements) != len(numbers):
            return {}, 0
        return dict(zip(numbers, elements, strict=True)), line_offset

    def _parsed_and_seen(
        self, block: Block, numbers: Sequence[int], count: int
    ) -> tuple[dict[int, XmlElement], int]:
        """Do so with all items of the block, which an observer sees as the parser made them."""
        elements, line_offset = self._markup.lone_items(block.data, block.line) or ([], 0)
        if len(elements) != count:
            return {}, 0
        self._context.observer.see_tree(elements[0].getroottree().getroot())
        return {number: elements[number] for number in numbers}, line_offset

    def _parsed_item(self, content: str) -> XmlElement | None:
        """Parse an item with this in it."""
        data = f"<{self._end_tag[2:]}{content}{self._end_tag}".encode()
        elements, _ = self._markup.lone_items(data, 1) or ([], 0)
        return elements[0] if elements else None


def _spread(column: Column, unknown: Sequence[int]) -> Column:
    """Leave a place in a column for each of the items with these numbers."""
    if not unknown:
        return column
    values, odd, losses = [*column.values], column.odd, column.losses
    for number in unknown:
        values.insert(number, None)
    if odd or losses:
        left_out = set(unknown)
        places = [number for number in range(len(values)) if number not in left_out]
        odd = [places[row] for row in odd]
        losses = {what: [places[row] for row in rows] for what, rows in losses.items()}
    return Column(values, odd, losses)
