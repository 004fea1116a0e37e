"""
Follows indexes, feeds and sites: opens listed sitemaps, further feed pages, and sitemaps of a site.

A listed sitemap is found on disk (see `discovery`) or fetched; several are fetched at the same time
and read in order. Nested indexes are followed, as some sites have them.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitemapx.convert.formats.format import Context
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.parallel.items import read_ahead
from sitemapx.convert.sources.discovery import ListedFiles, sitemaps_of
from sitemapx.convert.sources.opening import open_source
from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.source import Source, SourcePart, local_path
from sitemapx.convert.streams.stream import Opened
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import InputError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from sitemapx.convert.http.download import Download
    from sitemapx.convert.parallel.files import FileWorkers, Reading, ReadSource


def _over_limit(limit: str, name: str) -> str:
    advice = f"raise it with {option(name)}"
    return f"this and all later files are not read: the limit is {limit}; {advice}"


class _ListedSource(NamedTuple):
    """A listed sitemap or feed page: a path, a running download, or the problem that it has."""

    loc: str
    source: "str | Download | None" = None
    code: str = ""
    message: str = ""
    reading: "Reading | None" = None  # set if a worker reads the file
    is_guess: bool = False  # whether the file was found only by its name

    def discard(self) -> None:
        if self.source and not isinstance(self.source, str):
            self.source.discard()


class Follower:
    """
    Opens a source, then the listed sitemaps and feed pages that belong to it, each only once.

    `tick` is called repeatedly while waiting for the network.
    """

    def __init__(
        self,
        opener: ReadOptions,
        fetcher: Fetcher,
        read: "ReadSource",
        report: ProblemHandler,
        tick: Callable[[], None],
        workers: "FileWorkers | None" = None,
    ) -> None:
        self._opener = opener
        self._fetcher = fetcher
        self._read = read
        self._report = report
        self._tick = tick
        self._workers = workers
        self._files = ListedFiles(opener, None)
        self._seen: set[str] = set()
        self._left = opener.max_files
        self._max_depth = opener.max_depth
        self._listed = 0

    def inputs(self, source: Source, reading: "Reading | None" = None) -> Generator[SourcePart]:
        """
        Open a source and yield its parts, such as the sitemaps that an index lists.

        `reading` is set if a worker process already reads the source. A host that is not a file
        stands for its sitemaps. Errors of listed sitemaps are reported; those of a source raise
        `InputError`.
        """
        opener, path = self._opener, local_path(source)
        if path:
            self._seen.add(os.path.realpath(path))
            self._files = ListedFiles(opener, path)
        try:
            opened = path or self._open(source)
            report = self._report_of(opener.pages)
            document = (
                reading.document(report, self._read)
                if reading
                else self._read(opened, format=opener.format, source_url=opener.url, report=report)
            )
        except InputError as error:
            inputs = self._site_inputs(source, error)
        else:
            name, url = (opened, None) if isinstance(opened, str) else (opened.name, opened.url)
            if url:
                self._seen |= {uris.canonicalize(name), uris.canonicalize(url)}
            fetches = opener.fetches or url is not None
            inputs = self._document_inputs(
                document, Context(self._report, source=name), fetches=fetches
            )
        yield from inputs

    def _open(self, source: Source) -> Opened:
        """Open a source that is not a file; for a URL, the download is completed first."""
        if not isinstance(source, str) or source == "-":
            return open_source(source)
        from sitemapx.convert.http.download import Download

        download = Download(self._fetcher, source)
        import sitemapx.convert.formats.sitemap.reader  # noqa: F401 - likely needed; imports while waiting

        return download.result(self._tick)

    def _site_inputs(self, source: Source, why: InputError) -> Iterator[SourcePart]:
        name = urls.without_user(str(source))
        self._max_depth += 1  # the list of the site's sitemaps is not an index
        sitemaps = sitemaps_of(name, why, self._fetcher, self._opener.outputs)
        yield from self._listed_inputs(sitemaps, Context(self._report, source=name), fetches=True)

    def _document_inputs(
        self, document: Document, context: Context, *, fetches: bool, depth: int = 1
    ) -> Iterator[SourcePart]:
        """Yield a document and the feed pages after it, or the sitemaps that an index lists."""
        with closing(context):
            with document:
                if not (document.is_index and self._opener.follows):
                    yield SourcePart.from_document(document, context.source, depth - 1)
                    is_feed = document.family == "feed"
                    if self._opener.pages and is_feed and not document.head.next_link:
                        self._fetcher.say(
                            f"{context.source}: {option('pages')} has no effect: the feed does not "
                            "link to a next page; name the URL of each page as a source"
                        )
                    link = document.head.next_link
                    yield from self._page_inputs(link, context, depth - 1, fetches=fetches)
                    return
                # Read the index first, as it would stay open until the last sitemap is read.
                rows = self._opener.selected(document, context)
                listed = [row.loc or "" for row in islice(rows, self._left + 1)]
            if not listed:
                yield SourcePart.from_document(Document(()), context.source, depth)
            yield from self._listed_inputs(listed, context, fetches=fetches, depth=depth)

    def _listed_inputs(
        self, locs: Sequence[str], context: Context, *, fetches: bool, depth: int = 1
    ) -> Iterator[SourcePart]:
        self._listed = len(locs)
        started = self._start_all(locs, fetches=fetches)
        with closing(read_ahead(started, _ListedSource.discard)) as children:
            for child in children:
                document = self._open_listed(child, context, self._opener.pages)
                if not document and self._fetcher.is_spent:
                    return
                if document and document.is_index and depth == self._max_depth:
                    document.close()
                    limit = option("max_depth")
                    message = f"index is nested too deeply; raise the limit with {limit}"
                    context.problem("listed-sitemap-failed", message, loc=child.loc)
                elif document:
                    inner = Context(self._report, source=child.loc)
                    yield from self._document_inputs(
                        document, inner, fetches=fetches, depth=depth + 1
                    )

    def _page_inputs(
        self, link: str | None, context: Context, depth: int, *, fetches: bool
    ) -> Iterator[SourcePart]:
        """Open further pages of a feed: https://www.rfc-editor.org/rfc/rfc5005"""
        for left in reversed(range(self._opener.pages)):
            document = link and self._open_listed(self._start(link, fetches=fetches), context, left)
            if not document:
                return
            with document:
                yield SourcePart.from_document(document, link, depth)
            link = document.head.next_link

    def _start_all(self, locs: Iterable[str], *, fetches: bool) -> Iterator[_ListedSource]:
        for loc in locs:
            if not self._left:
                message = _over_limit(pluralize(self._opener.max_files, "file"), "max_files")
                yield _ListedSource(loc, code="listed-sitemap-failed", message=message)
                return
            self._left -= 1
            yield self._start(loc, fetches=fetches)

    def _start(self, loc: str, *, fetches: bool) -> _ListedSource:
        file = self._files.find(loc, self._seen, fetches=fetches)
        names = {uris.canonicalize(loc)} | ({os.path.realpath(file.path)} if file else set())
        name = urls.without_user(loc)
        if names & self._seen:
            return _ListedSource(
                name, code="duplicate-sitemap", message="listed more than once; read once"
            )
        self._seen |= names
        if file and not file.is_file:
            return _ListedSource(
                name, code="listed-sitemap-failed", message=f"{file.path} is not a regular file"
            )
        if file:
            workers, count = self._workers, self._listed
            path = "./-" if file.path == "-" else file.path  # a file named "-", not standard input
            reading = workers.submit(path, count, source_url=name) if workers else None
            return _ListedSource(name, path, reading=reading, is_guess=file.is_guess)
        code = "listed-sitemap-failed"
        if self._files.maps(loc):
            message = f"URL leads out of the directory in {option(self._opener.map_option)}"
        elif not urls.is_absolute(loc):
            message = "invalid URL: expected an absolute http(s) URL"
        elif not fetches:
            code, message = "listed-sitemap-unchecked", self._remedy(self._files.candidate(loc))
        else:
            from sitemapx.convert.http.download import Download

            return _ListedSource(name, Download(self._fetcher, loc))
        return _ListedSource(name, code=code, message=message)

    def _open_listed(self, child: _ListedSource, context: Context, pages: int) -> Document | None:
        """
        Open a listed source, or report to `context` why it is not read, and return None.

        Errors while entries are read are reported, too. `pages` is the number of further feed pages
        to read.
        """
        if child.source is None:
            context.problem(child.code, child.message, loc=child.loc)
            return None
        read = partial(self._read, report=self._report_of(pages))
        try:
            if child.reading:
                document = child.reading.document(self._report_of(pages), self._read)
            elif isinstance(child.source, str):
                document = read(child.source, source_url=child.loc)
            else:
                opened = child.source.result(self._tick)
                names = {uris.canonicalize(opened.url or "")} - {uris.canonicalize(child.loc)}
                if names & self._seen:
                    opened.close()
                    message = f"redirects to {opened.url}, which has already been read"
                    context.problem("duplicate-sitemap", message, loc=child.loc)
                    return None
                self._seen |= names
                document = read(opened)
        except InputError as error:
            self._report_failure(error, child, context)
            return None
        document.batches = self._with_reports(document.batches, child, context)
        return document

    def _with_reports(
        self, batches: Iterator[Batch], child: _ListedSource, context: Context
    ) -> Iterator[Batch]:
        if child.is_guess:
            message = "listed sitemap was read from the file of that name beside this index"
            advice = f"pass {option(self._opener.map_option)} to use another"
            context.tally("local-copy", f"{message}; {advice}", loc=child.loc)
        try:
            yield from batches
        except InputError as error:
            self._report_failure(error, child, context)

    def _report_failure(self, error: InputError, child: _ListedSource, context: Context) -> None:
        message = str(error).removeprefix(f"{child.loc}: ")
        if self._fetcher.is_spent:
            most = self._fetcher.max_total
            message = _over_limit(f"{most:,} bytes in total", "max_total")
        context.problem("listed-sitemap-failed", message, loc=child.loc)

    def _remedy(self, candidate: str | None) -> str:
        mapping = option(self._opener.map_option)
        if candidate:
            advice = f"pass {option('url', 'URL-OF-THIS-INDEX')} or {mapping}"
            why = "lies beside this index, but its URL must be known to fix or submit it"
            return f"{candidate} {why}: {advice}"
        advice = f"pass {option('url')}, {mapping} or {option('fetches')}"
        only = f"{option('follows')} reads only the index"
        return f"listed file not found locally: {advice}; {only}"

    def _report_of(self, pages: int) -> ProblemHandler:
        """Return a handler that ignores the problem `paged` if further feed pages will be read."""

        def report(problem: Problem) -> None:
            if problem.code != "paged":
                self._report(problem)

        return report if pages else self._report
