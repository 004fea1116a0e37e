"""Rules for duplicate URLs, within a file or across files, even if they are written differently."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from sitemapx.check.api import BatchResult, Check, CheckContext
from sitemapx.check.edits import is_redundant
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchUrls, BatchView, File
from sitemapx.convert.model.batch import EMPTY
from sitemapx.convert.values.words import pluralize

_CONSOLIDATE = (
    "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"
)

#: A form (with or without slash) is an exception if the other is this many times as frequent.
_RARE = 10


class _Pages(NamedTuple):
    """
    Facts about the URLs of a batch.

    Attributes:
        endings: Number of pages without a trailing slash, and number of pages with one.
        needless: Indexes of the entries that may be removed if their URL was listed before.

    """

    endings: Sequence[int]
    needless: Collection[int]


class Duplicates(Check):
    """Reports URLs that were listed before."""

    needs_index = True
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
        "duplicate-scheme": Rule(
            "warning",
            "URL listed with both http and https",
            "One URL should redirect to the other, and only the target should be listed.",
            _CONSOLIDATE,
            "Remove the http: URL.",
        ),
        "duplicate-www": Rule(
            "warning",
            "URL listed with and without www",
            "One URL should redirect to the other, and only the target should be listed.",
            _CONSOLIDATE,
            "Remove the URL that redirects.",
        ),
        "slash-mixed": Rule(
            "note",
            "Inconsistent trailing slashes",
            "Servers usually redirect one form to the other, and only the target should be listed.",
            "https://www.sitemaps.org/protocol.html#locdef",
            "Check which form the server returns without a redirect, and list only that.",
            is_summary=True,
        ),
        "duplicate-slash": Rule(
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
        self._has_related = False
        #: Number of pages without a trailing slash, and with one; and the first page of each form.
        self._slashes = [0, 0]
        self._first: list[RawFinding | None] = [None, None]

    def check_batch(self, view: BatchView) -> BatchResult:
        return BatchResult(partial=_Pages(_endings(view.urls.normal_lines), _find_needless(view)))

    def merge(self, partial: _Pages, batch: IndexedBatch, file: File) -> Iterator[RawFinding]:
        urls = batch.urls
        self._add_origins(urls)
        reported = set(batch.before)
        for at in sorted(reported):
            yield self._report_repeated(at, batch, file, is_needless=at in partial.needless)
        if self._has_related:
            for at, loc in enumerate(urls.normals):
                if at not in reported and loc and (duplicate := self._find_related(at, loc, batch)):
                    yield urls.finding(*duplicate, at)
                    reported.add(at)
        yield from self._slash_duplicates(partial.endings, reported, batch, file)

    def _add_origins(self, urls: BatchUrls) -> None:
        """Record the origins of the URLs in a batch, to detect related ones (http, https, www)."""
        start = f"{min(self._origins, default='')}/"
        are_known = len(self._origins) == 1 and urls.begin_with(start)
        if are_known and all(loc.startswith(start) for loc in urls.unnormalized.values()):
            return
        self._origins |= {_origin(loc) for loc in urls.normal_lines.split("\n") if loc}
        self._has_related = any(_other_origins(origin) & self._origins for origin in self._origins)

    def _slash_duplicates(
        self, endings: Sequence[int], reported: set[int], batch: IndexedBatch, file: File
    ) -> Iterator[RawFinding]:
        """Count trailing slashes, and report pages listed both with and without a slash."""
        urls = batch.urls
        has_one_form = any(self._slashes[ends] + endings[ends] == 0 for ends in (True, False))
        for ends in (True, False) if not file.is_index else ():
            self._count_slashes(urls, ends, endings[ends], file)
        if has_one_form:
            return
        for at in batch.listed_before(_with_other_slashes(urls.normals, urls.normal_lines)):
            other = _with_other_slash(urls.normals[at])
            if other and at not in reported:
                yield urls.finding("duplicate-slash", f"also listed as {other}", at)

    def _count_slashes(self, urls: BatchUrls, ends: bool, count: int, file: File) -> None:
        if count and not self._slashes[ends]:
            pages = list(urls.normals)
            alike = (loc for loc in pages if loc.endswith("/") == ends and _with_other_slash(loc))
            if (loc := next(alike, None)) is None:
                return  # a counted URL may have no host
            position = urls.position_of(pages.index(loc))
            self._first[ends] = RawFinding("slash-mixed", "", position, loc, file.source or "")
        self._slashes[ends] += count

    def end_run(self) -> Iterator[RawFinding]:
        ends = self._slashes[True] < self._slashes[False]
        few, many, first = self._slashes[ends], self._slashes[not ends], self._first[ends]
        if first and few * _RARE <= many:
            how, other = ("with", "without") if ends else ("without", "with")
            message = f"{pluralize(few, 'URL')} {how} a trailing slash, {many:,} {other}"
            yield first._replace(message=message)

    def _report_repeated(
        self, at: int, batch: IndexedBatch, file: File, *, is_needless: bool
    ) -> RawFinding:
        """Return the finding for a URL listed before; record a spelling that is new in the file."""
        index, urls, number = batch.url_index, batch.urls, batch.before[at]
        loc, normal, other = urls.locs[at], urls.normals[at], index.files[number]
        if other != file.source:
            return urls.finding("listed-elsewhere", f"also listed in {other}", at)
        if index.has_spelling(urls.kind, loc, normal):
            is_same_file = number == len(index.files) - 1
            more = "" if is_same_file else "; the same file was read before"
            message = f"URL is already listed{more}"
            return urls.finding("duplicate-loc", message, at, is_fixable=is_needless)
        index.add_spelling(urls.kind, loc)
        message = f"URL is already listed, as {index.first_spelling(urls.kind, normal)}"
        return urls.finding("equivalent-loc", message, at)

    def _find_related(self, at: int, loc: str, batch: IndexedBatch) -> tuple[str, str] | None:
        """Return code and message if the URL was listed before on a related origin, else None."""
        origin = _origin(loc)
        for other in sorted(
            _other_origins(origin) & self._origins, key=partial(_origin_rank, origin)
        ):
            duplicate = other + loc[len(origin) :]
            if batch.is_before(duplicate, at):
                is_scheme = other.partition(":")[0] != origin.partition(":")[0]
                return (
                    "duplicate-scheme" if is_scheme else "duplicate-www",
                    f"also listed as {duplicate}",
                )
        return None


def _find_needless(view: BatchView) -> Collection[int]:
    """
    Return the indexes of entries that add nothing to the first entry with their URL.

    If the first entry may be in another batch, only entries with nothing but the URL are returned.
    """
    batch, locs = view.batch, view.urls.locs
    others = Counter(batch.field_counts())
    others.pop("loc", None)
    if not others:
        return range(len(batch))
    first: dict[str, int] = {}
    pairs: dict[int, int] = {}
    if len(set(locs)) < len(locs):
        pairs = {at: first.setdefault(loc, at) for at, loc in enumerate(locs) if loc}
    entries = batch.entries if pairs else ()
    found = {
        at
        for at, earlier in pairs.items()
        if earlier < at and is_redundant(entries[at], entries[earlier])
    }
    ((_, most),) = others.most_common(1)
    if most == len(batch):
        return found
    bare: Collection[int] = range(len(batch))
    for name, _ in others.most_common():
        column, empty = batch.column(name), EMPTY[name]
        bare = [at for at in bare if column[at] == empty]
    return found.union(at for at in bare if pairs.get(at, at) == at)


def _origin(loc: str) -> str:
    return loc[: loc.find("/", 8)]


def _origin_rank(origin: str, other: str) -> tuple[int, str]:
    """Return a sort key for `other`; origins that share scheme or host with `origin` come first."""
    (scheme, _, host), (others, _, name) = origin.partition("://"), other.partition("://")
    return (scheme != others) + (host != name), other


def _other_origins(origin: str) -> set[str]:
    """Return the origins that usually have the same pages: other scheme, with or without www."""
    host = origin.partition("://")[2]
    hosts = (host, host.removeprefix("www.") if host.startswith("www.") else f"www.{host}")
    return {f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts} - {origin}


#: All bytes except those that show how a URL ends.
_REST = bytes({*range(256)} - {*b"/.?\n"})
_queries = re.compile(rb"\n[/.]*+\?[/.?]*+(?=\n)")
_hosts = re.compile(rb"(?<=\n)//\n").findall
_slashes_in_queries = re.compile(r"\?[^\n]*+(?<=/)\n").findall
_roots = re.compile(r"://[^/?\n]++/\n").findall


def _endings(text: str) -> list[int]:
    """
    Count the URLs without and with a trailing slash in a text of one URL per line.

    Not counted are URLs with a query, with a dot in the last segment, or without a path.
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
    """Return a URL with its trailing slash added or removed; empty for roots, queries and files."""
    start = loc.find("/", 8)
    path = loc[start:] if start >= 0 else "/"
    if "?" in loc or path == "/" or "." in path.rpartition("/")[2]:
        return ""
    return loc.removesuffix("/") if loc.endswith("/") else f"{loc}/"


def _with_other_slashes(locs: Sequence[str], text: str) -> list[str]:
    """
    Add or remove the trailing slash of each URL, even of exceptions of `_with_other_slash`.

    `text` contains the same URLs, one per line, as processing all at once is faster.
    """
    if text.count("\n") != len(locs):  # some URLs contain line feeds
        return list(map(_with_other_slash, locs))
    return text.replace("\n", "/\n").replace("//\n", "\n").split("\n")[:-1]
