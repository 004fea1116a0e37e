"""Outputs of `sitemapx check`: destinations and formats of its reports."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from stat import S_ISREG
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem
from msgspec.structs import replace

from sitemapx.check.findings import Finding, message_of_sum
from sitemapx.check.result import CheckResult
from sitemapx.check.selection import NOTHING_READ
from sitemapx.cli.reports.registry import REPORTS, create_report, infer_format
from sitemapx.cli.reports.writer import ReportOutput, ReportWriter
from sitemapx.cli.terminal.console import Console, has_colour
from sitemapx.cli.terminal.outputs import (
    create_draft,
    publish_draft,
    text_writer,
    unknown_suffix_error,
)
from sitemapx.errors import UnknownNameError, UsageError


class Destination(NamedTuple):
    """A report to write: its format, a key of `REPORTS`, and a path, or `-` for standard output."""

    format: str
    path: str


class _ReportType(click.ParamType[Destination]):
    """Option value `FORMAT` or `FORMAT=FILE`; without a file, the path is empty."""

    name = "report"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Destination:
        name, equals, path = str(value).partition("=")
        if name not in REPORTS:
            raise UnknownNameError("format", name, REPORTS, meant=infer_format(f".{name}"))
        if equals and not path:
            self.fail(f"missing file name in {value!r}: expected {name} or {name}=FILE", param, ctx)
        return Destination(name, path)

    @staticmethod
    def relocate(text: str, beside: Callable[[str], str]) -> str:
        name, equals, path = text.partition("=")
        return f"{name}={beside(path)}" if equals and path else text

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in REPORTS if name.startswith(incomplete)]


REPORT = _ReportType()


def destinations_of(options: dict[str, Any]) -> list[Destination]:
    """
    Return the reports to write; the first one is for standard output or the file of `-o`.

    Raises:
        UsageError: If two reports have the same destination, a format cannot be inferred, or
            `--dry-run` is combined with a report in a file.

    """
    output, given = options["output"], list(options["formats"])
    if options["statistics"]:
        given.append(Destination("statistics", ""))
    main = [
        report.format
        for report in given
        if not report.path or _place(report.path) == _place(output)
    ]
    others = [report for report in given if report.path and _place(report.path) != _place(output)]
    if len(main) > 1:
        where = "standard output" if output == "-" else output
        raise UsageError(
            f"{' and '.join(main)} would both be written to {where}; pass FORMAT=FILE for one"
        )
    for number, report in enumerate(others):
        if _place(report.path) in (_place(other.path) for other in others[:number]):
            raise UsageError(
                f"two reports would be written to {report.path}; pass a different file for each"
            )
    if others and options["dry_run"]:
        raise UsageError("--dry-run prints a diff and no report; remove --format FORMAT=FILE")
    return [Destination(main[0] if main else _default_format(options), output), *others]


def _place(path: str) -> str:
    return path if path == "-" else os.path.realpath(path)


def _default_format(options: dict[str, Any]) -> str:
    """Return the format from the extension of the output, `--report`, or the kind of stdout."""
    output = options["output"]
    if found := infer_format(output):
        return found
    if options["report"] == "json":
        return "json"
    if os.path.splitext(output)[1] and not options["dry_run"]:  # a diff may have any name
        endings = [ending for report in REPORTS.values() for ending in report.endings[:1]]
        raise unknown_suffix_error(output, endings, REPORTS)
    return "grouped" if output == "-" and sys.stdout.isatty() else "concise"


class Broadcast:
    def __init__(self, reports: Sequence[ReportWriter]) -> None:
        self._reports = reports

    def add_finding(self, finding: Finding) -> None:
        for report in self._reports:
            report.add_finding(finding)

    def finish_report(self, checked: CheckResult) -> None:
        for report in self._reports:
            report.finish_report(checked)


class _Quiet:
    """Report for `--quiet`: forwards only unfixed errors, and findings that fail the check."""

    def __init__(self, report: ReportWriter, fails: Callable[[Finding], bool]) -> None:
        self._report, self._fails = report, fails
        self.finish_report = report.finish_report

    def add_finding(self, finding: Finding) -> None:
        if self._fails(finding) or (finding.severity == "error" and not finding.fixed):
            self._report.add_finding(finding)


class _ReasonsOnStderr:
    """Prints unreadable sources to stderr, for runs whose reports are for programs."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def add_finding(self, finding: Finding) -> None:
        if finding.code == NOTHING_READ:
            self._console.print_problem(finding)

    def finish_report(self, checked: CheckResult) -> None:
        """Do nothing, as findings were printed at once."""


