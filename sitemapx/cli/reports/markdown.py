"""
Findings as Markdown, for example for job summaries of GitHub Actions.

Tables follow https://github.github.com/gfm/. GitHub does not show a summary of more than 1 MiB.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.lines import describe_state
from sitemapx.cli.reports.writer import BufferedReport
from sitemapx.cli.terminal.console import printable
from sitemapx.convert.values.words import pluralize

_MAX_ROWS = 500
_MAX_BYTES = 1_000_000
#: Characters that may start markup, links, mentions or formulas, or end a cell.
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~#!$:@]|(?<=www)\.")
_HEAD = "| Path | Line | Level | Message | Code |\n| --- | ---: | --- | --- | --- |\n"


class MarkdownReport(BufferedReport):
    """A heading with the counts, and a table of the findings, the most severe first."""

    def finish_report(self, checked: CheckResult) -> None:
        findings = list(chain.from_iterable(self._groups.values()))
        findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
        self._write(f"## Sitemap check: {_describe_counts(findings)}\n\n")
        files = pluralize(checked.files, "file")
        self._write(f"{files}, {pluralize(checked.entries, 'entry', 'entries')} checked.\n")
        if findings:
            self._write(f"\n{_HEAD}")
        size = 0
        for number, finding in enumerate(findings):
            row = _format_row(finding)
            size += len(row.encode("utf-8", "replace"))
            if number == _MAX_ROWS or size > _MAX_BYTES:
                left = sum(finding.times for finding in findings[number:])
                self._write(f"\n{left:,} more not shown.\n")
                return
            self._write(row)


def _describe_counts(findings: list[Finding]) -> str:
    counts = Counter[str]()
    for finding in findings:
        counts["fixed" if finding.fixed else finding.severity] += finding.times
    parts = [pluralize(counts[name], name) for name in SEVERITIES if counts[name]] or [
        "no problems"
    ]
    if counts["fixed"]:
        parts.append(f"{counts['fixed']:,} fixed")
    return ", ".join(parts)


def _format_row(finding: Finding) -> str:
    where = format_code(finding.source) if finding.source else ""
    code = f"[{format_code(finding.code)}]({finding.rule})"
    message = " ".join(_message_parts(finding))
    return f"| {where} | {finding.line or ''} | {finding.severity} | {message} | {code} |\n"


def _message_parts(finding: Finding) -> Iterator[str]:
    yield escape_text(finding.message)
    if finding.loc and finding.loc not in finding.message:
        yield format_code(finding.shown_loc)
    if state := describe_state(finding):
        yield f"({state})"


def escape_text(text: str) -> str:
    """Escape characters that may start markup, links or mentions, and control characters."""
    return _MARKUP.sub(r"\\\g<0>", printable(text))


def format_code(text: str) -> str:
    """Format a text as code, or escape it if it contains a backtick."""
    text = printable(text)
    return escape_text(text) if "`" in text else f"`{text.replace('|', chr(92) + '|')}`"
