"""
Compares the sitemaps with the built site, in both directions.

First, each listed URL is mapped to a file, whose page is checked, in the order of the sitemaps. At
the end, each indexable page is mapped to a URL, which must be listed, in the order of the files.
URLs and files correspond as in a directory that is read as a source.
"""

import os
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from mimetypes import MimeTypes

from msgspec.structs import replace

from sitemapx.check.api import BatchResult, Check, CheckContext
from sitemapx.check.findings import RawFinding
from sitemapx.check.live.content import BODY_FACTS, content_faults, content_of, lacks_canonical
from sitemapx.check.live.drift import DriftFinder
from sitemapx.check.live.listed import (
    ListedFacts,
    ListedPage,
    PageTally,
    extract_listed_facts,
    listed_pages,
)
from sitemapx.check.live.rules import BUILT_RULES
from sitemapx.check.robotsfiles import RobotsText
from sitemapx.check.rules.pagelinks import PageLinks
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File
from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.page import PagePlace, read_page_file
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.sources.folder import INDEXES, file_of, read_directory
from sitemapx.convert.sources.urlmap import SUFFIXES, folder_address
from sitemapx.convert.steps.lastmod.datesfile import DateSource, LocatedPage
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError, UsageError


@dataclass(frozen=True)
class BuiltSite:
    """
    A built site: the directory of its HTML pages and other files.

    Attributes:
        folder: Path of the directory.
        url: Public URL of the directory; None for the root of the host of the first sitemap, if its
            URL is known, else of its first page.
        commits: Dates of the last commits of pages, to compare lastmod with, in preference to the
            dates in the pages; None to use only the latter.

    Raises:
        UsageError: If the directory does not exist, or `url` is not the URL of a directory.

    """

    folder: str
    url: str | None = None
    commits: DateSource | None = None

    def __post_init__(self) -> None:
        if not os.path.isdir(self.folder):
            raise UsageError(f"{self.folder} is not a directory")
        if self.url:
            folder_address(self.url)


#: Guesses the media type of a listed file that is not a web page from its extension.
_guess_type = MimeTypes().guess_type


@dataclass
class BuiltSummary:
    """
    Counts of the comparison with the built site.

    Attributes:
        folder: Path of the directory.
        url: Public URL of the directory; empty if unknown.
        compared: Number of listed URLs that were looked up in the directory.
        outside: Number of listed URLs that are not in the directory `url`.

    """

    folder: str
    url: str = ""
    compared: int = 0
    outside: int = 0


