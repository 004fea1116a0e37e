"""The result of a check: sources and entries that were read, counts by rule, and statistics."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemapx.check.findings import Finding
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import Severity

if TYPE_CHECKING:
    from sitemapx.check.live.pages import LiveSummary
    from sitemapx.check.rules.builtsite import BuiltSummary

import re
from collections.abc import Mapping
from typing import NamedTuple

from sitemapx.check.api import Check, CheckContext, Look
from sitemapx.convert.values.urls import without_password

#: Number of names that are counted; the limit is for sites with a directory for each page.
_NAMES = 10_000
_directories = re.compile(r"^https?://[^/\n]+/(?:[^/?#\n]+/)?", re.MULTILINE).findall


class Tally:
    """
    Counts names in limited memory: all of them, or only the most frequent ones.

    Attributes:
        counts: Number of occurrences of each name.
        rest: Number of occurrences of all other names.

    """

    def __init__(self, most: int = _NAMES) -> None:
        self.counts: Counter[str] = Counter()
        self.rest = 0
        self._most = most

    def add_counts(self, names: Mapping[str, int]) -> None:
        """
        Add how often names occurred.

        >>> tally = Tally(1)
        >>> tally.add_counts({"a": 3, "b": 2, "c": 1})
        >>> tally.counts, tally.rest
        (Counter({'a': 3}), 3)

        """
        self.counts.update(names)
        if len(self.counts) > 2 * self._most:
            total = self.counts.total()
            self.counts = Counter(dict(self.counts.most_common(self._most)))
            self.rest += total - self.counts.total()


class FileSize(NamedTuple):
    """The number of entries and of decompressed bytes of a file."""

    source: str
    entries: int
    size: int


class Statistics(Check):
    """
    Statistics of the pages in all files; the entries of an index are not counted.

    Attributes:
        directories: Number of pages in each top-level directory of each site.
        months: Number of pages by the month of their last change, or the year if that is all.
        undated: Number of pages without a date.
        files: The files that list pages.

    """

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self.directories, self.months = Tally(), Tally()
        self.undated = 0
        self.files: list[FileSize] = []

    def look(self, view: BatchView) -> Look:
        batch = view.batch
        if view.file.is_index:
            return Look()
        directories = Counter(_directories(without_password("\n".join(view.urls.normals))))
        months = Counter(date[:7] for date in batch.column("lastmod") if date)
        return Look(partial=(directories, months, len(batch) - months.total()))

    def merge(
        self,
        partial: tuple[Counter[str], Counter[str], int] | None,
        batch: IndexedBatch,
        file: File,
    ) -> None:
        if partial:
            directories, months, undated = partial
            self.directories.add_counts(directories)
            self.months.add_counts(months)
            self.undated += undated

    def end_file(self, file: File, extent: FileExtent) -> None:
        if not file.is_index:
            self.files.append(FileSize(file.source or "", extent.entries, extent.size))


@dataclass
class CheckResult:
    """
    Result of a check.

    Attributes:
        engine: Search engine whose documented rules were applied, a key of `PROFILES`; None for
            those of the protocol.
        names: Names of the sources.
        unread: Names of those sources that could not be read, so that they were not checked.
        files: Number of files read, including indexes.
        entries: Number of entries in these files.
        codes: Number of findings, by code.
        severities: Number of findings, by severity ("error", "warning", "note").
        fixable: Number of findings that `fix_file` can fix, by the name of the file.
        refused: Names of the files that fail schema validation, by the findings that are counted.
        damaged: Names of the files that `fix_file` cannot change until they are repaired by hand.
        sources: Format and public URL (None if unknown) of each file that has findings, by the name
            of the file.
        findings: The findings themselves, if `check` was called without `report`.
        survey: Statistics of the files; None if not requested.
        live: Summary of the check of published pages; None if not requested.
        root: Summary of the comparison with the built site; None if not requested.

    """

    engine: str | None = None
    names: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    files: int = 0
    entries: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    severities: Counter[Severity] = field(default_factory=Counter)
    fixable: Counter[str] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    damaged: set[str] = field(default_factory=set)
    sources: dict[str, tuple[Format, str | None]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    survey: Statistics | None = None
    live: "LiveSummary | None" = None
    root: "BuiltSummary | None" = None

    def count_finding(self, finding: Finding) -> None:
        if finding.schema:
            self.refused.add(str(finding.source))
        self.codes[finding.code] += finding.times
        self.severities[finding.severity] += finding.times
        if finding.fixable:
            self.fixable[finding.source or ""] += finding.times
