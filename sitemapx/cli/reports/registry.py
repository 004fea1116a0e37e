"""The one table of reports."""

from importlib import import_module
from typing import NamedTuple, cast

from sitemapx.cli.reports.writer import ReportOutput, ReportWriter

__all__ = ["REPORTS", "reporter"]


class _ReportFormat(NamedTuple):
    """
    A format.

    Attributes:
        writer: The module and the class of its `ReportWriter`, which takes a `ReportOutput`;
            imported when it is needed.
        most: How many findings of a code it shows; None: all.
        with_survey: Whether it tells what is in the files, too.

    """

    writer: str
    most: int | None = None
    with_survey: bool = False


REPORTS = {
    "concise": _ReportFormat("sitemapx.cli.reports.concise:ConciseReport"),
    "grouped": _ReportFormat("sitemapx.cli.reports.grouped:GroupedReport", most=10),
    "statistics": _ReportFormat("sitemapx.cli.reports.statistics:StatisticsReport"),
    "html": _ReportFormat("sitemapx.cli.reports.html.page:HtmlReport", most=100, with_survey=True),
    "json": _ReportFormat("sitemapx.cli.reports.jsonlines:JsonReport"),
    "sarif": _ReportFormat("sitemapx.cli.reports.sarif:SarifReport"),
    "github": _ReportFormat("sitemapx.cli.reports.github:GithubReport"),
    "junit": _ReportFormat("sitemapx.cli.reports.junit:JunitReport"),
}


def reporter(name: str, output: ReportOutput) -> ReportWriter:
    """Make the reporter of a format."""
    module, _, writer = REPORTS[name].writer.partition(":")
    return cast(ReportWriter, getattr(import_module(module), writer)(output))
