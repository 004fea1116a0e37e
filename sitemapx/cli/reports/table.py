"""Findings for people: grouped by code, the worst first, with what there is to do about each."""

import os
import sys
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import Grouped
from sitemapx.cli.terminal.console import printable

__all__ = ["TableReport"]

_COLOURS = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
#: Where nobody says how wide a line may be.
_WIDTH = 120


class TableReport(Grouped):
    """Groups of lines, written when all is known."""

    def end(self, checked: CheckResult) -> None:
        """Write all groups."""
        from sitemapx.check.rules.registry import RULES

        is_terminal = sys.stdout.isatty()
        width = None if is_terminal or "COLUMNS" in os.environ else _WIDTH
        page = StringIO()
        console = Console(file=page, width=width, force_terminal=is_terminal, highlight=False)
        rank = {severity: number for number, severity in enumerate(SEVERITIES)}
        for group in sorted(self._groups.values(), key=lambda group: rank[group[0].severity]):
            code = group[0].code
            console.print(_group(group, RULES[code].wrong, checked.codes[code]))
        lines = (line.rstrip() for line in page.getvalue().splitlines())
        self._write("".join(f"{line}\n" for line in lines))


def _group(group: list[Finding], wrong: str, count: int) -> RenderableType:
    first = group[0]
    head = Text.assemble(
        (first.severity, _COLOURS[first.severity]),
        " ",
        (first.code, "bold"),
        f"  {wrong}",
        (f"  {count:,} times" if count > 1 else "", "dim"),
    )
    advice = Table.grid(padding=(0, 2, 0, 0))
    advice.add_row(Text("why", "dim"), Text(first.why))
    advice.add_row("", Text(first.rule, "dim"))
    advice.add_row(Text("fix", "dim"), Text(first.fix))
    places = Table.grid(padding=(0, 2, 0, 0))
    for one in group:
        message = Text(printable(one.message))
        if one.fixed:
            message = Text.assemble(("fixed: ", "bold green"), message)
        if one.loc and one.loc not in one.message:
            message.append(f"\n{printable(one.shown_loc)}", "blue")
        where = printable(one.where) or ("…" if one.count else "(all files)")
        places.add_row(Text(where, overflow="fold"), message)
    return Group(head, Padding(advice, (0, 0, 0, 2)), Padding(places, (0, 0, 0, 2)), "")
