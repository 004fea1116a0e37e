"""The data source `sitemap`: entries as rows, from any format and to sets of XML sitemaps."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from sitemapx.convert.arrow.batches import SourcedBatches
from sitemapx.convert.model import tabular
from sitemapx.convert.model.problems import Problem, ProblemHandler, log
from sitemapx.convert.model.reporter import Reporter
from sitemapx.errors import UsageError
from sitemapx.optionnames import named
from sitemapx.spark.listing import SourceFile, grouped, list_files
from sitemapx.spark.options import ReaderOptions, WriterOptions, spark_name
from sitemapx.spark.reading import failing_fast, named_for_spark, open_files
from sitemapx.spark.shipping import Shipped
from sitemapx.spark.writing import SitemapSetWriter

if TYPE_CHECKING:
    import pyarrow as pa


class FilesPartition(Shipped, InputPartition):
    """
    The files that a task reads.

    Attributes:
        files: The files.
        problems: Problems that were found while they were listed.

    """

    def __init__(self, files: Sequence[SourceFile], problems: Sequence[Problem] = ()) -> None:
        super().__init__(None)
        self.files = tuple(files)
        self.problems = tuple(problems)


def planned(options: ReaderOptions, report: ProblemHandler) -> list[FilesPartition]:
    """
    Divide what is to be read among tasks.

    Raises:
        InputError: If a path matches nothing, or nothing that was given can be read.
        UsageError: If storage is not supported by this installation.

    """
    with named(spark_name):
        files = list_files(options, report)
    groups = grouped(files, options.partition_bytes)
    return list(map(FilesPartition, groups or [[]]))  # Spark wants one at least


def _refuse_other_types(given: "StructType | pa.Schema", own: StructType) -> None:
    """
    Refuse the schema of a caller if a column has another type there.

    Raises:
        UsageError: If one has.

    """
    asked = given if isinstance(given, StructType) else from_arrow_schema(given)  # as of Sail
    for one, other in zip(asked, own, strict=True):
        kinds = [column.dataType.simpleString() for column in (one, other)]
        if kinds[0] != kinds[1]:
            message = f"column {other.name!r} is of type {kinds[1]}, not {kinds[0]}"
            raise UsageError(f"{message}: read it as it is, and cast it")


class _Schema(StructType):
    """A schema of Spark that engines in other languages read as that of Arrow, which it is."""

    _arrow: "pa.Schema"

    @classmethod
    def typeName(cls) -> str:  # noqa: N802 - of Spark
        """Return the name of the type."""
        return StructType.typeName()

    @classmethod
    def of(cls, schema: "pa.Schema") -> "_Schema":
        """Return the schema of rows that are record batches."""
        made = cls(from_arrow_schema(schema).fields)
        made._arrow = schema
        return made

    def __arrow_c_schema__(self) -> object:
        """Return the schema as a PyCapsule."""
        return self._arrow.__arrow_c_schema__()


class SitemapDataSource(DataSource):
    """
    Data source `sitemap`, for `spark.dataSource.register`.

    It reads every format that `sitemapx.convert.read` knows, from disk, from storage and from
    http(s) URLs, and writes sets of XML sitemaps with an index. Its options are described in
    docs/spark.md.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name that `format` takes."""
        return "sitemap"

    def schema(self) -> StructType:
        """
        Return the columns that the options ask for; by default those of docs/jsonl.md.

        Raises:
            UsageError: If an option is unknown or invalid.

        """
        return _Schema.of(tabular.schema(self._reading().columns))

    def reader(self, schema: StructType) -> "SitemapReader":
        """
        Return the reader.

        Raises:
            UsageError: If an option is unknown or invalid, or a column of the schema is unknown.

        """
        columns = tabular.check_columns(schema.names)
        if len(columns) < len(schema.names):
            raise UsageError("a column occurs twice in the schema: drop one")
        _refuse_other_types(schema, from_arrow_schema(tabular.schema(columns)))
        return SitemapReader(self._reading()._replace(columns=columns))

    def writer(self, schema: StructType, overwrite: bool) -> SitemapSetWriter:
        """
        Return the writer of a set.

        Raises:
            OutputError: If storage cannot be reached, or holds something that is not to be changed.
            UsageError: If an option is unknown, invalid or missing, or the schema does not fit.

        """
        with named(spark_name):
            return SitemapSetWriter(WriterOptions.of(self.options), schema.names, overwrite)

    def _reading(self) -> ReaderOptions:
        with named(spark_name):
            return ReaderOptions.of(self.options)


class SitemapReader(Shipped, DataSourceReader):
    """Reads entries."""

    def __init__(self, options: ReaderOptions) -> None:
        self._options = options
        self._steps = options.steps()  # made on the driver: an age means the same in all tasks

    def partitions(self) -> list[FilesPartition]:
        """
        Divide the files among tasks.

        Raises:
            FailFastError: If an index has an error, in mode FAILFAST.
            InputError: If a path matches nothing, or nothing that was given can be read.
            UsageError: If storage is not supported by this installation.

        """
        return planned(self._options, failing_fast(self._options.mode, log))

    def read(self, partition: InputPartition) -> "Iterator[pa.RecordBatch]":
        """
        Read the files of a task; problems are logged.

        Raises:
            FailFastError: If a file has an error, in mode FAILFAST.

        """
        assert isinstance(partition, FilesPartition)
        report = failing_fast(self._options.mode, log)
        fields = tabular.fields_of_columns(self._options.columns)
        parts = open_files(partition.files, self._options, self._steps, fields, report)
        reporter = Reporter(report)
        yield from named_for_spark(_records(parts, self._options.columns, reporter))


def _records(
    parts: Iterator[SourcedBatches], columns: Sequence[str], reporter: Reporter
) -> "Iterator[pa.RecordBatch]":
    """Return record batches; the first is made when it is asked for."""
    yield from tabular.record_reader(parts, columns, reporter)
