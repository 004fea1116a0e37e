"""The one table of reports."""

from importlib import import_module
from typing import NamedTuple, cast

from sitemapx.cli.reports.writer import ReportOutput, ReportWriter


class _ReportFormat(NamedTuple):
    """
    A format.

    Attributes:
        writer: The module and the class of its `ReportWriter`, which takes a `ReportOutput`;
            imported when it is needed.
        most: How many findings of a code it shows; None: all.
        with_survey: Whether it tells what is in the files, too.
        is_for_people: Whether it leaves out what somebody who wants quiet need not know.
        endings: Names of files with these endings stand for it.

    """

    writer: str
    most: int | None = None
    with_survey: bool = False
    is_for_people: bool = False
    endings: tuple[str, ...] = ()


REPORTS = {
    "concise": _ReportFormat(
        "sitemapx.cli.reports.lines:ConciseReport", is_for_people=True, endings=(".txt", ".log")
    ),
    "grouped": _ReportFormat(
        "sitemapx.cli.reports.lines:GroupedReport", most=10, is_for_people=True
    ),
    "statistics": _ReportFormat("sitemapx.cli.reports.lines:StatisticsReport"),
    "html": _ReportFormat(
        "sitemapx.cli.reports.html.page:HtmlReport",
        most=100,
        with_survey=True,
        endings=(".html", ".htm"),
    ),
    "json": _ReportFormat("sitemapx.cli.reports.lines:JsonReport", endings=(".json", ".jsonl")),
    "sarif": _ReportFormat(
        "sitemapx.cli.reports.services:SarifReport", endings=(".sarif", ".sarif.json")
    ),
    "github": _ReportFormat("sitemapx.cli.reports.services:GithubReport"),
    "gitlab": _ReportFormat(
        "sitemapx.cli.reports.services:GitlabReport",
        most=1000,
        endings=("gl-code-quality-report.json",),
    ),
    "markdown": _ReportFormat(
        "sitemapx.cli.reports.markdown:MarkdownReport", most=100, endings=(".md",)
    ),
    "junit": _ReportFormat("sitemapx.cli.reports.services:JunitReport", endings=(".xml",)),
}


def reporter(name: str, output: ReportOutput) -> ReportWriter:
    """Make the reporter of a format."""
    module, _, writer = REPORTS[name].writer.partition(":")
    return cast(ReportWriter, getattr(import_module(module), writer)(output))


def format_of(path: str) -> str:
    """
    Return the format that a file is named after; empty if there is none.

    >>> format_of("report.sarif.json"), format_of("report.json"), format_of("report")
    ('sarif', 'json', '')

    """
    name = path.lower()
    found = {
        ending: one
        for one, report_format in REPORTS.items()
        for ending in report_format.endings
        if name.endswith(ending)
    }
    return found[max(found, key=len)] if found else ""
