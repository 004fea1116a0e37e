"""All URLs that were read in a run, in one spelling: what several checks ask for."""

from collections.abc import Mapping, Sequence
from itertools import compress, islice, starmap
from operator import contains, ne
from typing import NamedTuple, Self

from sitemapx.convert.disk.spill import Notes
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import uris

__all__ = ["BatchUrls", "UrlIndex", "Versions"]

#: So many odd spellings are remembered, to be named.
_MOST_ODD = 10_000


class Versions(NamedTuple):
    """
    The versions of some pages; none at all if no page has any.

    Attributes:
        languages: For each page, those of its versions.
        hrefs: For each page, their addresses, as they are written.
        is_normal: Whether all addresses are in the spelling of `uris.normal`.
        has_selves: Whether each page is among its own versions.

    """

    languages: Sequence[tuple[str, ...]] = ()
    hrefs: Sequence[tuple[str, ...]] = ()
    is_normal: bool = True
    has_selves: bool = True

    @classmethod
    def of(cls, batch: Batch) -> Self:
        """List those of a batch."""
        if "alternates" not in batch.field_counts():
            return cls()
        column = batch.column("alternates")
        languages = [link.hreflang for links in column for link in links]
        hrefs = [link.href for links in column for link in links]
        if not (all(languages) and all(hrefs)):
            column = [[link for link in links if link.hreflang and link.href] for links in column]
            languages = [link.hreflang for links in column for link in links]
            hrefs = [link.href for links in column for link in links]
        counts = list(map(len, column))
        pages = _in_pages(hrefs, counts)
        pairs = zip(pages, batch.locs(), strict=True)
        has_selves = 0 not in counts and all(starmap(contains, pairs))
        return cls(_in_pages(languages, counts), pages, uris.are_normal(hrefs), has_selves)


def _in_pages(values: Sequence[str], counts: Sequence[int]) -> Sequence[tuple[str, ...]]:
    """Put values into tuples of so many."""
    rest = iter(values)
    if len(set(counts)) == 1 and counts[0]:
        return list(zip(*[rest] * counts[0], strict=True))
    return [tuple(islice(rest, count)) for count in counts]


class BatchUrls(NamedTuple):
    """
    The URLs of a batch, as they are compared with others.

    Attributes:
        odd: The spelling of `uris.normal` of those that are written otherwise, by their indexes;
            None if that is not known yet.
        hashes: Hashes of that spelling of all.

    """

    odd: Mapping[int, str] | None = None
    hashes: Sequence[int] = ()


