"""The reporter of problems: what readers, writers and all below them report to."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from sitemapx.convert.model.problems import PROBLEMS, Problem, ProblemHandler, ProblemKind, ignore

if TYPE_CHECKING:
    from lxml import etree


__all__ = ["HeldProblem", "Location", "ProblemDetails", "Reporter", "Tallies"]

#: The code of a problem that is counted, its message, and what was done about it.
_Counted = tuple[str, str, str]
#: How often each was counted, and the location of the first.
Tallies = Mapping[_Counted, "tuple[int, Location]"]


class Location(TypedDict, total=False):
    """
    The location of something in its source.

    Attributes:
        line: The line.
        loc: The URL of the entry.
        element: The element.
        source: The file, if that is not the source itself, as with a page of a directory.

    """

    line: int | None
    loc: str | None
    source: str | None
    element: "etree._Element | None"


class ProblemDetails(Location, total=False):
    """
    Details of a problem, beside its code and its message.

    Attributes:
        done: What was done about it, as the message goes on: "; skipped".
        quoted: What follows that in the message.
        namespace: The namespace that is wrong.
        is_readable: Whether parsers read on that refuse what is not well-formed.
        count: How many problems it sums up.

    """

    done: str
    quoted: str
    namespace: str | None
    is_readable: bool
    count: int | None


class HeldProblem(NamedTuple):
    """What `Reporter.problem` was called with."""

    code: str
    message: str
    details: ProblemDetails


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

    """

    __slots__ = ("_held", "_kinds", "_report", "_tallies", "is_cut", "source", "url")

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
        self._held: list[HeldProblem] | None = None
        self.source = source
        self.url = url
        self.is_cut = False

    @property
    def handler(self) -> ProblemHandler:
        """Where problems are sent, for those of another source."""
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
        if self._held is None:
            self._tell(code, message, **details)
        else:
            self._held.append(HeldProblem(code, message, details))

    @contextmanager
    def holding(self) -> "Iterator[list[HeldProblem]]":
        """Hold problems instead of reporting them: it is not their turn yet."""
        held: list[HeldProblem] = []
        self._held = held
        try:
            yield held
        finally:
            self._held = None

    def _tell(self, code: str, message: str, **details: Unpack[ProblemDetails]) -> None:
        severity = self._kinds[code].severity
        message = f"{message}{details.get('done', '')}{details.get('quoted', '')}"
        line, loc = details.get("line"), details.get("loc")
        source, count = details.get("source") or self.source, details.get("count")
        self._report(Problem(code, severity, message, source, line, loc, count))

    def note_form(self, code: str, message: str, **location: Unpack[Location]) -> None:
        """Report a value in a nonstandard form; ignored here, and overridden in checks."""

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

    def tally(
        self, code: str, message: str, *, done: str = "", **location: Unpack[Location]
    ) -> None:
        """
        Count a problem that many entries have; `close` reports it once.

        Args:
            code: A key of `kinds`.
            message: Description of the problem.
            done: What was done about it, appended to the message.
            location: Location of this occurrence.

        """
        key = code, message, done
        count, location = self._tallies.get(key, (0, location))
        self._tallies[key] = (count + 1, location)

    def leave_out(self, what: str, *, line: int | None = None, times: int = 1) -> None:
        """
        Count something that is dropped because entries do not support it; `close` reports it once.

        Args:
            what: Name of the element or attribute.
            line: Line number of the first of these occurrences.
            times: Number of occurrences.

        """
        key = _left_out(what)
        count, location = self._tallies.get(key, (0, Location(line=line)))
        if times:
            self._tallies[key] = (count + times, location)

    def has_left_out(self, what: str) -> bool:
        """Return whether `leave_out` has already counted this, so that its line number is known."""
        return _left_out(what) in self._tallies

    def tallies(self) -> Tallies:
        """Return what was counted since the last call of `close`."""
        return dict(self._tallies)

    def tallies_since(self, before: Tallies) -> Tallies:
        """Return what was counted since `tallies` returned the argument."""
        return {
            key: (count - known, location)
            for key, (count, location) in self._tallies.items()
            if count > (known := before[key][0] if key in before else 0)
        }

    def add_tallies(self, tallies: Tallies) -> None:
        """Add what another process counted in what comes next in the source."""
        for key, (count, first) in tallies.items():
            counted, location = self._tallies.get(key, (0, first))
            self._tallies[key] = (counted + count, location)

    def redirect(self, report: ProblemHandler) -> None:
        """Send all further problems to another handler, as in a copy of the process."""
        self._report = report

    def close(self) -> None:
        """Report the counted problems, each with the location of its first occurrence."""
        for (code, message, done), (count, location) in self._tallies.items():
            if count == 1:
                self.problem(code, message, done=done, **location)
            else:
                self.problem(code, f"{message}{done} ({count:,} times)", **location)
        self._tallies.clear()


def _left_out(what: str) -> _Counted:
    return "unread-element", what, " is not supported; dropped"
