"""
List what is to be read, on the driver: files in storage, and the sitemaps of an index.

A path leads to one file, to the files of a directory, or to those that match a pattern. What an
index lists is read by many tasks, so it is listed here; an index among many files is not followed,
for the files that it lists are usually among them.
"""

import os
import posixpath
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sitemapx.convert.formats.format import Context
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.listedfiles import ListedFiles
from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.read import read
from sitemapx.convert.sources.source import local_path, source_name
from sitemapx.convert.sources.storage import file_system, is_local, storage_message
from sitemapx.convert.values import urls
from sitemapx.errors import InputError
from sitemapx.optionnames import option
from sitemapx.spark.options import ReaderOptions

__all__ = ["SourceFile", "grouped", "list_files"]

#: So many URLs are fetched at once, each host politely.
_FETCHES = 16
#: Opening a file costs as much as reading so many bytes.
_OPENING = 1 << 20
#: A task reads so many bytes, unless there would be too many tasks for the driver. To begin a task
#: in Python, Spark takes as long as reading some ten megabytes.
_PARTITION, _MOST_PARTITIONS = 96 << 20, 10_000
#: One byte of a compressed file takes as long to read as so many others.
_PACKED = 8
_HIDDEN = ("_", ".")


class SourceFile(NamedTuple):
    """
    A file to read.

    Attributes:
        path: Its path, on disk or in storage, or its http(s) URL.
        url: Its public URL; None if unknown.
        is_listed: Whether an index lists it by this URL.
        follows: Whether what it lists is read, if it is an index.
        size: Its size in bytes; 0 if unknown.

    """

    path: str
    url: str | None = None
    is_listed: bool = False
    follows: bool = True
    size: int = 0

    @property
    def name(self) -> str:
        """Its name in problems and in the column `source`: as the index or the caller names it."""
        return urls.without_user(self.url if self.is_listed and self.url else self.path)

    @property
    def host(self) -> str:
        """The host of its http(s) URL; empty for a file."""
        return "" if local_path(self.path) else urlsplit(self.path).netloc.lower()


def list_files(options: ReaderOptions, report: ProblemHandler) -> list[SourceFile]:
    """
    List the files that are to be read, each once.

    Args:
        report: Called with each problem of an index.

    Raises:
        InputError: If a path matches nothing, or nothing that was given can be read.
        UsageError: If storage is not supported by this installation.

    """
    found = [file for path in options.paths for file in _matches(path, options)]
    expander = _Expander(options, report)
    with options.fetcher() as fetcher, ThreadPoolExecutor(_FETCHES) as pool:
        listed = list(pool.map(lambda file: expander.expanded(file, fetcher), found))
    if expander.errors and not any(listed):
        raise expander.errors[0]
    for error in expander.errors:
        Reporter(report, source=error.source).problem("failed", error.message, line=error.line)
    return list({file.path: file for files in listed for file in files}.values())


