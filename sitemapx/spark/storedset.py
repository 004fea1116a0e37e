"""
A set of sitemaps, as the tasks of a job write it together.

Tasks write files into a hidden folder. To publish them, the driver gives them names of their own
beside the index, which search engines do not know yet; then it replaces the index, and with it the
whole set; files that are no longer listed are removed last.
"""

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from logging import getLogger
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar
from uuid import uuid4

from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.formats.sitemap.definition import SITEMAP_INDEX
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.published import SetNames
from sitemapx.convert.outputs.sets import SetIndexWriter
from sitemapx.convert.outputs.splitter import FileSplitter
from sitemapx.convert.outputs.storage import storage_errors_as_output_errors
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.sources.read import read
from sitemapx.convert.sources.source import source_name
from sitemapx.convert.sources.storage import file_system, headers, is_local
from sitemapx.convert.values import clock, uris
from sitemapx.errors import OutputError

# ---- a directory in storage, or on a disk that all workers share

#: So many files are moved or removed at once.
_AT_ONCE = 16
T = TypeVar("T")


class StoredFolder:
    """
    A directory; whatever the storage raises is an `OutputError`.

    Attributes:
        url: Its path, or its fsspec URL.

    """

    def __init__(self, url: str) -> None:
        """
        Find the storage.

        Raises:
            OutputError: If it cannot be used.
            UsageError: If no installed package knows such URLs.

        """
        self.url = url
        with storage_errors_as_output_errors(self.url):
            self._system, self._path = file_system(url)

    def _of(self, name: str) -> str:
        return f"{self._path}/{name}"

    def _made(self, name: str) -> str:
        """Return the path of a file whose directory exists; storage has none, or makes it."""
        path = self._of(name)
        if is_local(self._system):
            self._system.makedirs(posixpath.dirname(path), exist_ok=True)
        return path

    def fetch(self, name: str, local: str) -> bool:
        """Copy a file to the disk; return whether there is one."""
        if not self.has(name):
            return False
        with storage_errors_as_output_errors(self.url):
            self._system.get_file(self._of(name), local)
        return True

    def has(self, name: str) -> bool:
        """Return whether there is such a file."""
        with storage_errors_as_output_errors(self.url):
            self._system.invalidate_cache()
            return bool(self._system.exists(self._of(name)))

    def mark(self, name: str) -> None:
        """Create an empty file."""
        with storage_errors_as_output_errors(self.url):
            self._system.pipe_file(self._made(name), b"")

    def put(self, local: str, name: str, media_type: str) -> None:
        """Store a file from the disk, in place of one that is there, whole or not at all."""
        with storage_errors_as_output_errors(self.url):
            path = self._made(name)
            more = headers(self._system, media_type, is_packed=name.endswith(".gz"))
            if is_local(self._system):  # which would write into the file that is there
                draft = f"{posixpath.dirname(path)}/.{uuid4().hex}.tmp"
                self._system.put_file(local, draft)
                self._system.mv(draft, path)
            else:
                self._system.put_file(local, path, **more)

    def turn(self) -> AbstractContextManager[None]:
        """Return the turn to publish, to be waited for; storage that is not a disk knows none."""
        return folder_lock(self._path) if is_local(self._system) else nullcontext()

    def move(self, names: Mapping[str, str]) -> None:
        """Give files other names."""

        def move(name: str) -> None:
            self._system.mv(self._of(name), self._of(names[name]))

        with storage_errors_as_output_errors(self.url):
            _each(move, names)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, if they are there."""

        def remove(name: str) -> None:
            with suppress(FileNotFoundError):
                self._system.rm_file(self._of(name))

        with storage_errors_as_output_errors(self.url):
            _each(remove, names)

    def remove_folder(self, name: str) -> None:
        """Remove a directory in this one, with everything in it, if it is there."""
        with storage_errors_as_output_errors(self.url), suppress(FileNotFoundError):
            self._system.rm(self._of(name), recursive=True)


def _each(do: Callable[[T], None], items: Iterable[T]) -> None:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(do, items))


#: A folder is removed again so often, if that fails.
_ATTEMPTS = 3
#: The file that is there while the job runs.
_RUNNING = "running"


class Published(NamedTuple):
    """
    The set that is published.

    Attributes:
        indexes: The names of its indexes, the main one first.
        dates: The dates of the files that they list, by their names.
        is_own: Whether this tool made all that is there; also if nothing is.

    """

    indexes: tuple[str, ...]
    dates: Mapping[str, str | None]
    is_own: bool


class StoredSet:
    """
    The place of a set, and of the files of a job that is to replace it or to add to it.

    Attributes:
        name: Path of the index, as messages show it.

    """

    def __init__(self, target: Target, job: str) -> None:
        """
        Take the place of a set.

        Args:
            target: Path and options of the index.
            job: Name of the job, which no other has.

        Raises:
            OutputError: If the storage cannot be used.
            UsageError: If no installed package knows such URLs.

        """
        folder, self._index = os.path.split(target.path)
        self._folder = StoredFolder(folder)
        self.name = source_name(target.path)
        self._names = SetNames(self._index)
        self._target = target
        self._job = job
        self._hidden = f".sitemapx-{job}"

    def refuse_sibling(self) -> None:
        """
        Refuse to publish beside a set that has the same name but for its compression.

        Raises:
            OutputError: If there is one, or the storage cannot be read.

        """
        plain = self._index.removesuffix(".gz")
        other = f"{plain}.gz" if self._index == plain else plain
        if self._folder.has(other):
            message = f"{other} is there, which would stay as it is: remove it first"
            raise OutputError(f"cannot write {self.name}: {message}")

    def published(self) -> Published:
        """
        Return what is published.

        Raises:
            OutputError: If the storage cannot be read.

        """
        with TemporaryDirectory(prefix="sitemapx-") as local:
            names = SetNames(os.path.join(local, self._index))
            indexes: list[str] = []
            dates: dict[str, str | None] = {}
            is_own = True
            for index in names.indexes(lambda path: self._folder.fetch(_base(path), path)):
                listed = names.read_children(index)
                is_own = is_own and names.is_own(index) and self._lists_only(index, listed)
                indexes.append(_base(index))
                dates |= {_base(path): date for path, date in listed.items()}
        return Published(tuple(indexes), dates, is_own)

    def _lists_only(self, index: str, paths: Collection[str]) -> bool:
        """Return whether an index lists these files, by the URLs of this set, and nothing else."""
        own = {self._url_of(_base(path)) for path in paths}
        with read(index, report=ignore) as document:
            return bool(own) and all(row.loc in own for row in document)

    def _url_of(self, name: str) -> str:
        return f"{self._target.base_url}{uris.escape_name(name)}"

    def begin(self) -> None:
        """
        Mark that the job is running, so that a task knows whether it is too late to store files.

        Raises:
            OutputError: If nothing can be written there.

        """
        self._folder.mark(f"{self._hidden}/{_RUNNING}")

    def store(self, local: str, name: str) -> None:
        """
        Store a file of a task, where nobody sees it.

        Raises:
            OutputError: If it cannot be stored, or the job has ended without this task.

        """
        self._folder.put(local, f"{self._hidden}/{name}", self._target.format.media_type)
        if not self._folder.has(f"{self._hidden}/{_RUNNING}"):
            self.clear()
            raise OutputError(f"cannot write to {self.name}: the job has ended")

    def publish(self, names: Iterable[str], before: Published, *, overwrite: bool) -> None:
        """
        Publish stored files, in place of the present set or beside its files.

        Args:
            names: Names of the files.
            before: The present set.
            overwrite: Whether to replace it.

        Raises:
            OutputError: If that cannot be done; then the present set is as it was.

        """
        moves = {
            f"{self._hidden}/{name}": self._names.child(f"{self._job}-{number}")
            for number, name in enumerate(names, 1)
        }
        dates = {} if overwrite else dict(before.dates)
        dates |= dict.fromkeys(moves.values(), clock.now())
        with self._folder.turn():
            try:
                self._folder.move(moves)
                if self.published() != before:
                    message = "was changed during this job, possibly by another one"
                    raise OutputError(f"{self.name} {message}; kept unchanged")
                indexes = self._put_indexes(dates)
            except BaseException:
                self._folder.remove(moves.values())
                raise
        if before.is_own:
            self._remove_stale({*before.indexes, *before.dates} - {*indexes, *dates})

    def _put_indexes(self, dates: Mapping[str, str | None]) -> list[str]:
        """List files in an index, or in several; the main one is replaced last."""
        with TemporaryDirectory(prefix="sitemapx-") as local:

            def new_draft(number: str) -> FileDraft:
                path = os.path.join(local, _base(self._names.index(int(number))))
                return FileDraft(path, packer=self._target.packer)

            writer, limits = SetIndexWriter(Reporter()), SITEMAP_INDEX.limits
            splitter = FileSplitter(writer, Head(), limits, Reporter(), new_draft)
            for batch in batched(
                Entry(loc=self._url_of(name), lastmod=date) for name, date in dates.items()
            ):
                splitter.add_batch(batch)
            splitter.finish()
            drafts = {self._names.index(int(file.name)): file.draft.path for file in splitter.files}
            self._replace({name: drafts[name] for name in reversed(drafts)}, local)
        return list(drafts)

    def _replace(self, drafts: Mapping[str, str], local: str) -> None:
        """Store indexes one after the other; put back those that were there if one fails."""
        kept = {name: os.path.join(local, f"before-{name}") for name in drafts}
        present = {name for name, path in kept.items() if self._folder.fetch(name, path)}
        stored: list[str] = []
        try:
            for name, path in drafts.items():
                stored.append(name)
                self._folder.put(path, name, SITEMAP_INDEX.media_type)
        except BaseException:
            for name in stored:
                if name in present:
                    self._folder.put(kept[name], name, SITEMAP_INDEX.media_type)
                else:
                    self._folder.remove([name])
            raise

    def _remove_stale(self, names: Iterable[str]) -> None:
        """Remove what is not listed any more; if that fails, the set is published nevertheless."""
        try:
            self._folder.remove(names)
        except OutputError as error:
            getLogger("sitemapx").warning("files of the previous set are left: %s", error)

    def clear(self) -> None:
        """Remove the hidden folder, with the files of tasks that failed or were repeated."""
        failure: OutputError | None = None
        for _ in range(_ATTEMPTS):  # tasks that have not ended yet may be doing the same
            try:
                self._folder.remove_folder(self._hidden)
            except OutputError as error:
                failure = error
            else:
                return
        getLogger("sitemapx").warning("files of this job are left: %s", failure)


def _base(path: str) -> str:
    return os.path.basename(path)
