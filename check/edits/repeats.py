"""The URLs of a file, where they are repeated, or would be if they were spelt another way."""

from collections.abc import Collection
from typing import Self

from sitemapx.check.edits.fixes import says_no_more
from sitemapx.check.edits.urlsyntax import ESCAPE_CODES
from sitemapx.convert.disk.spill import Seen
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.sources.read import read

__all__ = ["Repeats"]


class Repeats:
    """
    Tells of each item of a file, in order, whether it may go.

    It may if all that it says the first item of its URL says as well, or if it repeats that item
    byte for byte. And no URL may be spelt as another that the file lists: that would be one more
    that is repeated.
    """

    def __init__(self, locs: Collection[str], listed: Seen | None = None) -> None:
        """
        Take the URLs that stand more than once, in the same spelling.

        Args:
            listed: All URLs, with their hashes.

        """
        self._locs = locs
        self._listed = listed
        self._first: dict[str, tuple[Entry, bytes | str]] = {}

    @classmethod
    def of(cls, path: str, url: str | None, codes: Collection[str]) -> Self:
        """Find the URLs of a file, and which of them stand more than once, if that matters."""
        if not (ESCAPE_CODES | {"duplicate-loc"}) & set(codes):
            return cls(())
        listed, found = Seen(), set[str]()
        try:
            for batch in read(path, source_url=url, report=ignore).batches:
                found |= {loc for loc in batch.locs() if listed.first(loc, hash(loc)) is not None}
        except BaseException:
            listed.close()
            raise
        return cls(found - {""} if "duplicate-loc" in codes else (), listed)

    def close(self) -> None:
        """Release the disk space."""
        if self._listed:
            self._listed.close()

    def allows(self, loc: str, spelling: str) -> bool:
        """Return whether a URL may be spelt so, since no other one is."""
        return self._listed is None or self._listed.first(spelling, hash(loc)) in (None, hash(loc))

    @property
    def is_asked(self) -> bool:
        """Whether any item may go."""
        return bool(self._locs)

    def has(self, entry: Entry, raw: bytes | str, *, is_complete: bool = True) -> bool:
        """
        Return whether this, the next item of the file, may go.

        Args:
            raw: The item as it is written.
            is_complete: Whether the entry holds all that the item says.

        """
        loc = entry.loc or ""
        if loc not in self._locs:
            return False
        first, first_raw = self._first.setdefault(loc, (entry, raw))
        is_repeated = raw == first_raw or (is_complete and says_no_more(entry, first))
        return first is not entry and is_repeated
