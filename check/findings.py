"""
Data types of findings, each of which has the stable code of a rule.

A `Rule` describes a code; `sitemapx.check.rules.registry` has the table of all rules. Checks return
a `RawFinding`, to which the description of its rule is added to make a `Finding`.
"""

from typing import NamedTuple

from sitemapx.convert.model.problems import Problem, Severity

#: In descending order.
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


class Rule(NamedTuple):
    """
    Description of a rule; its code is the key in `RULES`.

    Attributes:
        severity: "error" (search engines skip the URL or the file, or it fails schema validation),
            "warning" (a search engine may ignore or misread something) or "note" (worth knowing).
        wrong: Headline: the error in a few words.
        why: Reason for the rule, in one sentence.
        source: URL of the specification or guideline.
        fix: How to fix the error.
        is_fixable: Whether `fix_file` can fix the error.
        schema: Whether an XML sitemap that breaks the rule always fails schema validation.
        requires: Option that enables the rule: "live" (published pages), "root" (the built site),
            "require" (required URLs) or "engine NAME" (a search engine); empty if the rule does not
            depend on an option.
        is_summary: Whether a finding summarizes many entries, and its URL is only an example.

    """

    severity: Severity
    wrong: str
    why: str
    source: str
    fix: str
    is_fixable: bool = False
    schema: bool = False
    requires: str = ""
    is_summary: bool = False


class Position(NamedTuple):
    """A line, and a column in characters, both starting at 1; None if unknown."""

    line: int | None = None
    column: int | None = None


class RawFinding(NamedTuple):
    """
    A finding without the description of its rule.

    Attributes:
        code: Code of the rule.
        message: Description of what is wrong.
        position: Position in the file.
        loc: URL of the entry.
        source: Name of the file, if it is not the file that is being read.
        total: Number of findings that this one stands for; None for a single finding.
        fails_schema: Whether the finding makes the file fail schema validation.
        is_fixable: Whether the fix for the code, if any, can fix this finding.

    """

    code: str
    message: str
    position: Position = Position()
    loc: str | None = None
    source: str | None = None
    total: int | None = None
    fails_schema: bool = False
    is_fixable: bool = True


class Finding(Problem, frozen=True, omit_defaults=True, kw_only=True):
    """
    A problem found by a check; also has the fields of `sitemapx.convert.Problem`.

    Attributes:
        column: Column in the line, in characters, starting at 1; None if unknown.
        why: Reason for the rule.
        rule: URL of the specification or guideline.
        fix: How to fix the error.
        schema: Whether the finding makes the file fail schema validation.
        fixable: Whether `fix_file` can fix the error in this file.
        fixed: Whether the error has been fixed.

    """

    column: int | None = None
    why: str = ""
    rule: str = ""
    fix: str = ""
    schema: bool = False
    fixable: bool = False
    fixed: bool = False

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        return f"{where}{self.severity}: {self.message}{self.about} [{self.code}]"

    @property
    def where(self) -> str:
        """File, line and column, as far as known, separated by colons."""
        return ":".join(str(part) for part in (self.source, self.line, self.column) if part)


def message_of_sum(count: int) -> str:
    """Return the message of a finding that represents `count` findings of its code."""
    return f"{count:,} more like this"
