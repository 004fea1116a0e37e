"""Tables: the entries of sources as columns, for data frame libraries."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model import tabular
from sitemapx.convert.model.problems import ProblemHandler, log
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import NO_SOURCES, Source, require_source
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.convert.arrow.batches import SourcedBatches


class Table:
    """
    The entries of sources as a stream of Arrow data.

    Pass a table to a library that supports the Arrow PyCapsule interface: `polars.DataFrame(t)`,
    `pyarrow.table(t)`, `pandas.DataFrame.from_arrow(t)`, `duckdb.sql("from t")`. The sources are
    opened when the stream is requested, and read again for each stream.

    Attributes:
        columns: Names of the columns.

    """

    def __init__(
        self,
        sources: tuple[Source, ...],
        columns: tuple[str, ...],
        opener: Opener,
        report: ProblemHandler,
    ) -> None:
        self._sources = sources
        self._opener = opener
        self._report = report
        self.columns = columns

    def __arrow_c_schema__(self) -> object:
        return tabular.schema(self.columns).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """
        Return the entries as a PyCapsule that contains an Arrow stream.

        Raises:
            InputError: If the first source cannot be read; an error after the first batch is raised
                by the library that reads the stream.

        """
        reader = tabular.record_reader(self._parts(), self.columns, Reporter(self._report))
        return reader.__arrow_c_stream__(requested_schema)

    def _parts(self) -> "Iterator[SourcedBatches]":
        from sitemapx.convert.arrow.batches import SourcedBatches

        wanted = tabular.fields_of_columns(self.columns)
        for part in self._opener.open(self._sources, self._report, wanted=wanted):
            yield SourcedBatches(part.batches, part.source)


def table(
    *sources: Source,
    columns: Iterable[str] = (),
    opener: Opener | None = None,
    fetcher: Fetcher | None = None,
    report: ProblemHandler = log,
) -> Table:
    """
    Return the entries of sources as a table that data frame libraries read directly.

    The sitemaps that an index lists are read as well. Memory use does not depend on the number of
    entries, as long as the library that reads the table streams it.

    Args:
        sources: Paths, directories of HTML pages, URLs, host names, `-` for standard input, or
            binary streams.
        columns: Names of the columns: fields of `Entry`, or `lastmod_utc`, the start of the period
            of `lastmod` in UTC; empty for all. Other columns are not built.
        opener: Options for reading the sources.
        fetcher: Fetches URLs; None for that of `opener`, or one with default settings.
        report: Called with each problem as it is found; by default, problems are logged.

    Raises:
        UsageError: If no source is given, a column is unknown or pyarrow is not installed.

    Examples:
        >>> import io
        >>> import pyarrow
        >>> urls = io.BytesIO(b"https://example.com/")
        >>> pyarrow.table(table(urls, columns=["loc"])).to_pydict()
        {'loc': ['https://example.com/']}

    """
    if not sources:
        raise UsageError(NO_SOURCES)
    for source in sources:
        if isinstance(source, str):
            require_source(source)
    names = tabular.check_columns([columns] if isinstance(columns, str) else columns)
    tabular.schema(names)
    opener = opener or Opener()
    return Table(sources, names, opener._replace(fetcher=fetcher or opener.fetcher), report)
