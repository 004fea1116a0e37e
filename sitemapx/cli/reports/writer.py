"""The interface of reports, and what those share that show findings by their codes."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple, Protocol

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.convert.values.words import counted, listed

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
        damaged: The files that are not well-formed, in a way that no fix repairs.

    """
    unfixed = fixable.keys() & set(damaged)
    if count := fixable.total() - sum(fixable[name] for name in unfixed):
        verb = "is" if count == 1 else "are"
        yield f"{count:,} of {counted(total, 'problem')} {verb} fixable with --fix"
    if unfixed:
        names = listed(sorted(unfixed))
        yield f"--fix changes nothing in {names} until the XML is repaired by hand"


class Grouped:
    """Keeps what is to be shown, which is not much, until all is known."""

    def __init__(self, output: ReportOutput) -> None:
        self._output = output
        self._write = output.write
        self._groups: dict[str, list[Finding]] = {}

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self._groups.setdefault(finding.code, []).append(finding)