def grouped(files: list[SourceFile], size: int) -> list[list[SourceFile]]:
    """
    Divide files among tasks: the URLs of a host belong to one, small files are read together.

    Args:
        size: Size of the files of one task in bytes; 0 to choose.

    """
    stored = [file for file in files if not file.host]
    costs = [
        file.size * (_PACKED if file.path.endswith(".gz") else 1) + _OPENING for file in stored
    ]
    most = size or max(_PARTITION, sum(costs) // _MOST_PARTITIONS)
    groups: list[list[SourceFile]] = []
    room = 0
    for file, cost in zip(stored, costs, strict=True):
        if room < cost:
            groups.append([])
            room = max(most, cost)
        groups[-1].append(file)
        room -= cost
    hosts: dict[str, list[SourceFile]] = {}
    for file in files:
        if file.host:
            hosts.setdefault(file.host, []).append(file)
    return [*groups, *hosts.values()]


def _matches(path: str, options: ReaderOptions) -> Iterator[SourceFile]:
    """
    List the files to which a path leads.

    Raises:
        InputError: If there are none, or storage cannot be reached.

    """
    stored = local_path(path)
    if stored is None:
        yield SourceFile(path, options.source_url, follows=options.follow_index is not False)
        return
    system, name = file_system(stored)
    try:
        found = _found(system, name)
    except Exception as error:  # whatever the package of the storage raises
        raise InputError(storage_message(error), source_name(stored)) from error
    if not found:
        raise InputError("no such file, and no files match this pattern", source_name(stored))
    is_alone = [*found] == [name]
    follows = options.follow_index or (is_alone and options.follow_index is None)
    for one, size in sorted(found.items()):
        shown = one if is_local(system) else str(system.unstrip_protocol(one))
        yield SourceFile(shown, options.source_url, follows=follows, size=size)


def _found(system: Any, name: str) -> dict[str, int]:
    """Return the sizes of the files to which a path leads, by their names."""
    if system.isfile(name):
        return {name: _size(system.info(name))}
    if system.isdir(name):
        infos = {info["name"]: info for info in system.ls(name, detail=True)}
    else:
        infos = system.glob(name, detail=True)
    return {
        one: _size(info)
        for one, info in infos.items()
        if _is_file(system, info) and not posixpath.basename(one).startswith(_HIDDEN)
    }


def _is_file(system: Any, info: dict[str, Any]) -> bool:
    """Return whether a name leads to a file; a broken link does, so that it is reported."""
    if info["type"] != "other" or not is_local(system):
        return bool(info["type"] == "file")
    return os.path.isfile(info["name"]) or not os.path.exists(info["name"])


def _size(info: dict[str, Any]) -> int:
    return int(info.get("size") or 0)


class _Expander:
    """
    Looks into indexes.

    Attributes:
        errors: Why sources could not be read that were given by their own path.

    """

    def __init__(self, options: ReaderOptions, report: ProblemHandler) -> None:
        self._options = options
        self._report = report
        self.errors: list[InputError] = []

    def expanded(self, file: SourceFile, fetcher: Fetcher) -> list[SourceFile]:
        """
        Return what an index lists, if it is to be followed; otherwise the file itself.

        The URL of a site is left to its task, which finds the sitemaps in its robots.txt.
        """
        if not file.follows or _is_site(file):
            return [file]
        try:
            with read(
                file.path,
                format=self._options.format,
                source_url=file.url,
                report=self._report,
                fetcher=fetcher,
            ) as document:
                return self._children(file, document) if document.is_index else [file]
        except InputError as error:
            error.source = error.source or file.name
            self.errors.append(error)
            return []

    def _children(self, index: SourceFile, document: Document) -> list[SourceFile]:
        """List the files of an index: in its storage, or by their URLs."""
        context = Context(self._report, source=index.path)
        fetches = bool(index.host) or self._options.fetch
        options = ReadOptions(url=index.url, fetches=fetches)
        files = ListedFiles(options, None if index.host else index.path)
        children: dict[str, SourceFile] = {}
        for row in islice(document, options.max_files):
            loc = row.loc or ""
            if (key := urls.canonical(loc)) in children:
                context.problem(
                    "listed-again", "sitemap is listed more than once; read once", loc=loc
                )
            elif stored := files.find(loc, (), fetches=fetches):
                children[key] = SourceFile(stored.path, loc, is_listed=True)
            elif fetches and urls.is_absolute(loc):
                children[key] = SourceFile(loc)
            else:
                message = (
                    f"listed sitemap not found: pass {option('url')} or {option('fetches', 'true')}"
                )
                context.problem("child-unread", message, loc=loc)
        return list(children.values())


def _is_site(file: SourceFile) -> bool:
    """Return whether a URL may stand for a site, whose robots.txt lists its sitemaps."""
    return bool(file.host) and urlsplit(file.path).path in ("", "/")
