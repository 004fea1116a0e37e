"""The interface of reports, and what those share that show findings by their codes."""

from collections.abc import Callable
from typing import Protocol

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult

__all__ = ["Grouped", "ReportWriter", "Write"]

#: Takes text.
Write = Callable[[str], object]


class ReportWriter(Protocol):
    """Writes findings in one format."""

    def add(self, finding: Finding) -> None:
        """Take a finding."""
        ...

    def end(self, checked: CheckResult) -> None:
        """Write what is left."""
        ...


class Grouped:
    """Keeps what is to be shown, which is not much, until all is known."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._groups: dict[str, list[Finding]] = {}

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self._groups.setdefault(finding.code, []).append(finding)
