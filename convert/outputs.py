"""
Outputs: standard output, one file, or a set of files with an index.

A set follows the name of its output: `sitemap.xml` becomes the index, `sitemap-1.xml` and so on
its children, `sitemap-index-2.xml` a second index where 50,000 children are not enough. A file
whose bytes did not change stays as it is, and so does its lastmod in the index.
https://www.sitemaps.org/protocol.html#index
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple, Protocol

from sitemapx.convert import times, urls
from sitemapx.convert.document import Batch, Head, batched
from sitemapx.convert.entry import Entry
from sitemapx.convert.filling import Filling
from sitemapx.convert.formats import by_name
from sitemapx.convert.problems import Context
from sitemapx.convert.reading import read
from sitemapx.convert.sinks import Draft, FileDraft, StreamDraft, Swap, is_special, swap_in
from sitemapx.convert.targets import Target
from sitemapx.errors import OutputError, SitemapxError, UsageError

__all__ = ["Output", "Written", "open_output"]


class Written(NamedTuple):
    """A file that was written, or that stood there with the same bytes already."""

    path: str
    entries: int
    is_index: bool = False
    is_new: bool = True


class Output(Protocol):
    """Takes entries; what may have to be taken back is not to be seen until `finish`."""

    @property
    def entries(self) -> int:
        """How many entries it holds by now."""
        ...

    def add(self, batch: Batch) -> None:
        """Take some entries."""
        ...

    def finish(self) -> list[Written]:
        """Let the output appear, and tell what was written."""
        ...

    def abort(self) -> None:
        """Leave everything as it was before."""
        ...


def open_output(target: Target, head: Head, context: Context, *, keep_back: bool = False) -> Output:
    """
    Begin to write.

    Args:
        keep_back: Whether even a stream must show nothing before `finish`.

    Raises:
        OutputError: If the target cannot be written to.

    """
    if target.path == "-" or is_special(target.path):
        return StreamOutput(target, head, context, keep_back)
    return SetOutput(target, head, context)


class StreamOutput:
    """Standard output, a device or a pipe: one file, and no way back."""

    def __init__(self, target: Target, head: Head, context: Context, keep_back: bool) -> None:
        self._path = target.path
        writer = target.format.writer(context)

        def new_draft(number: int) -> Draft:
            if number > 1:
                raise UsageError(
                    "this is more than one file may hold, and standard output takes only one; "
                    "name the output with -o and its address with --base-url"
                )
            keep = keep_back or target.limits is not None
            return StreamDraft(target.path, compress=target.compress, keep=keep)

        self._filling = Filling(writer, head, target.limits, context, new_draft)
        self.add = self._filling.add

    @property
    def entries(self) -> int:
        """How many entries it holds by now."""
        return self._filling.entries

    def finish(self) -> list[Written]:
        """Write out what was kept back."""
        self._filling.file.finish()
        return [Written(self._path, self._filling.file.entries)]

    def abort(self) -> None:
        """Write nothing of what was kept back."""
        self._filling.discard()


class SetOutput:
    """A file of the target's name, or a set whose index has it."""

    def __init__(self, target: Target, head: Head, context: Context) -> None:
        self._target = target
        self._context = context
        self._path = os.path.realpath(target.path)  # what a link leads to is replaced, not the link
        if os.path.isdir(self._path):
            raise OutputError(f"{target.path} is a folder")
        writer = target.format.writer(context)
        self._pages = Filling(writer, head, target.limits, context, self._new_page_draft)
        self._indexes: Filling | None = None
        self.add = self._pages.add

    def _new_page_draft(self, number: int) -> Draft:
        if number == 2 and self._target.base_url is None:
            raise UsageError(
                "this is more than one file may hold, and its index needs --base-url, "
                "the address where the files will be served"
            )
        path = self._path if number == 1 else self._numbered(number)
        return FileDraft(path, compress=self._target.compress)

    @property
    def entries(self) -> int:
        """How many entries it holds by now."""
        return self._pages.entries

    def finish(self) -> list[Written]:
        """Swap in the files that changed, the indexes last."""
        self._pages.file.finish()
        if len(self._pages.files) == 1:
            written = [Written(self._path, self._pages.file.entries)]
            files = self._pages.files
        else:
            self._indexes = self._make_indexes()
            pages = [
                Written(self._numbered(n), f.entries) for n, f in enumerate(self._pages.files, 1)
            ]
            indexes = [
                Written(self._index_name(n), file.entries, is_index=True)
                for n, file in enumerate(self._indexes.files, 1)
            ]
            files = [*self._pages.files, *reversed(self._indexes.files)]
            written = [*pages, *reversed(indexes)]
        swaps: list[Swap] = []
        for n, (file, one) in enumerate(zip(files, written, strict=True)):
            if file.draft.equals(one.path):
                file.draft.discard()
                written[n] = one._replace(is_new=False)
            else:
                swaps.append(Swap(file.draft.path, one.path))
        swap_in(swaps)
        return written

    def abort(self) -> None:
        """Remove what was begun."""
        self._pages.discard()
        if self._indexes:
            self._indexes.discard()

    # ---- names

    def _named(self, addition: str) -> str:
        """Put something between the name and its suffixes."""
        folder, name = os.path.split(self._path)
        stem, dot, suffixes = name.partition(".")
        return os.path.join(folder, f"{stem}{addition}{dot}{suffixes}")

    def _numbered(self, number: int) -> str:
        return self._named(f"-{number}")

    def _index_name(self, number: int) -> str:
        path = self._path if number == 1 else self._named(f"-index-{number}")
        packed = ".gz" if path.endswith(".gz") else ""
        plain = path.removesuffix(".gz")
        return (
            plain + packed
            if plain.endswith(".xml")
            else os.path.splitext(plain)[0] + ".xml" + packed
        )

    def _refuse_to_replace(self, path: str) -> None:
        """Refuse to put an index where the caller did not say, over something else."""
        if path != self._path and os.path.exists(path):
            with suppress(OSError, SitemapxError), read(path) as document:
                if document.is_index:
                    return
            raise OutputError(f"the index of the set would replace {path}, which is no index")

    # ---- the index

    def _make_indexes(self) -> Filling:
        """List the files in an index; in several, for an index must not list another."""
        self._refuse_to_replace(self._index_name(1))
        form = by_name("sitemapindex")
        filling = Filling(
            form.writer(self._context),
            Head(),
            form.limits,
            self._context,
            lambda n: FileDraft(self._index_name(n), compress=self._target.compress),
        )
        self._indexes = filling
        for batch in batched(self._rows()):
            filling.add(batch)
        filling.file.finish()
        return filling

    def _rows(self) -> Iterator[Entry]:
        """List the files; one that does not change keeps the date it has."""
        dates = self._present_dates()
        for number, file in enumerate(self._pages.files, 1):
            path = self._numbered(number)
            loc = f"{self._target.base_url}{urls.escaped(os.path.basename(path))}"
            if file.draft.equals(path):
                lastmod = dates.get(loc) or times.of_file(path)
            else:
                lastmod = times.now()
            yield Entry(loc=loc, lastmod=lastmod)

    def _present_dates(self) -> dict[str | None, str | None]:
        """Read the dates of the files from the index that stands there, if one does."""
        dates: dict[str | None, str | None] = {}
        number = 1
        while os.path.exists(path := self._index_name(number)):
            number += 1
            with suppress(OSError, SitemapxError), read(path) as document:
                if document.is_index:
                    dates |= {row.loc: row.lastmod for row in document}
        return dates
