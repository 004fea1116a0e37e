"""Index of all URLs read in a run, by their hashes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sitemapx.check.view import BatchUrls
from sitemapx.convert.disk.spill import HashNotes

#: Maximum number of non-normalized URLs that are kept as text, for messages.
_MOST_SPELLINGS = 10_000


class UrlIndex:
    """
    Index of the URLs read so far; in all methods, `kind` is `File.kind`.

    Args:
        is_needed: Whether any check needs the index; if not, no batches are added.

    Attributes:
        files: Names of the files, in order.

    """

    def __init__(self, *, is_needed: bool = True) -> None:
        self.files: list[str] = []
        self._is_needed = is_needed
        self._notes = HashNotes()
        self._first_spellings: dict[str, str] = {}

    def add_file(self, name: str) -> None:
        """Start a file: batches that are added later belong to it."""
        self.files.append(name)

    def add_batch(self, urls: BatchUrls) -> "IndexedBatch":
        """
        Add the URLs of the next batch.

        Raises:
            OutputError: If there is no space on disk.

        """
        if not self._is_needed:
            return IndexedBatch(self, urls, {}, {})
        hashes, here = urls.hashes, len(self.files) - 1
        earlier = self._notes.find(hashes)
        new = dict.fromkeys(hashes, here)
        for hashed in earlier:
            del new[hashed]
        self._notes.add_notes(new)
        before: dict[int, int] = {}
        if len(new) < len(hashes):
            seen = set(earlier)
            for at, (hashed, loc) in enumerate(zip(hashes, urls.normals, strict=True)):
                if loc and hashed in seen:
                    before[at] = earlier.get(hashed, here)
                seen.add(hashed)
        for at, normal in urls.unnormalized.items():
            if at not in before:
                self._add_first_spelling(urls.kind, urls.locs[at], normal)
        return IndexedBatch(self, urls, before, earlier)

    def has_page(self, loc: str) -> bool:
        """Return whether a page was listed, except in feeds; `loc` is as from `uris.normalize`."""
        return bool(self._notes.find([hash(loc)]))

    def find(self, hashes: Sequence[int]) -> Mapping[int, int]:
        """Map each hash of a listed URL to the number of its first file; omits other hashes."""
        return self._notes.find(hashes)

    # ---- URLs as written

    def _add_first_spelling(self, kind: str, loc: str, normal: str) -> None:
        self._notes.add_notes({hash(("unnormalized", kind, normal)): 0})
        self.add_spelling(kind, loc)
        if len(self._first_spellings) < _MOST_SPELLINGS:
            self._first_spellings[kind + normal] = loc

    def add_spelling(self, kind: str, loc: str) -> None:
        """Record another written form of a URL that was listed before."""
        self._notes.add_notes({hash(("spelling", kind, loc)): 0})

    def has_spelling(self, kind: str, loc: str, normal: str) -> bool:
        """Return whether a URL that was listed before was written in exactly this form."""
        if loc == normal and not self._notes.find([hash(("unnormalized", kind, normal))]):
            return True
        return bool(self._notes.find([hash(("spelling", kind, loc))]))

    def first_spelling(self, kind: str, normal: str) -> str:
        """Return the written form in which a URL was first listed; if unknown, `normal`."""
        return self._first_spellings.get(kind + normal, normal)

    def close(self) -> None:
        self._notes.close()


class IndexedBatch(NamedTuple):
    """
    A batch whose URLs have been added to the index.

    Attributes:
        before: Maps the index of each URL that was listed before, in this batch or another, to the
            number of the file that listed it first.
        earlier: Maps the hash of each URL that was listed in an earlier batch to the number of that
            file.

    """

    url_index: UrlIndex
    urls: BatchUrls
    before: Mapping[int, int]
    earlier: Mapping[int, int]

    def is_before(self, other: str, at: int) -> bool:
        """Return whether the normalized URL `other` was listed before the entry with index `at`."""
        (hashed,) = self.urls.hashes_of([other])
        if hashed in self.earlier or not self.url_index.find([hashed]):
            return hashed in self.earlier
        hashes = self.urls.hashes
        return hashed not in hashes or hashes.index(hashed) < at

    def listed_before(self, others: Sequence[str]) -> list[int]:
        """
        Return the indexes of the entries whose URL in `others` was listed before them.

        Args:
            others: A normalized URL for each URL of the batch; an empty string for none.

        """
        hashes = self.urls.hashes_of(others)
        if not (known := self.url_index.find(hashes)):
            return []
        own = self.urls.hashes
        places = dict(zip(reversed(own), reversed(range(len(own))), strict=True))
        return [
            at
            for at, (hashed, other) in enumerate(zip(hashes, others, strict=True))
            if other and hashed in known and (hashed in self.earlier or places.get(hashed, -1) < at)
        ]
