"""The result of a check: what was read, and how often each rule was broken."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemapx.check.findings import Finding
from sitemapx.check.statistics import Statistics
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import Severity

if TYPE_CHECKING:
    from sitemapx.check.completeness.pages import BuiltSummary
    from sitemapx.check.live.pages import LiveSummary

__all__ = ["CheckResult"]


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

    def count(self, finding: Finding) -> None:
        """Count a finding."""
        if finding.schema:
            self.refused.add(str(finding.source))
        self.codes[finding.code] += finding.times
        self.severities[finding.severity] += finding.times
        if finding.fixable:
            self.fixable[finding.source or ""] += finding.times
