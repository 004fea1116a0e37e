"""
Compare a set with the built site.

    listed URL ─► file on disk ─► what the page says     in the order of the set
    file on disk ─► URL ─► listed?                       at the end, in the order of the files

Which URL belongs to which file is what a directory says as a source of pages, too.
"""

import os
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass

from sitemapx.check.api import Check, CheckContext, File, OnFinding
from sitemapx.check.completeness.rules import RULES
from sitemapx.check.completeness.site import BuiltSite
from sitemapx.check.live.pagefaults import canonical_message, noindex_message
from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.page import PagePlace, parse_page
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.sources.folder import INDEXES, SUFFIXES, file_of, read_directory
from sitemapx.convert.sources.urlmap import folder_address
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError

__all__ = ["BuiltPages", "BuiltSummary"]

#: More of a page is not read: what is looked for stands in its head.
_MAX_PAGE = 1 << 20


@dataclass
class BuiltSummary:
    """
    The counts of what was compared with the built site.

    Attributes:
        folder: The directory.
        url: Its URL; empty if no URL was listed.
        compared: How many listed URLs were looked up in it.
        outside: How many were not, since they are not below its URL.

    """

    folder: str
    url: str = ""
    compared: int = 0
    outside: int = 0


class BuiltPages(Check):
    """Looks at the files of listed pages, and for pages that are not listed."""

    rules = RULES
    asks_listed = True

    def __init__(self, context: CheckContext, site: BuiltSite, summary: BuiltSummary) -> None:
        """
        Take the site.

        Args:
            summary: Takes the counts.

        """
        super().__init__(context)
        self._folder, self._summary = site.folder, summary
        self._base = uris.normal(folder_address(site.url)) if site.url else ""

    def begin(self, file: File) -> None:
        """Take the host of the first sitemap whose URL is known."""
        if file.url and not self._base:
            self._base = _root_of(file.url)

    def batch(self, batch: Batch, file: File) -> None:
        """Look up each page once."""
        if file.is_index or file.format is None:
            return
        listed = self.context.listed
        for at, loc in enumerate(listed.locs):
            if at not in listed.before and urls.is_absolute(loc):
                self._compare(loc, at, file)

    def _compare(self, loc: str, at: int, file: File) -> None:
        self._base = self._base or _root_of(loc)
        if not (self._base and loc.startswith(self._base)):
            self._summary.outside += 1
            return
        self._summary.compared += 1
        path = file_of(loc, self._folder, self._base)
        if path is None:
            names = _expected(loc.removeprefix(self._base))
            file.report("page-missing", f"no file for this URL: expected {names}", at=at)
        elif path.lower().endswith(SUFFIXES):
            self._read(path, loc, at, file)

    def _read(self, path: str, loc: str, at: int, file: File) -> None:
        """Look into a page."""
        try:
            with open(path, "rb") as page_file:
                page = parse_page(page_file.read(_MAX_PAGE), loc)
        except OSError as error:
            file.report("unread", f"{path} cannot be read: {error.strerror}", at=at)
            return
        directives = [("<meta>", name) for name in page.noindex]
        if message := noindex_message(directives, self.context.robots.agents):
            file.report("page-noindex", message, at=at)
        canonicals = [("<link>", page.canonical)] if page.canonical else []
        if message := canonical_message(canonicals, loc):
            file.report("page-canonical", message, at=at)

    def finish(self, report: OnFinding) -> None:
        """Report the pages that search engines may index, and that nothing lists."""
        self._summary.url = self._base
        if not self._base or "page-unlisted" not in self.context.codes:
            return

        def report_unread(problem: Problem) -> None:
            if problem.code == "unread":
                report("unread", problem.message, source=problem.source, loc=problem.loc)

        context = Context(report_unread, source=self._folder, url=self._base)
        document = read_directory(self._folder, context, skips=self._is_listed)
        try:
            for batch in document.batches:
                for loc in batch.locs():
                    path = file_of(uris.normal(loc), self._folder, self._base)
                    message = "page is not in any checked sitemap"
                    report("page-unlisted", message, source=path, loc=loc)
        except InputError:  # a site without HTML has nothing that could be listed
            pass

    def _is_listed(self, page: PagePlace) -> bool:
        """Return whether the page of a file is listed, in whatever form leads to this file."""
        loc = uris.normal(page.url)
        if self.context.listed.has(loc):
            return True
        path = urllib.parse.unquote(loc.removeprefix(self._base), errors="surrogateescape")
        forms = {form for one in (loc, self._base + uris.escaped(path)) for form in _forms(one)}
        listed = [form for form in forms if self.context.listed.has(form)]
        file = file_of(loc, self._folder, self._base) if listed else None
        return any(file_of(form, self._folder, self._base) == file for form in listed)


def _expected(path: str) -> str:
    """Name the files that could have been there, as paths from the root of the site."""
    path = urllib.parse.unquote(path.partition("#")[0].partition("?")[0], errors="replace")
    if path.endswith("/") or not path:
        return f"{path}{INDEXES[0]}"
    if os.path.splitext(path)[1]:
        return path
    return f"{path}.html or {path}/{INDEXES[0]}"


def _forms(loc: str) -> Iterator[str]:
    """List the URLs that may lead to the same file as this one, which is among them."""
    yield loc
    if loc.endswith("/"):
        yield loc.removesuffix("/")
        yield from (loc + name for name in INDEXES)
    elif loc.endswith(".html"):
        yield loc.removesuffix(".html")


def _root_of(url: str) -> str:
    """Return the URL of the root of a host; empty if the host is invalid."""
    origin = urls.origin(url)
    return uris.normal(f"{origin}/") if origin else ""
