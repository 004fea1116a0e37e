"""
Writes files and sets to cloud storage with fsspec (https://filesystem-spec.readthedocs.io).

Like any set, a set in storage is first built on disk, next to a copy of the published set. Then
changed files are uploaded, indexes last, and files that are no longer listed are removed. Storage
replaces one file at a time, so a set is partly new during the upload; if the upload fails, the
previous files are restored if possible.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any

from sitemapx.convert.formats.table import SITEMAP_INDEX
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.output import Written
from sitemapx.convert.outputs.published import SetNames, set_names
from sitemapx.convert.outputs.sets import SetOutput
from sitemapx.convert.outputs.target import Target
from sitemapx.convert.sources.source import source_name
from sitemapx.convert.sources.storage import file_system, headers, storage_message
from sitemapx.errors import OutputError, SitemapxError


@contextmanager
def storage_errors_as_output_errors(url: str) -> Iterator[None]:
    try:
        yield
    except SitemapxError:
        raise
    except Exception as error:  # storage packages raise any type
        message = f"cannot write {source_name(url)}: {storage_message(error)}"
        raise OutputError(message) from error


class StorageOutput(SetOutput):
    def __init__(self, target: Target, head: Head, reporter: Reporter, fetcher: Fetcher) -> None:
        self._url = target.path
        self._media_type = target.format.media_type
        self._index_type = (target.format if target.format.is_paged else SITEMAP_INDEX).media_type
        self._system, path = file_system(target.path)
        self._parent, _, name = path.rpartition("/")
        self._folder = TemporaryDirectory(prefix="sitemapx-")
        self._before = os.path.join(os.path.realpath(self._folder.name), "before")
        os.mkdir(self._before)
        local = os.path.join(os.path.realpath(self._folder.name), name)
        try:
            self._fetch_present(set_names(local, is_paged=target.format.is_paged))
            super().__init__(target._replace(path=local), head, reporter, fetcher)
        except BaseException:
            self._folder.cleanup()
            raise

    def _fetch_present(self, names: SetNames) -> None:
        with storage_errors_as_output_errors(self._url):
            if names.path != names.index(1):
                self._fetch(names.path)
            for index in names.indexes(self._fetch):
                for path in names.read_children(index):
                    self._fetch(path)

    def _fetch(self, path: str) -> bool:
        """Download a file with its modification time; return False if the file does not exist."""
        remote = self._remote(path)
        try:
            self._system.get_file(remote, path)
        except FileNotFoundError:
            return False
        os.link(path, self._backup(path))  # keeps the old contents when the file is replaced
        with suppress(NotImplementedError, KeyError):
            seconds = self._system.modified(remote).timestamp()
            os.utime(path, (seconds, seconds))
        return True

    def _backup(self, path: str) -> str:
        return os.path.join(self._before, os.path.basename(path))

    def _remote(self, path: str) -> str:
        return f"{self._parent}/{os.path.basename(path)}"

    def finish(self, head: Head) -> list[Written]:
        written = super().finish(head)
        with storage_errors_as_output_errors(self._url), self._folder:
            self._send([file for file in written if file.state == "new"])
            for file in written:
                if file.state == "removed":
                    self._system.rm_file(self._remote(file.path))
        base = self._url.rpartition("/")[0]
        return [file._replace(path=f"{base}/{os.path.basename(file.path)}") for file in written]

    def _send(self, files: Sequence[Written]) -> None:
        sent: list[Written] = []
        try:
            for file in files:
                sent.append(file)
                self._system.put_file(file.path, self._remote(file.path), **self._headers(file))
        except BaseException as error:
            left = [os.path.basename(file.path) for file in sent if not self._restore(file)]
            if left and isinstance(error, Exception):
                message = f"{storage_message(error)}; could not restore {', '.join(left)}"
                raise OutputError(f"cannot write {self._url}: {message}") from error
            raise

    def _restore(self, file: Written) -> bool:
        remote, kept = self._remote(file.path), self._backup(file.path)
        try:
            if os.path.exists(kept):
                self._system.put_file(kept, remote, **self._headers(file))
            elif self._system.exists(remote):
                self._system.rm_file(remote)
        except Exception:  # noqa: BLE001 - of any type; the caller reports it
            return False
        return True

    def abort(self) -> None:
        super().abort()
        self._folder.cleanup()

    def _headers(self, file: Written) -> dict[str, Any]:
        media_type = self._index_type if file.is_index else self._media_type
        return headers(self._system, media_type, is_packed=file.path.endswith(".gz"))
