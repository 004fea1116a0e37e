"""
A set of sitemaps that the tasks of a job write together.

Tasks store files in a hidden directory. To publish them, the driver moves them next to the index
under new names, which search engines do not know yet, then replaces the index and with it the whole
set, and finally removes the files of a previous set by sitemapx that are no longer listed.
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
from sitemapx.convert.formats.table import SITEMAP_INDEX
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

#: Maximum number of files that are moved or removed concurrently.
_CONCURRENT_CHANGES = 16
T = TypeVar("T")


class StoredFolder:
    """
    A directory in storage, or on a disk shared by all workers.

    Raises:
        OutputError: If storage fails; raised by all methods.
        UsageError: If no installed package supports the URL.

    """

    def __init__(self, url: str) -> None:
        self.url = url
        with storage_errors_as_output_errors(self.url):
            self._system, self._path = file_system(url)

    def _path_of(self, name: str) -> str:
        return f"{self._path}/{name}"

    def _create_parent(self, name: str) -> str:
        """Return the path of a file; on a disk, create its directory (storage needs none)."""
        path = self._path_of(name)
        if is_local(self._system):
            self._system.makedirs(posixpath.dirname(path), exist_ok=True)
        return path

    def download(self, name: str, local: str) -> bool:
        """Copy a file to a path on the local disk; return False if the file does not exist."""
        if not self.exists(name):
            return False
        with storage_errors_as_output_errors(self.url):
            self._system.get_file(self._path_of(name), local)
        return True

    def exists(self, name: str) -> bool:
        with storage_errors_as_output_errors(self.url):
            self._system.invalidate_cache()
            return bool(self._system.exists(self._path_of(name)))

    def touch(self, name: str) -> None:
        with storage_errors_as_output_errors(self.url):
            self._system.pipe_file(self._create_parent(name), b"")

    def upload(self, local: str, name: str, media_type: str) -> None:
        """Store a local file, replacing an existing one; on a disk, atomically."""
        with storage_errors_as_output_errors(self.url):
            path = self._create_parent(name)
            more = headers(self._system, media_type, is_packed=name.endswith(".gz"))
            if is_local(self._system):  # writing to `path` directly would not be atomic
                draft = f"{posixpath.dirname(path)}/.{uuid4().hex}.tmp"
                self._system.put_file(local, draft)
                self._system.mv(draft, path)
            else:
                self._system.put_file(local, path, **more)

    def lock(self) -> AbstractContextManager[None]:
        """Return a lock for publishing; it has no effect in storage other than a disk."""
        return folder_lock(self._path) if is_local(self._system) else nullcontext()

    def move(self, names: Mapping[str, str]) -> None:
        """Rename files; `names` maps each name to the new name."""

        def move(name: str) -> None:
            self._system.mv(self._path_of(name), self._path_of(names[name]))

        with storage_errors_as_output_errors(self.url):
            _run_concurrently(move, names)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; ignore those that do not exist."""

        def remove(name: str) -> None:
            with suppress(FileNotFoundError):
                self._system.rm_file(self._path_of(name))

        with storage_errors_as_output_errors(self.url):
            _run_concurrently(remove, names)

    def remove_folder(self, name: str) -> None:
        with storage_errors_as_output_errors(self.url), suppress(FileNotFoundError):
            self._system.rm(self._path_of(name), recursive=True)


def _run_concurrently(do: Callable[[T], None], items: Iterable[T]) -> None:
    with ThreadPoolExecutor(_CONCURRENT_CHANGES) as pool:
        list(pool.map(do, items))


#: Maximum number of attempts to remove the hidden directory.
_ATTEMPTS = 3
#: Name of the file that exists while the job runs.
_RUNNING = "running"


class Published(NamedTuple):
    """
    Facts about a set in its published directory.

    Attributes:
        indexes: Names of the indexes, the main one first.
        dates: lastmod of the listed files, by name.
        is_own: Whether sitemapx wrote all indexes, and they list only this set; True for none.

    """

    indexes: tuple[str, ...]
    dates: Mapping[str, str | None]
    is_own: bool


