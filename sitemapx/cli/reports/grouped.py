"""Reports that show findings by their codes."""

from sitemapx.check.findings import Finding
from sitemapx.cli.reports import Write

__all__ = ["Grouped"]


class Grouped:
    """Keeps what is to be shown, which is not much, until all is known."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._groups: dict[str, list[Finding]] = {}

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self._groups.setdefault(finding.code, []).append(finding)
