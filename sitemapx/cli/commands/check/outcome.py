"""Outcome of `sitemapx check`: which findings fail the check, exit status and summary."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from sitemapx.check.edits import is_fixable_code, is_fixable_file
from sitemapx.check.findings import SEVERITIES, Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import NOTHING_READ
from sitemapx.cli.commands.check.inputs import summary_line
from sitemapx.cli.options.live import summary_lines
from sitemapx.cli.reports.writer import fixable_lines
from sitemapx.convert.values.words import pluralize

FAIL_ON = (*SEVERITIES, "never")


class Threshold(NamedTuple):
    """
    The minimum severity of findings that fail a check.

    With "never", only an unreadable source fails the check.
    """

    least: str

    def fails(self, finding: Finding) -> bool:
        if finding.code == NOTHING_READ:
            return True
        return not finding.fixed and FAIL_ON.index(finding.severity) <= self._rank

    @property
    def _rank(self) -> int:
        return FAIL_ON.index(self.least) if self.least in SEVERITIES else -1


class Verdict:
    """
    Counts findings for the exit status and the summary.

    Attributes:
        failing: Number of findings that fail the check.
        unreadable: Number of sources that could not be read at all.
        fixable: Number of findings that `--fix` can fix, per file.

    """

    def __init__(self, threshold: Threshold) -> None:
        self._threshold = threshold
        self.failing = self.unreadable = self._total = 0
        self.fixable: Counter[str] = Counter()
        #: Number of other findings, by file and code.
        self._others: Counter[tuple[str, str]] = Counter()

    def count_finding(self, finding: Finding) -> None:
        self._total += finding.times
        self.failing += finding.times * self._threshold.fails(finding)
        self.unreadable += finding.times * (finding.code == NOTHING_READ)
        if finding.fixable and not finding.fixed:
            self.fixable[finding.source or ""] += finding.times
        elif not finding.fixed:
            self._others[finding.source or "", finding.code] += finding.times

    def status(self, checked: CheckResult, *, is_incomplete: bool = False) -> int:
        """
        Return the exit status: 2 if a file cannot be read or written, 1 if findings fail, else 0.

        Raises:
            KeyboardInterrupt: If the user interrupted the fetching of pages.

        """
        if checked.live and checked.live.is_interrupted:
            raise KeyboardInterrupt
        return 2 if self.unreadable or is_incomplete else 1 if self.failing else 0

    def values(self, checked: CheckResult) -> dict[str, object]:
        counts = {f"{severity}s": checked.severities[severity] for severity in SEVERITIES}
        return {
            "files": checked.files,
            "entries": checked.entries,
            **counts,
            "fixable": self.fixable.total(),
            "unread": checked.unread,
        }

    def lines(
        self, checked: CheckResult, hides: Literal["all", "known"] | None = None
    ) -> Iterator[str]:
        """Yield the lines of the summary; `hides` is `FindingFilter.hidden`."""
        sizes = [pluralize(checked.files, "file"), pluralize(checked.entries, "entry", "entries")]
        new = "new " if hides == "known" else ""
        counts = [
            pluralize(checked.severities[severity], f"{new}{severity}") for severity in SEVERITIES
        ]
        found = "" if hides == "all" and not checked.severities.total() else ", ".join(counts)
        yield f"{', '.join(sizes)} checked{found and f': {found}'}"
        if count := len(checked.schema_invalid):
            verb = "fails" if count == 1 else "fail"
            yield f"{pluralize(count, 'file')} {verb} schema validation"
        if checked.suppressed:
            verb = "is" if checked.suppressed == 1 else "are"
            yield f"{pluralize(checked.suppressed, 'finding')} {verb} suppressed by comments"
        if checked.root:
            yield summary_line(checked.root)
        if checked.live:
            yield from summary_lines(checked.live)
        yield from fixable_lines(self.fixable, checked.damaged, self._total)
        if count := sum(
            times
            for (source, code), times in self._others.items()
            if _is_fixable_with_url(code, source, checked)
        ):
            what = pluralize(count, "problem")
            yield f"--fix requires --source-url, the public URL of the file, for {what}"


def _is_fixable_with_url(code: str, source: str, checked: CheckResult) -> bool:
    """Return whether a finding is fixable only if the public URL of its file is known."""
    file_format, url = checked.sources.get(source, (None, None))
    if url or code not in RULES or source in checked.damaged:
        return False
    rule = RULES[code]
    return (
        is_fixable_file(source, file_format)
        and is_fixable_code(code, rule, file_format, "https://host/")
        and not is_fixable_code(code, rule, file_format, None)
    )
