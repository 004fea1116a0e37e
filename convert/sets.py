"""
A file, or a set of files with an index, which is made anew or brought up to date.

A set follows the name of its output: `sitemap.xml` becomes the index, `sitemap-1.xml` and so on
its children, or `sitemap-blog.xml` where they are grouped; `sitemap-index-2.xml` is a second index
where 50,000 children are not enough. A file whose bytes did not change stays as it is, and so
does its lastmod in the index. https://www.sitemaps.org/protocol.html#index
"""

import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Literal, NamedTuple, Protocol
from urllib.parse import unquote

from sitemapx.convert import times, urls
from sitemapx.convert.document import Batch, Head, batched
from sitemapx.convert.entry import Entry
from sitemapx.convert.filling import Filling, OneFile
from sitemapx.convert.formats import by_name
from sitemapx.convert.grouping import GroupedFilling
from sitemapx.convert.problems import Context
from sitemapx.convert.reading import read
from sitemapx.convert.sinks import FileDraft, remove_leftovers
from sitemapx.convert.sources import unpack
from sitemapx.convert.swapping import Swap, swap_in
from sitemapx.convert.targets import Target
from sitemapx.convert.writers.sitemapindex import SitemapIndexWriter
from sitemapx.errors import OutputError, SitemapxError, UsageError

__all__ = ["Output", "SetNames", "SetOutput", "Written"]

#: Stands in the index of each set: what such an index lists was made by this tool.
_MARK = b"<!-- a set of files, made by sitemapx -->\n"


State = Literal["new", "unchanged", "removed"]


class Written(NamedTuple):
    """
    A file that was written, stood there with the same bytes already, or was removed.

    Removed is what an earlier run wrote for this set, and nothing lists any more.
    """

    path: str
    entries: int
    is_index: bool = False
    state: State = "new"


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


class _IndexWriter(SitemapIndexWriter):
    """Marks the index of a set."""

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        declaration, end, rest = super().start(head, fields).partition(b"\n")
        return declaration + end + _MARK + rest


