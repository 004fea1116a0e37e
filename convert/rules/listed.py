"""All URLs that were read in a run, in one spelling: what several checks ask for."""

from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple, Self

from sitemapx.convert import urls
from sitemapx.convert.document import Batch
from sitemapx.convert.spilling import Seen

__all__ = ["Listed", "Versions"]

#: The rest goes to disk; so many take 75 MB.
_IN_MEMORY = 500_000


class Versions(NamedTuple):
    """
    The versions of some pages.

    Attributes:
        pages: For each page the languages and the addresses; the addresses as they are written.
        is_normal: Whether all addresses are in the spelling of `urls.normal`.

    """

    pages: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]
    is_normal: bool

    @classmethod
    def of(cls, batch: Batch) -> Self:
        """List those of a batch."""
        if "alternates" not in batch.census():
            return cls((), is_normal=True)
        links = [
            [(link.hreflang, link.href) for link in alternates if link.hreflang and link.href]
            for alternates in batch.column("alternates")
        ]
        pages = [
            (tuple(name for name, _ in some), tuple(href for _, href in some)) for some in links
        ]
        return cls(pages, urls.are_normal([href for _, hrefs in pages for href in hrefs]))


class Listed:
    """
    Remembers URLs, of each a few bytes.

    Attributes:
        locs: The URLs of the batch that is looked at, in the spelling of `urls.normal`.
        before: For each of them the number of the entry that had it first; None for itself.
        versions: For each of them, its versions in other languages.

    """

    def __init__(self, *, remembers: bool = True) -> None:
        """
        Begin.

        Args:
            remembers: Whether anybody asks for more than the versions of a batch.

        """
        self._remembers = remembers
        self._seen = Seen(_IN_MEMORY)
        self._files: list[str] = []
        self._starts: list[int] = []
        self._count = self._start = 0
        self._prefix = ""
        self.locs: Sequence[str] = ()
        self.before: list[int | None] = []
        self.versions: Versions = Versions((), is_normal=True)

    def begin(self, source: str, kind: str) -> None:
        """Begin with a file; pages are its kind of entries if that is the empty string."""
        self._files.append(source)
        self._starts.append(self._count)
        self._prefix = kind

    def add(self, batch: Batch) -> None:
        """
        Take the next entries.

        Raises:
            OutputError: If there is no room on disk.

        """
        self.versions = Versions.of(batch)
        if not self._remembers:
            return
        locs = batch.locs()
        self._start = self._count
        self._count += len(locs)
        self.locs = locs if urls.are_normal(locs) else [loc and urls.normal(loc) for loc in locs]
        first, prefix = self._seen.first, self._prefix
        self.before = [
            first(prefix + loc, number) if loc else None
            for number, loc in enumerate(self.locs, self._start)
        ]
        if self.locs is not locs:
            for at, (loc, normal) in enumerate(zip(locs, self.locs, strict=True)):
                if loc != normal and self.before[at] is None:
                    first(f"odd {normal}", 0)

    def has(self, loc: str) -> bool:
        """Tell whether a page was listed by now; `loc` is in the spelling of `urls.normal`."""
        return self._seen.get(loc) is not None

    def has_before(self, loc: str, at: int) -> bool:
        """Tell whether a URL was listed before this one of the batch."""
        number = self._seen.get(self._prefix + loc)
        return number is not None and number < self._start + at

    def is_odd(self, loc: str) -> bool:
        """Tell whether a URL was written in another spelling when it came first."""
        return self._seen.get(f"odd {loc}") is not None

    def number(self, at: int) -> int:
        """Give the number of an entry of the batch."""
        return self._start + at

    def file_of(self, number: int) -> str:
        """Name the file of an entry."""
        return self._files[bisect(self._starts, number) - 1]

    def close(self) -> None:
        """Give the memory back."""
        self._seen.close()
