"""
Findings of a check: as data, with stable codes.

A `Rule` says all that there is to say of a code; `sitemapx.check.rules.registry` has the one table
of them. A problem that a reader reports is a finding too, with the same code.
"""

from typing import NamedTuple, TypedDict

from sitemapx.convert.model.problems import Problem, Severity

__all__ = ["SEVERITIES", "Details", "Finding", "Rule", "message_of_sum"]

#: The worst first.
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


class Rule(NamedTuple):
    """
    A rule: what is checked under one code.

    Attributes:
        severity: error: engines leave the URL or the file out, or the official schema refuses it;
            warning: an engine may ignore or misread something; note: worth knowing.
        wrong: What is wrong, in a few words.
        why: Why that is so, in one sentence.
        source: The address of the rule.
        fix: How to fix it.
        is_fixable: Whether `--fix` can.
        schema: Whether the official schema refuses an XML sitemap for it, in any case.
        live: Whether only the answers of servers show it, for which `--live` asks.

    """

    severity: Severity
    wrong: str
    why: str
    source: str
    fix: str
    is_fixable: bool = False
    schema: bool = False
    live: bool = False


class Details(TypedDict, total=False):
    """Details of a finding, beside its code and its message; see `Finding`."""

    source: str | None
    line: int | None
    column: int | None
    loc: str | None
    count: int | None


class Finding(Problem, frozen=True, omit_defaults=True, kw_only=True):
    """
    One thing that is wrong.

    Attributes:
        column: The column in the line, in characters, from 1.
        why: Why it is wrong.
        rule: The address of the rule.
        fix: How to fix it.
        schema: Whether the official schema refuses the file for it.
        fixable: Whether `--fix` can fix it.
        fixed: Whether it was fixed.

    """

    column: int | None = None
    why: str = ""
    rule: str = ""
    fix: str = ""
    schema: bool = False
    fixable: bool = False
    fixed: bool = False

    @property
    def where(self) -> str:
        """The place: file, line and column, as far as they are known."""
        return ":".join(str(part) for part in (self.source, self.line, self.column) if part)


def message_of_sum(count: int) -> str:
    """Return a message for a finding that sums up others of its code."""
    return f"{count:,} more like this"
