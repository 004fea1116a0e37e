"""Reporter of problems, for readers, writers and steps."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict, Unpack

from sitemapx.convert.model.problems import (
    NOT_SUPPORTED,
    PROBLEMS,
    Problem,
    ProblemHandler,
    ProblemKind,
    ignore,
)

if TYPE_CHECKING:
    from lxml import etree


#: Code, message, and what was done about it.
_Counted = tuple[str, str, str]


class Location(TypedDict, total=False):
    """Location of a problem; `source` is set only if it differs from the reporter's source."""

    line: int | None
    loc: str | None
    source: str | None
    element: "etree._Element | None"


class ProblemDetails(Location, total=False):
    """
    Details of a problem.

    Attributes:
        done: Consequence of the problem, appended to the message: "; skipped".
        quoted: Text appended to the message after `done`, such as a quoted value.
        namespace: Wrong namespace of an element.
        is_readable: Whether strict XML parsers can read the file despite the problem.
        count: Number of occurrences that the problem stands for.

    """

    done: str
    quoted: str
    namespace: str | None
    is_readable: bool
    count: int | None


class Reporter:
    """
    Reports the problems of one source or output.

    Args:
        report: Called with each problem.
        source: Name of the source or output, for messages.
        url: Public URL of the source or output.
        kinds: The known codes, with the severity of each.

    Attributes:
        source: Name of the source or output, for messages.
        url: Public URL of the source or output; relative URLs are resolved against it.
        is_cut: Whether the source is truncated, so that its last line may be incomplete.
        reports_form: Whether `note_form` reports anything.

    """

    reports_form = False
    __slots__ = ("_kinds", "_report", "_tallies", "is_cut", "source", "url")

    def __init__(
        self,
        report: ProblemHandler = ignore,
        *,
        source: str | None = None,
        url: str | None = None,
        kinds: Mapping[str, ProblemKind] = PROBLEMS,
    ) -> None:
        self._report = report
        self._kinds = kinds
        self._tallies: dict[_Counted, tuple[int, Location]] = {}
        self.source = source
        self.url = url
        self.is_cut = False

    @property
    def handler(self) -> ProblemHandler:
        """The function that receives the problems, for a reporter of another source."""
        return self._report

    def problem(self, code: str, message: str, **details: Unpack[ProblemDetails]) -> None:
        """
        Report a problem, with the severity of its code.

        Args:
            code: A key of `kinds`.
            message: Description of the problem.
            details: Location (`line`, `loc`, `element`), what was done about the problem (`done`)
                and other details.

        """
        severity = self._kinds[code].severity
        message = f"{message}{details.get('done', '')}{details.get('quoted', '')}"
        line, loc = details.get("line"), details.get("loc")
        source, count = details.get("source") or self.source, details.get("count")
        self._report(Problem(code, severity, message, source, line, loc, count))

    def note_form(self, code: str, message: str, **location: Unpack[Location]) -> None:
        """Report a value in a nonstandard form; does nothing here, and is overridden in checks."""

    def resolved(self, url: str, code: str, **location: Unpack[Location]) -> str:
        """
        Resolve a URL against the URL of the source.

        Args:
            url: The URL, which may be relative.
            code: Code under which a subclass may report that the URL is relative; not used here.
            location: Location of the URL, for such a report.

        Returns:
            The absolute URL, or `url` unchanged if it cannot be resolved.

        """
        from sitemapx.convert.values import relative

        return relative.resolve(url, self.url) or url

    def absolute(
        self, url: str, base: str | None, *, otherwise: str, line: int | None
    ) -> str | None:
        """
        Resolve a relative URL of a feed, and report it as relative.

        Args:
            url: The relative URL.
            base: The base URL, if known.
            otherwise: Consequence if the URL cannot be resolved, for the message.
            line: Line number of the URL.

        Returns:
            The absolute URL; None if the URL cannot be resolved.

        """
        from sitemapx.convert.values import relative

        found = relative.resolve(url, base)
        done = "; resolved" if found else f"; {otherwise}{relative.remedy(url, base)}"
        self.problem("relative-loc", relative.describe(url), done=done, line=line, loc=found)
        return found

    def tally(
        self, code: str, message: str, *, done: str = "", **location: Unpack[Location]
    ) -> None:
        """
        Count a problem that may affect many entries; `close` reports it once.

        Args:
            code: A key of `kinds`.
            message: Description of the problem.
            done: Consequence of the problem, appended to the message.
            location: Location of this occurrence.

        """
        key = code, message, done
        count, location = self._tallies.get(key, (0, location))
        self._tallies[key] = (count + 1, location)

    def count_dropped(self, description: str, *, line: int | None = None, times: int = 1) -> None:
        """
        Count content that entries do not support and that is dropped; `close` reports the number.

        Args:
            description: Name of the element or attribute.
            line: Line number of the first occurrence.
            times: Number of occurrences.

        """
        key = "ignored-element", description, NOT_SUPPORTED
        count, location = self._tallies.get(key, (0, Location(line=line)))
        if times:
            self._tallies[key] = (count + times, location)

    def close(self) -> None:
        """Report the counted problems, each with the location of its first occurrence."""
        for (code, message, done), (count, location) in self._tallies.items():
            if count == 1:
                self.problem(code, message, done=done, **location)
            else:
                self.problem(code, f"{message}{done} ({count:,} times)", **location)
        self._tallies.clear()
