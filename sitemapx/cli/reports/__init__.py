"""
Reports of findings: one module for each format, and here the table of them.

May import `terminal`.
"""

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from sitemapx.check.checker import CheckResult
from sitemapx.check.findings import Finding

__all__ = ["REPORTS", "Reporter", "Write", "reporter"]

Write = Callable[[str], object]


class Reporter(Protocol):
    """Writes findings in one format."""

    def add(self, finding: Finding) -> None:
        """Take a finding."""
        ...

    def end(self, checked: CheckResult) -> None:
        """Write what is left."""
        ...


class _Form(NamedTuple):
    """
    A format.

    Attributes:
        module: Where `Report` makes a reporter of a function that writes text; it is imported
            when it is needed.
        most: How many findings of a code it shows; None: all.
        with_survey: Whether it tells what is in the files, too.

    """

    module: str
    most: int | None = None
    with_survey: bool = False


REPORTS = {
    "table": _Form("sitemapx.cli.reports.table", most=10),
    "html": _Form("sitemapx.cli.reports.html", most=100, with_survey=True),
    "json": _Form("sitemapx.cli.reports.lines"),
    "sarif": _Form("sitemapx.cli.reports.sarif"),
    "github": _Form("sitemapx.cli.reports.github"),
    "junit": _Form("sitemapx.cli.reports.junit"),
}


def reporter(name: str, write: Write) -> Reporter:
    """Make the reporter of a format."""
    return cast(Reporter, import_module(REPORTS[name].module).Report(write))
