"""A file that is checked: what the checks know of it, and what is found in it."""

from collections.abc import Mapping, Sequence
from typing import Protocol, Unpack

from sitemapx.check.edits.fixes import would_fix
from sitemapx.check.edits.urlsyntax import ESCAPE_CODES
from sitemapx.check.file.fixability import is_fixable_code, is_fixable_file
from sitemapx.check.file.locator import Locator
from sitemapx.check.file.partfindings import PartFindings
from sitemapx.check.file.trial import FixTrial
from sitemapx.check.findings import Details, Finding, Rule, message_of_sum
from sitemapx.check.positions import Position
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["CheckedFile"]

_START = 1 << 16
_RESOLVE_CODES = frozenset({"asset-url", "hreflang-url"})


class FindingFactory(Protocol):
    """Makes findings."""

    def __call__(
        self,
        code: str,
        message: str,
        *,
        schema: bool = False,
        file: "CheckedFile | None" = None,
        is_fixable: bool = True,
        **details: Unpack[Details],
    ) -> Finding | None:
        """Make a finding; None if nobody looks for it."""
        ...


class CheckedFile:
    """
    One file of those that are checked.

    Attributes:
        source: Its name.
        url: Where it is published, if that is known.
        format: Its format; None for a folder of pages.
        head: What a feed says of itself.
        is_index: Whether its entries are sitemaps.
        has_items: Whether there are items in it, which is known of XML alone.
        is_reading: Whether its entries are being read.
        start: Its first bytes, unpacked.
        is_ascii: Whether all its bytes are ASCII, so far.
        size: How many bytes it has, unpacked, so far.
        entries: How many entries it has, so far.
        position: What is being read of it.
        findings: What was found in that.

    """

    def __init__(
        self,
        report: ProblemHandler,
        make: FindingFactory,
        *,
        source: str | None,
        url: str | None,
        fixed: Mapping[str, Rule],
    ) -> None:
        """
        Begin with a file.

        Args:
            report: Called with what is found.
            make: Makes findings.
            fixed: Rules whose findings are marked if `check --fix` would fix them.

        """
        self.source, self.url = source, url
        self.format: Format | None = None
        self.head = Head()
        self.is_index = self.has_items = self.is_reading = False
        self.start = b""
        self.is_ascii = True
        self.size = self.entries = 0
        self.position = Locator()
        self.findings = PartFindings(report)
        self._make = make
        self._fixed = fixed
        self._begun_trial: FixTrial | None = None

    @property
    def has_schema(self) -> bool:
        """Whether there is an official schema of its format."""
        return self.format is not None and self.format.has_schema

    @property
    def _trial(self) -> FixTrial | None:
        """The trial of the fixes; None for a source that `check --fix` never changes."""
        is_fixable = is_fixable_file(self.source, self.format)
        if self._begun_trial is None and is_fixable and self.source and self.format:
            where = self.format, self.url
            fixed = self._fixed.items()
            codes = [code for code, rule in fixed if is_fixable_code(code, rule, *where)]
            self._begun_trial = FixTrial(self.source, *where, codes)
        return self._begun_trial

    def has_fix(self, code: str) -> bool:
        """Return whether `check --fix` has a fix for findings of this code in this kind of file."""
        return self._trial is not None and code in self._trial.codes

    @property
    def is_repairable(self) -> bool:
        """Whether no error keeps `check --fix` from changing the file."""
        return self._trial is not None and self._trial.is_possible

    def would_fix(self, code: str, element: XmlElement | None) -> bool:
        """Return whether the fix of a finding would change the element that it is about, if any."""
        return element is None or not self._trial or would_fix(code, element, self.url)

    @property
    def is_feed(self) -> bool:
        """Whether it is a feed."""
        return self.format is not None and self.format.family == "feed"

    def take_bytes(self, data: bytes) -> None:
        """Take bytes that are read."""
        if len(self.start) < _START:
            self.start += data[: _START - len(self.start)]
        self.size += len(data)
        self.is_ascii = self.is_ascii and data.isascii()

    def report(
        self,
        code: str,
        message: str,
        *,
        at: int | None = None,
        text: str = "",
        is_fixable: bool = True,
    ) -> None:
        """
        Report a finding on an entry of the batch, or on the file.

        Args:
            at: In which entry of the batch.
            text: The text that is wrong, which is looked for in the entry.
            is_fixable: Whether the fix for its code, if there is one, applies here.

        """
        loc = None if at is None else self.position.locs[at] or None
        position = Position() if at is None else self.position_of(at, text)
        self.report_at(position, code, message, loc=loc, is_fixable=is_fixable)

    def report_at(
        self,
        position: Position,
        code: str,
        message: str,
        *,
        loc: str | None = None,
        is_fixable: bool = True,
    ) -> None:
        """Report a finding at a known position."""
        if self.findings.admit(code, loc, is_refused=False):
            if code in ESCAPE_CODES:
                is_fixable = bool(loc and self._trial and self._trial.escapes(loc))
            elif code in _RESOLVE_CODES:
                is_fixable = False  # the reader has resolved, and reported, what can be
            self.keep(code, message, position, loc=loc, is_fixable=is_fixable)

    def position_of(self, at: int, text: str = "") -> Position:
        """Find where an entry of the batch has this text, or else its URL."""
        return self.position.of_entry(at, text)

    def positions_of(self, numbers: Sequence[int]) -> list[Position]:
        """Find where these entries of the batch begin, in order."""
        return self.position.of_entries(numbers)

    def keep(
        self,
        code: str,
        message: str,
        position: Position,
        *,
        source: str | None = None,
        loc: str | None = None,
        namespace: str | None = None,
        schema: bool = False,
        count: int | None = None,
        is_fixable: bool = True,
    ) -> None:
        """
        Keep a finding, unless nobody looks for it.

        Args:
            source: The page of a directory that it is about; None for the file itself.
            namespace: The namespace that is wrong, which is looked for in the root.
            schema: Whether the official schema refuses the file for it.
            count: How many findings it sums up.
            is_fixable: Whether the fix for its code, if there is one, applies here.

        """
        if code == "namespace":
            position = self.position.of_namespace(namespace) or position
        line, column = position
        finding = self._make(
            code,
            message,
            schema=schema,
            file=self,
            source=source or self.source,
            line=line,
            column=column,
            loc=loc,
            count=count,
            is_fixable=is_fixable,
        )
        if finding:
            self.findings.kept.append(finding)

    def close(self) -> None:
        """Release all resources."""
        if self._begun_trial:
            self._begun_trial.close()

    def report_rest(self) -> None:
        """Return how many findings of a part were only counted."""
        for rest in self.findings.end_part():
            position = self.position.of_line(self.position.last_line)
            message = f"{message_of_sum(rest.number)}, up to here"
            self.keep(rest.code, message, position, schema=rest.is_refused, count=rest.number)
