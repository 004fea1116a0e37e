"""The locator of what is found in a file."""

from collections.abc import Sequence

from sitemapx.check.positions import MarkupPositions, Position, PositionFinder, positions_in
from sitemapx.convert.streams.stream import Lines
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.namespaces import declaration_of
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["Locator"]


class Locator:
    """
    Locator in the part of a file that is being read: positions are found only when asked for.

    Attributes:
        part: The block or the lines.
        has_tree: Whether a parser has seen it as it is, so that its elements can be found.
        head: What stands before the first item.
        locs: The URLs of the batch that was made of it.

    """

    def __init__(self) -> None:
        self.part: Block | Lines | None = None
        self.has_tree = False
        self.head: Block | None = None
        self.locs: Sequence[str] = ()
        self._found: PositionFinder | None = None

    @property
    def last_line(self) -> int | None:
        """The line in which the part ends."""
        if isinstance(self.part, Block):
            return self.part.line + self.part.data.count(b"\n")
        return self.part.first + len(self.part.lines) - 1 if self.part else None

    def go_on(self, part: Block | Lines) -> None:
        """Come to the next part."""
        self.part, self._found, self.has_tree = part, None, False

    def _finder(self) -> PositionFinder | None:
        if self._found is None and self.part is not None:
            self._found = positions_in(self.part)
        return self._found

    def of_entry(self, at: int, text: str = "") -> Position:
        """Find where an entry of the batch has this text, or else its URL."""
        finder = self._finder()
        return finder.of_entry(at, self.locs, text or self.locs[at]) if finder else Position()

    def of_entries(self, numbers: Sequence[int]) -> list[Position]:
        """Find where these entries of the batch begin, in order."""
        finder = self._finder()
        return finder.of_entries(numbers, self.locs) if finder else [Position() for _ in numbers]

    def of_element(self, element: XmlElement | None) -> Position | None:
        """Find an element of a tree of the part; None if there is none, or no such tree."""
        finder = self._finder()
        if element is None or not isinstance(finder, MarkupPositions):
            return None
        return finder.of_element(element)

    def of_line(self, line: int | None) -> Position:
        """Find where in a line something begins."""
        finder = self._finder()
        return finder.of_line(line) if line and finder else Position(line)

    def of_problem(self, line: int | None, element: XmlElement | None) -> Position:
        """Find a problem in this element, or else in this line."""
        return (self.of_element(element) if self.has_tree else None) or self.of_line(line)

    def of_namespace(self, namespace: str | None) -> Position | None:
        """Find where a namespace is declared, or where one should be, if in the root."""
        if self.head is None:
            return None
        at = declaration_of(namespace, self.head.data)
        return MarkupPositions(self.head).of_offset(at) if at >= 0 else None
