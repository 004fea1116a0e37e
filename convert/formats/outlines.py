"""
Fast reading of items if only the URLs are wanted.

The outline of an item is the sequence of its tags. Most items of a document have one of a few
outlines, so each outline is interpreted once: the position of the URL, and the names of the other
fields, whose values are not read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from sitemapx.convert.model.batch import Batch, Columns
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.parsers import XmlElement

#: Maximum number of outlines to cache.
_MOST = 10_000


#: URL of an entry, and the names of its other fields.
Located = tuple[str, frozenset[str]]
#: Reads an item with a known outline; returns None if the item may have a problem to report.
Outline = Callable[[XmlElement], Located | None]


class OutlineReader:
    """
    Reads the URLs of items, and the names of their other fields.

    Args:
        describe: Takes the tags of an item and its children; returns a function that reads items
            with these tags, or None if `read_fully` must read them.
        read_fully: Takes any item and the offset of its line numbers; reads the item and reports
            its problems. Returns None if the item is skipped.

    """

    def __init__(
        self,
        describe: Callable[[Sequence[str]], Outline | None],
        read_fully: Callable[[XmlElement, int], Located | None],
    ) -> None:
        self._describe = describe
        self._read_fully = read_fully
        self._known: dict[tuple[str, ...], Outline] = {}

    def read(self, items: ParsedItems) -> Iterator[Located]:
        for item in items.elements:
            tags: Any = (item.tag, *[child.tag for child in item])
            outline = self._known.get(tags) or self._interpret(tags)
            located = (outline and outline(item)) or self._read_fully(item, items.line_offset)
            if located:
                yield located

    def _interpret(self, tags: tuple[str, ...]) -> Outline | None:
        outline = self._describe(tags)
        if outline and len(self._known) < _MOST:
            self._known[tags] = outline
        return outline


def make_batch(found: Iterable[Located]) -> Batch | None:
    """Return a batch of URLs with the names of their unread fields; None if `found` is empty."""
    located = list(found)
    if not located:
        return None
    locs, others = zip(*located, strict=True)
    return Columns(locs, {}, others)
