"""Summary of a conversion, and safeguards against replacing a good output with a bad one."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from sitemapx.convert.model.problems import (
    LOSSLESS,
    PROBLEMS,
    Problem,
    ProblemHandler,
    log,
    log_failure,
)
from sitemapx.convert.outputs.output import Output, Written
from sitemapx.convert.values.words import pluralize
from sitemapx.optionnames import option

#: Codes of problems, besides errors, that may mean a skipped entry.
LOSSES = frozenset(
    {"malformed", "no-loc", "bad-loc", "loc-scheme", "relative-loc", "not-a-url", "bad-json"}
)
#: Codes that may concern the head of a feed: an item without a valid URL has "no-loc" as well.
_OF_HEADS = frozenset({"bad-loc", "loc-scheme", "relative-loc"})
#: Percentage of lost entries from which the loss is reported.
_SHRUNK = 50


def why_strict() -> str:
    """Return the reason to display if `strict` prevents writing or fails a comparison."""
    return f"there are problems ({option('strict')})"


class Safeguards(NamedTuple):
    """
    Conditions under which an output is written.

    Attributes:
        strict: Whether any problem that loses or changes data prevents writing.
        partial: Whether to write even if a source could not be read completely or no entries
            remain.
        allow_empty: Whether an output that has entries may be replaced by an empty one.
        max_loss: Share of its entries, in percent, that the output may lose; None for any share
            below 100.
        watches_loss: Whether the output is a new version of the existing one, so that `allow_empty`
            and `max_loss` apply; False for a list of changes, for example.

    """

    strict: bool = False
    partial: bool = False
    allow_empty: bool = False
    max_loss: float | None = None
    watches_loss: bool = True


#: The default: do not replace an output with an empty or incomplete one.
SAFE = Safeguards()


@dataclass
class Summary:
    """
    Result of a conversion.

    Attributes:
        read: Number of entries read.
        files: Files that were written, left unchanged or removed; empty if `failure` is set.
        problems: Number of problems, by code.
        left_out: Number of entries that each step skipped, less those that it added, by its name.
        not_held: Number of entries with a value that the output format does not support, by name of
            the field.
        failure: Why the output was not written; empty if it was written.

    """

    read: int = 0
    files: list[Written] = field(default_factory=list)
    problems: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    not_held: Counter[str] = field(default_factory=Counter)
    failure: str = ""
    _losses: dict[str | None, set[str]] = field(default_factory=dict, repr=False, compare=False)
    _feeds_without_items: set[str | None] = field(default_factory=set, repr=False, compare=False)

    def count(self, problem: Problem) -> None:
        self.problems[problem.code] += problem.times
        if problem.code in LOSSES:
            self._losses.setdefault(problem.source, set()).add(problem.code)
        elif problem.code == "no-items":
            self._feeds_without_items.add(problem.source)

    @property
    def written(self) -> int:
        """Number of entries in the output, including files that are unchanged."""
        return sum(file.entries for file in self.files if not file.is_index)

    @property
    def has_errors(self) -> bool:
        """Whether any problem has severity "error" (an unknown amount of data is lost)."""
        return any(PROBLEMS[code].severity == "error" for code in self.problems)

    def logged(self, report: ProblemHandler) -> Self:
        """Log `failure` if `report` is `log`, the default; return this summary."""
        if self.failure and report is log:
            log_failure(self.failure)
        return self

    def reason_against(
        self, output: Output, safeguards: Safeguards, report: Callable[[str, str], object]
    ) -> str:
        """
        Return why the output must not be written; empty if it may be written.

        `report` is called with the code and the message of a problem.
        """
        strict, partial, allow_empty, *_ = safeguards
        if strict and self.problems.keys() - LOSSLESS:
            return why_strict()
        if partial:
            return self._loss(output, safeguards, report)
        is_empty = not (allow_empty or output.entries + self.left_out.total())
        if is_empty and self._may_lack_entries():
            return "no entries left after reading"
        if output.replaces and self.has_errors:
            return (
                "not all sources could be read completely; "
                f"pass {option('partial')} to write what was read"
            )
        return self._loss(output, safeguards, report)

    def _may_lack_entries(self) -> bool:
        if self.has_errors or self.problems["over-limit"]:
            return True
        return any(
            codes - _OF_HEADS if source in self._feeds_without_items else codes
            for source, codes in self._losses.items()
        )

    def _loss(
        self, output: Output, safeguards: Safeguards, report: Callable[[str, str], object]
    ) -> str:
        """Return why too many entries would be lost, or an empty string; report a smaller loss."""
        if not (output.replaces and safeguards.watches_loss):
            return ""
        most = 100.0 if safeguards.max_loss is None else safeguards.max_loss
        after = output.entries
        before = output.entries_before(after / (1 - min(most, _SHRUNK) / 100))
        lost = 100 * (before - after) / before if before else 0
        if before and not (after or safeguards.allow_empty or safeguards.partial):
            has = f"the output has {pluralize(before, 'entry', 'entries')}"
            return f"no entries left to write, but {has}; pass {option('allow_empty')} to empty it"
        if lost > most:
            share = f"{lost:.3g}%, limit {most:g}%"
            message = f"{before - after:,} of {pluralize(before, 'entry', 'entries')} would be lost"
            limit = option("max_loss")
            return f"{message} ({share}); check the source, or raise the limit with {limit}"
        if before and lost >= _SHRUNK:
            report(
                "shrunken-output",
                f"output shrinks from {pluralize(before, 'entry', 'entries')} to {after:,}",
            )
            if safeguards.strict:
                return why_strict()
        return ""
