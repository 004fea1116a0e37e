"""How often each code was found: a line each, the most frequent first."""

from collections import Counter

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.cli.reports.concise import COLOURS
from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.cli.terminal.colour import styler
from sitemapx.convert.model.problems import Severity

__all__ = ["StatisticsReport"]


class StatisticsReport:
    """Counts findings that were not fixed."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write
        self._style = styler(has_colour=output.has_colour)
        self._counts: Counter[tuple[str, Severity]] = Counter()

    def add(self, finding: Finding) -> None:
        """Count a finding."""
        if not finding.fixed:
            self._counts[finding.code, finding.severity] += finding.times

    def end(self, checked: CheckResult) -> None:
        """Write the counts."""
        rows = sorted(self._counts.items(), key=lambda row: (-row[1], row[0]))
        width = max((len(f"{count:,}") for _, count in rows), default=0)
        widest = max((len(code) for (code, _), _ in rows), default=0)
        for (code, severity), count in rows:
            name = self._style(f"{severity:7}", fg=COLOURS[severity], bold=True)
            self._write(f"{count:{width},}  {name}  {code:{widest}}  {RULES[code].wrong}\n")
