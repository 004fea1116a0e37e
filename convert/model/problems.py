"""Problems: data that a conversion skips, fixes or cannot write, with stable codes."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import force_setattr

from sitemapx.convert.values.urls import without_password
from sitemapx.convert.values.words import MAX_LOC, MAX_VALUE, clip, short_message, short_url

#: error: an unknown amount of data was lost, the run ends with status 1; warning: a value or an
#: entry was skipped or fixed; note: anything else, such as a field that a format does not support.
Severity = Literal["error", "warning", "note"]


class ProblemKind(NamedTuple):
    """A kind of problem; `remedy` is empty if the `check` rule with the same code explains it."""

    severity: Severity
    meaning: str
    remedy: str = ""


#: End of messages about elements that no format supports; it follows the name.
NOT_SUPPORTED = " is not supported; dropped"
#: Codes of the problems that readers, writers and steps report, with severity and meaning.
PROBLEMS = {
    # the source
    "truncated": ProblemKind(
        "error", "source is truncated; everything complete before that is kept"
    ),
    "bad-gzip": ProblemKind(
        "error", "compressed data is corrupt; what could be decompressed is kept"
    ),
    "text-before-xml": ProblemKind("warning", "text before the XML declaration; skipped"),
    "gzip-twice": ProblemKind("warning", "file was compressed twice; decompressed twice"),
    "too-large": ProblemKind(
        "error", "decompressed data is far too large (decompression bomb); truncated"
    ),
    "entry-too-large": ProblemKind(
        "error", "entry larger than 10 MiB, 50,000 tags, or 1,000 attributes in a tag; skipped"
    ),
    "listed-sitemap-failed": ProblemKind("error", "listed sitemap or feed page cannot be read"),
    "listed-sitemap-unchecked": ProblemKind(
        "error", "listed sitemap of a local index was not found"
    ),
    "listed-sitemap-skipped": ProblemKind(
        "note",
        "listed sitemaps were not selected",
        "Change or remove --children to read them.",
    ),
    "local-copy": ProblemKind("note", "listed sitemap was found by its name, beside its index"),
    "path-unreadable": ProblemKind(
        "error", "local page or directory cannot be read, or is not followed"
    ),
    "page-too-large": ProblemKind(
        "warning",
        "HTML page larger than 15,000,000 bytes; only its beginning is read",
        "Reduce the page; browsers and crawlers also read only its beginning.",
    ),
    "duplicate-sitemap": ProblemKind("warning", "sitemap listed more than once; read once"),
    "malformed": ProblemKind("warning", "markup is not well-formed; fixed, or the entry skipped"),
    "unescaped": ProblemKind("warning", "unescaped ampersand; kept as text"),
    "page-in-index": ProblemKind(
        "warning",
        "pages of a sitemap or feed are written to an index",
        "Pass --to sitemap, or convert a list of sitemaps.",
    ),
    "stray-content": ProblemKind(
        "warning", "unexpected content between or after the entries; skipped"
    ),
    "doctype": ProblemKind("warning", "DOCTYPE; never processed, its entities are not expanded"),
    "namespace": ProblemKind("warning", "wrong or undeclared namespace; read as the intended one"),
    "wrong-encoding": ProblemKind(
        "warning", "content does not match its encoding; read as windows-1252"
    ),
    "illegal-character": ProblemKind("warning", "illegal XML character; removed"),
    "empty": ProblemKind("warning", "source has no entries, or all were skipped"),
    "paged": ProblemKind("warning", "feed has more pages (RFC 5005) that are not read"),
    "no-items": ProblemKind("warning", "feed has no items, or all were skipped"),
    "over-limit": ProblemKind(
        "warning",
        "more entries in one file than search engines accept",
        "Write to a directory or pass --base-url, so that the output is split into several files.",
    ),
    # one entry
    "no-loc": ProblemKind("warning", "entry has no URL; skipped where a URL is required"),
    "bad-loc": ProblemKind(
        "warning", "URL is not absolute http(s), or is too long; skipped in sitemaps"
    ),
    "loc-scheme": ProblemKind(
        "warning", "link of an item is not http(s), such as mailto:; skipped in sitemaps"
    ),
    "relative-loc": ProblemKind(
        "warning", "relative URL; resolved, or skipped if there is no base URL"
    ),
    "relative-listed-sitemap": ProblemKind(
        "error", "relative URL in an index without a base URL; skipped"
    ),
    "repaired-loc": ProblemKind("warning", "whitespace in a URL, or a URL outside <loc>; fixed"),
    "repeated-element": ProblemKind(
        "warning", "repeated element that may occur once; one value is kept"
    ),
    "repeated-key": ProblemKind("warning", "repeated key or column; one value is kept"),
    "unknown-element": ProblemKind("warning", "unknown element or attribute; dropped"),
    "unknown-key": ProblemKind("warning", "unknown key or column; dropped"),
    "ignored-element": ProblemKind(
        "warning",
        "element or attribute is not supported; dropped",
        "No format that sitemapx writes supports the element; nothing needs to be done.",
    ),
    "bad-date": ProblemKind("warning", "invalid date; dropped"),
    "unknown-zone": ProblemKind("warning", "unknown time zone; date kept without a time zone"),
    "bad-priority": ProblemKind("warning", "priority is not a number from 0.0 to 1.0; dropped"),
    "bad-changefreq": ProblemKind("warning", "invalid changefreq value; dropped"),
    "bad-duration": ProblemKind("warning", "invalid video duration; dropped"),
    "bad-rating": ProblemKind("warning", "video rating out of range; dropped"),
    "bad-value": ProblemKind("warning", "invalid value; dropped"),
    "value-format": ProblemKind("warning", "value not in the required form; written in that form"),
    "too-long": ProblemKind(
        "warning", "text longer than search engines accept; truncated when written"
    ),
    "too-many": ProblemKind(
        "warning", "more elements than search engines accept; extra ones dropped when written"
    ),
    "missing-element": ProblemKind(
        "warning", "required part is missing; element dropped when written"
    ),
    "not-a-url": ProblemKind("warning", "line is not a URL; skipped"),
    "bad-json": ProblemKind("warning", "line is not a JSON object; skipped"),
    "skipped-page": ProblemKind(
        "note",
        "page should not be indexed; skipped",
        "Pass --keep-all to keep pages that redirect, fail, or are drafts or marked noindex.",
    ),
    # steps
    "no-date": ProblemKind(
        "note",
        "no date known for the file of an entry; lastmod stays empty",
        "Commit the file, or choose another source of dates with --lastmod.",
    ),
    "damaged-line": ProblemKind(
        "warning",
        "damaged line in the file of content dates; ignored",
        "Nothing needs to be done: the file is rewritten without the line, and the page counts as "
        "new.",
    ),
    "duplicate": ProblemKind(
        "warning",
        "duplicate ID in a feed, or duplicate URL in a site map; skipped",
        "Remove the second entry, or give it an ID of its own.",
    ),
    "undated": ProblemKind(
        "warning",
        "entry has no date to filter by; skipped",
        "Add dates to the entries, or remove the options that select by date.",
    ),
    "unmatched-rewrite": ProblemKind(
        "warning",
        "rewrite rule matches no URL",
        "Correct the rule, or remove it.",
    ),
    # problems of the output
    "shortened-text": ProblemKind(
        "warning",
        "text is too long for the output format; truncated",
        "Shorten the text in the source.",
    ),
    "filled-in": ProblemKind(
        "warning",
        "value required by the output format is missing; filled in",
        "Provide the value in the source, or with the option that the message names.",
    ),
    "less-precise": ProblemKind(
        "warning",
        "date is more precise than the output format supports",
        "Write JSON Lines if the exact time matters.",
    ),
    "dropped-field": ProblemKind(
        "note",
        "field is not supported by the output format",
        "Choose an output format that supports the field, or drop it with --drop.",
    ),
    "previous-unread": ProblemKind(
        "note",
        "previous build cannot be compared, or a sitemap in it; counts as changed",
        "Nothing needs to be done for the first build. Otherwise, correct --previous.",
    ),
    "shrunken-output": ProblemKind(
        "warning",
        "output loses half of its entries or more; written anyway",
        "Compare the sources with the previous run. Pass --strict to write nothing in this case.",
    ),
    # the run
    "notice": ProblemKind(
        "note",
        "message about the run, not about the data",
        "Nothing needs to be done.",
    ),
    "failed": ProblemKind(
        "error",
        "run could not be completed",
        "Follow the message; `sitemapx COMMAND --help` describes the options.",
    ),
}
#: Codes that `--strict` accepts, as no data is lost or changed.
LOSSLESS = frozenset({"local-copy", "listed-sitemap-skipped", "previous-unread"})


class Problem(Struct, frozen=True, omit_defaults=True):
    """
    Something that was skipped, dropped or fixed, or a message about the run.

    Attributes:
        code: Stable identifier: a key of `PROBLEMS`, or of the table of another command.
        severity: "error" (an unknown amount of data was lost), "warning" (an entry or a value was
            skipped or fixed) or "note" (such as a field that the output format does not support).
        message: Description of the problem.
        source: Name of the source, or of the output if the problem concerns the output; None if
            unknown.
        line: Line number in the source, starting at 1; None if unknown.
        loc: URL of the entry, with its password masked; None if unknown.
        count: Number of problems that this one represents; None for a single problem.

    """

    code: str
    severity: Severity
    message: str
    source: str | None = None
    line: int | None = None
    loc: str | None = None
    count: int | None = None

    def __post_init__(self) -> None:
        message, loc = without_password(self.message), reported_loc(self.loc)
        if len(message) > MAX_VALUE:
            message = short_message(message)
        if message != self.message:
            force_setattr(self, "message", message)
        if loc != self.loc:
            force_setattr(self, "loc", loc)

    @property
    def times(self) -> int:
        """Number of problems that this one represents (`count`, or 1)."""
        return self.count or 1

    @property
    def about(self) -> str:
        """The URL of the entry in parentheses, for messages; empty if the problem has no URL."""
        return f" ({self.shown_loc})" if self.loc else ""

    @property
    def shown_loc(self) -> str:
        """The URL of the entry, cut to 200 characters if it has more than 2,047; empty if none."""
        return short_url(self.loc or "")

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.source, self.line) if part)
        return (
            f"{where}: " * bool(where)
            + f"{self.severity}: {self.message}{self.about} [{self.code}]"
        )


def reported_loc(loc: str | None) -> str | None:
    """Return the URL of an entry, if any, for a problem: with masked password, and truncated."""
    return loc and clip(without_password(loc), MAX_LOC)


#: Function that is called with each problem as it is found.
ProblemHandler = Callable[[Problem], None]


def ignore(problem: Problem) -> None:
    """Problem handler that discards every problem."""


def log(problem: Problem) -> None:
    """Write a problem to the logger `sitemapx`, at the level of its severity (note: info)."""
    import logging

    levels = {"error": logging.ERROR, "warning": logging.WARNING, "note": logging.INFO}
    logging.getLogger("sitemapx").log(levels[problem.severity], "%s", problem)


def log_failure(reason: str) -> None:
    """Log the reason why nothing was written, as an error."""
    import logging

    logging.getLogger("sitemapx").error("%s", reason)
