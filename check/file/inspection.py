"""The result of looking at a batch by itself."""

from collections.abc import Sequence
from typing import NamedTuple

from sitemapx.check.file.checkedfile import CheckedFile
from sitemapx.check.positions import Position
from sitemapx.check.urlindex import BatchUrls

__all__ = ["BatchInspection", "InspectedEntries"]


class EntryFinding(NamedTuple):
    """A finding in an entry."""

    position: Position
    code: str
    message: str
    loc: str | None


class BatchInspection(NamedTuple):
    """
    What is known of a batch by itself.

    Attributes:
        urls: Its URLs.
        findings: Findings in its entries.
        results: What each check returned.
        is_valid: Whether the official schema need not judge it.

    """

    urls: BatchUrls
    findings: list[EntryFinding]
    results: list[object]
    is_valid: bool


class InspectedEntries:
    """
    The entries of a batch while the checks look at it by itself.

    Attributes:
        findings: What they found in them.

    """

    def __init__(self, file: CheckedFile, locs: Sequence[str]) -> None:
        self.findings: list[EntryFinding] = []
        self._file = file
        self._locs = locs

    def report(self, code: str, message: str, *, at: int, text: str = "") -> None:
        """Take a finding."""
        position = self._file.position_of(at, text)
        self.findings.append(EntryFinding(position, code, message, self._locs[at] or None))

    def positions_of(self, numbers: Sequence[int]) -> list[Position]:
        """Find where these entries begin, in order."""
        return self._file.positions_of(numbers)
