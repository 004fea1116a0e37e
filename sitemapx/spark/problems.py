"""The data source `sitemap_problems`: the problems of sources, as rows."""

from collections.abc import Iterator
from typing import Any

import msgspec
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from sitemapx.convert.model.problems import Problem
from sitemapx.optionnames import named
from sitemapx.spark.options import ReaderOptions, spark_name
from sitemapx.spark.reading import named_for_spark, open_files
from sitemapx.spark.shipping import Shipped
from sitemapx.spark.source import FilesPartition, planned

#: The fields of a `Problem`.
_COLUMNS = (
    "code string, severity string, message string, source string, line bigint, loc string, "
    "count bigint"
)


class SitemapProblemsDataSource(DataSource):
    """
    Data source `sitemap_problems`, for `spark.dataSource.register`.

    It reads the same sources as `sitemap`, with the same options, and returns a row for each
    problem of them; see docs/problems.md for the codes.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name that `format` takes."""
        return "sitemap_problems"

    def schema(self) -> str:
        """Return the columns: code, severity, message, source, line, loc and count."""
        return _COLUMNS

    def reader(self, schema: StructType) -> "SitemapProblemsReader":
        """
        Return the reader.

        Raises:
            UsageError: If an option is unknown or invalid.

        """
        with named(spark_name):
            return SitemapProblemsReader(ReaderOptions.of(self.options))


class SitemapProblemsReader(Shipped, DataSourceReader):
    """Reads sources for the sake of their problems."""

    def __init__(self, options: ReaderOptions) -> None:
        self._options = options
        self._steps = options.steps()

    def partitions(self) -> list[FilesPartition]:
        """
        Divide the files among tasks.

        Raises:
            InputError: If a path matches nothing, or nothing that was given can be read.
            UsageError: If storage is not supported by this installation.

        """
        found: list[Problem] = []
        partitions = planned(self._options, found.append)
        return [FilesPartition((), found), *partitions] if found else partitions

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        """Read all of the files of a task, and return what is wrong with them."""
        assert isinstance(partition, FilesPartition)
        yield from named_for_spark(self._problems(partition))

    def _problems(self, partition: FilesPartition) -> Iterator[tuple[Any, ...]]:
        found = list(partition.problems)
        for part in open_files(partition.files, self._options, self._steps, None, found.append):
            for _ in part.batches:
                yield from map(msgspec.structs.astuple, found)
                found.clear()
        yield from map(msgspec.structs.astuple, found)
