"""Reads files in a task: batches of entries, and their problems."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from sitemapx.convert.arrow.batches import SourcedBatches
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.steps.step import Step, used_fields
from sitemapx.errors import InputError, SitemapxError
from sitemapx.optionnames import use_option_names
from sitemapx.spark.listing import SourceFile
from sitemapx.spark.options import ReaderOptions, spark_name

T = TypeVar("T")


class FailFastError(SitemapxError):
    """A source has an error, and the mode is FAILFAST."""


def open_files(
    files: Sequence[SourceFile],
    options: ReaderOptions,
    steps: Sequence[Step],
    fields: Sequence[str] | None,
    report: ProblemHandler,
) -> Iterator[SourcedBatches]:
    """
    Open files one after the other; unreadable files are reported and skipped.

    Args:
        files: Files of a task.
        options: Options for reading the files.
        steps: Filters of the entries.
        fields: Names of the required fields; None for all.
        report: Problem handler; may raise an exception to end the task.

    """
    wanted = None if fields is None else used_fields(steps, fields)
    with options.build_fetcher() as fetcher:
        for file in files:
            opener = Opener(
                format=options.format,
                url=file.url,
                follows=options.follow_index is not False,
                selects=None if file.is_site else _select_nothing,
                fetcher=fetcher,
            )
            reporter = Reporter(report, source=file.name)
            parts = opener.open([file.path], _explain_skipped_index(file, report), wanted=wanted)
            for part in _stop_at_failure(parts, reporter):
                source = file.name if part.source == file.path else part.source
                batches = _stop_at_failure(part.batches, reporter)
                for step in steps:
                    batches = step.run(batches, Reporter(report, source=source))
                yield SourcedBatches(batches, source)


def _select_nothing(row: object) -> bool:
    return False


def _explain_skipped_index(file: SourceFile, report: ProblemHandler) -> ProblemHandler:
    """Return a problem handler that explains why the index in `file` was not followed."""

    def explain(problem: Problem) -> None:
        if problem.code == "listed-sitemap-skipped" and not file.is_site:
            advice = f"to read the sitemaps that it lists, pass {spark_name('follows', 'true')}"
            if file.is_listed:  # no task reads the sitemaps of this index
                message = f"sitemap index in an index: {advice}"
                problem = replace(
                    problem, code="listed-sitemap-unchecked", severity="error", message=message
                )
            else:
                problem = replace(problem, message=f"sitemap index among other files: {advice}")
        report(problem)

    return explain


def _stop_at_failure(items: Iterable[T], reporter: Reporter) -> Iterator[T]:
    """Yield items until reading one raises InputError, and report that error."""
    try:
        yield from items
    except InputError as error:
        reporter.problem("failed", error.message, line=error.line)


def with_spark_names(items: Iterable[T]) -> Iterator[T]:
    """Yield items; while the next item is computed, messages use the option names of Spark."""
    iterator = iter(items)
    while True:
        with use_option_names(spark_name):  # not while the caller handles the item
            item = next(iterator, None)
        if item is None:
            return
        yield item


def handler_for_mode(mode: str, report: ProblemHandler) -> ProblemHandler:
    """Return a problem handler that raises FailFastError for errors in mode FAILFAST."""

    def fail(problem: Problem) -> None:
        if problem.severity == "error":
            raise FailFastError(f"{problem} (mode FAILFAST)")
        report(problem)

    return fail if mode == "FAILFAST" else report
