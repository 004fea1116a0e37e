"""
The fastest path: blocks of which nobody wants more than the URLs, and all items are usual.

Nothing is decoded but the URLs; of other fields it is enough that they are right.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from sitemapx.convert.formats.sitemap.fast.core import FIELDS
from sitemapx.convert.model.batch import Columns
from sitemapx.convert.values import w3cdate
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.xml.cutting.cutter import Block
from sitemapx.convert.xml.plain import BLANKS, unescaped

__all__ = ["LocReader"]

_SPACE = rf"[{BLANKS}]*+"
#: What fields are like of which nothing is to be reported.
_TEXTS = {
    "lastmod": f"(?a:{w3cdate.W3C})",
    "changefreq": "(?:always|hourly|daily|weekly|monthly|yearly|never)",
    "priority": r"(?:0(?:\.[0-9]++|)|1(?:\.0++|))",
}


class LocReader:
    """Reader of the URLs of usual items."""

    def __init__(self, item: str, prefix: str) -> None:
        """
        Take the names.

        Args:
            item: The local name of the items.
            prefix: That of the sitemap's namespace, with its colon.

        """
        self._item = f"{prefix}{item}"
        self._prefix = prefix
        self._end = f"</{self._item}>".encode()
        self._field = re.compile(rf"<{prefix}({'|'.join(FIELDS)})>".encode())
        self._pattern = lru_cache(maxsize=None)(self._compiled)

    def read(self, block: Block) -> Columns | None:
        """Read a block of whole items; None if not all are usual."""
        data = block.data.lstrip(BLANKS.encode())
        first = self._field.findall(data, 0, max(data.find(self._end), 0))
        order = dict.fromkeys([*map(bytes.decode, first), *FIELDS])
        parts = self._pattern(tuple(order)).split(data)
        step = len(FIELDS) + 1
        if any(parts[::step]):  # nothing may stand between the matches
            return None
        columns = {name: parts[number::step] for number, name in enumerate(order, 1)}
        found = columns.pop("loc")
        together = b"\n".join([*found, b""])
        lines = unescaped(together.decode()) if together.isascii() else None
        locs = UriList.of(lines, len(found)) if lines else None
        return Columns(locs, {}, columns) if locs else None

    def _compiled(self, order: Sequence[str]) -> re.Pattern[bytes]:
        """Compile the pattern of items with fields in this order: the URL, and marks of others."""
        fields = "".join(
            f"<{self._prefix}loc>([^<]++)</{self._prefix}loc>{_SPACE}"
            if name == "loc"
            else f"(?:<{self._prefix}{name}>(){_TEXTS[name]}</{self._prefix}{name}>{_SPACE}|)"
            for name in order
        )
        return re.compile(f"<{self._item}>{_SPACE}{fields}</{self._item}>{_SPACE}".encode())