class UrlIndex:
    """
    Remembers URLs, of each a few bytes.

    Attributes:
        before: Which of them came before, in this batch or another: the number of the file that
            had it first.
        versions: For each of them, its versions in other languages; only until a batch is added.
        files: The files, in order.

    """

    def __init__(self, *, remembers: bool = True) -> None:
        """
        Begin.

        Args:
            remembers: Whether anybody asks for more than the versions of a batch, and `odd`.

        """
        self._remembers = remembers
        self._notes = Notes()
        self._kind = ""
        self._first_spellings: dict[str, str] = {}
        self._batch_urls = BatchUrls()
        self._earlier: dict[int, int] = {}
        self.files: list[str] = []
        self._written: Sequence[str] = ()
        self._locs: Sequence[str] | None = ()
        self._lines = ""
        self._starts: dict[str, bool] = {}
        self._odd: Mapping[int, str] | None = {}
        self.before: dict[int, int] = {}
        self.versions = Versions()

    def begin(self, source: str, kind: str) -> None:
        """Begin with a file; pages are its kind of entries if that is the empty string."""
        self.files.append(source)
        self._kind = kind

    @property
    def odd(self) -> Mapping[int, str]:
        """The URLs of the batch in the spelling of `uris.normal`, where they are not so written."""
        if self._odd is None:
            normals = uris.normals(self._written, self._lines)
            are_odd = map(ne, self._written, normals) if normals is not self._written else ()
            self._odd = {at: normals[at] for at in compress(range(len(normals)), are_odd)}
        return self._odd

    @property
    def locs(self) -> Sequence[str]:
        """The URLs of the batch that is looked at, in the spelling of `uris.normal`."""
        if self._locs is None:
            self._locs = self._written
            if self.odd:
                self._locs = list(self._written)
                for at, loc in self.odd.items():
                    self._locs[at] = loc
        return self._locs

    @property
    def lines(self) -> str:
        """The same, each with a line feed."""
        return "\n".join([*self.locs, ""]) if self.odd else self._lines

    def begin_with(self, start: str) -> bool:
        """Return whether all URLs of the batch, as they are written, surely begin so."""
        if start not in self._starts:
            count = f"\n{self._lines}".count(f"\n{start}")
            has_line_each = self._lines.count("\n") == len(self._written)
            self._starts[start] = has_line_each and count == len(self._written)
        return self._starts[start]

    def _hash(self, locs: Sequence[str]) -> list[int]:
        return [hash((self._kind, loc)) for loc in locs] if self._kind else list(map(hash, locs))

    def look_at(self, batch: Batch) -> BatchUrls:
        """Look at the next batch by itself: whether its URLs came before is not known yet."""
        self._begin(batch)
        self.versions = Versions.of(batch)
        self._batch_urls = BatchUrls()
        if self._remembers:
            self._batch_urls = BatchUrls(self.odd, self._hash(self.locs))
        return self._batch_urls

    def _begin(self, batch: Batch) -> None:
        self._written, self._locs, self._odd = batch.locs(), None, None
        self._lines = valid.lines if (valid := batch.uris()) else "\n".join([*self._written, ""])
        self._starts = {}

    def add(self, batch: Batch, batch_urls: BatchUrls) -> None:
        """
        Take the next batch, which this process or another has looked at.

        Raises:
            OutputError: If there is no room on disk.

        """
        if batch_urls is not self._batch_urls:
            self._begin(batch)
            self._batch_urls = batch_urls
            self._odd = batch_urls.odd
        if not self._remembers:
            return
        hashes, here = self._batch_urls.hashes, len(self.files) - 1
        earlier = self._earlier = self._notes.of(hashes)
        new = dict.fromkeys(hashes, here)
        for one in earlier:
            del new[one]
        self._notes.add(new)
        self.before = {}
        if len(new) < len(hashes):
            seen = set(earlier)
            for at, (one, loc) in enumerate(zip(hashes, self.locs, strict=True)):
                if loc and one in seen:
                    self.before[at] = earlier.get(one, here)
                seen.add(one)
        for at, normal in self.odd.items():
            if at not in self.before:
                self._add_odd(self._written[at], normal)

    # ---- spellings

    def _add_odd(self, loc: str, normal: str) -> None:
        """Remember in which spelling a URL came first."""
        self._notes.add({hash(("odd", self._kind, normal)): 0})
        self.add_spelling(loc)
        if len(self._first_spellings) < _MOST_ODD:
            self._first_spellings[self._kind + normal] = loc

    def add_spelling(self, loc: str) -> None:
        """Remember that a URL was written so, and it was not the first time that it came."""
        self._notes.add({hash(("spelling", self._kind, loc)): 0})

    def has_spelling(self, loc: str, normal: str) -> bool:
        """Return whether a URL that came before was written so."""
        if loc == normal and not self._notes.of([hash(("odd", self._kind, normal))]):
            return True
        return bool(self._notes.of([hash(("spelling", self._kind, loc))]))

    def first_spelling(self, normal: str) -> str:
        """Return the spelling in which a URL came first, as far as it is known."""
        return self._first_spellings.get(self._kind + normal, normal)

    # ---- other URLs

    def has(self, loc: str) -> bool:
        """Return whether a page was listed by now; `loc` is in the spelling of `uris.normal`."""
        return bool(self._notes.of([hash(loc)]))

    def is_before(self, other: str, at: int) -> bool:
        """Return whether a URL came before this one of the batch."""
        (one,) = self._hash([other])
        if one in self._earlier or not self._notes.of([one]):
            return one in self._earlier
        return one not in self._batch_urls.hashes or self._batch_urls.hashes.index(one) < at

    def listed_before(self, others: Sequence[str]) -> list[int]:
        """
        Return which of these URLs, one for each of the batch, came before that one.

        Args:
            others: In the spelling of `uris.normal`; the empty string for none.

        """
        hashes = self._hash(others)
        if not (known := self._notes.of(hashes)):
            return []
        mine = self._batch_urls.hashes
        places = dict(zip(reversed(mine), reversed(range(len(mine))), strict=True))
        return [
            at
            for at, (one, other) in enumerate(zip(hashes, others, strict=True))
            if other and one in known and (one in self._earlier or places.get(one, -1) < at)
        ]

    def close(self) -> None:
        """Release the memory."""
        self._notes.close()
