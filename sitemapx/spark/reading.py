"""Read files in a task: their entries in batches, and the problems that they have."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import replace

from sitemapx.convert.arrow.batches import SourcedBatches
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.steps.step import Step, used_fields
from sitemapx.errors import InputError, SitemapxError
from sitemapx.optionnames import named
from sitemapx.spark.listing import SourceFile
from sitemapx.spark.options import ReaderOptions, spark_name

T = TypeVar("T")


class FailFastError(SitemapxError):
    """An error of a source ended the job, in mode FAILFAST."""


def open_files(
    files: Sequence[SourceFile],
    options: ReaderOptions,
    steps: Sequence[Step],
    fields: Sequence[str] | None,
    report: ProblemHandler,
) -> Iterator[SourcedBatches]:
    """
    Open files one after the other; one that cannot be read is reported, and costs only itself.

    Args:
        files: The files of a task.
        options: How to read them.
        steps: The filters that entries have to pass.
        fields: Names of the fields that will be used; None for all.
        report: Called with each problem; may raise an exception to end the task.

    """
    wanted = None if fields is None else used_fields(steps, fields)
    with options.fetcher() as fetcher:
        for file in files:
            opener = Opener(
                format=options.format,
                url=file.url,
                follows=options.follow_index is not False,
                selects=None if file.is_site else _select_nothing,
                fetcher=fetcher,
            )
            reporter = Reporter(report, source=file.name)
            parts = opener.open([file.path], _unfollowed(file, report), wanted=wanted)
            for part in _until_failure(parts, reporter):
                source = file.name if part.source == file.path else part.source
                batches = _until_failure(part.batches, reporter)
                for step in steps:
                    batches = step.run(batches, Reporter(report, source=source))
                yield SourcedBatches(batches, source)


def _select_nothing(row: object) -> bool:
    return False


def _unfollowed(file: SourceFile, report: ProblemHandler) -> ProblemHandler:
    """Return the report of a file, which explains why an index is not followed."""

    def explain(problem: Problem) -> None:
        if problem.code == "child-skipped" and not file.is_site:
            advice = f"to read the sitemaps that it lists, pass {spark_name('follows', 'true')}"
            if file.is_listed:  # nobody else reads them
                message = f"sitemap index in an index: {advice}"
                problem = replace(problem, code="child-unread", severity="error", message=message)
            else:
                problem = replace(problem, message=f"sitemap index among other files: {advice}")
        report(problem)

    return explain


def _until_failure(items: Iterable[T], reporter: Reporter) -> Iterator[T]:
    """Return items up to the one that cannot be read, which is reported."""
    try:
        yield from items
    except InputError as error:
        reporter.problem("failed", error.message, line=error.line)


def named_for_spark(items: Iterable[T]) -> Iterator[T]:
    """Return items that are made while messages name the options of Spark."""
    iterator = iter(items)
    while True:
        with named(spark_name):  # not while somebody else uses the items
            item = next(iterator, None)
        if item is None:
            return
        yield item


def failing_fast(mode: str, report: ProblemHandler) -> ProblemHandler:
    """
    Return the function to call with problems in a mode: FAILFAST ends the job at the first error.

    Raises:
        FailFastError: If it is called with an error.

    """

    def fail(problem: Problem) -> None:
        if problem.severity == "error":
            raise FailFastError(f"{problem} (mode FAILFAST)")
        report(problem)

    return fail if mode == "FAILFAST" else report
