"""
Findings as annotations in GitHub Actions, a line each.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import ReportOutput

__all__ = ["GithubReport"]

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class GithubReport:
    """Writes each finding as it comes."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write

    def add(self, finding: Finding) -> None:
        """Write a line."""
        known = {"file": finding.source, "line": finding.line, "col": finding.column}
        known["title"] = finding.code
        where = ",".join(
            f"{name}={str(value).translate(_PROPERTY)}" for name, value in known.items() if value
        )
        said = f"{finding.message}{finding.about}"
        message = f"{said}{'' if said.endswith('?') else '.'} {finding.fix}".translate(_DATA)
        command = "notice" if finding.fixed else _COMMANDS[finding.severity]
        self._write(f"::{command} {where}::{'fixed: ' * finding.fixed}{message}\n")

    def end(self, checked: CheckResult) -> None:
        """Write nothing more."""
