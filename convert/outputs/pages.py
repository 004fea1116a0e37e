"""Write sets of pages that link to each other."""

import os
from collections.abc import Callable, Sequence
from typing import cast

from sitemapx.convert.disk.draft import Draft
from sitemapx.convert.formats.pages import PageWriter
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.published import page_mark
from sitemapx.convert.outputs.splitter import DraftedFile
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.values import uris


class PagedFilling:
    """Writes the pages of an HTML site map; `new_draft` takes the number of a page, from 0."""

    can_revise = False

    def __init__(
        self,
        target: Target,
        head: Head,
        limit: int | None,
        reporter: Reporter,
        new_draft: Callable[[int], Draft],
    ) -> None:
        self._target = target
        self._limit = limit
        self._new_draft = new_draft
        self._writer = cast(PageWriter, target.format.writer(reporter))
        self._writer.begin(head, target.layout)
        self.files: list[DraftedFile] = []
        self.indexes: list[DraftedFile] = []
        self.entries = 0

    @property
    def makes_set(self) -> bool:
        return bool(self.indexes)

    def add_batch(self, batch: Batch) -> None:
        self.entries += self._writer.add(batch)

    def finish(self, head: Head | None = None) -> None:
        count = self._writer.plan(self._limit)
        for page in self._writer.files(self._urls(count)):
            file = DraftedFile(str(page.number or 1), self._new_draft(page.number))
            file.entries = page.entries
            (self.files if page.number or not count else self.indexes).append(file)
            for chunk in page.chunks:
                file.draft.write(chunk)
            if not page.number:
                file.draft.write(page_mark(self.entries, count))
            file.draft.close()
        self._writer.close()

    def _urls(self, count: int) -> Sequence[str]:
        """Return the URLs by which pages link to each other, without `.gz`, in page order."""
        name = os.path.basename(self._target.path).removesuffix(".gz")
        base = self._target.base_url or ("./" if ":" in name else "")
        stem, dot, suffixes = name.partition(".")
        names = [name, *(f"{stem}-{number}{dot}{suffixes}" for number in range(1, count + 1))]
        return [f"{base}{uris.escape_name(page)}" for page in names]

    def discard(self) -> None:
        self._writer.close()
        for file in (*self.files, *self.indexes):
            file.draft.discard()
