"""
Positions of entries in a part of a file: a block of XML, or lines of text.

Entries are located by their start tags, or by their URLs if the reader skipped any entry.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import Protocol

from sitemapx.check.findings import Position
from sitemapx.convert.formats.registry import FORMATS
from sitemapx.convert.streams.stream import Lines
from sitemapx.convert.xml.cutter import Block, width
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.convert.xml.tags import TAG, visible

_NAMES = "|".join(sorted({row.item for row in FORMATS if row.item})).encode()
_NAME_END = rb"(?=[\s/>])"
_START_TAG = re.compile(TAG.pattern.replace(b"<(/?)", b"<", 1))
_ITEM = re.compile(rb"<(?:[^\s<>/:!?=\"'&]++:)?+(?i:" + _NAMES + rb")" + _NAME_END)

#: Number of bytes between checkpoints, at which line and column are known.
_STEP = 4096
#: Maximum number of comparisons between lines and URLs, per line and entry, before giving up.
_TRIES = 20


class PositionFinder(Protocol):
    """Finds positions in a part of a file; can be pickled."""

    @property
    def last_line(self) -> int: ...

    def position_of_entry(self, index: int, locs: Sequence[str], text: str = "") -> Position:
        """
        Return the position of a text in an entry, or of the entry if the text is not found.

        `index` is the index of the entry among `locs`, the URLs of its batch.
        """
        ...

    def positions_of_entries(self, numbers: Sequence[int], locs: Sequence[str]) -> list[Position]:
        """Return the positions of entries; their indexes must be in ascending order."""
        ...

    def position_of_element(self, element: XmlElement) -> Position | None:
        """Return the position of an element in the tree of the part; None if it cannot be found."""
        ...

    def position_of_line(self, line: int) -> Position:
        """Return the position of the entry or markup in a line, with the column if it is known."""
        ...


class MarkupPositions:
    """Finds positions in a block of XML."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._data, self._line, self._column = block.data, block.line, block.column
        self._order: dict[XmlElement, int] = {}
        self._found: tuple[Sequence[str], list[int]] = ((), [])
        self._by_line: dict[int, Position] = {}

    def __reduce__(self) -> tuple[type["MarkupPositions"], tuple[Block]]:
        return MarkupPositions, (self._block,)

    @property
    def last_line(self) -> int:
        return self._line + self._data.count(b"\n")

    @cached_property
    def _items(self) -> list[int]:
        return self._starts_of(_ITEM)

    @cached_property
    def _similar_items(self) -> list[int]:
        """Offsets of the items whose tag name is written exactly like the first; a fast search."""
        first = _ITEM.search(self._data)
        return self._starts_of(re.compile(re.escape(first[0]) + _NAME_END)) if first else []

    def _starts_of(self, pattern: re.Pattern[bytes]) -> list[int]:
        find, parts = pattern.finditer, visible(self._data)
        return [m.start() for start, stop in parts for m in find(self._data, start, stop)]

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._data.split(b"\n")

    @cached_property
    def _tags(self) -> list[int]:
        return self._starts_of(_START_TAG)

    @cached_property
    def _checkpoints(self) -> list[tuple[int, int, int]]:
        """Offset, line and column of regular checkpoints, from which counting starts."""
        checkpoints = [(0, self._line, self._column)]
        for at in range(_STEP, len(self._data), _STEP):
            start = at
            while self._data[start] & 0xC0 == 0x80 and start > at - 4:  # inside a character
                start -= 1
            checkpoints.append((start, *self._advance(checkpoints[-1], start)))
        return checkpoints

    def _advance(self, checkpoint: tuple[int, int, int], offset: int) -> tuple[int, int]:
        """Return line and column of `offset`, counting from a checkpoint."""
        before, line, column = checkpoint
        if lines := self._data.count(b"\n", before, offset):
            before, column = self._data.rfind(b"\n", before, offset) + 1, 1
        return line + lines, column + width(self._data[before:offset])

    def _position(self, offset: int) -> Position:
        checkpoint = self._checkpoints[min(offset // _STEP, len(self._checkpoints) - 1)]
        return Position(*self._advance(checkpoint, offset))

    def position_at(self, offset: int) -> Position:
        return self._position(offset)

    def position_of_entry(self, index: int, locs: Sequence[str], text: str = "") -> Position:
        items = self._items_of(locs)
        if items[index] < 0:
            return Position()
        if not text:
            return self._position(items[index])
        later = (items[n] for n in range(index + 1, len(items)) if items[n] >= 0)
        end = next(later, len(self._data))
        at = self._data.find(text.encode(), items[index], end)
        if at < 0:
            at = self._data.find(escape(text, quote=False).encode(), items[index], end)
        return self._position(at if at >= 0 else items[index])

    def positions_of_entries(self, numbers: Sequence[int], locs: Sequence[str]) -> list[Position]:
        items, data = self._items_of(locs), self._data
        before, line, column = 0, self._line, self._column
        found: list[Position] = []
        for offset in map(items.__getitem__, numbers):
            if offset < 0:
                found.append(Position())
                continue
            between = data[before:offset]
            if lines := between.count(b"\n"):
                line, column = line + lines, 1
                between = between[between.rfind(b"\n") + 1 :]
            column += len(between) if between.isascii() else width(between)
            before = offset
            found.append(Position(line, column))
        return found

    def _items_of(self, locs: Sequence[str]) -> list[int]:
        if len(self._similar_items) == len(locs):
            return self._similar_items
        return self._items if len(self._items) == len(locs) else self._match_urls(locs)

    def _match_urls(self, locs: Sequence[str]) -> list[int]:
        """Return the offset of the item with each URL, in order; -1 for a URL that is not found."""
        if self._found[0] is not locs:
            spans = list(zip(self._items, [*self._items[1:], len(self._data)], strict=False))
            starts: list[int] = []
            first = 0
            for loc in locs:
                # The reader also accepts an ampersand that was not escaped.
                texts = {
                    spelling.encode("utf-8", "replace")
                    for spelling in (escape(loc, quote=False), loc)
                }
                rest = range(first, len(spans))
                found = (n for n in rest if any(self._data.find(t, *spans[n]) >= 0 for t in texts))
                at = next(found, None)
                starts.append(-1 if at is None else spans[at][0])
                first = first if at is None else at + 1
            self._found = locs, starts
        return self._found[1]

    def position_of_element(self, element: XmlElement) -> Position | None:
        """Return the position of an element; None if the tags do not match the parsed elements."""
        if element not in self._order:
            root = element.getroottree().getroot()
            self._order = {element: n for n, element in enumerate(root.iter("*"))}
        before = len(self._order) - len(self._tags)  # tags opened before the block
        number = self._order[element] - before
        return self._position(self._tags[number]) if 0 <= before <= 3 and number >= 0 else None

    def position_of_line(self, line: int) -> Position:
        """Return the position after the indentation; no column if the line has several items."""
        if line not in self._by_line:
            self._by_line[line] = self._of_line(line)
        return self._by_line[line]

    def _of_line(self, line: int) -> Position:
        lines, number = self._lines, line - self._line
        if not 0 <= number < len(lines) or len(_ITEM.findall(lines[number])) > 1:
            return Position(line)
        indentation = len(lines[number]) - len(lines[number].lstrip())
        return Position(line, indentation + (1 if number else self._column))


class _LinePositions:
    def __init__(self, lines: Lines) -> None:
        self._lines, self._first = lines
        self._found: tuple[Sequence[str], list[int]] = ((), [])

    def __reduce__(self) -> tuple[type["_LinePositions"], tuple[Lines]]:
        return _LinePositions, (Lines(self._lines, self._first),)

    @property
    def last_line(self) -> int:
        return self._first + len(self._lines) - 1

    def position_of_entry(self, index: int, locs: Sequence[str], text: str = "") -> Position:
        at = index
        if len(self._lines) != len(locs):
            at = self._match_urls(locs)[index]
        if at < 0:
            return Position()
        return Position(self._first + at, max(self._lines[at].find(text), 0) + 1)

    def positions_of_entries(self, numbers: Sequence[int], locs: Sequence[str]) -> list[Position]:
        return [self.position_of_entry(number, locs) for number in numbers]

    def position_of_element(self, element: XmlElement) -> Position | None:
        return None  # lines have no elements

    def _match_urls(self, locs: Sequence[str]) -> list[int]:
        """Return the index of the line with each URL, in order; -1 for a URL that is not found."""
        if self._found[0] is not locs:
            spare = len(self._lines) - len(locs)  # number of lines without an entry
            numbers: list[int] = []
            tries = _TRIES * (len(locs) + len(self._lines))
            first = 0
            for n, loc in enumerate(locs):
                rest = range(max(first, n), min(n + spare + 1, len(self._lines)))
                numbers.append(next((at for at in rest if loc and loc in self._lines[at]), -1))
                tries -= len(rest) if numbers[-1] < 0 else numbers[-1] - rest.start
                if tries < 0:  # the lines do not belong to these entries
                    numbers += [-1] * (len(locs) - len(numbers))
                    break
                first = max(first, numbers[-1] + 1)
            self._found = locs, numbers
        return self._found[1]

    def position_of_line(self, line: int) -> Position:
        return Position(line, 1)


def positions_in(part: Block | Lines) -> PositionFinder:
    """Create the position finder for a part: XML or lines."""
    return MarkupPositions(part) if isinstance(part, Block) else _LinePositions(part)
