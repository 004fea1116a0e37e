"""The findings of one part of a file, until they are told in the order of the file."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from sitemapx.check.findings import Finding
from sitemapx.convert.model.problems import reported_loc

__all__ = ["PartFindings"]

#: So many findings of a code are told of a part one by one; the others are only counted.
_MOST_ALIKE = 5000
#: So many findings wait for the batch that they belong to.
_MOST_KEPT = 5000


class Overflow(NamedTuple):
    """How many findings of a code were only counted, and whether the schema refuses one of them."""

    code: str
    number: int
    is_refused: bool


class PartFindings:
    """
    Takes the findings of a part one by one, and counts those that are too many.

    Attributes:
        kept: Those that were not told yet.

    """

    def __init__(self, report: Callable[[Finding], None]) -> None:
        self._report = report
        self.kept: list[Finding] = []
        self._admitted: Counter[str] = Counter()
        self._more: Counter[str] = Counter()
        self._refused: set[str] = set()
        self._counted: set[tuple[str, str | None]] = set()

    @property
    def is_full(self) -> bool:
        """Whether so many are kept that they should be told at once."""
        return len(self.kept) > _MOST_KEPT

    def admit(self, code: str, loc: str | None, *, is_refused: bool, count: int = 1) -> bool:
        """Count findings of this code and entry, and tell whether they are to be kept, too."""
        if self._admitted[code] < _MOST_ALIKE:
            self._admitted[code] += 1
            return True
        self._more[code] += count
        self._counted.add((code, reported_loc(loc)))
        if is_refused:
            self._refused.add(code)
        return False

    def index(self) -> dict[tuple[str, str | None], list[int]]:
        """Return the indexes in `kept` for each code and entry; none if it was only counted."""
        found: dict[tuple[str, str | None], list[int]] = {key: [] for key in self._counted}
        for at, one in enumerate(self.kept):
            found.setdefault((one.code, one.loc), []).append(at)
        return found

    def refuse(self, code: str, at: int | None) -> None:
        """Note that the schema refuses what was found with this code, at a place of `index`."""
        if at is None:
            self._refused.add(code)
        else:
            self.kept[at] = replace(self.kept[at], schema=True)

    def end_part(self) -> Iterator[Overflow]:
        """Return what was only counted, and count anew."""
        self._admitted.clear()
        more, self._more = self._more, Counter()
        refused, self._refused = self._refused, set()
        self._counted.clear()
        for code, count in more.items():
            yield Overflow(code, count, code in refused)

    def flush(self) -> None:
        """Report what is kept."""
        kept, self.kept = self.kept, []
        for one in sorted(kept, key=lambda one: (one.line or 0, one.column or 0)):
            self._report(one)
