"""Findings as lines of text, which people read and editors and CI jobs parse."""

import shutil
from collections import Counter
from collections.abc import Iterator
from textwrap import wrap

import msgspec

from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.cli.reports.writer import Grouped, ReportOutput
from sitemapx.cli.terminal.colour import styler
from sitemapx.cli.terminal.console import printable
from sitemapx.convert.model.problems import Severity

# ---- findings as lines of text, which people read and editors and CI jobs parse

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


class ConciseReport:
    """Writes each finding as it comes."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write
        self._style = styler(has_colour=output.has_colour)

    def add(self, finding: Finding) -> None:
        """Write a line."""
        self._write(f"{' '.join(self._parts(finding))}\n")

    def _parts(self, finding: Finding) -> Iterator[str]:
        style = self._style
        yield f"{_place_of(finding)}:"
        yield style(finding.severity, fg=_COLOURS[finding.severity], bold=True)
        yield printable(finding.message)
        if finding.loc and finding.loc not in finding.message:
            yield f"({printable(finding.shown_loc)})"
        yield style(f"[{finding.code}]", bold=True)
        if state := state_of(finding):
            yield style(f"({state})", fg="green")

    def end(self, checked: CheckResult) -> None:
        """Write nothing more."""


def _place_of(finding: Finding) -> str:
    """Return the file, line and column of a finding, as far as they are known."""
    return printable(finding.where) or ("…" if finding.count else "(all files)")


def state_of(finding: Finding) -> str:
    """Return what became of a finding, or can become of it."""
    return "fixed" if finding.fixed else "fixable" if finding.fixable else ""


# ---- findings for people: grouped by code, the worst first, with how to fix them

#: Where nobody says how wide a line may be.
_SIZE = 120, 24
_INDENT = " " * 7


class GroupedReport(Grouped):
    """Groups of lines, written when all is known."""

    def end(self, checked: CheckResult) -> None:
        """Write all groups."""
        rank = {severity: number for number, severity in enumerate(SEVERITIES)}
        for group in sorted(self._groups.values(), key=lambda group: rank[group[0].severity]):
            for line in self._lines(group, checked.codes[group[0].code]):
                self._write(f"{line.rstrip()}\n")
            self._write("\n")

    def _lines(self, group: list[Finding], count: int) -> Iterator[str]:
        """Write a group: what is wrong, why, how to fix it, and where it is."""
        first = group[0]
        style = styler(has_colour=self._output.has_colour)
        severity = style(first.severity, fg=_COLOURS[first.severity], bold=True)
        times = f" ({count:,})" if count > 1 else ""
        yield f"{severity} {style(first.code, bold=True)}: {RULES[first.code].wrong}{times}"
        yield from _explained(style("why", dim=True), first.why)
        yield f"{_INDENT}{style(first.rule, dim=True)}"
        yield from _explained(style("fix", dim=True), first.fix)
        width = max(len(_place_of(one)) for one in group)
        for one in group:
            state = f" {style(f'({state_of(one)})', fg='green')}" if state_of(one) else ""
            yield f"  {_place_of(one):{width}}  {printable(one.message)}{state}"
            if one.loc and one.loc not in one.message:
                yield f"    {style(printable(one.shown_loc), fg='blue')}"


def _explained(label: str, text: str) -> Iterator[str]:
    """Wrap an explanation between words."""
    width = max(shutil.get_terminal_size(_SIZE).columns - len(_INDENT), 1)
    first, *rest = wrap(text, width, break_long_words=False, break_on_hyphens=False)
    yield f"  {label}  {first}"
    yield from (f"{_INDENT}{line}" for line in rest)


# ---- findings as JSON, a line each


class JsonReport:
    """Writes each finding as it comes."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write

    def add(self, finding: Finding) -> None:
        """Write a line."""
        self._write(f"{msgspec.json.encode(finding).decode()}\n")

    def end(self, checked: CheckResult) -> None:
        """Write nothing more."""


# ---- how often each code was found: a line each, the most frequent first


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
            name = self._style(f"{severity:7}", fg=_COLOURS[severity], bold=True)
            self._write(f"{count:{width},}  {name}  {code:{widest}}  {RULES[code].wrong}\n")
