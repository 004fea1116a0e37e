"""What a run did, and whether that is good enough to be published."""

from collections import Counter
from dataclasses import dataclass, field

from sitemapx.convert.outputs import Output, Written
from sitemapx.convert.problems import PROBLEMS

__all__ = ["Summary"]

#: Problems that cost no entry: with these alone an empty output is what the source says.
_NO_LOSS = frozenset(
    {
        *("empty", "no-items", "namespace", "doctype", "encoding", "completed", "repeated"),
        *("listed-again", "unknown-element", "unknown-key", "unread-element", "bad-date", "paged"),
        *("not-held", "unmatched"),
    }
)


@dataclass
class Summary:
    """
    What a conversion did.

    Attributes:
        read: How many entries were read.
        files: What was written; empty if the run failed under `strict`.
        problems: How often each code was reported.
        left_out: How many entries each step left out, by its name.
        not_held: How many entries had a value for which the target format has no place, by field.
        failure: Why the output was not written; empty if it was.

    """

    read: int = 0
    files: list[Written] = field(default_factory=list)
    problems: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    not_held: Counter[str] = field(default_factory=Counter)
    failure: str = ""

    @property
    def written(self) -> int:
        """How many entries were written."""
        return sum(one.entries for one in self.files if not one.is_index)

    @property
    def has_errors(self) -> bool:
        """Whether more was lost than single entries and values."""
        return any(PROBLEMS[code].severity == "error" for code in self.problems)

    def reason_against(self, output: Output, *, strict: bool, partial: bool) -> str:
        """Tell why nothing is to be written; the empty string if there is no reason."""
        nothing = "no entry is left of what was read"
        if strict and self.problems:
            return "there are problems, and --strict lets none pass"
        if self.problems.keys() - _NO_LOSS and not output.entries + self.left_out.total():
            return nothing
        if partial or not output.replaces:
            return ""
        if self.has_errors:
            return "not all could be read; --partial writes what could be"
        if self.read and not output.entries:
            return f"{nothing}; --partial writes an empty output"
        return ""
