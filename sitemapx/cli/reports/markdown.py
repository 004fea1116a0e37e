"""
Findings as Markdown, such as the job summaries of GitHub Actions show.

https://github.github.com/gfm/ describes its tables. A summary of more than 1 MiB is not shown.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.lines import state_of
from sitemapx.cli.reports.writer import Grouped
from sitemapx.cli.terminal.console import printable
from sitemapx.convert.values.words import pluralize

#: So many rows are still read, and so many bytes shown.
_ROWS = 500
_BYTES = 1_000_000
#: What could begin markup, a link, a mention or a formula, or end a cell.
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~#!$:@]|(?<=www)\.")
_HEAD = "| Path | Line | Level | Message | Code |\n| --- | ---: | --- | --- | --- |\n"


class MarkdownReport(Grouped):
    """A heading with the counts, and a table of the findings, the worst first."""

    def end(self, checked: CheckResult) -> None:
        """Write the heading and the table."""
        findings = list(chain.from_iterable(self._groups.values()))
        findings.sort(key=lambda one: SEVERITIES.index(one.severity))
        self._write(f"## Sitemap check: {_counts(findings)}\n\n")
        files = pluralize(checked.files, "file")
        self._write(f"{files}, {pluralize(checked.entries, 'entry', 'entries')} checked.\n")
        if findings:
            self._write(f"\n{_HEAD}")
        size = 0
        for number, finding in enumerate(findings):
            row = _row(finding)
            size += len(row.encode("utf-8", "replace"))
            if number == _ROWS or size > _BYTES:
                left = sum(one.times for one in findings[number:])
                self._write(f"\n{left:,} more not shown.\n")
                return
            self._write(row)


def _counts(findings: list[Finding]) -> str:
    """Count what was found, and what was fixed."""
    counts = Counter[str]()
    for one in findings:
        counts["fixed" if one.fixed else one.severity] += one.times
    parts = [pluralize(counts[one], one) for one in SEVERITIES if counts[one]] or ["no problems"]
    return ", ".join([*parts, *([f"{counts['fixed']:,} fixed"] if counts["fixed"] else [])])


def _row(finding: Finding) -> str:
    where = _code(finding.source) if finding.source else ""
    code = f"[{_code(finding.code)}]({finding.rule})"
    message = " ".join(_message(finding))
    return f"| {where} | {finding.line or ''} | {finding.severity} | {message} | {code} |\n"


def _message(finding: Finding) -> Iterator[str]:
    yield _escaped(finding.message)
    if finding.loc and finding.loc not in finding.message:
        yield _code(finding.shown_loc)
    if state := state_of(finding):
        yield f"({state})"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", printable(text))


def _code(text: str) -> str:
    """Show a text as code, if it can be."""
    text = printable(text)
    return _escaped(text) if "`" in text else f"`{text.replace('|', chr(92) + '|')}`"
