"""The interface of reports, and what those share that show findings by their codes."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple, Protocol

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.convert.values.words import pluralize, shorten_list

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


def fixable_lines(fixable: Counter[str], damaged: Collection[str], total: int) -> Iterator[str]:
    """
    Say how many of all problems `--fix` can fix, and in which files it changes nothing.

    Args:
        fixable: How many it can fix, by the name of the file.
        damaged: The files that no fix is applied to until they are repaired by hand.

    """
    if count := fixable.total():
        verb = "is" if count == 1 else "are"
        yield f"{count:,} of {pluralize(total, 'problem')} {verb} fixable with --fix"
    if damaged:
        names, verb = shorten_list(sorted(damaged)), "it is" if len(damaged) == 1 else "they are"
        yield f"--fix changes nothing in {names} until {verb} repaired by hand"


class Grouped:
    """Keeps what is to be shown, which is not much, until all is known."""

    def __init__(self, output: ReportOutput) -> None:
        self._output = output
        self._write = output.write
        self._groups: dict[str, list[Finding]] = {}

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self._groups.setdefault(finding.code, []).append(finding)
