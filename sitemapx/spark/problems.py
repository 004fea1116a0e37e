"""Data source `sitemap_problems`: reads the problems of sources as rows."""

from collections.abc import Iterator
from typing import Any

import msgspec
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from sitemapx.convert.model.problems import Problem
from sitemapx.optionnames import use_option_names
from sitemapx.spark.options import ReaderOptions, spark_name
from sitemapx.spark.reading import open_files, with_spark_names
from sitemapx.spark.shipping import Shipped
from sitemapx.spark.source import FilesPartition, plan_partitions

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
        """Return the name for `spark.read.format`."""
        return "sitemap_problems"

    def schema(self) -> str:
        """Return the columns: code, severity, message, source, line, loc and count."""
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
        partitions = plan_partitions(self._options, problems.append)
        return [FilesPartition((), problems), *partitions] if problems else partitions

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        assert isinstance(partition, FilesPartition)
        yield from with_spark_names(self._problems(partition))

    def _problems(self, partition: FilesPartition) -> Iterator[tuple[Any, ...]]:
        problems = list(partition.problems)
        for part in open_files(partition.files, self._options, self._steps, None, problems.append):
            for _ in part.batches:
                yield from map(msgspec.structs.astuple, problems)
                problems.clear()
        yield from map(msgspec.structs.astuple, problems)