class BuiltPages(Check):
    """Checks the files of listed pages, and finds unlisted pages; counts in `summary`."""

    rules = BUILT_RULES
    needs_index = True

    def __init__(self, context: CheckContext, site: BuiltSite, summary: BuiltSummary) -> None:
        super().__init__(context)
        self._folder, self._summary = site.folder, summary
        self._base = uris.normalize(folder_address(site.url)) if site.url else ""
        self._commits = site.commits
        self._drift = DriftFinder()
        self._links = PageLinks() if "page-orphan" in context.codes else None
        self._tally = PageTally()

    def begin_file(self, file: File) -> None:
        if file.url and not self._base:
            self._base = _root_of(file.url)

    def check_batch(self, view: BatchView) -> BatchResult:
        return extract_listed_facts(view)

    def merge(self, partial: ListedFacts, batch: IndexedBatch, file: File) -> Iterator[RawFinding]:
        for page in listed_pages(partial, batch, file):
            for code, message in self._faults(page):
                yield page.finding(code, message)

    def _faults(self, page: ListedPage) -> Iterator[tuple[str, str]]:
        loc = uris.normalize(page.loc)
        self._base = self._base or _root_of(loc)
        if not (self._base and loc.startswith(self._base)):
            self._summary.outside += 1
            return
        self._summary.compared += 1
        path = file_of(loc, self._folder, self._base)
        if path is None:
            names = _possible_files(loc.removeprefix(self._base))
            yield "page-missing", f"no file for this URL: expected {names}"
        elif path.lower().endswith(SUFFIXES):
            yield from self._faults_in_page(PagePlace(path, loc), page)
        elif kind := _guess_type(path)[0]:
            self._tally.add_page("page-not-a-page", f"of type {kind}", page)

    def _faults_in_page(self, place: PagePlace, listed: ListedPage) -> Iterator[tuple[str, str]]:
        wanted = BODY_FACTS | {"links"} if self._links else BODY_FACTS
        page, *_, error = read_page_file(place, wanted)
        if page is None:
            yield "path-unreadable", f"{place.path}: {error}"
            return
        if self._links:
            self._links.add_page(place.url, page)
            self._links.expect_link(place.url, listed)
        agents = self.context.robots.agents
        content = replace(content_of(page), is_empty=not os.path.getsize(place.path))
        if listed.lastmod:
            self._compare_dates(place, listed, content.modified)
        versions = listed.versions
        for name, message in content_faults(place.url, content, versions, agents, self._find_block):
            yield f"page-{name}", message
        if lacks_canonical(content, agents):
            self._tally.add_page("page-canonical-missing", "without a canonical URL", listed)

    def _find_block(self, url: str) -> str:
        """Return why robots.txt disallows a URL; empty if it does not."""
        origin = urls.origin(url)
        robots = self.context.robots.text_for(origin, origin) or self._robots
        return "; ".join(reason for _, reason in robots.disallowed([url])) if robots else ""

    @cached_property
    def _robots(self) -> RobotsText | None:
        """The robots.txt in the directory, if that is the root of a host."""
        path = os.path.join(self._folder, "robots.txt")
        if self._base != _root_of(self._base) or not os.path.isfile(path):
            return None
        from sitemapx.submit.robots.edit import load_robots_file

        return RobotsText(load_robots_file(path), self.context.robots.agents)

    def _compare_dates(self, place: PagePlace, listed: ListedPage, modified: str) -> None:
        commit, _ = (
            self._commits.date_of(LocatedPage(place.url, place.path))
            if self._commits
            else (None, "")
        )
        for origin, date in {"last commit": commit, "page": modified}.items():
            if date:
                self._drift.compare(listed, origin, date, may_be_newer=False)
                return

    def end_run(self) -> Iterator[RawFinding]:
        self._summary.url = self._base
        yield from self._drift.findings("page-lastmod")
        if self._base and not {"page-not-listed", "page-orphan"}.isdisjoint(self.context.codes):
            yield from self._unlisted_pages()
        if self._links:
            for page in self._links.orphans(uris.normalize(self._base)):
                self._tally.add_page("page-orphan", "without a link from another page", page)
        yield from self._tally.findings()

    def _unlisted_pages(self) -> Iterator[RawFinding]:
        """Report indexable unlisted pages and unreadable paths; collect links of unlisted pages."""
        unread: list[RawFinding] = []

        def report(problem: Problem) -> None:
            if problem.code == "path-unreadable":
                found = RawFinding(
                    "path-unreadable", problem.message, loc=problem.loc, source=problem.source
                )
                unread.append(found)

        context = Context(report, source=self._folder, url=self._base)
        on_page = self._links.add_page if self._links else None
        document = read_directory(self._folder, context, skips=self._is_listed, on_page=on_page)
        try:
            for batch in document.batches:
                yield from _drain(unread)
                for loc in batch.locs():
                    path = file_of(uris.normalize(loc), self._folder, self._base)
                    message = "page is not in any checked sitemap"
                    yield RawFinding("page-not-listed", message, loc=loc, source=path)
        except InputError:  # a site without HTML has no page to list
            pass
        yield from _drain(unread)

    def _is_listed(self, page: PagePlace) -> bool:
        """Return whether a usual URL that leads to this file is listed."""
        loc = uris.normalize(page.url)
        if self.context.listed.has_page(loc):
            return True
        path = urllib.parse.unquote(loc.removeprefix(self._base), errors="surrogateescape")
        forms = {
            form
            for url in (loc, self._base + uris.escape_name(path))
            for form in _equivalent_urls(url)
        }
        listed = [form for form in forms if self.context.listed.has_page(form)]
        file = file_of(loc, self._folder, self._base) if listed else None
        return any(file_of(form, self._folder, self._base) == file for form in listed)

    def close(self) -> None:
        if self._links:
            self._links.close()


def _drain(findings: list[RawFinding]) -> Iterator[RawFinding]:
    while findings:
        yield findings.pop(0)


def _possible_files(path: str) -> str:
    """List the possible files of a URL, relative to the root of the site, for a message."""
    path = urllib.parse.unquote(path.partition("#")[0].partition("?")[0], errors="replace")
    if path.endswith("/") or not path:
        return f"{path}{INDEXES[0]}"
    if os.path.splitext(path)[1]:
        return path
    return f"{path}.html or {path}/{INDEXES[0]}"


def _equivalent_urls(loc: str) -> Iterator[str]:
    """Yield a URL, and other usual URLs that may lead to the same file."""
    yield loc
    if loc.endswith("/"):
        yield loc.removesuffix("/")
        yield from (loc + name for name in INDEXES)
    elif loc.endswith(".html"):
        yield loc.removesuffix(".html")


def _root_of(url: str) -> str:
    """Return the URL of the root of a host; empty if the host is invalid."""
    origin = urls.origin(url)
    return uris.normalize(f"{origin}/") if origin else ""
