"""Where things stand in the part of a file that is being read."""

import re
from collections.abc import Sequence

from lxml import etree

from sitemapx.convert.cutting import Block
from sitemapx.convert.lines import Lines
from sitemapx.convert.places import MarkupPlaces, Place, Places, places_of

__all__ = ["Position"]

#: The namespace that is wrong, in a message.
_QUOTED = re.compile(r"^(?:the namespace is |invalid namespace |<\S+> of the namespace |)'([^']+)'")


class Position:
    """
    What is being read of a file: places are looked for only when they are asked for.

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
        self._found: Places | None = None

    @property
    def last_line(self) -> int | None:
        """The line in which the part ends."""
        if isinstance(self.part, Block):
            return self.part.line + self.part.data.count(b"\n")
        return self.part.first + len(self.part.lines) - 1 if self.part else None

    def go_on(self, part: Block | Lines) -> None:
        """Come to the next part."""
        self.part, self._found, self.has_tree = part, None, False

    def _places(self) -> Places | None:
        if self._found is None and self.part is not None:
            self._found = places_of(self.part)
        return self._found

    def of_entry(self, at: int, text: str = "") -> Place:
        """Find where an entry of the batch has this text, or else its URL."""
        places = self._places()
        return places.of_entry(at, self.locs, text or self.locs[at]) if places else Place()

    def of_entries(self, numbers: Sequence[int]) -> list[Place]:
        """Find where these entries of the batch begin, in order."""
        places = self._places()
        return [places.of_entry(at, self.locs) if places else Place() for at in numbers]

    def of_element(self, element: etree._Element | None) -> Place | None:
        """Find an element of a tree of the part; None if there is none, or no such tree."""
        places = self._places()
        if element is None or not isinstance(places, MarkupPlaces):
            return None
        return places.of_element(element)

    def of_line(self, line: int | None) -> Place:
        """Find where in a line something begins."""
        places = self._places()
        return places.of_line(line) if line and places else Place(line)

    def of_namespace(self, message: str) -> Place | None:
        """Find where the namespace of a message is declared, or should be, if in the root."""
        if self.head is None:
            return None
        named = _QUOTED.search(message)
        at = self.head.data.find(b'"%s"' % named[1].encode()) if named else 0
        return MarkupPlaces(self.head).of_offset(at) if at >= 0 else None
