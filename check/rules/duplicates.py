"""URLs that stand twice, in one file or in two, however they are written."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from sitemapx.check.api import Check, CheckContext, Entries, File, OnFinding
from sitemapx.check.edits.fixes import says_no_more
from sitemapx.check.findings import Rule
from sitemapx.check.urlindex import UrlIndex
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values.words import counted

__all__ = ["Duplicates"]

_CONSOLIDATE = (
    "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"
)

#: A form is the odd one if there are so many times as many of the other.
_RARE = 10


class Duplicates(Check):
    """Looks for each URL among those that came before."""

    asks_listed = True
    rules: ClassVar = {
        "duplicate-loc": Rule(
            "warning",
            "Duplicate URL",
            "Duplicates count towards the 50,000 limit and may contradict each other.",
            _CONSOLIDATE,
            "List the URL once; convert --unique keeps the first.",
            is_fixable=True,
        ),
        "listed-elsewhere": Rule(
            "warning",
            "URL also listed in another sitemap",
            "Search engines read the URL twice, and the two entries may contradict each other.",
            _CONSOLIDATE,
            "List the URL in only one of the sitemaps.",
        ),
        "equivalent-loc": Rule(
            "warning",
            "Duplicate URL (different spelling)",
            "Both URLs normalize to the same one, so the page may be fetched twice.",
            "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2",
            "List the URL in one spelling only; --fix keeps both, as either may be right.",
        ),
        "scheme-twin": Rule(
            "warning",
            "URL listed with both http and https",
            "One URL should redirect to the other, and only the target should be listed.",
            _CONSOLIDATE,
            "Remove the http: URL.",
        ),
        "www-twin": Rule(
            "warning",
            "URL listed with and without www",
            "One URL should redirect to the other, and only the target should be listed.",
            _CONSOLIDATE,
            "Remove the URL that redirects.",
        ),
        "slash-mixed": Rule(
            "note",
            "Inconsistent trailing slashes",
            "Servers mostly redirect one form to the other, and only the target should be listed.",
            "https://www.sitemaps.org/protocol.html#locdef",
            "Check which form the server returns without a redirect, and list only that.",
        ),
        "slash-twin": Rule(
            "warning",
            "URL listed with and without a trailing slash",
            "Most servers return the same page for both, or redirect one to the other.",
            _CONSOLIDATE,
            "Remove the URL that redirects.",
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._origins: set[str] = set()
        self._has_twins = False
        #: How many pages end with a slash and without; the first of each: its file, its URL.
        self._slashes = [0, 0]
        #: Likewise, in the next batch.
        self._endings: Sequence[int] = (0, 0)
        #: What is known of the first page without a slash, and of the first with one.
        self._first: list[dict[str, Any]] = [{}, {}]

    def inspect(self, batch: Batch, entries: Entries) -> Sequence[int]:
        """Count the pages that end with a slash and without."""
        return _endings(self.context.listed.lines)

    def take(self, inspected: Sequence[int], file: File) -> None:
        """Take the counts."""
        self._endings = inspected

    def batch(self, batch: Batch, file: File) -> None:
        """Compare with all that came before, all at once where nothing is odd."""
        listed = self.context.listed
        text = listed.lines
        self._add_origins(text)
        reported = set(listed.before)
        for at in sorted(reported):
            self._report(at, batch, file)
        if self._has_twins:
            for at, loc in enumerate(listed.locs):
                if at not in reported and loc and (twin := self._elsewhere(at, loc)):
                    file.report(*twin, at=at)
                    reported.add(at)
        self._look_at_slashes(text, reported, file)

    def _add_origins(self, text: str) -> None:
        """See which sites there are."""
        listed, start = self.context.listed, f"{min(self._origins, default='')}/"
        are_there = len(self._origins) == 1 and listed.begin_with(start)
        if are_there and all(loc.startswith(start) for loc in listed.odd.values()):
            return
        self._origins |= {_origin(loc) for loc in text.split("\n") if loc}
        self._has_twins = any(_other_origins(origin) & self._origins for origin in self._origins)

    def _look_at_slashes(self, text: str, reported: set[int], file: File) -> None:
        """Count the pages that end with a slash and without, and tell where both are one."""
        listed, counts = self.context.listed, self._endings
        is_one_form = any(self._slashes[ends] + counts[ends] == 0 for ends in (True, False))
        for ends in (True, False) if not file.is_index else ():
            self._count_slashes(listed.locs, ends, counts[ends], file)
        if is_one_form:
            return
        for at in listed.listed_before(_with_other_slashes(listed.locs, text)):
            other = _with_other_slash(listed.locs[at])
            if other and at not in reported:
                file.report("slash-twin", f"also listed as {other}", at=at)

    def _count_slashes(self, pages: Sequence[str], ends: bool, count: int, file: File) -> None:
        if count and not self._slashes[ends]:
            alike = (loc for loc in pages if loc.endswith("/") == ends and _with_other_slash(loc))
            if (loc := next(alike, None)) is None:
                return  # what looked like a page of this form is a URL without a host
            line, column = file.position_of(list(self.context.listed.locs).index(loc))
            known = {"loc": loc, "line": line, "column": column}
            self._first[ends] = {"source": file.source or "", **known}
        self._slashes[ends] += count

    def finish(self, report: OnFinding) -> None:
        """Report the few pages that end otherwise than nearly all others."""
        ends = self._slashes[True] < self._slashes[False]
        few, many = self._slashes[ends], self._slashes[not ends]
        if few and few * _RARE <= many:
            how, other = ("with", "without") if ends else ("without", "with")
            message = f"{counted(few, 'URL')} {how} a trailing slash, {many:,} {other}"
            report("slash-mixed", message, **self._first[ends])

    def _report(self, at: int, batch: Batch, file: File) -> None:
        """Report a URL that came before, and whether it was written alike."""
        listed, loc = self.context.listed, batch.locs()[at]
        other, normal = listed.files[listed.before[at]], listed.locs[at]
        if other != file.source:
            file.report("listed-elsewhere", f"also listed in {other}", at=at)
        elif listed.has_spelling(loc, normal):
            is_fixable = _says_no_more(batch, at)
            file.report("duplicate-loc", _repeated(listed, at), at=at, is_fixable=is_fixable)
        else:
            listed.add_spelling(loc)
            message = f"URL is already listed, as {listed.first_spelling(normal)}"
            file.report("equivalent-loc", message, at=at)

    def _elsewhere(self, at: int, loc: str) -> tuple[str, str] | None:
        """Find the twin of a URL on another origin, if it is listed: a code and a message."""
        origin = _origin(loc)
        for other in sorted(_other_origins(origin) & self._origins, key=partial(_unlike, origin)):
            twin = other + loc[len(origin) :]
            if self.context.listed.is_before(twin, at):
                is_scheme = other.partition(":")[0] != origin.partition(":")[0]
                return "scheme-twin" if is_scheme else "www-twin", f"also listed as {twin}"
        return None


def _says_no_more(batch: Batch, at: int) -> bool:
    """Return whether an entry surely adds nothing to the first one, even if that is elsewhere."""
    loc, locs = batch.locs()[at], batch.locs()
    first = locs.index(loc)
    return says_no_more(batch.entries[at], batch.entries[first] if first < at else Entry(loc=loc))


def _repeated(listed: UrlIndex, at: int) -> str:
    """Say that a file lists a URL again, or that the file itself came before."""
    is_same = listed.before[at] == len(listed.files) - 1
    return f"URL is already listed{'' if is_same else '; the same file was read before'}"


def _origin(loc: str) -> str:
    return loc[: loc.find("/", 8)]


def _unlike(origin: str, other: str) -> tuple[int, str]:
    """Rank origins: first what differs in one thing only."""
    (scheme, _, host), (others, _, name) = origin.partition("://"), other.partition("://")
    return (scheme != others) + (host != name), other


def _other_origins(origin: str) -> set[str]:
    """List the origins that mostly have the same pages: the protocol or www. differ."""
    host = origin.partition("://")[2]
    hosts = (host, host.removeprefix("www.") if host.startswith("www.") else f"www.{host}")
    return {f"{one}://{name}" for one in ("http", "https") for name in hosts} - {origin}


#: All but what tells how a path ends.
_REST = bytes({*range(256)} - {*b"/.?\n"})
_queries = re.compile(rb"\n[/.]*+\?[/.?]*+(?=\n)")
_hosts = re.compile(rb"(?<=\n)//\n").findall
_slashes_in_queries = re.compile(r"\?[^\n]*+(?<=/)\n").findall
_roots = re.compile(r"://[^/?\n]++/\n").findall


def _endings(text: str) -> list[int]:
    """
    Count the URLs that end without a slash, and those that end with one, a line each.

    Those to which `_with_other_slash` gives no other are neither: with a query, which makes another
    page of it, with a dot in the last part, or without a path.
    """
    in_queries = 0
    skeleton = b"\n" + text.encode("utf-8", "surrogatepass").translate(None, _REST)
    if b"?" in skeleton:
        skeleton = _queries.sub(b"", skeleton)
        in_queries = len(_slashes_in_queries(text))
    with_slash = text.count("/\n") - in_queries
    hosts = len(_hosts(skeleton)) if b"\n//\n" in skeleton else 0
    without_slash = skeleton.count(b"/\n") - with_slash - hosts
    return [without_slash, with_slash - len(_roots(text)) if with_slash else 0]


def _with_other_slash(loc: str) -> str:
    """Put a slash to the end of a path, or take it away; empty where that makes another page."""
    start = loc.find("/", 8)
    path = loc[start:] if start >= 0 else "/"
    if "?" in loc or path == "/" or "." in path.rpartition("/")[2]:
        return ""
    return loc.removesuffix("/") if loc.endswith("/") else f"{loc}/"


def _with_other_slashes(locs: Sequence[str], text: str) -> list[str]:
    """Do so with all URLs at once, also where that makes another page; `text` has a line each."""
    if text.count("\n") != len(locs):  # there are line feeds in them
        return list(map(_with_other_slash, locs))
    return text.replace("\n", "/\n").replace("//\n", "\n").split("\n")[:-1]
