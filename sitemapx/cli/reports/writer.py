"""Interface and base classes of reports."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple, Protocol

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.terminal.console import styler
from sitemapx.convert.values.words import pluralize, shorten_list

Write = Callable[[str], object]


class ReportOutput(NamedTuple):
    """
    The output of a report.

    Attributes:
        write: Writes text.
        fails: Returns whether a finding changes the exit status.
        has_colour: Whether text may be coloured.

    """

    write: Write
    fails: Callable[[Finding], bool]
    has_colour: bool = False


class ReportWriter(Protocol):
    def add_finding(self, finding: Finding) -> None: ...

    def finish_report(self, checked: CheckResult) -> None: ...


def fixable_lines(fixable: Counter[str], damaged: Collection[str], total: int) -> Iterator[str]:
    """
    Yield a summary of fixable problems, and of files in which `--fix` changes nothing.

    Args:
        fixable: Number of fixable problems by file.
        damaged: Files that `--fix` skips until they are repaired by hand.
        total: Number of all problems.

    """
    if count := fixable.total():
        verb = "is" if count == 1 else "are"
        yield f"{count:,} of {pluralize(total, 'problem')} {verb} fixable with --fix"
    if damaged and total:  # a baseline may hide all problems
        names, verb = shorten_list(sorted(damaged)), "it is" if len(damaged) == 1 else "they are"
        advice = "convert --partial writes what can be read"
        yield f"--fix changes nothing in {names} until {verb} repaired by hand; {advice}"


class StreamedReport:
    """Base class of reports that keep no findings."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write
        self._style = styler(has_colour=output.has_colour)

    def finish_report(self, checked: CheckResult) -> None:
        pass


class BufferedReport:
    """Base class of reports that keep all findings, grouped by code, until the end."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write
        self._style = styler(has_colour=output.has_colour)
        self._groups: dict[str, list[Finding]] = {}

    def add_finding(self, finding: Finding) -> None:
        self._groups.setdefault(finding.code, []).append(finding)
