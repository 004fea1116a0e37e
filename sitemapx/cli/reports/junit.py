"""
Findings as failed tests in JUnit's XML, which most CI servers show.

https://github.com/testmoapp/junitxml describes what they have in common. Findings that do not fail
the check are tests that passed, with a text, and so is what was fixed. A source without findings is
one that passed, too.
A test that sums up findings counts as many.

CI servers identify a test by its class and its name, and GitLab keeps one test of each
(https://docs.gitlab.com/ci/testing/unit_test_reports/). So the name of a test has the URL of the
finding, which stays the same when lines move, or else its position, and no two tests share a name.
"""

from collections import Counter
from tempfile import SpooledTemporaryFile
from xml.sax.saxutils import escape, quoteattr

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.convert.disk.spill import Seen
from sitemapx.convert.xml.repair.references import is_xml_character

__all__ = ["JunitReport"]

_COPY = 1 << 16
_IN_MEMORY = 8 << 20


class JunitReport:
    """Keeps the tests, much of them on disk, until they are counted."""

    def __init__(self, output: ReportOutput) -> None:
        self._write, self._fails = output.write, output.fails
        self._tests = self._failures = 0
        self._sources: set[str | None] = set()
        self._names = Seen()
        self._repeats: Counter[str] = Counter()
        self._cases = SpooledTemporaryFile(max_size=_IN_MEMORY, mode="w+", encoding="utf-8")

    def add(self, finding: Finding) -> None:
        """Keep a test."""
        text = f"{finding.where or 'all files'}: {finding.message}"
        text += f"\n{finding.shown_loc}" if finding.loc else ""
        text = _legal(f"{text}\n{finding.why} {finding.rule}\n{finding.fix}")
        passes = not self._fails(finding)
        if passes:
            body = f"<system-out>{escape(text)}</system-out>"
        else:
            message = quoteattr(_legal(finding.message))
            body = f'<failure type="{finding.severity}" message={message}>{escape(text)}</failure>'
        place = _legal(finding.source or "all files")
        attributes = f"classname={quoteattr(place)} name={quoteattr(self._name(place, finding))}"
        self._cases.write(f"<testcase {attributes}>{body}</testcase>\n")
        self._sources.add(finding.source)
        self._tests += finding.times
        self._failures += 0 if passes else finding.times

    def end(self, checked: CheckResult) -> None:
        """Write all."""
        for source in dict.fromkeys(checked.names):
            if source not in self._sources:
                self._cases.write(
                    f'<testcase classname={quoteattr(_legal(source))} name="check"/>\n'
                )
                self._tests += 1
        counts = f'tests="{self._tests}" failures="{self._failures}"'
        self._write('<?xml version="1.0" encoding="UTF-8"?>\n')
        self._write(f'<testsuites {counts}>\n<testsuite name="sitemapx check" {counts}>\n')
        self._cases.seek(0)
        while data := self._cases.read(_COPY):
            self._write(data)
        self._cases.close()
        self._names.close()
        self._write("</testsuite>\n</testsuites>\n")

    def _name(self, place: str, finding: Finding) -> str:
        """Return a name that no other test of the same source has."""
        about = _legal(finding.shown_loc) or _position(finding)
        code = finding.code
        key = f"{code} {about} {place}"
        if self._names.first(key, 0) is not None:
            self._repeats[key] += 1
            code += f" ({self._repeats[key] + 1})"
        return f"{code}: {about}" if about else code


def _position(finding: Finding) -> str:
    parts = {"line": finding.line, "column": finding.column}
    return ", ".join(f"{name} {number}" for name, number in parts.items() if number)


def _legal(text: str) -> str:
    """Leave out what XML forbids."""
    return "".join(one if is_xml_character(ord(one)) else "\ufffd" for one in text)
