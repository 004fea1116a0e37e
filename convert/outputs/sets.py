"""
Write a file, or a set of files with an index, from scratch or as an update.

The files of a set are named after the output: `sitemap.xml` is the index, `sitemap-1.xml` etc. (or
`sitemap-blog.xml`, if grouped) are the files that it lists; `sitemap-index-2.xml` is a second index
for more than 50,000 files (https://www.sitemaps.org/protocol.html#index). A file with the same
bytes is not rewritten, and keeps its lastmod in the index; so does a file with the same contents as
in a previous build elsewhere (`Target.previous`).
"""

import os
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.disk.draft import Draft
from sitemapx.convert.disk.swap import Swap
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.formats.sitemap.writer import SitemapIndexWriter
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.output import Written, WrittenState
from sitemapx.convert.outputs.pages import PagedFilling
from sitemapx.convert.outputs.published import MARK, find_conflict
from sitemapx.convert.outputs.splitter import DraftedFile, FileSplitter
from sitemapx.convert.outputs.target import OutputLocation, Target
from sitemapx.convert.sources.opening import open_source
from sitemapx.convert.sources.read import read
from sitemapx.convert.sources.source import is_storage, local_path, source_name
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.values import clock, uris
from sitemapx.errors import InputError, OutputError, UsageError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from sitemapx.convert.outputs.groups import GroupedFilling


class SetIndexWriter(SitemapIndexWriter):
    def start(self, head: Head, fields: Collection[str]) -> bytes:
        declaration, end, rest = super().start(head, fields).partition(b"\n")
        return declaration + end + MARK + rest


class SetOutput:
    """A file at the path of the target, or a set of files with an index."""

    def __init__(self, target: Target, head: Head, reporter: Reporter, fetcher: Fetcher) -> None:
        self._target = target
        self._reporter = reporter
        self._fetcher = fetcher
        self._location = OutputLocation(target.path, is_paged=target.format.is_paged)
        self._names = self._location.names
        self._path = self._names.path
        if found := find_conflict(self._names, target.format):
            message = f"the output would overwrite {target.path} ({found})"
            raise OutputError(f"{message}; delete it first, or pass another file")
        self._present = self._location.present
        self._pages = self._new_filling(head)
        self._indexes: FileSplitter | None = None
        self.add_batch = self._pages.add_batch

    def _new_filling(self, head: Head) -> "FileSplitter | GroupedFilling | PagedFilling":
        target, reporter = self._target, self._reporter
        if target.format.is_paged:
            return PagedFilling(target, head, target.page_limit, reporter, self._new_page)
        given = (target.format.writer(reporter), head, target.limits, reporter, self._new_draft)
        if target.grouping:
            from sitemapx.convert.outputs import groups  # rarely used

            return groups.GroupedFilling(target.grouping, *given)
        return FileSplitter(*given)

    def _new_page(self, number: int) -> FileDraft:
        path = self._names.child(str(number)) if number else self._path
        return FileDraft(path, packer=self._target.packer, present=path)

    def _draft(self, path: str) -> FileDraft:
        name = self._location.display_path(path)
        return FileDraft(path, packer=self._target.packer, present=path, name=name)

    def _new_draft(self, name: str) -> FileDraft:
        if name != "1" and self._target.base_url is None:
            raise UsageError(
                "output exceeds the limits of one file and needs an index: pass "
                f"{option('base_url')}, the public URL of the output directory"
            )
        path = self._names.child(name)
        if name == "1" and not (self._present.dates or self._target.has_index):
            path = self._path  # it may remain the only file
        return self._draft(path)

    @property
    def entries(self) -> int:
        return self._pages.entries

    @property
    def can_revise(self) -> bool:
        return self._pages.can_revise

    @property
    def replaces(self) -> bool:
        return bool(self._present.dates) or os.path.exists(self._path)

    def entries_before(self, tolerated: float) -> int:
        of_index = self._target.format.name == "sitemapindex"
        return self._present.entries(tolerated, of_index=of_index)

    def finish(self, head: Head) -> list[Written]:
        """Swap in the changed files, indexes last, and remove files that are no longer listed."""
        self._pages.finish(head)
        if not (self._pages.makes_set or self._target.has_index):
            files: dict[str, DraftedFile] = {self._path: self._pages.files[0]}
            indexes: list[DraftedFile] = []
        else:
            indexes = self._make_indexes()
            files = {self._names.child(file.name): file for file in self._pages.files}
        index_files = {self._names.index(int(file.name)): file for file in reversed(indexes)}
        with self._location.locked():
            return self._put_in_place(files, index_files)

    def _put_in_place(
        self, files: dict[str, DraftedFile], index_files: dict[str, DraftedFile]
    ) -> list[Written]:
        written: list[Written] = []
        swaps: list[Swap] = []
        for path, file in (files | index_files).items():
            is_same = file.draft.equals(path)
            state: WrittenState = "unchanged" if is_same else "new"
            written.append(Written(path, file.entries, path in index_files, state))
            if is_same:
                file.draft.discard()
            else:
                self._location.require_own_files([path])
                file.draft.complete()
                swaps.append((file.draft.path, path))
        stale = [path for path in self._present.files if path not in files | index_files]
        stale = [path for path in stale if os.path.isfile(path)]
        self._location.swap(swaps, stale, durable=self._target.durable)
        return written + [Written(path, 0, state="removed") for path in stale]

    def abort(self) -> None:
        self._pages.discard()
        if self._indexes:
            self._indexes.discard()

    def _make_indexes(self) -> list[DraftedFile]:
        """Write one or more indexes, as an index must not list another."""
        if isinstance(self._pages, PagedFilling):
            return self._pages.indexes
        self._indexes = FileSplitter(
            SetIndexWriter(self._reporter),
            Head(),
            by_name("sitemapindex").limits,
            self._reporter,
            lambda number: self._draft(self._names.index(int(number))),
        )
        for batch in batched(self._rows()):
            self._indexes.add_batch(batch)
        self._indexes.finish()
        return list(self._indexes.files)

    def _rows(self) -> Iterator[Entry]:
        given = self._target.previous
        previous = _PreviousBuild(given, self._fetcher, self._reporter) if given else None
        for file in self._pages.files:
            path = self._names.child(file.name)
            loc = f"{self._target.base_url}{uris.escape_name(os.path.basename(path))}"
            if previous and previous.has_same(loc, file.draft):
                lastmod = previous.dates[loc]
            elif file.draft.equals(path):
                lastmod = self._present.dates.get(path) or clock.file_time(path)
            else:
                lastmod = clock.now()
            yield Entry(loc=loc, lastmod=lastmod)
        if previous:
            previous.report_failures()


# ---- the previous build of a set; its index has the dates of unchanged sitemaps


class _PreviousBuild:
    """
    Compares the files of a set with the files that an earlier index lists under the same URLs.

    The sitemaps of a local index are read from its directory, or fetched if they are missing there.
    A sitemap that cannot be read counts as changed, and is reported. `dates` has the lastmod of
    each listed sitemap, by URL.
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
        """Return the path of a sitemap beside a local index; None if it has to be fetched."""
        from urllib.parse import unquote

        index = local_path(self._index)
        if index is None:
            return None
        path = os.path.join(os.path.dirname(index), os.path.basename(unquote(loc)))
        return path if is_storage(index) or os.path.isfile(path) else None

    def report_failures(self) -> None:
        """Report sitemaps that could not be read, or an index that lists no URL of the new set."""
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
