"""Findings as JSON, a line each."""

from collections import Counter

import msgspec

from sitemapx.cli.reports import Write
from sitemapx.convert.checking import Checked
from sitemapx.convert.findings import Finding

__all__ = ["Report"]


class Report:
    """Writes each finding as it comes."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def add(self, finding: Finding) -> None:
        """Write a line."""
        self._write(f"{msgspec.json.encode(finding).decode()}\n")

    def end(self, checked: Checked, hidden: Counter[str]) -> None:
        """Write nothing: what was not added was not asked for."""
