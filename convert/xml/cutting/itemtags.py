"""The tags of the items of a document."""

import re
from collections.abc import Iterable, Iterator

from sitemapx.convert.xml.tags import TAG, matches, visible
from sitemapx.patterns import lazy_pattern

__all__ = ["ItemTags"]

_SLASH, _CLOSE = b"/>"
#: White space and comments.
_BETWEEN = rb"\s*+(?:<!--(?:[^-]++|-(?!-))*+-->\s*+)*+"


class ItemTags:
    """
    Finds the tags of items.

    Attributes:
        item_start: Finds the start of an item; its group is the name.
        item_end: Finds the end tag of an item.
        end_tag: The usual one.

    """

    end_tag: bytes

    def _name_items(self, name: bytes) -> None:
        """Look for items of this name, which is a pattern."""
        start, end = rb"<(" + name + rb")(?=[\s/>])", rb"</" + name + rb"\s*>"
        self.item_start, self.item_end = lazy_pattern(start), lazy_pattern(end)
        self._item_tag = lazy_pattern(start + b"|" + end)
        self._next_item = lazy_pattern(_BETWEEN + start)

    def _tags(
        self, data: bytes, parts: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[re.Match[bytes], int]]:
        """Find the tags of items, and what they add to the depth."""
        for tag in matches(self._item_tag, data, parts):
            if data[tag.start() + 1] == _SLASH:
                yield tag, -1
            elif data[tag.end()] == _CLOSE:
                yield tag, 1
            else:
                whole = TAG.match(data, tag.start())
                yield tag, 0 if whole and whole[3].endswith(b"/") else 1

    def spans(self, data: bytes) -> dict[int, int]:
        """Find where the items begin in this data, and where each of them ends; 0: nowhere."""
        found: dict[int, int] = {}
        begun: list[int] = []
        for tag, change in self._tags(data, visible(data)):
            if change > 0:
                begun.append(tag.start())
                found[tag.start()] = 0
            elif change < 0 and begun:
                found[begun.pop()] = tag.end()
        return found

    def _is_balanced(self, data: bytes) -> bool:
        """Tell whether there are as many end tags of items as start tags, and as what begins so."""
        return data.count(b"<" + self.end_tag[2:-1]) == data.count(self.end_tag)
