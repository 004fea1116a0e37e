"""Data sources `sitemap`, for entries of any format, and `sitemap_problems`, for their problems."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec.structs import replace
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from sitemapx.convert.arrow.batches import SourcedBatches
from sitemapx.convert.model import tabular
from sitemapx.convert.model.problems import Problem, ProblemHandler, log
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.steps.step import Step, used_fields
from sitemapx.errors import InputError, SitemapxError, UsageError
from sitemapx.optionnames import use_option_names
from sitemapx.spark.listing import SourceFile, group_files, list_files
from sitemapx.spark.options import ReaderOptions, WriterOptions, spark_name
from sitemapx.spark.shipping import Shipped
from sitemapx.spark.writing import SitemapSetWriter

T = TypeVar("T")

if TYPE_CHECKING:
    import pyarrow as pa


class FilesPartition(Shipped, InputPartition):
    """The files that a task reads, and problems found while listing them."""

    def __init__(self, files: Sequence[SourceFile], problems: Sequence[Problem] = ()) -> None:
        super().__init__(None)
        self.files = tuple(files)
        self.problems = tuple(problems)


def _plan_partitions(options: ReaderOptions, report: ProblemHandler) -> list[FilesPartition]:
    with use_option_names(spark_name):
        files = list_files(options, report)
    groups = group_files(files, options.partition_bytes)
    return list(map(FilesPartition, groups or [[]]))  # for [], Spark passes another type


def _check_types(given: "StructType | pa.Schema", own: StructType) -> None:
    """Raise UsageError if a column in the caller's schema has a different type than in `own`."""
    # Sail passes an Arrow schema
    requested = given if isinstance(given, StructType) else from_arrow_schema(given)
    for theirs, ours in zip(requested, own, strict=True):
        wrong, right = theirs.dataType.simpleString(), ours.dataType.simpleString()
        if wrong != right:
            message = f"column {ours.name!r} is of type {right}, not {wrong}"
            raise UsageError(f"{message}: read it as it is, and cast it")


class _ArrowSchema(StructType):
    """A schema of Spark that also exports its Arrow schema, for engines in other languages."""

    _arrow: "pa.Schema"

    @classmethod
    def typeName(cls) -> str:  # noqa: N802 - of Spark
        return StructType.typeName()

    @classmethod
    def from_arrow(cls, schema: "pa.Schema") -> "_ArrowSchema":
        spark_schema = cls(from_arrow_schema(schema).fields)
        spark_schema._arrow = schema
        return spark_schema

    def __arrow_c_schema__(self) -> object:
        return self._arrow.__arrow_c_schema__()


class SitemapDataSource(DataSource):
    """
    Data source `sitemap`, for `spark.dataSource.register`.

    It reads every format that `sitemapx.convert.read` supports, from disk, from storage and from
    http(s) URLs, and writes sets of XML sitemaps with an index. Its options are described in
    docs/spark.md.
    """

    @classmethod
    def name(cls) -> str:
        return "sitemap"

    def schema(self) -> StructType:
        """Return the columns selected by the options; by default, all columns in docs/frames.md."""
        return _ArrowSchema.from_arrow(tabular.schema(self._reading().columns))

    def reader(self, schema: StructType) -> "SitemapReader":
        columns = tabular.check_columns(schema.names)
        if len(columns) < len(schema.names):
            raise UsageError("a column occurs twice in the schema: drop one")
        _check_types(schema, from_arrow_schema(tabular.schema(columns)))
        return SitemapReader(self._reading()._replace(columns=columns))

    def writer(self, schema: StructType, overwrite: bool) -> SitemapSetWriter:
        with use_option_names(spark_name):
            return SitemapSetWriter(WriterOptions.parse(self.options), schema.names, overwrite)

    def _reading(self) -> ReaderOptions:
        with use_option_names(spark_name):
            return ReaderOptions.parse(self.options)


class SitemapReader(Shipped, DataSourceReader):
    def __init__(self, options: ReaderOptions) -> None:
        self._options = options
        self._steps = options.build_steps()  # on the driver, so that all tasks share its "now"

    def partitions(self) -> list[FilesPartition]:
        return _plan_partitions(self._options, _handler_for_mode(self._options.mode, log))

    def read(self, partition: InputPartition) -> "Iterator[pa.RecordBatch]":
        """Read the files of a task; log problems, or in FAILFAST, raise FailFastError."""
        assert isinstance(partition, FilesPartition)
        report = _handler_for_mode(self._options.mode, log)
        fields = tabular.fields_of_columns(self._options.columns)
        parts = _open_files(partition.files, self._options, self._steps, fields, report)
        yield from _with_spark_names(_records(parts, self._options.columns, Reporter(report)))


def _records(
    parts: Iterator[SourcedBatches], columns: Sequence[str], reporter: Reporter
) -> "Iterator[pa.RecordBatch]":
    """Yield entries as Arrow record batches, lazily, so that messages use the names of Spark."""
    yield from tabular.record_reader(parts, columns, reporter)


# ---- problems

#: Fields of `Problem`.
_COLUMNS = (
    "code string, severity string, message string, source string, line bigint, loc string, "
    "count bigint"
)


class SitemapProblemsDataSource(DataSource):
    """
    Data source `sitemap_problems`, for `spark.dataSource.register`.

    It reads the same sources as `sitemap`, with the same options, and returns one row per problem;
    see docs/problems.md for the codes.
    """

    @classmethod
    def name(cls) -> str:
        return "sitemap_problems"

    def schema(self) -> str:
        return _COLUMNS

    def reader(self, schema: StructType) -> "SitemapProblemsReader":
        with use_option_names(spark_name):
            return SitemapProblemsReader(ReaderOptions.parse(self.options))


class SitemapProblemsReader(Shipped, DataSourceReader):
    def __init__(self, options: ReaderOptions) -> None:
        self._options = options
        self._steps = options.build_steps()

    def partitions(self) -> list[FilesPartition]:
        problems: list[Problem] = []
        partitions = _plan_partitions(self._options, problems.append)
        return [FilesPartition((), problems), *partitions] if problems else partitions

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        assert isinstance(partition, FilesPartition)
        yield from _with_spark_names(self._problems(partition))

    def _problems(self, partition: FilesPartition) -> Iterator[tuple[Any, ...]]:
        problems = list(partition.problems)
        for part in _open_files(partition.files, self._options, self._steps, None, problems.append):
            for _ in part.batches:
                yield from map(msgspec.structs.astuple, problems)
                problems.clear()
        yield from map(msgspec.structs.astuple, problems)


# ---- reading the files of a task


class FailFastError(SitemapxError):
    """A source has an error, and the mode is FAILFAST."""


def _open_files(
    files: Sequence[SourceFile],
    options: ReaderOptions,
    steps: Sequence[Step],
    fields: Sequence[str] | None,
    report: ProblemHandler,
) -> Iterator[SourcedBatches]:
    """
    Open files one after the other; unreadable files are reported and skipped.

    Args:
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


def _with_spark_names(items: Iterable[T]) -> Iterator[T]:
    """Yield items; while the next item is computed, messages use the option names of Spark."""
    iterator = iter(items)
    while True:
        with use_option_names(spark_name):  # not while the caller handles the item
            item = next(iterator, None)
        if item is None:
            return
        yield item


def _handler_for_mode(mode: str, report: ProblemHandler) -> ProblemHandler:
    """Return a problem handler that raises FailFastError for errors in mode FAILFAST."""

    def fail(problem: Problem) -> None:
        if problem.severity == "error":
            raise FailFastError(f"{problem} (mode FAILFAST)")
        report(problem)

    return fail if mode == "FAILFAST" else report
