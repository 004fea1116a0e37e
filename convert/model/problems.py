"""
Problems: what a conversion could not carry over, as data with stable codes.

A `Problem` is reported for whatever a reader leaves out or fixes and for whatever a writer
cannot hold. `PROBLEMS` is the one list of codes.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import force_setattr

from sitemapx.convert.values.words import MAX_LOC, MAX_VALUE, clipped, short_message

__all__ = [
    "LOSSLESS",
    "PROBLEMS",
    "Problem",
    "ProblemHandler",
    "ProblemKind",
    "Severity",
    "ignore",
    "log",
]

#: error: more was lost than can be told, the run ends with status 1; warning: a value or an
#: entry was left out or fixed; note: the target format has no place for something.
Severity = Literal["error", "warning", "note"]


class ProblemKind(NamedTuple):
    """One code: how bad it is, and what it means for the output."""

    severity: Severity
    meaning: str


#: The problems that readers, writers and steps report, by their codes.
PROBLEMS = {
    # the container
    "truncated": ProblemKind(
        "error", "the source ends too early; everything complete before is kept"
    ),
    "bad-gzip": ProblemKind(
        "error", "the compressed data is damaged; what could be unpacked is kept"
    ),
    "too-large": ProblemKind(
        "error", "the source unpacks to more than a gzip bomb is allowed; cut there"
    ),
    "entry-too-large": ProblemKind(
        "error", "an entry of over 10 MiB, 50,000 tags, or 1,000 attributes in a tag; left out"
    ),
    "child-failed": ProblemKind(
        "error", "a child of an index or a page of a feed that cannot be read"
    ),
    "child-unread": ProblemKind("error", "a sitemap listed by an index on disk that was not found"),
    "child-beside": ProblemKind(
        "note", "a listed sitemap that was found by its name, beside its index"
    ),
    "unread": ProblemKind(
        "error", "a page or folder on disk that cannot be read, or is not followed"
    ),
    "listed-again": ProblemKind("warning", "a sitemap that an index lists again; read once"),
    "malformed": ProblemKind("warning", "not well-formed XML; fixed, or the entry left out"),
    "unescaped": ProblemKind("warning", "an ampersand that begins no entity; kept as text"),
    "stray-content": ProblemKind("warning", "something between or after the entries; left out"),
    "doctype": ProblemKind("warning", "a DOCTYPE; never processed, its entities are not expanded"),
    "namespace": ProblemKind("warning", "a wrong or undeclared namespace; read as the one meant"),
    "encoding": ProblemKind("warning", "bytes that contradict the encoding; read as windows-1252"),
    "character": ProblemKind("warning", "a character that XML forbids; left out"),
    "empty": ProblemKind("warning", "a source without a single entry, or nothing left of it"),
    "paged": ProblemKind("warning", "a page of a feed (RFC 5005); its other pages are not read"),
    "no-items": ProblemKind("warning", "a feed without a single item, or nothing left of it"),
    "over-limit": ProblemKind("warning", "more than search engines accept in one place"),
    # one entry
    "no-loc": ProblemKind("warning", "an entry without a URL; left out where a URL is needed"),
    "bad-loc": ProblemKind(
        "warning", "not an absolute http(s) URL, or too long; left out for engines"
    ),
    "relative-loc": ProblemKind(
        "warning", "a relative URL; made absolute, or left out without a base"
    ),
    "relative-child": ProblemKind("error", "a relative URL in an index, without a base; left out"),
    "mended-loc": ProblemKind("warning", "white space inside a URL, or a URL outside <loc>; fixed"),
    "repeated": ProblemKind(
        "warning", "an element, key or column that may stand once stands again; one value is kept"
    ),
    "unknown-element": ProblemKind("warning", "an element or attribute not known here; left out"),
    "unknown-key": ProblemKind("warning", "a key or column not known; left out"),
    "unread-element": ProblemKind(
        "warning", "an element or attribute that an entry cannot hold; left out"
    ),
    "bad-date": ProblemKind("warning", "not a date; left out"),
    "unknown-zone": ProblemKind("warning", "a date with an unknown time zone; kept without a zone"),
    "bad-priority": ProblemKind("warning", "a priority that is no number from 0 to 1; left out"),
    "bad-changefreq": ProblemKind(
        "warning", "a changefreq that is none of the seven words; left out"
    ),
    "bad-duration": ProblemKind("warning", "a duration that no video may have; left out"),
    "bad-rating": ProblemKind("warning", "a rating outside of its scale; left out"),
    "bad-value": ProblemKind("warning", "another value that its element does not allow; left out"),
    "too-long": ProblemKind(
        "warning", "a text longer than engines accept; kept here, cut when written"
    ),
    "too-many": ProblemKind(
        "warning", "more elements than engines accept; kept here, cut when written"
    ),
    "incomplete": ProblemKind("warning", "a required part is missing; left out when written"),
    "not-a-url": ProblemKind("warning", "a line that is not a URL; left out"),
    "bad-json": ProblemKind("warning", "a line that is no JSON object; left out"),
    "unlisted": ProblemKind("note", "a page that asks not to be found by search engines; left out"),
    # the steps between
    "no-date": ProblemKind(
        "note", "no date is known of the file of an entry, and none is invented"
    ),
    "duplicate": ProblemKind("warning", "an entry with the id of another, in a feed; left out"),
    "undated": ProblemKind(
        "warning", "an entry of which no date says whether it is recent; left out"
    ),
    "unmatched": ProblemKind("note", "a rule of --rewrite that fits no address of any entry"),
    # the target
    "cut": ProblemKind("warning", "a text too long for the target; cut"),
    "completed": ProblemKind("warning", "something that the target requires and the source lacks"),
    "less-precise": ProblemKind("warning", "a date that the target can hold only in part"),
    "not-held": ProblemKind("note", "a field that the target format has no place for"),
    "shrunk": ProblemKind("warning", "an output that loses half of its entries or more; written"),
    # a run that could not be finished; the message is the whole story
    "failed": ProblemKind("error", "the run could not be finished"),
}
#: Nothing is lost or changed by these, so `--strict` lets them pass.
LOSSLESS = frozenset({"child-beside"})


class Problem(Struct, frozen=True, omit_defaults=True):
    """
    One thing that was lost or fixed.

    Attributes:
        code: A key of `PROBLEMS`, or of the table of another command.
        severity: That of the code.
        message: What happened, in words.
        source: Where: the name of the source, or of the output for what it cannot hold.
        line: The line in it, from 1.
        loc: The entry.
        count: How many problems of its code it sums up; None: it is one itself.

    """

    code: str
    severity: Severity
    message: str
    source: str | None = None
    line: int | None = None
    loc: str | None = None
    count: int | None = None

    def __post_init__(self) -> None:
        """Cut what is quoted of a source, which may be of any size, but no URL that may be one."""
        if len(self.message) > MAX_VALUE:
            force_setattr(self, "message", short_message(self.message))
        if self.loc and len(self.loc) > MAX_LOC:
            force_setattr(self, "loc", clipped(self.loc, MAX_LOC))

    @property
    def times(self) -> int:
        """The number of problems that it counts as."""
        return self.count or 1

    @property
    def about(self) -> str:
        """The entry in parentheses, for people."""
        return f" ({self.shown_loc})" if self.loc else ""

    @property
    def shown_loc(self) -> str:
        """The entry, for people: its URL is cut only if it is too long for search engines."""
        loc = self.loc or ""
        return loc if len(loc) <= _LONGEST_URL else clipped(loc, MAX_VALUE)

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.source, self.line) if part)
        return (
            f"{where}: " * bool(where)
            + f"{self.severity}: {self.message}{self.about} [{self.code}]"
        )


_LONGEST_URL = 2047

#: Takes each problem as it is reported.
ProblemHandler = Callable[[Problem], None]


def ignore(problem: Problem) -> None:
    """Be the report of a caller who does not want to know."""


def log(problem: Problem) -> None:
    """Write a problem to the logger `sitemapx`, at the level of its severity (note: info)."""
    import logging

    levels = {"error": logging.ERROR, "warning": logging.WARNING, "note": logging.INFO}
    logging.getLogger("sitemapx").log(levels[problem.severity], "%s", problem)