class SetNames:
    """The names of the files of a set."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._folder, name = os.path.split(path)
        self._stem, dot, suffixes = name.partition(".")
        self._suffixes = dot + suffixes

    def child(self, name: str) -> str:
        """Give the path of the child of this name, or number."""
        return os.path.join(self._folder, f"{self._stem}-{name}{self._suffixes}")

    def index(self, number: int) -> str:
        """Give the path of an index, which is XML whatever its children are."""
        path = self.path if number == 1 else self.child(f"index-{number}")
        packed = ".gz" if path.endswith(".gz") else ""
        plain = path.removesuffix(".gz")
        return (plain if plain.endswith(".xml") else os.path.splitext(plain)[0] + ".xml") + packed

    def indexes(self, is_there: Callable[[str], bool]) -> Iterator[str]:
        """List the paths of the indexes that are there."""
        number = 1
        while is_there(path := self.index(number)):
            number += 1
            yield path

    def path_of(self, loc: str) -> str | None:
        """Find the child that an index lists; None if it cannot be one of this set."""
        name = unquote(loc.rpartition("/")[2])
        pattern = rf"{re.escape(self._stem)}-[^/\\\0]+{re.escape(self._suffixes)}"
        return os.path.join(self._folder, name) if re.fullmatch(pattern, name) else None

    def listed(self, index: str) -> dict[str, str | None]:
        """Read which children of this set an index lists, and their dates; none if it is none."""
        with suppress(OSError, SitemapxError), read(index) as document:
            if document.is_index:
                paths = ((self.path_of(row.loc or ""), row.lastmod) for row in document)
                return {path: lastmod for path, lastmod in paths if path}
        return {}


class _Present:
    """
    The set that stands there already.

    Attributes:
        dates: The lastmod of each child, by its path.
        files: The indexes and children that this tool made.

    """

    def __init__(self, names: SetNames) -> None:
        self.dates: dict[str, str | None] = {}
        self.files: list[str] = []
        for index in names.indexes(os.path.exists):
            dates = names.listed(index)
            self.dates |= dates
            if dates and _is_marked(index):
                self.files += [index, *dates]


def _is_marked(path: str) -> bool:
    with open(path, "rb") as file:
        return _MARK in unpack(file, Context())[0]


class SetOutput:
    """A file of the target's name, or a set whose index has it."""

    def __init__(self, target: Target, head: Head, context: Context) -> None:
        self._target = target
        self._context = context
        # What a link leads to is replaced, not the link.
        self._names = SetNames(os.path.realpath(target.path))
        self._path = self._names.path
        folder = os.path.dirname(target.path) or "."
        if os.path.isdir(self._path):
            raise OutputError(f"{target.path} is a folder")
        if not os.path.isdir(folder):
            raise OutputError(f"cannot write {target.path}: there is no folder {folder}")
        remove_leftovers(folder)
        self._present = _Present(self._names)
        given = (target.format.writer(context), head, target.limits, context, self._new_draft)
        self._pages: Filling | GroupedFilling = (
            GroupedFilling(target.grouping, *given) if target.grouping else Filling(*given)
        )
        self._indexes: Filling | None = None
        self.add = self._pages.add

    def _new_draft(self, name: str) -> FileDraft:
        if name != "1" and self._target.base_url is None:
            raise UsageError(
                "this is more than one file may hold, and its index needs --base-url, "
                "the address where the files will be served"
            )
        path = self._names.child(name)
        if name == "1" and not self._present.dates:
            path = self._path  # it may remain the only one
        return FileDraft(path, compress=self._target.compress, present=path)

    @property
    def entries(self) -> int:
        """How many entries it holds by now."""
        return self._pages.entries

    def finish(self) -> list[Written]:
        """Swap in the files that changed, the indexes last; remove those that nothing lists."""
        self._pages.finish()
        if not self._pages.makes_set:
            files = {self._path: self._pages.files[0]}
            indexes: list[OneFile] = []
        else:
            indexes = self._make_indexes()
            files = {self._names.child(file.name): file for file in self._pages.files}
        places = {self._names.index(int(file.name)): file for file in reversed(indexes)}
        written: list[Written] = []
        swaps: list[Swap] = []
        for path, file in (files | places).items():
            is_same = file.draft.equals(path)
            state: State = "unchanged" if is_same else "new"
            written.append(Written(path, file.entries, path in places, state))
            if is_same:
                file.draft.discard()
            else:
                file.draft.complete()
                swaps.append(Swap(file.draft.path, path))
        stale = [path for path in self._present.files if path not in files | places]
        stale = [path for path in stale if os.path.isfile(path)]
        swap_in(swaps, stale)
        return written + [Written(path, 0, state="removed") for path in stale]

    def abort(self) -> None:
        """Remove what was begun."""
        self._pages.discard()
        if self._indexes:
            self._indexes.discard()

    # ---- the index

    def _make_indexes(self) -> list[OneFile]:
        """List the files in an index; in several, for an index must not list another."""
        self._refuse_to_replace(self._names.index(1))
        self._indexes = Filling(
            _IndexWriter(self._context),
            Head(),
            by_name("sitemapindex").limits,
            self._context,
            self._new_index_draft,
        )
        for batch in batched(self._rows()):
            self._indexes.add(batch)
        self._indexes.finish()
        return self._indexes.files

    def _new_index_draft(self, number: str) -> FileDraft:
        path = self._names.index(int(number))
        return FileDraft(path, compress=self._target.compress, present=path)

    def _refuse_to_replace(self, path: str) -> None:
        """Refuse to put an index where the caller did not say, over something else."""
        if path != self._path and os.path.exists(path):
            with suppress(OSError, SitemapxError), read(path) as document:
                if document.is_index:
                    return
            raise OutputError(f"the index of the set would replace {path}, which is no index")

    def _rows(self) -> Iterator[Entry]:
        """List the files; one that does not change keeps the date it has."""
        for file in self._pages.files:
            path = self._names.child(file.name)
            loc = f"{self._target.base_url}{urls.escaped(os.path.basename(path))}"
            if file.draft.equals(path):
                lastmod = self._present.dates.get(path) or times.of_file(path)
            else:
                lastmod = times.now()
            yield Entry(loc=loc, lastmod=lastmod)
