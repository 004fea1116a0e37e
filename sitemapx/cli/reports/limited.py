"""So many findings of each code as a reader wants to see; the number of the others, too."""

from collections import Counter

from msgspec.structs import replace

from sitemapx.check.findings import Finding, message_of_sum
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import ReportWriter


class Limited:
    """Passes on so many findings of each code, and sums up the others at the end."""

    def __init__(self, reporter: ReportWriter, most: int | None) -> None:
        self._reporter, self._most = reporter, most
        self._shown: Counter[str] = Counter()
        self._hidden: dict[tuple[str, bool], Finding] = {}

    def add(self, finding: Finding) -> None:
        """Take a finding."""
        if self._most is not None and self._shown[finding.code] >= self._most:
            key = finding.code, finding.fixed
            self._hidden[key] = _summed_up(finding, self._hidden.get(key))
        else:
            self._shown[finding.code] += 1
            self._reporter.add(finding)

    def end(self, checked: CheckResult) -> None:
        """End the report."""
        for finding in self._hidden.values():
            self._reporter.add(finding)
        self._reporter.end(checked)


def _summed_up(finding: Finding, others: Finding | None) -> Finding:
    """Make one finding of this one and the others of its code, which has their number only."""
    count = finding.times + (others.times if others else 0)
    return replace(
        finding,
        message=f"{message_of_sum(count)}; use --max-per-code to show more",
        schema=finding.schema or (others is not None and others.schema),
        count=count,
        fixable=False,
        **dict.fromkeys(("source", "line", "column", "loc")),
    )
