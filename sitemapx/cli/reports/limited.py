"""Limits the findings per code in a report."""

from collections import Counter

from msgspec.structs import replace

from sitemapx.check.findings import Finding, message_of_sum
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import ReportWriter


class LimitedReport:
    """Forwards a limited number of findings per code, and a finding that counts the rest."""

    def __init__(self, report: ReportWriter, max_per_code: int | None) -> None:
        self._report = report
        self._max_per_code = max_per_code
        self._shown: Counter[str] = Counter()
        self._hidden: dict[tuple[str, bool], Finding] = {}

    def add_finding(self, finding: Finding) -> None:
        if self._max_per_code is not None and self._shown[finding.code] >= self._max_per_code:
            key = finding.code, finding.fixed
            self._hidden[key] = _merge_hidden(finding, self._hidden.get(key))
        else:
            self._shown[finding.code] += 1
            self._report.add_finding(finding)

    def finish_report(self, checked: CheckResult) -> None:
        for finding in self._hidden.values():
            self._report.add_finding(finding)
        self._report.finish_report(checked)


def _merge_hidden(finding: Finding, others: Finding | None) -> Finding:
    """Add a hidden finding to the finding that counts the hidden findings of its code."""
    count = finding.times + (others.times if others else 0)
    return replace(
        finding,
        message=f"{message_of_sum(count)}; use --max-per-code to show more",
        schema=finding.schema or (others is not None and others.schema),
        count=count,
        fixable=False,
        **dict.fromkeys(("source", "line", "column", "loc")),
    )
