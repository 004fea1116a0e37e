"""
Findings for people: grouped by code, the worst first, with how to fix them.

Only explanations are wrapped. A finding is one line, and so is its URL, so that both can be copied.
"""

import shutil
from collections.abc import Iterator
from textwrap import wrap

from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.cli.reports.concise import COLOURS, place_of, state_of
from sitemapx.cli.reports.writer import Grouped
from sitemapx.cli.terminal.colour import styler
from sitemapx.cli.terminal.console import printable

__all__ = ["GroupedReport"]

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
        severity = style(first.severity, fg=COLOURS[first.severity], bold=True)
        times = f" ({count:,})" if count > 1 else ""
        yield f"{severity} {style(first.code, bold=True)}: {RULES[first.code].wrong}{times}"
        yield from _explained(style("why", dim=True), first.why)
        yield f"{_INDENT}{style(first.rule, dim=True)}"
        yield from _explained(style("fix", dim=True), first.fix)
        width = max(len(place_of(one)) for one in group)
        for one in group:
            state = f" {style(f'({state_of(one)})', fg='green')}" if state_of(one) else ""
            yield f"  {place_of(one):{width}}  {printable(one.message)}{state}"
            if one.loc and one.loc not in one.message:
                yield f"    {style(printable(one.shown_loc), fg='blue')}"


def _explained(label: str, text: str) -> Iterator[str]:
    """Wrap an explanation between words."""
    width = max(shutil.get_terminal_size(_SIZE).columns - len(_INDENT), 1)
    first, *rest = wrap(text, width, break_long_words=False, break_on_hyphens=False)
    yield f"  {label}  {first}"
    yield from (f"{_INDENT}{line}" for line in rest)
