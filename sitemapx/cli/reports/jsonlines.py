"""Findings as JSON, a line each."""

import msgspec

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import ReportOutput

__all__ = ["JsonReport"]


class JsonReport:
    """Writes each finding as it comes."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write

    def add(self, finding: Finding) -> None:
        """Write a line."""
        self._write(f"{msgspec.json.encode(finding).decode()}\n")

    def end(self, checked: CheckResult) -> None:
        """Write nothing more."""
