"""
Sets in storage: whatever fsspec (https://filesystem-spec.readthedocs.io) opens, such as s3://.

A set is made on disk, beside a copy of the one that is published, by the same means as any; then
what changed is sent, the indexes last, and what nothing lists any more is removed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sitemapx.convert.document import Batch, Head
from sitemapx.convert.outputs import Written
from sitemapx.convert.problems import Context
from sitemapx.convert.published import SetNames
from sitemapx.convert.sets import SetOutput
from sitemapx.convert.targets import Target
from sitemapx.errors import InputError, OutputError, SitemapxError, UsageError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["StorageOutput", "open_stored"]

_TYPES = {
    ".xml": "application/xml",
    ".rss": "application/rss+xml",
    ".atom": "application/atom+xml",
    ".txt": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".jsonl": "application/x-ndjson",
}
#: The packages that bring a protocol, by the extra of the same family.
_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "az": "azure", "abfs": "azure"}


def _file_system(url: str) -> "tuple[AbstractFileSystem, str]":
    """
    Find the file system of a URL, and the path there.

    Raises:
        UsageError: If no installed package knows it.

    """
    scheme = url.partition("://")[0]
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        extra = _EXTRAS.get(scheme)
        cure = f"pip install 'sitemapx[{extra}]'" if extra else "no extra of sitemapx brings it"
        raise UsageError(f"{scheme}:// cannot be opened here: {cure}") from error
    return system, str(path)


def open_stored(url: str) -> BinaryIO:
    """
    Open what is stored at a URL.

    Raises:
        InputError: If it cannot be opened; what fails later is an OSError.
        UsageError: If no installed package knows such URLs.

    """
    system, path = _file_system(url)
    try:
        return cast(BinaryIO, system.open(path, "rb"))
    except Exception as error:  # whatever the package raises
        raise InputError(_in_words(error), url) from error


def _in_words(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "not found"
    return " ".join(str(error).split()) or type(error).__name__


class StorageOutput:
    """A file or a set in storage."""

    def __init__(self, target: Target, head: Head, context: Context) -> None:
        """
        Fetch what is published there, to compare with.

        Raises:
            OutputError: If the storage cannot be reached.
            UsageError: If no installed package knows such URLs.

        """
        self._url = target.path
        self._system, path = _file_system(target.path)
        self._parent, _, name = path.rpartition("/")
        self._folder = TemporaryDirectory(prefix="sitemapx-")
        local = os.path.join(os.path.realpath(self._folder.name), name)
        try:
            self._fetch_present(SetNames(local))
            self._output = SetOutput(target._replace(path=local), head, context)
        except BaseException:
            self._folder.cleanup()
            raise

    @contextmanager
    def _failing_as_output(self) -> Iterator[None]:
        try:
            yield
        except SitemapxError:
            raise
        except Exception as error:  # whatever the package raises
            raise OutputError(f"cannot write {self._url}: {_in_words(error)}") from error

    def _fetch_present(self, names: SetNames) -> None:
        with self._failing_as_output():
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
        with suppress(NotImplementedError, KeyError):
            seconds = self._system.modified(remote).timestamp()
            os.utime(path, (seconds, seconds))
        return True

    def _remote(self, path: str) -> str:
        return f"{self._parent}/{os.path.basename(path)}"

    @property
    def entries(self) -> int:
        """How many entries it holds by now."""
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
        with self._failing_as_output(), self._folder:
            for one in written:
                if one.state == "new":
                    headers = _headers(self._system.protocol, one.path)
                    self._system.put_file(one.path, self._remote(one.path), **headers)
            for one in written:
                if one.state == "removed":
                    self._system.rm_file(self._remote(one.path))
        base = self._url.rpartition("/")[0]
        return [one._replace(path=f"{base}/{os.path.basename(one.path)}") for one in written]

    def abort(self) -> None:
        """Send nothing."""
        self._output.abort()
        self._folder.cleanup()


def _headers(protocol: str | tuple[str, ...], path: str) -> dict[str, Any]:
    """Say what kind of file it is, in the way of the storage that is asked to say so."""
    name = path.removesuffix(".gz")
    kind = _TYPES.get(os.path.splitext(name)[1])
    protocols = {protocol} if isinstance(protocol, str) else set(protocol)
    headers: dict[str, Any] = {}
    if kind and "s3" in protocols:
        headers["ContentType"] = kind
        if name != path:
            headers["ContentEncoding"] = "gzip"
    elif kind and "gs" in protocols:
        headers["content_type"] = kind
        if name != path:
            headers["fixed_key_metadata"] = {"content_encoding": "gzip"}
    return headers
