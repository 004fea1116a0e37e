"""A directory in storage, or on a disk that all workers share."""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TypeVar
from uuid import uuid4

from sitemapx.convert.disk.lock import folder_lock
from sitemapx.convert.outputs.storage import failing_as_output
from sitemapx.convert.sources.storage import file_system, headers, is_local

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
        with failing_as_output(self.url):
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
        with failing_as_output(self.url):
            self._system.get_file(self._of(name), local)
        return True

    def has(self, name: str) -> bool:
        """Return whether there is such a file."""
        with failing_as_output(self.url):
            self._system.invalidate_cache()
            return bool(self._system.exists(self._of(name)))

    def mark(self, name: str) -> None:
        """Create an empty file."""
        with failing_as_output(self.url):
            self._system.pipe_file(self._made(name), b"")

    def put(self, local: str, name: str, media_type: str) -> None:
        """Store a file from the disk, in place of one that is there, whole or not at all."""
        with failing_as_output(self.url):
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

        with failing_as_output(self.url):
            _each(move, names)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, if they are there."""

        def remove(name: str) -> None:
            with suppress(FileNotFoundError):
                self._system.rm_file(self._of(name))

        with failing_as_output(self.url):
            _each(remove, names)

    def remove_folder(self, name: str) -> None:
        """Remove a directory in this one, with everything in it, if it is there."""
        with failing_as_output(self.url), suppress(FileNotFoundError):
            self._system.rm(self._of(name), recursive=True)


def _each(do: Callable[[T], None], items: Iterable[T]) -> None:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(do, items))
