"""The result of a check: sources and entries that were read, counts by rule, and statistics."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemapx.check.api import BatchResult, Check, CheckContext
from sitemapx.check.findings import Finding
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import Severity
from sitemapx.convert.statistics import BatchCounts, ContentStatistics, FileSize, count_batch

if TYPE_CHECKING:
    from sitemapx.check.live.pages import LiveSummary
    from sitemapx.check.rules.builtsite import BuiltSummary


class StatisticsCheck(Check):
    """Collects statistics of the pages in all files; the entries of an index are not counted."""

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self.statistics = ContentStatistics()

    def check_batch(self, view: BatchView) -> BatchResult:
        if view.file.is_index:
            return BatchResult()
        return BatchResult(partial=count_batch(view.batch, view.urls.normals))

    def merge(self, partial: BatchCounts | None, batch: IndexedBatch, file: File) -> None:
        if partial:
            self.statistics.add_counts(partial)

    def end_file(self, file: File, extent: FileExtent) -> None:
        if not file.is_index:
            size = FileSize(file.source or "", extent.entries, extent.size)
            self.statistics.files.append(size)


@dataclass
class CheckResult:
    """
    Result of a check.

    Attributes:
        engine: Search engine whose documented rules were applied, a key of `PROFILES`; None for the
            rules of the protocol.
        names: Names of the sources.
        unread: Names of the sources that are `unreadable`, and so not or not completely checked.
        files: Number of files opened, including indexes.
        entries: Number of entries, without those of indexes whose sitemaps are read.
        codes: Number of findings, by code.
        severities: Number of findings, by severity ("error", "warning", "note").
        fixable: Number of findings that `fix_file` can fix, by the name of the file.
        schema_invalid: Names of the files that fail schema validation, according to these findings.
        damaged: Names of the files that have to be repaired by hand before `fix_file` can fix them.
        sources: Format and public URL (None if unknown) of each file that has findings, by the name
            of the file.
        disabled: Codes of the rules that comments disable, by the name of the file.
        suppressed: Number of findings that these comments suppress.
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
    schema_invalid: set[str] = field(default_factory=set)
    damaged: set[str] = field(default_factory=set)
    sources: dict[str, tuple[Format, str | None]] = field(default_factory=dict)
    disabled: dict[str, Collection[str]] = field(default_factory=dict)
    suppressed: int = 0
    findings: list[Finding] = field(default_factory=list)
    survey: ContentStatistics | None = None
    live: "LiveSummary | None" = None
    root: "BuiltSummary | None" = None

    def count_finding(self, finding: Finding) -> None:
        if finding.schema:
            self.schema_invalid.add(str(finding.source))
        self.codes[finding.code] += finding.times
        self.severities[finding.severity] += finding.times
        if finding.fixable:
            self.fixable[finding.source or ""] += finding.times
