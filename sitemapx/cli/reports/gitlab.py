"""
Findings as a Code Quality report of GitLab, which shows them in merge requests.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

import os
from collections import Counter
from hashlib import sha256
from typing import Any

import msgspec

from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.convert.values import urls

__all__ = ["GitlabReport"]

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}
#: What stands for all files: GitLab takes no finding without a path.
_EVERYWHERE = "."


class GitlabReport:
    """Writes each finding that was not fixed as it comes."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write
        self._root = os.path.realpath(os.environ.get("CI_PROJECT_DIR") or os.curdir)
        self._seen: Counter[bytes] = Counter()

    def add(self, finding: Finding) -> None:
        """Write an object of the array."""
        if not finding.fixed:
            self._write(f"{',' if self._seen else '['}\n")
            self._write(msgspec.json.encode(self._issue(finding)).decode())

    def end(self, checked: CheckResult) -> None:
        """End the array."""
        self._write("\n]\n" if self._seen else "[]\n")

    def _issue(self, finding: Finding) -> dict[str, Any]:
        path = self._path(finding.source)
        return {
            "description": f"{finding.message}{finding.about}",
            "check_name": finding.code,
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": path, "lines": {"begin": finding.line or 1}},
            "fingerprint": self._fingerprint(path, finding),
        }

    def _path(self, source: str | None) -> str:
        """Return the path of a file in the repository; other sources keep their names."""
        if source is None or urls.is_absolute(source):
            return source or _EVERYWHERE
        path = os.path.realpath(source)
        inside = os.path.commonpath([path, self._root]) == self._root
        return os.path.relpath(path, self._root) if inside else source

    def _fingerprint(self, path: str, finding: Finding) -> str:
        """Return what a finding keeps when its line changes; those of equal findings differ."""
        known = path, finding.code, finding.loc, finding.message
        digest = sha256(msgspec.json.encode(known)).digest()
        self._seen[digest] += 1
        return sha256(digest + b"%d" % self._seen[digest]).hexdigest()