def reports_on(
    destinations: Sequence[Destination],
    outputs: Sequence[ReportOutput],
    most: int | None,
    console: Console,
    *,
    is_quiet: bool,
) -> Broadcast:
    """
    Create the reports, and return a report that forwards findings to all of them.

    Args:
        outputs: The opened outputs of the destinations, in the same order.
        most: Maximum number of findings per code; 0 for all, None for the default of each format.
        console: Prints unreadable sources if standard output has no report for people.
        is_quiet: Whether reports for people on standard output are limited by `_Quiet`.

    """
    made: list[ReportWriter] = []
    for (name, path), output in zip(destinations, outputs, strict=True):
        shown = REPORTS[name].max_per_code if most is None else most or None
        report: ReportWriter = _LimitedReport(create_report(name, output), shown)
        if is_quiet and path == "-" and REPORTS[name].is_for_people:
            report = _Quiet(report, output.fails)
        made.append(report)
    if not any(path == "-" and REPORTS[name].is_for_people for name, path in destinations):
        made.append(_ReasonsOnStderr(console))
    return Broadcast(made)


@contextmanager
def opened_outputs(
    destinations: Sequence[Destination], fails: Callable[[Finding], bool]
) -> Iterator[list[ReportOutput]]:
    """
    Open the output of each report; the files are published at the end, if no error is raised.

    Args:
        fails: Returns whether a finding fails the check.

    Raises:
        OutputError: If a report cannot be written.

    """
    with ExitStack() as stack:
        outputs, drafts = [], []
        for _, path in destinations:
            write: Callable[[bytes], object] = sys.stdout.buffer.write
            if path != "-" or S_ISREG(os.fstat(1).st_mode):  # stdout may be a source
                drafts.append((draft := create_draft(path), path))
                stack.callback(draft.discard)
                write = draft.write
            is_coloured = path == "-" and has_colour(sys.stdout)
            outputs.append(ReportOutput(text_writer(write), fails, is_coloured))
        yield outputs
        for draft, path in drafts:
            publish_draft(draft, path)
        sys.stdout.flush()


# ---- at most some findings per code


class _LimitedReport:
    """Forwards a limited number of findings per code, and a finding that counts the rest."""

    def __init__(self, report: ReportWriter, max_per_code: int | None) -> None:
        self._report = report
        self._max_per_code = max_per_code
        self._shown: Counter[str] = Counter()
        self._hidden: dict[tuple[str, bool], Finding] = {}

    def add_finding(self, finding: Finding) -> None:
        if self._max_per_code is not None and self._shown[finding.code] >= self._max_per_code:
            key = finding.code, finding.fixed
            self._hidden[key] = _merge_hidden(finding, self._hidden.get(key))
        else:
            self._shown[finding.code] += 1
            self._report.add_finding(finding)

    def finish_report(self, checked: CheckResult) -> None:
        for finding in self._hidden.values():
            self._report.add_finding(finding)
        self._report.finish_report(checked)


def _merge_hidden(finding: Finding, others: Finding | None) -> Finding:
    """Return a finding that stands for a hidden finding and those that `others` stands for."""
    count = finding.times + (others.times if others else 0)
    return replace(
        finding,
        message=f"{message_of_sum(count)}; use --max-per-code to show more",
        schema=finding.schema or (others is not None and others.schema),
        count=count,
        fixable=False,
        **dict.fromkeys(("source", "line", "column", "loc")),
    )
