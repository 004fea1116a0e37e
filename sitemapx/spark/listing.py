"""
Lists the files to read, on the driver: files in storage, and the sitemaps of an index.

A path is a URL, or leads to a file, a directory or the matches of a pattern. The driver lists the
sitemaps of an index, so that many tasks can read them. By default, an index among other files is
not followed, because its sitemaps are usually among these files.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
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
from sitemapx.optionnames import option, use_option_names
from sitemapx.spark.options import ReaderOptions, spark_name

#: Maximum number of concurrent fetches; each host is throttled separately.
_CONCURRENT_FETCHES = 16
#: Number of bytes whose reading takes as long as opening a file.
_OPENING_COST = 1 << 20
#: Bytes per task, unless the driver would get too many tasks. In the time in which Spark starts a
#: task in Python, about ten megabytes can be read.
_PARTITION_BYTES, _MAX_PARTITIONS = 96 << 20, 10_000
#: Number of uncompressed bytes that take as long to read as a compressed byte.
_DECOMPRESSION_FACTOR = 8
_HIDDEN = ("_", ".")


class SourceFile(NamedTuple):
    """
    A file to read.

    Attributes:
        path: Path, on disk or in storage, or http(s) URL.
        url: Public URL, from an option or an index; None if unknown.
        is_listed: Whether an index lists the file.
        follows: Whether the driver opens the file, to list its sitemaps if it is an index.
        size: Size in bytes; 0 if unknown.

    """

    path: str
    url: str | None = None
    is_listed: bool = False
    follows: bool = True
    size: int = 0

    @property
    def name(self) -> str:
        """Name in problems and in the column `source`: the URL without credentials, or the path."""
        return urls.without_user(self.url if self.is_listed and self.url else self.path)

    @property
    def key(self) -> str:
        """Path or normalized URL, by which duplicates are recognized."""
        return uris.canonicalize(self.path) if self.host else self.path

    @property
    def host(self) -> str:
        """Host and port of an http(s) URL; empty for a file."""
        return "" if local_path(self.path) else urlsplit(uris.canonicalize(self.path)).netloc

    @property
    def is_site(self) -> bool:
        """Whether the URL is the root of a site, whose robots.txt lists its sitemaps."""
        return bool(self.host) and urlsplit(self.path).path in ("", "/")


def list_files(options: ReaderOptions, report: ProblemHandler) -> list[SourceFile]:
    """
    List the files to read, without duplicates; problems of indexes are passed to `report`.

    Raises:
        InputError: If a path matches no file, storage fails, or no source can be read.
        UsageError: If storage is not supported by this installation.

    """
    pending = [file for path in options.paths for file in _resolve_path(path, options)]
    files: dict[str, SourceFile] = {}
    with options.build_fetcher() as fetcher, ThreadPoolExecutor(_CONCURRENT_FETCHES) as pool:
        expander = _IndexExpander(options, report, fetcher)
        while pending:
            new = {file.key: file for file in pending if file.key not in files}
            files |= new
            followed = [file for file in new.values() if file.follows]
            pending = list(chain.from_iterable(pool.map(expander.list_children, followed)))
    listed = [file for file in files.values() if file.path not in expander.excluded]
    if expander.errors and not listed:
        raise expander.errors[0]
    for error in expander.errors:
        Reporter(report, source=error.source).problem("failed", error.message, line=error.line)
    return listed


def group_files(files: list[SourceFile], size: int) -> list[list[SourceFile]]:
    """
    Divide files among tasks: the URLs of a host form one task, and small files are grouped.

    Args:
        size: Bytes per task, exceeded only by single files; each file counts 1 MiB more, and a byte
            in a .gz file as eight. 0 to choose automatically.

    """
    stored = [file for file in files if not file.host]
    costs = [
        file.size * (_DECOMPRESSION_FACTOR if file.path.endswith(".gz") else 1) + _OPENING_COST
        for file in stored
    ]
    most = size or max(_PARTITION_BYTES, sum(costs) // _MAX_PARTITIONS)
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


def _resolve_path(path: str, options: ReaderOptions) -> Iterator[SourceFile]:
    """List the files of a path; a URL is listed without a request."""
    stored = local_path(path)
    if stored is None:
        follows = options.follow_index is not False
        site = SourceFile(path, options.source_url)
        yield site._replace(follows=follows and not site.is_site)
        return
    try:
        system, name = file_system(stored)
        sizes = _find_files(system, name)
    except UsageError:
        raise
    except Exception as error:  # each storage package has its own exceptions
        raise InputError(storage_message(error), source_name(stored)) from error
    if not sizes:
        is_folder = is_local(system) and os.path.isdir(name)
        message = "no such file, and no file matches this pattern"
        message = "no files in this directory" if is_folder else message
        raise InputError(message, source_name(stored))
    is_alone = len(sizes) == 1
    follows = options.follow_index or (is_alone and options.follow_index is None)
    for name, size in sorted(sizes.items()):
        shown = os.path.normpath(name) if is_local(system) else str(system.unstrip_protocol(name))
        yield SourceFile(shown, options.source_url, follows=follows, size=size)


def _find_files(system: Any, name: str) -> dict[str, int]:
    """Map the visible files at a path, in a directory or matching a pattern to their sizes."""
    if system.isfile(name):
        return {name: _file_size(system.info(name))}
    if system.isdir(name):
        infos = {info["name"]: info for info in system.ls(name, detail=True)}
    else:
        infos = system.glob(name, detail=True)
    literal = {*name.split("/")}
    return {
        path: _file_size(info)
        for path, info in infos.items()
        if _is_file(system, info)
        and not any(part.startswith(_HIDDEN) for part in {*path.split("/")} - literal)
    }


def _is_file(system: Any, info: dict[str, Any]) -> bool:
    """Return whether `info` of fsspec describes a file, or a broken link to be reported."""
    if info["type"] != "other" or not is_local(system):
        return bool(info["type"] == "file")
    return os.path.isfile(info["name"]) or not os.path.exists(info["name"])


def _file_size(info: dict[str, Any]) -> int:
    return int(info.get("size") or 0)


class _IndexExpander:
    """
    Opens files to find indexes, and lists their sitemaps.

    Attributes:
        excluded: Paths of files that tasks do not read: indexes and unreadable files.
        errors: Errors of the unreadable files.

    """

    def __init__(self, options: ReaderOptions, report: ProblemHandler, fetcher: Fetcher) -> None:
        self._options = options
        self._report = report
        self._fetcher = fetcher
        self.excluded: set[str] = set()
        self.errors: list[InputError] = []

    def list_children(self, file: SourceFile) -> list[SourceFile]:
        """Return the sitemaps of an index; empty for other files and for unreadable files."""
        problems: list[Problem] = []
        try:
            # Context variables are not inherited by threads.
            with use_option_names(spark_name), self._open(file, problems.append) as document:
                if not document.is_index:
                    return []  # the task reports the problems
                self.excluded.add(file.path)
                children = self._list_sitemaps(file, document)
        except InputError as error:
            error.source = error.source or file.name
            self.excluded.add(file.path)
            self.errors.append(error)
            children = []
        for problem in problems:
            self._report(problem)
        return children

    def _list_sitemaps(self, index: SourceFile, document: Document) -> list[SourceFile]:
        context = Context(self._report, source=index.name)
        fetches = bool(index.host) or self._options.fetch
        files = ListedFiles(
            ReadOptions(url=index.url, fetches=fetches), None if index.host else index.path
        )
        children: dict[str, SourceFile] = {}
        for row in document:
            loc = row.loc or ""
            if (key := uris.canonicalize(loc)) in children:
                message = "listed more than once; read once"
                context.problem("duplicate-sitemap", message, loc=loc)
            elif stored := files.find(loc, (), fetches=fetches):
                children[key] = SourceFile(stored.path, loc, is_listed=True)
            elif fetches and urls.is_absolute(loc):
                children[key] = SourceFile(loc, is_listed=True)
            else:
                advice = f"pass {option('url')} or {option('fetches', 'true')}"
                message = f"listed file not found locally: {advice}"
                context.problem("listed-sitemap-unchecked", message, loc=loc)
        listed = list(children.values())
        follows = self._options.follow_index or self._is_index(listed[:1])
        return [child._replace(follows=bool(follows)) for child in listed]

    def _is_index(self, files: Sequence[SourceFile]) -> bool:
        """Return whether the first readable file is an index."""
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
