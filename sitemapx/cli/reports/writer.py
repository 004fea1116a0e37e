"""The interface of reports, and what those share that show findings by their codes."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.convert.values.words import counted

__all__ = ["Grouped", "ReportOutput", "ReportWriter", "Write", "fixable_line"]

#: Takes text.
Write = Callable[[str], object]


class ReportOutput(NamedTuple):
    """
    What a report is written to.

    Attributes:
        write: Takes its text.
        fails: Tells whether the exit status is not 0 because of a finding.
        has_colour: Whether it may be coloured.

    """

    write: Write
    fails: Callable[[Finding], bool]
    has_colour: bool = False


class ReportWriter(Protocol):
    """Writes findings in one format."""

    def add(self, finding: Finding) -> None:
        """Take a finding."""
        ...

    def end(self, checked: CheckResult) -> None:
        """Write what is left."""
        ...


def fixable_line(fixable: int, total: int) -> str:
    """Return how many of all problems `--fix` can fix."""
    return (
        f"{fixable:,} of {counted(total, 'problem')} "
        f"{'is' if fixable == 1 else 'are'} fixable with --fix"
    )


class Grouped:
    """Keeps what is to be shown, which is not much, until all is known."""

    def __init__(self, output: ReportOutput) -> None:
        self._output = output
        self._write = output.write
        self._groups: dict[str, list[Finding]] = {}

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self._groups.setdefault(finding.code, []).append(finding)