class StoredSet:
    """
    A published set, and the hidden files of a job that replace it or are added to it.

    Args:
        target: Path and options of the index.
        job: Unique name of the job.

    Attributes:
        name: Path of the index for messages.

    """

    def __init__(self, target: Target, job: str) -> None:
        folder, self._index = os.path.split(target.path)
        self._folder = StoredFolder(folder)
        self.name = source_name(target.path)
        self._names = SetNames(self._index)
        self._target = target
        self._job = job
        self._hidden = f".sitemapx-{job}"

    def reject_sibling(self) -> None:
        """Raise OutputError if the same set exists with the other compression."""
        plain = self._index.removesuffix(".gz")
        other = f"{plain}.gz" if self._index == plain else plain
        if self._folder.exists(other):
            message = f"{other} already exists and would not be replaced: remove it first"
            raise OutputError(f"cannot write {self.name}: {message}")

    def read_published(self) -> Published:
        with TemporaryDirectory(prefix="sitemapx-") as local:
            names = SetNames(os.path.join(local, self._index))
            indexes: list[str] = []
            dates: dict[str, str | None] = {}
            is_own = True
            for index in names.indexes(
                lambda path: self._folder.download(os.path.basename(path), path)
            ):
                listed = names.read_children(index)
                is_own = is_own and names.is_own(index) and self._lists_only(index, listed)
                indexes.append(os.path.basename(index))
                dates |= {os.path.basename(path): date for path, date in listed.items()}
        return Published(tuple(indexes), dates, is_own)

    def _lists_only(self, index: str, paths: Collection[str]) -> bool:
        """Return whether an index lists only `paths`, by URLs of this set; False without paths."""
        own = {self._url_of(os.path.basename(path)) for path in paths}
        with read(index, report=ignore) as document:
            return bool(own) and all(row.loc in own for row in document)

    def _url_of(self, name: str) -> str:
        return f"{self._target.base_url}{uris.escape_name(name)}"

    def mark_running(self) -> None:
        """Create a marker file; if it is missing, late tasks detect that the job has ended."""
        self._folder.touch(f"{self._hidden}/{_RUNNING}")

    def store(self, local: str, name: str) -> None:
        """Store a file of a task in the hidden directory; raise OutputError if the job is over."""
        self._folder.upload(local, f"{self._hidden}/{name}", self._target.format.media_type)
        if not self._folder.exists(f"{self._hidden}/{_RUNNING}"):
            self.clear()
            raise OutputError(f"cannot write to {self.name}: the job has ended")

    def publish(self, names: Iterable[str], before: Published, *, overwrite: bool) -> None:
        """
        Publish stored files; on failure, raise OutputError and restore the present set.

        Args:
            names: Names of the stored files.
            before: The present set, as it was when the job started.
            overwrite: Whether to replace the present set instead of adding to it.

        """
        moves = {
            f"{self._hidden}/{name}": self._names.child(f"{self._job}-{number}")
            for number, name in enumerate(names, 1)
        }
        dates = {} if overwrite else dict(before.dates)
        dates |= dict.fromkeys(moves.values(), clock.now())
        with self._folder.lock():
            try:
                self._folder.move(moves)
                if self.read_published() != before:
                    message = "was changed during this job, possibly by another one"
                    raise OutputError(f"{self.name} {message}; kept unchanged")
                indexes = self._write_indexes(dates)
            except BaseException:
                self._folder.remove(moves.values())
                raise
        if before.is_own:
            self._remove_stale({*before.indexes, *before.dates} - {*indexes, *dates})

    def _write_indexes(self, dates: Mapping[str, str | None]) -> list[str]:
        """Write one or more indexes and return their names; the main index is replaced last."""
        with TemporaryDirectory(prefix="sitemapx-") as local:

            def new_draft(number: str) -> FileDraft:
                path = os.path.join(local, os.path.basename(self._names.index(int(number))))
                return FileDraft(path, packer=self._target.packer)

            writer, limits = SetIndexWriter(Reporter()), SITEMAP_INDEX.limits
            splitter = FileSplitter(writer, Head(), limits, Reporter(), new_draft)
            for batch in batched(
                Entry(loc=self._url_of(name), lastmod=date) for name, date in dates.items()
            ):
                splitter.add_batch(batch)
            splitter.finish()
            drafts = {self._names.index(int(file.name)): file.draft.path for file in splitter.files}
            self._upload_indexes({name: drafts[name] for name in reversed(drafts)}, local)
        return list(drafts)

    def _upload_indexes(self, drafts: Mapping[str, str], local: str) -> None:
        """Upload indexes in order; restore the previous ones if an upload fails."""
        kept = {name: os.path.join(local, f"before-{name}") for name in drafts}
        present = {name for name, path in kept.items() if self._folder.download(name, path)}
        stored: list[str] = []
        try:
            for name, path in drafts.items():
                stored.append(name)
                self._folder.upload(path, name, SITEMAP_INDEX.media_type)
        except BaseException:
            for name in stored:
                if name in present:
                    self._folder.upload(kept[name], name, SITEMAP_INDEX.media_type)
                else:
                    self._folder.remove([name])
            raise

    def _remove_stale(self, names: Iterable[str]) -> None:
        """Remove files no longer listed; failures are only logged, as the set is published."""
        try:
            self._folder.remove(names)
        except OutputError as error:
            getLogger("sitemapx").warning("files of the previous set were not removed: %s", error)

    def clear(self) -> None:
        """Remove the hidden directory, including files of failed or repeated tasks."""
        failure: OutputError | None = None
        for _ in range(_ATTEMPTS):  # late tasks may be removing it at the same time
            try:
                self._folder.remove_folder(self._hidden)
            except OutputError as error:
                failure = error
            else:
                return
        getLogger("sitemapx").warning("files of this job were not removed: %s", failure)
