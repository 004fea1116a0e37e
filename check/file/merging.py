"""Merges the results of a file into the checks of a run, in the order of the batches."""

from collections.abc import Iterable, Sequence

from sitemapx.check.api import Check, CheckContext, Child
from sitemapx.check.file.filefindings import FileFindings
from sitemapx.check.file.reading import FileBatch, FileEnd, FileStart
from sitemapx.check.findings import Finding, Position, RawFinding
from sitemapx.convert.values import uris


class FileMerger:
    """Merges a file into the checks, and reports its findings in the order of the file."""

    def __init__(
        self,
        start: FileStart,
        checks: Sequence[Check],
        context: CheckContext,
        findings: FileFindings,
    ) -> None:
        self._file = start.file
        self._checks = checks
        self._context = context
        self._findings = findings
        self._part = 0
        self._part_end = Position()
        context.listed.add_file(start.file.source or "")
        findings.keep_all(start.findings)
        for check in checks:
            self._add_findings(check.begin_file(start.file))

    def _add_findings(self, findings: Iterable[RawFinding] | None) -> None:
        for raw in findings or ():
            self._findings.add_finding(raw)

    def merge_batch(self, results: FileBatch) -> None:
        self._findings.keep_all(results.findings)
        if results.part != self._part:
            self._findings.end_part(self._part_end)
        self._part = results.part
        batch = self._context.listed.add_batch(results.urls)
        if self._file.is_index:
            self._add_children(results)
        for check, partial in zip(self._checks, results.partials, strict=True):
            self._add_findings(check.merge(partial, batch, self._file))
        positions = results.urls.positions
        if self._findings.has_sums and positions:
            self._part_end = positions.position_of_line(positions.last_line)
        self._report(results.schema_findings)

    def _add_children(self, results: FileBatch) -> None:
        """Record where each sitemap is first listed, for findings about the listed URL."""
        for at, loc in enumerate(results.urls.locs):
            child = Child(self._file.source, results.urls.position_of(at), loc)
            self._context.children.setdefault(uris.canonicalize(loc), child)

    def report_kept(self) -> None:
        """Report the buffered findings early, as a later finding is about to be reported."""
        self._findings.flush()

    def end_file(self, end: FileEnd) -> None:
        self._findings.keep_all(end.findings)
        for check in self._checks:
            self._add_findings(check.end_file(self._file, end.extent))
        self._findings.end_part(self._part_end)
        self._report(end.schema_findings)

    def _report(self, schema_findings: Iterable[Finding]) -> None:
        self._findings.keep_all(schema_findings)
        self._findings.flush()
