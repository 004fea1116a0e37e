"""
The fastest path: blocks of which nobody wants more than the URLs, and most items are usual.

Of other fields it is enough that they are right. Items that are not usual are read apart.
"""

import re
from collections.abc import Callable, Mapping

from sitemapx.convert.formats.regular.gaps import GapReader
from sitemapx.convert.formats.regular.items import once
from sitemapx.convert.formats.regular.rows import Rows
from sitemapx.convert.formats.regular.usual import SPACE
from sitemapx.convert.formats.sitemap.fast.core import FIELDS
from sitemapx.convert.model.batch import Columns
from sitemapx.convert.values import w3cdate
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.xml.cutting.cutter import Block
from sitemapx.convert.xml.plain import decoded, unescaped

__all__ = ["LocReader"]

#: What fields are like of which nothing is to be reported.
_TEXTS = {
    "lastmod": f"(?a:{w3cdate.W3C})",
    "changefreq": "(?:always|hourly|daily|weekly|monthly|yearly|never)",
    "priority": r"(?:0(?:\.[0-9]++|)|1(?:\.0++|))",
}
#: With more elements than this, an item may have more of a kind than it may.
_MOST = 500


class LocReader:
    """Reader of the URLs of usual items."""

    def __init__(
        self,
        item: str,
        prefix: str,
        extensions: Mapping[str, str],
        read_rest: Callable[[Block, int], Rows | None],
    ) -> None:
        """
        Take the names.

        Args:
            item: The local name of the items.
            prefix: That of the sitemap's namespace, with its colon.
            extensions: The patterns of usual elements of extensions after `<`, by their fields.
            read_rest: Reads the items that are not usual; takes how many there are in all.

        """
        name = f"{prefix}{item}"
        self._names = [*FIELDS, *extensions]
        self._split = re.compile(_item_pattern(name, prefix, extensions)).split
        self._gaps = GapReader(name, read_rest)

    def read(self, block: Block) -> Columns | None:
        """Read a block of whole items; None if most are not usual, or something is in doubt."""
        text = decoded(block.data)
        if not text:
            return None
        parts = self._split(text)
        step = len(self._names) + 1
        columns = {name: parts[number::step] for number, name in enumerate(self._names, 1)}
        found = columns.pop("loc")
        lines = unescaped("\n".join([*found, ""]))
        locs = UriList.of(lines, len(found)) if lines else None
        if locs is None:
            return None
        gaps = parts[::step]
        if any(gaps):
            return self._gaps.filled(block, gaps, locs, columns)
        return Columns(locs, {}, columns)


def _item_pattern(name: str, prefix: str, extensions: Mapping[str, str]) -> str:
    """Match an item with its fields in any order: groups for its URL, and for what else it has."""
    texts = {"loc": "([^<]++)", **{field: f"(){text}" for field, text in _TEXTS.items()}}
    fields = [
        f"{prefix}{field}>{once(number)}{texts[field]}</{prefix}{field}>"
        for number, field in enumerate(FIELDS, 1)
    ]
    several = [f"(){pattern}" for pattern in extensions.values()]
    inside = f"(?:<(?:{'|'.join(fields + several)}){SPACE}){{0,{_MOST}}}+"
    return f"<{name}>{SPACE}{inside}(?(1)|(?!))</{name}>{SPACE}"
