"""The result of a check: what was read, and how often each rule was broken."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemapx.check.statistics import Statistics
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.problems import Severity

if TYPE_CHECKING:
    from sitemapx.check.live.pages import LiveSummary

__all__ = ["CheckResult"]


@dataclass
class CheckResult:
    """
    The result of a check.

    Attributes:
        engine: Whose documented rules held; None: those of the protocol.
        names: The names of the sources.
        files: How many files were read, indexes among them.
        entries: How many entries they have.
        codes: How often each code was found.
        severities: How many errors, warnings and notes were found.
        refused: The files that the official schema refuses.
        sources: Of each file that has findings: its format, and where it is published, if known.
        survey: The statistics of the files, if they were asked for.
        live: The summary of the check of pages, if there was one.

    """

    engine: str | None = None
    names: list[str] = field(default_factory=list)
    files: int = 0
    entries: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    severities: Counter[Severity] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    sources: dict[str, tuple[Format, str | None]] = field(default_factory=dict)
    survey: Statistics | None = None
    live: "LiveSummary | None" = None
