"""The previous build of a set; its index has the dates of sitemaps that have not changed."""

import os

from sitemapx.convert.disk.draft import Draft
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opening import open_source
from sitemapx.convert.sources.read import read
from sitemapx.convert.sources.source import is_storage, local_path, source_name
from sitemapx.convert.streams.gzip import unpack
from sitemapx.errors import InputError


class PreviousBuild:
    """
    Compares the files of a set with the files that an earlier index lists under the same URLs.

    A sitemap that cannot be read counts as changed, and is reported in a note.

    Args:
        index: Path or http(s) URL of the earlier index. The sitemaps of a local index are read from
            its directory, or fetched if they are missing there.
        fetcher: Fetches URLs.
        reporter: Reports sitemaps that cannot be read.

    Attributes:
        dates: The lastmod of each listed sitemap, by URL.

    """

    def __init__(self, index: str, fetcher: Fetcher, reporter: Reporter) -> None:
        self._index = index
        self._fetcher = fetcher
        self._reporter = reporter
        self._failures: list[Exception] = []
        self._lists_none = True
        self.dates = self._read_dates()

    def _read_dates(self) -> dict[str, str | None]:
        try:
            with read(
                self._index, wanted=("loc", "lastmod"), report=ignore, fetcher=self._fetcher
            ) as document:
                if not document.is_index:
                    raise InputError("not a sitemap index")
                return {row.loc: row.lastmod for row in document if row.loc}
        except InputError as error:
            self._report(f"{self._describe(error)}; all sitemaps count as changed")
            return {}

    def has_same(self, loc: str, draft: Draft) -> bool:
        """Return whether the sitemap at a URL has the same contents as a draft."""
        if loc not in self.dates:
            return False
        self._lists_none = False
        try:
            with open_source(self._local_copy(loc) or loc, self._fetcher) as opened:
                return draft.has_contents(unpack(opened, Reporter())[1])
        except (InputError, OSError) as error:
            self._failures.append(error)
            return False

    def _local_copy(self, loc: str) -> str | None:
        """Return the path of a listed sitemap next to a local index; None to fetch the sitemap."""
        from urllib.parse import unquote

        index = local_path(self._index)
        if index is None:
            return None
        path = os.path.join(os.path.dirname(index), os.path.basename(unquote(loc)))
        return path if is_storage(index) or os.path.isfile(path) else None

    def report_failures(self) -> None:
        """Report the listed sitemaps that could not be read, or that none could be compared."""
        if self.dates and self._lists_none:
            self._report("lists no URL of the new set; all sitemaps count as changed")
        if not self._failures:
            return
        first, count = self._describe(self._failures[0]), len(self._failures)
        message = f"{first}; counts as changed"
        if count > 1:
            message = f"{count:,} listed sitemaps not read; count as changed (first: {first})"
        self._report(message, count)

    def _describe(self, error: Exception) -> str:
        return str(error).removeprefix(f"{source_name(self._index)}: ")

    def _report(self, message: str, count: int | None = None) -> None:
        source = source_name(self._index)
        self._reporter.problem("previous-unread", message, source=source, count=count)
