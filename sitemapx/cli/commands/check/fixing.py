"""`sitemapx check --fix`: defers findings until the fixes are applied, to mark fixed ones."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from sitemapx.check.findings import Finding, message_of_sum
from sitemapx.check.fix.fixer import FindingKey, FixableFile, fix_file, key_of
from sitemapx.check.fix.linediff import changes
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import Write
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.disk.lock import tidy_folder
from sitemapx.convert.disk.spill import DiskQueue
from sitemapx.convert.values.words import pluralize, shorten_list
from sitemapx.errors import OutputError


class Fixing:
    """
    Collects findings, fixes their files after the check, and yields the findings with the results.

    Args:
        codes: Returns the enabled codes for a file.

    Attributes:
        fixed: Number of fixed findings, complete when `findings` is exhausted.
        has_failed: Whether a file could not be written.

    """

    def __init__(self, console: Console, codes: Callable[[str], frozenset[str]]) -> None:
        self._console = console
        self._codes_in = codes
        self._findings = DiskQueue()
        self._sums: list[Finding] = []
        self._codes: dict[str, Counter[str]] = {}
        self._fixed: dict[str, FixableFile] = {}
        self._left: dict[str, Counter[FindingKey]] = {}
        self._gone: dict[str, Counter[str]] = {}
        self._never: set[str] = set()
        self._changed: set[str] = set()
        self._rest: Counter[str] = Counter()
        self.fixed = 0
        self.has_failed = self._is_dry = False

    def add_finding(self, finding: Finding) -> None:
        if finding.count:
            self._sums.append(finding)
        else:
            self._findings.add_row(msgspec.json.encode(finding))
        if finding.source:
            self._codes.setdefault(finding.source, Counter())[finding.code] += finding.times

    def _files(self, checked: CheckResult) -> Iterator[FixableFile]:
        for source, codes in list(self._codes.items()):
            source_format, url = checked.sources.get(source, (None, None))
            enabled = self._codes_in(source).difference(checked.disabled.get(source, ()))
            wanted = frozenset(codes), enabled
            file = source_format and FixableFile(source, source_format, url, *wanted)
            if file and file.codes:
                if file.is_possible:
                    yield file
                else:
                    self._never.add(source)

    def fix(self, checked: CheckResult) -> None:
        """Fix all files; a file that cannot be written stays unchanged, and `has_failed` is set."""
        for path in filter(os.path.isfile, checked.names):  # even files without fixable findings
            tidy_folder(os.path.dirname(path) or os.curdir)
        for file in self._files(checked):
            self._fix_file(file, checked)

    def show(self, checked: CheckResult, write: Write) -> None:
        """Write the fixes as a unified diff, and leave the files unchanged."""
        self._is_dry = True
        for file in self._files(checked):
            with TemporaryDirectory() as folder:
                path = os.path.join(folder, os.path.basename(file.path))
                self._fix_file(file, checked, path)
                if os.path.exists(path):
                    for line in changes(file.path, path):
                        write(line)

    def _fix_file(self, file: FixableFile, checked: CheckResult, output: str | None = None) -> None:
        try:
            why_not, more, left, gone = fix_file(file, output)
        except OutputError as error:
            self.has_failed = True
            self._console.print_error(f"{file.path} was not changed: {error}")
            return
        if left is None and why_not:
            self._console.say(f"{file.path} was not changed: {why_not}")
            return
        if why_not:
            self._console.say(f"{file.path} was only partly fixed: {why_not}")
        for finding in more:
            checked.count_finding(finding)
            self.add_finding(finding)
        codes = frozenset(self._codes[file.path])
        self._fixed[file.path] = file._replace(found=codes)
        self._gone[file.path] = gone
        if left is not None:
            self._left[file.path] = left

    def findings(self) -> Iterator[Finding]:
        """Yield all findings, marked as fixed or not; those with a `count` come last."""
        for row in self._findings:
            yield from self._mark_fixed(msgspec.json.decode(row, type=Finding))
        for left in self._left.values():  # findings that were not reported individually
            rest = [(code, count) for (code, _), count in left.items()]
            left.clear()
            for code, count in rest:
                left[code, None] += count
        for finding in self._sums:
            yield from self._mark_fixed(finding)

    def _mark_fixed(self, finding: Finding) -> Iterator[Finding]:
        """Yield a finding marked as fixed or not; if it was fixed in part, yield both parts."""
        unfixed = self._count_unfixed(finding)
        if fixed := finding.times - unfixed:
            self.fixed += fixed
            self._changed.add(finding.source or "")
        if 0 < unfixed < finding.times:
            yield _take_part(finding, fixed, fixed=True)
            finding = _take_part(finding, unfixed)
        yield replace(finding, fixed=not unfixed, fixable=not unfixed)

    def _count_unfixed(self, finding: Finding) -> int:
        """
        Return the number of occurrences of a finding that remain.

        They are added to `_rest` if the fixes of the file cover the code of the finding.
        """
        code, source = finding.code, finding.source or ""
        file = self._fixed.get(source)
        if file is None:
            return finding.times
        if code not in file.codes:  # may be gone as a side effect of another fix
            is_gone = self._gone[source][code] == self._codes[source][code]
            return 0 if is_gone else finding.times
        count = finding.times
        if (left := self._left.get(source)) is not None:  # otherwise, the file is unchanged
            key = key_of(finding, file.url)
            count = min(count, left[key])
            left[key] -= count
        self._rest += Counter({code: count})
        return count

    def summary_lines(self) -> Iterator[str]:
        files = f" in {pluralize(len(self._changed), 'file')}" if self.fixed else ""
        verb = "Would fix" if self._is_dry else "Fixed"
        yield f"{verb} {pluralize(self.fixed, 'problem')}{files}"
        if self._rest:
            codes = ", ".join(f"{code} ({count:,})" for code, count in sorted(self._rest.items()))
            yield f"not fixed, as the fix is ambiguous: {codes}"
        if self._never:
            names, was = (
                shorten_list(sorted(self._never)),
                "was" if len(self._never) == 1 else "were",
            )
            yield (
                f"{names} {was} not fixed: --fix changes sitemaps, indexes, URL lists and XML "
                "feeds on disk, nothing else"
            )

    def close(self) -> None:
        self._findings.close()


def _take_part(finding: Finding, count: int, *, fixed: bool = False) -> Finding:
    return replace(finding, message=message_of_sum(count), count=count, fixed=fixed)
