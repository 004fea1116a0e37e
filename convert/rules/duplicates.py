"""URLs that stand twice, in one file or in two, however they are written."""

from typing import ClassVar

from sitemapx.convert.checkedfile import CheckedFile
from sitemapx.convert.document import Batch
from sitemapx.convert.findings import Rule
from sitemapx.convert.rules.check import Check, Found, Known

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
            "a URL that the file lists already",
            "It counts towards the 50,000 again, and what both say of it may differ.",
            _CONSOLIDATE,
            "List it once; convert --unique keeps the first.",
            fix=True,
        ),
        "listed-elsewhere": Rule(
            "warning",
            "a URL that another sitemap of the set lists already",
            "Engines read it twice, and what both say of it may differ.",
            _CONSOLIDATE,
            "List it in one of both.",
        ),
        "equivalent-loc": Rule(
            "warning",
            "a URL that the file lists already, written otherwise",
            "Both spellings mean the same address, so engines fetch the page twice.",
            "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2",
            "Choose one spelling, and list it once.",
            fix=True,
        ),
        "scheme-twin": Rule(
            "warning",
            "a URL that is listed with http: and with https:",
            "One of both should redirect to the other, and only that one be listed.",
            _CONSOLIDATE,
            "Take the one with http: out.",
        ),
        "www-twin": Rule(
            "warning",
            "a URL that is listed with www. and without",
            "One of both should redirect to the other, and only that one be listed.",
            _CONSOLIDATE,
            "Take out the one that redirects.",
        ),
        "slash-mixed": Rule(
            "note",
            "pages with a slash at their end, and a few without, or the other way round",
            "Servers mostly redirect one form to the other, and only the other should be listed.",
            "https://www.sitemaps.org/protocol.html#locdef",
            "See which form the server gives without a redirect, and list that.",
        ),
        "slash-twin": Rule(
            "warning",
            "a URL that is listed with a slash at its end and without",
            "Most servers give the same page for both, or redirect one to the other.",
            _CONSOLIDATE,
            "Take out the one that redirects.",
        ),
    }

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self._origins: set[str] = set()
        #: How many pages end with a slash and without; the first of each: number, URL.
        self._slashes = [0, 0]
        self._first: list[tuple[int, str]] = [(0, ""), (0, "")]

    def batch(self, batch: Batch, file: CheckedFile) -> None:
        """Compare with all that came before."""
        listed = self.known.listed
        self._origins |= {_origin(loc) for loc in listed.locs}
        has_twins = any(_other_origins(origin) & self._origins for origin in self._origins)
        for at, loc in enumerate(listed.locs):
            if not loc:
                continue
            other = _with_other_slash(loc)
            if other and not file.is_index:
                self._count_slash(loc, at)
            if listed.before[at] is not None:
                self._tell(at, batch.locs()[at], file)
            elif has_twins and (twin := self._twin(at, loc)):
                file.found(*twin, at=at)
            elif other and listed.has_before(other, at):
                file.found("slash-twin", f"beside {other}", at=at)

    def _count_slash(self, loc: str, at: int) -> None:
        ends = loc.endswith("/")
        if not self._slashes[ends]:
            self._first[ends] = self.known.listed.number(at), loc
        self._slashes[ends] += 1

    def finish(self, found: Found) -> None:
        """Tell of the few pages that end otherwise than nearly all others."""
        ends = self._slashes[True] < self._slashes[False]
        few, many = self._slashes[ends], self._slashes[not ends]
        if few and few * _RARE <= many:
            number, loc = self._first[ends]
            how = "with" if ends else "without"
            said = f"{few:,} {how} a slash, {many:,} otherwise"
            found("slash-mixed", said, source=self.known.listed.file_of(number), loc=loc)

    def _tell(self, at: int, loc: str, file: CheckedFile) -> None:
        """Tell of a URL that came before, and whether it was written alike."""
        listed = self.known.listed
        other, normal = listed.file_of(listed.before[at] or 0), listed.locs[at]
        if other != file.source:
            file.found("listed-elsewhere", f"listed in {other} already", at=at)
        elif (loc != normal) != listed.is_odd(normal):
            written = normal if loc != normal else "otherwise"
            file.found("equivalent-loc", f"listed already, as {written}", at=at)
        else:
            file.found("duplicate-loc", "listed already", at=at)

    def _twin(self, at: int, loc: str) -> tuple[str, str] | None:
        """Find the twin of a URL on another origin, if it is listed: a code and a message."""
        origin = _origin(loc)
        for other in sorted(_other_origins(origin) & self._origins):
            twin = other + loc[len(origin) :]
            if self.known.listed.has_before(twin, at):
                is_scheme = other.partition(":")[0] != origin.partition(":")[0]
                return "scheme-twin" if is_scheme else "www-twin", f"beside {twin}"
        return None


def _origin(loc: str) -> str:
    return loc[: loc.find("/", 8)]


def _other_origins(origin: str) -> set[str]:
    """List the origins that mostly have the same pages: the protocol or www. differ."""
    host = origin.partition("://")[2]
    hosts = (host, host.removeprefix("www.") if host.startswith("www.") else f"www.{host}")
    return {f"{one}://{name}" for one in ("http", "https") for name in hosts} - {origin}


def _with_other_slash(loc: str) -> str | None:
    """Put a slash to the end of a path, or take it away; None where that makes another page."""
    path = loc[loc.find("/", 8) :]
    if "?" in path or path == "/" or "." in path.rpartition("/")[2]:
        return None
    return loc.removesuffix("/") if loc.endswith("/") else f"{loc}/"
