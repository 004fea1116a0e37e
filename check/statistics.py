"""
Statistics of the files that are checked.

It is counted on the way, in memory that does not grow with the number of entries.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from sitemapx.check.api import Check, CheckContext, File
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values.urls import without_password

__all__ = ["FileSize", "Statistics", "Tally"]

#: So many names are surely counted; the limit is for sites with a folder for each page.
_NAMES = 10_000
_directories = re.compile(r"^https?://[^/\n]+/(?:[^/?#\n]+/)?", re.MULTILINE).findall


class Tally:
    """
    Counts names: exactly where they are not too many, and else those that come often.

    Attributes:
        counts: How often each came.
        rest: How often names came that were forgotten.

    """

    def __init__(self, most: int = _NAMES) -> None:
        self.counts: Counter[str] = Counter()
        self.rest = 0
        self._most = most

    def add(self, names: Iterable[str]) -> None:
        """
        Count names.

        >>> tally = Tally(1)
        >>> tally.add("abba" "c" "a")
        >>> tally.counts, tally.rest
        (Counter({'a': 3}), 3)

        """
        self.counts.update(names)
        if len(self.counts) > 2 * self._most:
            total = self.counts.total()
            self.counts = Counter(dict(self.counts.most_common(self._most)))
            self.rest += total - self.counts.total()


class FileSize(NamedTuple):
    """The size of a file: its entries, and its bytes when unpacked."""

    source: str
    entries: int
    size: int


class Statistics(Check):
    """
    Counts the pages; an index has none.

    Attributes:
        directories: How many are in each folder at the top of each site.
        months: How many changed last in each month, or in a year where the month is not said.
        undated: How many do not say when they changed.
        files: The files that list pages.

    """

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self.directories, self.months = Tally(), Tally()
        self.undated = 0
        self.files: list[FileSize] = []

    def batch(self, batch: Batch, file: File) -> None:
        """Count entries."""
        if file.is_index:
            return
        self.directories.add(_directories(without_password("\n".join(self.context.listed.locs))))
        self.months.add(date[:7] for date in batch.column("lastmod") if date)
        self.undated += len(batch) - batch.field_counts().get("lastmod", 0)

    def end(self, file: File) -> None:
        """Note how large the file was."""
        if not file.is_index:
            self.files.append(FileSize(file.source or "", file.entries, file.size))
