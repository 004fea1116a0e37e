"""Findings as lines of text or JSON, and counts by code."""

import shutil
from collections import Counter
from collections.abc import Iterator
from textwrap import wrap

import msgspec

from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.cli.reports.writer import BufferedReport, ReportOutput, StreamedReport
from sitemapx.cli.terminal.console import printable
from sitemapx.convert.model.problems import Severity

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


class ConciseReport(StreamedReport):
    """One line of text per finding, for people, editors and CI jobs."""

    def add_finding(self, finding: Finding) -> None:
        self._write(f"{' '.join(self._parts(finding))}\n")

    def _parts(self, finding: Finding) -> Iterator[str]:
        style = self._style
        yield f"{_location(finding)}:"
        yield style(finding.severity, fg=_COLOURS[finding.severity], bold=True)
        yield printable(finding.message)
        if finding.loc and finding.loc not in finding.message:
            yield f"({printable(finding.shown_loc)})"
        yield style(f"[{finding.code}]", bold=True)
        if state := describe_state(finding):
            yield style(f"({state})", fg="green")


def _location(finding: Finding) -> str:
    """Return the file, line and column of a finding as far as known, or a placeholder."""
    return printable(finding.where) or ("…" if finding.count else "(all files)")


def describe_state(finding: Finding) -> str:
    return "fixed" if finding.fixed else "fixable" if finding.fixable else ""


#: Columns and lines assumed if the size of the terminal is unknown.
_SIZE = 120, 24
_INDENT = " " * 7


class GroupedReport(BufferedReport):
    """Findings grouped by code, the most severe first, with reasons and fixes."""

    def finish_report(self, checked: CheckResult) -> None:
        rank = {severity: number for number, severity in enumerate(SEVERITIES)}
        for group in sorted(self._groups.values(), key=lambda group: rank[group[0].severity]):
            for line in self._lines(group, checked.codes[group[0].code]):
                self._write(f"{line.rstrip()}\n")
            self._write("\n")

    def _lines(self, group: list[Finding], count: int) -> Iterator[str]:
        first = group[0]
        style = self._style
        severity = style(first.severity, fg=_COLOURS[first.severity], bold=True)
        times = f" ({count:,})" if count > 1 else ""
        yield f"{severity} {style(first.code, bold=True)}: {RULES[first.code].wrong}{times}"
        yield from _wrap_explanation(style("why", dim=True), first.why)
        yield f"{_INDENT}{style(first.rule, dim=True)}"
        yield from _wrap_explanation(style("fix", dim=True), first.fix)
        width = max(len(_location(finding)) for finding in group)
        for finding in group:
            state = describe_state(finding)
            suffix = f" {style(f'({state})', fg='green')}" if state else ""
            yield f"  {_location(finding):{width}}  {printable(finding.message)}{suffix}"
            if finding.loc and finding.loc not in finding.message:
                yield f"    {style(printable(finding.shown_loc), fg='blue')}"


def _wrap_explanation(label: str, text: str) -> Iterator[str]:
    width = max(shutil.get_terminal_size(_SIZE).columns - len(_INDENT), 1)
    first, *rest = wrap(text, width, break_long_words=False, break_on_hyphens=False)
    yield f"  {label}  {first}"
    yield from (f"{_INDENT}{line}" for line in rest)


class JsonReport(StreamedReport):
    """JSON Lines: one object per finding."""

    def add_finding(self, finding: Finding) -> None:
        self._write(f"{msgspec.json.encode(finding).decode()}\n")


class StatisticsReport(StreamedReport):
    """Number of unfixed findings per code, the most frequent first."""

    def __init__(self, output: ReportOutput) -> None:
        super().__init__(output)
        self._counts: Counter[tuple[str, Severity]] = Counter()

    def add_finding(self, finding: Finding) -> None:
        if not finding.fixed:
            self._counts[finding.code, finding.severity] += finding.times

    def finish_report(self, checked: CheckResult) -> None:
        rows = sorted(self._counts.items(), key=lambda row: (-row[1], row[0]))
        width = max((len(f"{count:,}") for _, count in rows), default=0)
        widest = max((len(code) for (code, _), _ in rows), default=0)
        for (code, severity), count in rows:
            name = self._style(f"{severity:7}", fg=_COLOURS[severity], bold=True)
            self._write(f"{count:{width},}  {name}  {code:{widest}}  {RULES[code].wrong}\n")
