"""The table of report formats."""

from importlib import import_module
from typing import NamedTuple, cast

from sitemapx.cli.reports.writer import ReportOutput, ReportWriter


class _ReportFormat(NamedTuple):
    """
    A report format.

    Attributes:
        writer: `module:class` of its `ReportWriter`, which is created with a `ReportOutput`;
            imported on demand.
        max_per_code: Default limit of findings per code; None for no limit.
        with_survey: Whether the report needs statistics of the contents.
        is_for_people: Whether the report is for people, so that `--quiet` omits minor findings.
        endings: Endings of file names for which this is the default format.

    """

    writer: str
    max_per_code: int | None = None
    with_survey: bool = False
    is_for_people: bool = False
    endings: tuple[str, ...] = ()


REPORTS = {
    "concise": _ReportFormat(
        "sitemapx.cli.reports.lines:ConciseReport", is_for_people=True, endings=(".txt", ".log")
    ),
    "grouped": _ReportFormat(
        "sitemapx.cli.reports.lines:GroupedReport", max_per_code=10, is_for_people=True
    ),
    "statistics": _ReportFormat("sitemapx.cli.reports.lines:StatisticsReport"),
    "html": _ReportFormat(
        "sitemapx.cli.reports.html.page:HtmlReport",
        max_per_code=100,
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
        max_per_code=1000,
        endings=("gl-code-quality-report.json",),
    ),
    "rdjson": _ReportFormat("sitemapx.cli.reports.services:RdjsonReport", endings=(".rdjson",)),
    "markdown": _ReportFormat(
        "sitemapx.cli.reports.markdown:MarkdownReport", max_per_code=100, endings=(".md",)
    ),
    "junit": _ReportFormat("sitemapx.cli.reports.services:JunitReport", endings=(".xml",)),
}


def create_report(name: str, output: ReportOutput) -> ReportWriter:
    module, _, writer = REPORTS[name].writer.partition(":")
    return cast(ReportWriter, getattr(import_module(module), writer)(output))


def infer_format(path: str) -> str:
    """
    Return the format that matches the ending of a path; an empty string if unknown.

    >>> infer_format("report.sarif.json"), infer_format("report.json"), infer_format("report")
    ('sarif', 'json', '')
    """
    name = path.lower()
    matches = {
        ending: format_name
        for format_name, report_format in REPORTS.items()
        for ending in report_format.endings
        if name.endswith(ending)
    }
    return matches[max(matches, key=len)] if matches else ""
