"""
Sets in storage: whatever fsspec (https://filesystem-spec.readthedocs.io) opens, such as s3://.

A set is made on disk, beside a copy of the one that is published, by the same means as any; then
what changed is sent, the indexes last, and what nothing lists any more is removed. Storage replaces
one file at a time, so while a set is sent it is partly new; if that fails, what was sent is put
back as it was.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any

from sitemapx.convert.formats.sitemap.definition import SITEMAP_INDEX
from sitemapx.convert.model.batch import Batch
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
def failing_as_output(url: str) -> Iterator[None]:
    """
    Raise whatever the package of a storage raises as an error of an output.

    Args:
        url: The output, for the message.

    Raises:
        OutputError: If the storage fails.

    """
    try:
        yield
    except SitemapxError:
        raise
    except Exception as error:  # whatever the package raises
        message = f"cannot write {source_name(url)}: {storage_message(error)}"
        raise OutputError(message) from error


class StorageOutput:
    """A file or a set in storage."""

    def __init__(self, target: Target, head: Head, reporter: Reporter) -> None:
        """
        Fetch what is published there, to compare with.

        Raises:
            OutputError: If the storage cannot be reached.
            UsageError: If no installed package knows such URLs.

        """
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
            self._output = SetOutput(target._replace(path=local), head, reporter)
        except BaseException:
            self._folder.cleanup()
            raise

    def _fetch_present(self, names: SetNames) -> None:
        with failing_as_output(self._url):
            if names.path != names.index(1):
                self._fetch(names.path)
            for index in names.indexes(self._fetch):
                for path in names.listed(index):
                    self._fetch(path)

    def _fetch(self, path: str) -> bool:
        """Fetch a file, with its time; tell whether there is one."""
        remote = self._remote(path)
        try:
            self._system.get_file(remote, path)
        except FileNotFoundError:
            return False
        os.link(path, self._kept(path))  # which stays as it is when the file is replaced
        with suppress(NotImplementedError, KeyError):
            seconds = self._system.modified(remote).timestamp()
            os.utime(path, (seconds, seconds))
        return True

    def _kept(self, path: str) -> str:
        """Return where a file is kept as it was."""
        return os.path.join(self._before, os.path.basename(path))

    def _remote(self, path: str) -> str:
        return f"{self._parent}/{os.path.basename(path)}"

    @property
    def entries(self) -> int:
        """The number of entries that it holds by now."""
        return self._output.entries

    def add(self, batch: Batch) -> None:
        """Take some entries."""
        self._output.add(batch)

    @property
    def can_revise(self) -> bool:
        """Whether a head other than the first can still be written."""
        return self._output.can_revise

    @property
    def replaces(self) -> bool:
        """Whether there is a file or a set already."""
        return self._output.replaces

    def entries_before(self, tolerated: float) -> int:
        """Count the entries of what is stored; roughly, if they are not more than tolerated."""
        return self._output.entries_before(tolerated)

    def finish(self, head: Head) -> list[Written]:
        """Send what changed, the indexes last; remove what nothing lists any more."""
        written = self._output.finish(head)
        with failing_as_output(self._url), self._folder:
            self._send([one for one in written if one.state == "new"])
            for one in written:
                if one.state == "removed":
                    self._system.rm_file(self._remote(one.path))
        base = self._url.rpartition("/")[0]
        return [one._replace(path=f"{base}/{os.path.basename(one.path)}") for one in written]

    def _send(self, files: Sequence[Written]) -> None:
        """Send files; if one fails, put back those before it."""
        sent: list[Written] = []
        try:
            for file in files:
                sent.append(file)
                self._system.put_file(file.path, self._remote(file.path), **self._headers(file))
        except BaseException as error:
            left = [os.path.basename(file.path) for file in sent if not self._is_put_back(file)]
            if left and isinstance(error, Exception):
                message = f"{storage_message(error)}; could not restore {', '.join(left)}"
                raise OutputError(f"cannot write {self._url}: {message}") from error
            raise

    def _is_put_back(self, file: Written) -> bool:
        """Store a file as it was before, or remove it if there was none; tell whether it worked."""
        remote, kept = self._remote(file.path), self._kept(file.path)
        try:
            if os.path.exists(kept):
                self._system.put_file(kept, remote, **self._headers(file))
            elif self._system.exists(remote):
                self._system.rm_file(remote)
        except Exception:  # noqa: BLE001 - whatever the package raises; the caller reports it
            return False
        return True

    def abort(self) -> None:
        """Send nothing."""
        self._output.abort()
        self._folder.cleanup()

    def _headers(self, file: Written) -> dict[str, Any]:
        media_type = self._index_type if file.is_index else self._media_type
        return headers(self._system, media_type, is_packed=file.path.endswith(".gz"))
