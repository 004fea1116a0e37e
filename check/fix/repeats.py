"""Items of a file that say nothing but what another item of the same URL says before them."""

from collections.abc import Collection
from typing import Self

from sitemapx.convert.disk.spill import Seen
from sitemapx.convert.model.batch import EMPTY
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.sources.read import read

__all__ = ["Repeats"]


class Repeats:
    """
    Tells of each item of a file, in order, whether it may go.

    It may if all that it says the first item of its URL says as well.
    """

    def __init__(self, locs: Collection[str]) -> None:
        """Take the URLs that stand more than once, in the same spelling."""
        self._locs = locs
        self._first: dict[str, Entry] = {}

    @classmethod
    def of(cls, path: str, url: str | None, codes: Collection[str]) -> Self:
        """Find the URLs that stand more than once in a file, if any are to be left out."""
        if "duplicate-loc" not in codes:
            return cls(())
        seen, found = Seen(), set[str]()
        try:
            for batch in read(path, source_url=url).batches:
                locs = batch.locs()
                found |= {loc for loc, new in zip(locs, seen.add(locs), strict=True) if not new}
        finally:
            seen.close()
        return cls(found - {""})

    @property
    def is_asked(self) -> bool:
        """Whether any item may go."""
        return bool(self._locs)

    def has(self, entry: Entry) -> bool:
        """Return whether this, the next entry of the file, may go."""
        loc = entry.loc or ""
        if loc not in self._locs:
            return False
        first = self._first.setdefault(loc, entry)
        return first is not entry and all(
            getattr(entry, name) in (empty, getattr(first, name)) for name, empty in EMPTY.items()
        )
