"""
A file, or a set of files with an index, which is made anew or brought up to date.

A set follows the name of its output: `sitemap.xml` becomes the index, `sitemap-1.xml` and so on
its children, or `sitemap-blog.xml` where they are grouped; `sitemap-index-2.xml` is a second index
where 50,000 children are not enough. A file whose bytes did not change stays as it is, and so
does its lastmod in the index. https://www.sitemaps.org/protocol.html#index
"""

import os
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.disk.swap import Swap
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.formats.sitemap.writer import SitemapIndexWriter
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.output import Written, WrittenState
from sitemapx.convert.outputs.pages import PagedFilling
from sitemapx.convert.outputs.published import MARK
from sitemapx.convert.outputs.splitter import DraftedFile, FileSplitter
from sitemapx.convert.outputs.target import Place, Target
from sitemapx.convert.values import clock, uris
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from sitemapx.convert.outputs.groups import GroupedFilling


class SetIndexWriter(SitemapIndexWriter):
    """Marks the index of a set."""

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the declaration, the mark, and the start tag."""
        declaration, end, rest = super().start(head, fields).partition(b"\n")
        return declaration + end + MARK + rest


class SetOutput:
    """A file of the target's name, or a set whose index has it."""

    def __init__(self, target: Target, head: Head, reporter: Reporter) -> None:
        self._target = target
        self._reporter = reporter
        self._place = Place(target.path, is_paged=target.format.is_paged)
        self._names = self._place.names
        self._path = self._names.path
        self._present = self._place.present
        self._pages = self._filling(head)
        self._indexes: FileSplitter | None = None
        self.add = self._pages.add

    def _filling(self, head: Head) -> "FileSplitter | GroupedFilling | PagedFilling":
        """Begin to fill files, in the way of the format and of the grouping."""
        target, reporter = self._target, self._reporter
        if target.format.is_paged:
            return PagedFilling(target, head, target.page_limit, reporter, self._new_page)
        given = (target.format.writer(reporter), head, target.limits, reporter, self._new_draft)
        if target.grouping:
            from sitemapx.convert.outputs import groups  # which few runs need

            return groups.GroupedFilling(target.grouping, *given)
        return FileSplitter(*given)

    def _new_page(self, number: int) -> FileDraft:
        path = self._names.child(str(number)) if number else self._path
        return FileDraft(path, packer=self._target.packer, present=path)

    def _draft(self, path: str) -> FileDraft:
        name = self._place.shown(path)
        return FileDraft(path, packer=self._target.packer, present=path, name=name)

    def _new_draft(self, name: str) -> FileDraft:
        if name != "1" and self._target.base_url is None:
            raise UsageError(
                "output exceeds the limits of one file and needs an index: pass "
                f"{option('base_url')}, the public URL of the output directory"
            )
        path = self._names.child(name)
        if name == "1" and not self._present.dates:
            path = self._path  # it may remain the only one
        return self._draft(path)

    @property
    def entries(self) -> int:
        """The number of entries that it holds by now."""
        return self._pages.entries

    @property
    def can_revise(self) -> bool:
        """Whether the head may still be another at the end."""
        return self._pages.can_revise

    @property
    def replaces(self) -> bool:
        """Whether there is a file or a set already."""
        return bool(self._present.dates) or os.path.exists(self._path)

    def entries_before(self, tolerated: float) -> int:
        """Count the entries of what stands there; roughly, if they are not more than tolerated."""
        of_index = self._target.format.name == "sitemapindex"
        return self._present.entries(tolerated, of_index=of_index)

    def finish(self, head: Head) -> list[Written]:
        """Swap in the files that changed, the indexes last; remove those that nothing lists."""
        self._pages.finish(head)
        if not self._pages.makes_set:
            files: dict[str, DraftedFile] = {self._path: self._pages.files[0]}
            indexes: list[DraftedFile] = []
        else:
            indexes = self._make_indexes()
            files = {self._names.child(file.name): file for file in self._pages.files}
        index_files = {self._names.index(int(file.name)): file for file in reversed(indexes)}
        with self._place.turn():
            return self._put_in_place(files, index_files)

    def _put_in_place(
        self, files: dict[str, DraftedFile], index_files: dict[str, DraftedFile]
    ) -> list[Written]:
        """Swap in what changed of children and indexes."""
        written: list[Written] = []
        swaps: list[Swap] = []
        for path, file in (files | index_files).items():
            is_same = file.draft.equals(path)
            state: WrittenState = "unchanged" if is_same else "new"
            written.append(Written(path, file.entries, path in index_files, state))
            if is_same:
                file.draft.discard()
            else:
                self._place.refuse_foreign([path])
                file.draft.complete()
                swaps.append((file.draft.path, path))
        stale = [path for path in self._present.files if path not in files | index_files]
        stale = [path for path in stale if os.path.isfile(path)]
        self._place.put(swaps, stale, durable=self._target.durable)
        return written + [Written(path, 0, state="removed") for path in stale]

    def abort(self) -> None:
        """Remove what was begun."""
        self._pages.discard()
        if self._indexes:
            self._indexes.discard()

    # ---- the index

    def _make_indexes(self) -> list[DraftedFile]:
        """List the files in an index; in several, for an index must not list another."""
        if isinstance(self._pages, PagedFilling):
            return self._pages.indexes
        self._indexes = FileSplitter(
            SetIndexWriter(self._reporter),
            Head(),
            by_name("sitemapindex").limits,
            self._reporter,
            self._new_index_draft,
        )
        for batch in batched(self._rows()):
            self._indexes.add(batch)
        self._indexes.finish()
        return list(self._indexes.files)

    def _new_index_draft(self, number: str) -> FileDraft:
        path = self._names.index(int(number))
        return self._draft(path)

    def _rows(self) -> Iterator[Entry]:
        """List the files; one that does not change keeps the date it has."""
        for file in self._pages.files:
            path = self._names.child(file.name)
            loc = f"{self._target.base_url}{uris.escaped(os.path.basename(path))}"
            if file.draft.equals(path):
                lastmod = self._present.dates.get(path) or clock.of_file(path)
            else:
                lastmod = clock.now()
            yield Entry(loc=loc, lastmod=lastmod)
