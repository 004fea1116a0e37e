"""
List what is to be read, on the driver: files in storage, and the sitemaps of an index.

A path leads to one file, to the files of a directory, or to those that match a pattern. What an
index lists is read by many tasks, so it is listed here; an index among many files is not followed,
for the files that it lists are usually among them.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sitemapx.convert.formats.format import Context
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import Problem, ProblemHandler, ignore
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.discovery import ListedFiles
from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.read import read
from sitemapx.convert.sources.source import local_path, source_name
from sitemapx.convert.sources.storage import file_system, is_local, storage_message
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError, UsageError
from sitemapx.optionnames import named, option
from sitemapx.spark.options import ReaderOptions, spark_name

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
        follows: Whether the driver looks into it, and reads what it lists if it is an index.
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
    def key(self) -> str:
        """The same for all spellings of a URL."""
        return uris.canonicalize(self.path) if self.host else self.path

    @property
    def host(self) -> str:
        """The host of its http(s) URL; empty for a file."""
        return "" if local_path(self.path) else urlsplit(uris.canonicalize(self.path)).netloc

    @property
    def is_site(self) -> bool:
        """Whether its URL may stand for a site, whose robots.txt lists its sitemaps."""
        return bool(self.host) and urlsplit(self.path).path in ("", "/")


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
    files: dict[str, SourceFile] = {}
    with options.fetcher() as fetcher, ThreadPoolExecutor(_FETCHES) as pool:
        expander = _Expander(options, report, fetcher)
        while found:
            new = {file.key: file for file in found if file.key not in files}
            files |= new
            opened = [file for file in new.values() if file.follows]
            found = [child for listed in pool.map(expander.children, opened) for child in listed]
    listed = [file for file in files.values() if file.path not in expander.done]
    if expander.errors and not listed:
        raise expander.errors[0]
    for error in expander.errors:
        Reporter(report, source=error.source).problem("failed", error.message, line=error.line)
    return listed


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
        follows = options.follow_index is not False
        site = SourceFile(path, options.source_url)
        yield site._replace(follows=follows and not site.is_site)
        return
    try:
        system, name = file_system(stored)
        found = _found(system, name)
    except UsageError:
        raise
    except Exception as error:  # whatever the package of the storage raises
        raise InputError(storage_message(error), source_name(stored)) from error
    if not found:
        is_folder = is_local(system) and os.path.isdir(name)
        message = "no such file, and no file matches this pattern"
        message = "no files in this directory" if is_folder else message
        raise InputError(message, source_name(stored))
    is_alone = len(found) == 1
    follows = options.follow_index or (is_alone and options.follow_index is None)
    for one, size in sorted(found.items()):
        shown = os.path.normpath(one) if is_local(system) else str(system.unstrip_protocol(one))
        yield SourceFile(shown, options.source_url, follows=follows, size=size)


def _found(system: Any, name: str) -> dict[str, int]:
    """Return the sizes of the files to which a path leads, by their names."""
    if system.isfile(name):
        return {name: _size(system.info(name))}
    if system.isdir(name):
        infos = {info["name"]: info for info in system.ls(name, detail=True)}
    else:
        infos = system.glob(name, detail=True)
    literal = {*name.split("/")}
    return {
        one: _size(info)
        for one, info in infos.items()
        if _is_file(system, info)
        and not any(part.startswith(_HIDDEN) for part in {*one.split("/")} - literal)
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
    Looks into files, for what indexes among them list.

    Attributes:
        done: Paths of the files that are not read any more: indexes, and what cannot be read.
        errors: Why that is so.

    """

    def __init__(self, options: ReaderOptions, report: ProblemHandler, fetcher: Fetcher) -> None:
        self._options = options
        self._report = report
        self._fetcher = fetcher
        self.done: set[str] = set()
        self.errors: list[InputError] = []

    def children(self, file: SourceFile) -> list[SourceFile]:
        """Return what a file lists, if it is an index; nothing if it is read by a task."""
        found: list[Problem] = []
        try:
            with named(spark_name), self._open(file, found.append) as document:  # in a thread
                if not document.is_index:
                    return []  # the task tells of its problems
                self.done.add(file.path)
                children = self._listed(file, document)
        except InputError as error:
            error.source = error.source or file.name
            self.done.add(file.path)
            self.errors.append(error)
            children = []
        for problem in found:
            self._report(problem)
        return children

    def _listed(self, index: SourceFile, document: Document) -> list[SourceFile]:
        """List the files of an index: in its storage, or by their URLs."""
        context = Context(self._report, source=index.name)
        fetches = bool(index.host) or self._options.fetch
        files = ListedFiles(
            ReadOptions(url=index.url, fetches=fetches), None if index.host else index.path
        )
        children: dict[str, SourceFile] = {}
        for row in document:
            loc = row.loc or ""
            if (key := uris.canonicalize(loc)) in children:
                message = "sitemap is listed more than once; read once"
                context.problem("listed-again", message, loc=loc)
            elif stored := files.find(loc, (), fetches=fetches):
                children[key] = SourceFile(stored.path, loc, is_listed=True)
            elif fetches and urls.is_absolute(loc):
                children[key] = SourceFile(loc, is_listed=True)
            else:
                advice = f"pass {option('url')} or {option('fetches', 'true')}"
                message = f"listed sitemap not found locally: {advice}"
                context.problem("child-unread", message, loc=loc)
        listed = list(children.values())
        follows = self._options.follow_index or self._is_index(listed[:1])
        return [child._replace(follows=bool(follows)) for child in listed]

    def _is_index(self, files: Sequence[SourceFile]) -> bool:
        """Return whether a file is an index, and its neighbours probably are."""
        for file in files:
            with suppress(InputError), self._open(file, ignore) as document:
                return document.is_index
        return False

    def _open(self, file: SourceFile, report: ProblemHandler) -> Document:
        return read(
            file.path,
            format=self._options.format,
            source_url=file.url,
            report=report,
            fetcher=self._fetcher,
        )
