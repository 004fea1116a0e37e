"""The context of a reader whose source is checked."""

from collections.abc import Collection
from typing import Unpack

from sitemapx.check.file.checkedfile import CheckedFile
from sitemapx.check.file.validation import FileValidator
from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.model.reporter import Location, ProblemDetails

__all__ = ["FileContext"]


class FileContext(Context):
    """Makes findings of the problems that a reader reports."""

    reports_form = True

    def __init__(
        self,
        report: ProblemHandler,
        file: CheckedFile,
        validator: FileValidator,
        *,
        wanted: Collection[str] | None = None,
    ) -> None:
        super().__init__(report, source=file.source, url=file.url, wanted=wanted)
        self._file = file
        self._validator = validator

    def problem(self, code: str, message: str, **details: Unpack[ProblemDetails]) -> None:
        """Take what the reader tells; what it did about that is of no interest to a check."""
        file = self._file
        if code == "empty" and file.has_items:
            return  # what is wrong with the items is told
        if code == "unread-element":
            return  # that it is lost concerns who converts it
        if code == "relative-loc" and self._is_resolvable(details.get("loc")):
            return
        loc, element = details.get("loc"), details.get("element")
        is_readable = details.get("is_readable", False)
        count = details.get("count")
        is_refused = self._validator.refuses(code, element, is_readable=is_readable)
        if not file.findings.admit(code, loc, is_refused=is_refused, count=count or 1):
            return
        place = file.position.of_problem(details.get("line"), element)
        message += details.get("quoted", "")
        namespace = details.get("namespace")
        file.keep(
            code,
            message,
            place,
            source=details.get("source"),
            namespace=namespace,
            loc=loc,
            schema=is_refused,
            count=count,
            is_fixable=file.would_fix(code, element),
        )
        if not file.is_reading:
            file.findings.flush()

    def _is_resolvable(self, loc: str | None) -> bool:
        """Return whether a relative URL is allowed: https://www.rfc-editor.org/rfc/rfc4287#section-2"""
        is_atom = self._file.format is not None and self._file.format.name == "atom"
        return is_atom and bool(loc or not self.url)

    def tally(
        self, code: str, message: str, *, done: str = "", **location: Unpack[Location]
    ) -> None:
        """Take each of those that a conversion reports once, with its own place."""
        self.problem(code, message, done=done, **location)

    def note_form(self, code: str, message: str, **location: Unpack[Location]) -> None:
        """Report a value in a nonstandard form, which a conversion accepts."""
        self.problem(code, message, **location)

    def resolved(self, url: str, code: str, **location: Unpack[Location]) -> str:
        """Report a relative URL, which only --source-url makes absolute."""
        found = super().resolved(url, code, **location)
        if found != url:
            self.problem(code, f"URL is not absolute: {url!r}", **location)
        return found
