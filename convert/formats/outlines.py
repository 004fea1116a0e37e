"""
The reading of items of which nothing is wanted but the URL.

The outline of an item is the sequence of its tags. Most items of a document have one of a few
outlines, so that what an outline means is found out once: where the URL is, and which other fields
the entry has. The values of those are not looked at.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from sitemapx.convert.model.batch import Batch, Columns
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.parsers import XmlElement

#: Maximum number of outlines to cache.
_MOST = 10_000


#: The URL of an entry, and the names of its other fields.
Located = tuple[str, frozenset[str]]
#: Reads an item of some outline; None if there may be something to report in it.
Outline = Callable[[XmlElement], Located | None]


class OutlineReader:
    """
    Reads the URLs of items, and which other fields they have.

    Args:
        describe: Returns what an outline means, which is the tag of the item and those of its
            children; None if such items are to be read carefully.
        careful: Reads an item in which there may be something to report, given what to add to the
            parser's line numbers: its URL, and the names of its other fields; None if it makes no
            entry.

    """

    def __init__(
        self,
        describe: Callable[[Sequence[str]], Outline | None],
        careful: Callable[[XmlElement, int], Located | None],
    ) -> None:
        self._describe = describe
        self._careful = careful
        self._known: dict[tuple[str, ...], Outline] = {}

    def read(self, items: ParsedItems) -> Iterator[Located]:
        """Yield the URL and field names of each item that makes an entry."""
        for item in items.elements:
            tags: Any = (item.tag, *[child.tag for child in item])
            outline = self._known.get(tags) or self._described(tags)
            located = (outline and outline(item)) or self._careful(item, items.line_offset)
            if located:
                yield located

    def _described(self, tags: tuple[str, ...]) -> Outline | None:
        outline = self._describe(tags)
        if outline and len(self._known) < _MOST:
            self._known[tags] = outline
        return outline


def batch_of(found: Iterable[Located]) -> Batch | None:
    """Return a batch of these entries, or None if there are none."""
    located = list(found)
    if not located:
        return None
    locs, others = zip(*located, strict=True)
    return Columns(locs, {}, others)
