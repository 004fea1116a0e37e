"""A directory in storage, or on a disk that all workers share."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from typing import TypeVar
from uuid import uuid4

from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.sources.source import source_name
from sitemapx.convert.sources.storage import file_system, headers, is_local, storage_message
from sitemapx.errors import OutputError, SitemapxError

__all__ = ["StoredFolder"]

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
        with self._failing_as_output():
            self._system, self._path = file_system(url)

    @contextmanager
    def _failing_as_output(self) -> Iterator[None]:
        try:
            yield
        except SitemapxError:
            raise
        except Exception as error:  # whatever the package of the storage raises
            name = source_name(self.url)
            raise OutputError(f"cannot write to {name}: {storage_message(error)}") from error

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
        with self._failing_as_output():
            self._system.get_file(self._of(name), local)
        return True

    def has(self, name: str) -> bool:
        """Return whether there is such a file."""
        with self._failing_as_output():
            self._system.invalidate_cache()
            return bool(self._system.exists(self._of(name)))

    def mark(self, name: str) -> None:
        """Create an empty file."""
        with self._failing_as_output():
            self._system.pipe_file(self._made(name), b"")

    def put(self, local: str, name: str, media_type: str) -> None:
        """Store a file from the disk, in place of one that is there, whole or not at all."""
        with self._failing_as_output():
            path = self._made(name)
            more = headers(self._system, media_type, is_packed=name.endswith(".gz"))
            if is_local(self._system):  # which would write into the file that is there
                draft = f"{posixpath.dirname(path)}/.{uuid4().hex}.tmp"
                self._system.put_file(local, draft)
                self._system.mv(draft, path)
            else:
                self._system.put_file(local, path, **more)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn to publish; storage that is not a disk knows no turns."""
        with folder_lock(self._path) if is_local(self._system) else nullcontext():
            yield

    def move(self, names: Mapping[str, str]) -> None:
        """Give files other names."""

        def move(name: str) -> None:
            self._system.mv(self._of(name), self._of(names[name]))

        with self._failing_as_output():
            _each(move, names)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, if they are there."""

        def remove(name: str) -> None:
            with suppress(FileNotFoundError):
                self._system.rm_file(self._of(name))

        with self._failing_as_output():
            _each(remove, names)

    def remove_folder(self, name: str) -> None:
        """Remove a directory in this one, with everything in it, if it is there."""
        with self._failing_as_output(), suppress(FileNotFoundError):
            self._system.rm(self._of(name), recursive=True)


def _each(do: Callable[[T], None], items: Iterable[T]) -> None:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(do, items))
