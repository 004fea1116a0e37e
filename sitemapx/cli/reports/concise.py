"""Findings as lines of text, which people read and editors and CI jobs parse."""

from collections.abc import Iterator

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.cli.terminal.colour import styler
from sitemapx.cli.terminal.console import printable

__all__ = ["COLOURS", "ConciseReport", "place_of", "state_of"]

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


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
        yield f"{place_of(finding)}:"
        yield style(finding.severity, fg=COLOURS[finding.severity], bold=True)
        yield printable(finding.message)
        if finding.loc and finding.loc not in finding.message:
            yield f"({printable(finding.shown_loc)})"
        yield style(f"[{finding.code}]", bold=True)
        if state := state_of(finding):
            yield style(f"({state})", fg="green")

    def end(self, checked: CheckResult) -> None:
        """Write nothing more."""


def place_of(finding: Finding) -> str:
    """Return the file, line and column of a finding, as far as they are known."""
    return printable(finding.where) or ("…" if finding.count else "(all files)")


def state_of(finding: Finding) -> str:
    """Return what became of a finding, or can become of it."""
    return "fixed" if finding.fixed else "fixable" if finding.fixable else ""
