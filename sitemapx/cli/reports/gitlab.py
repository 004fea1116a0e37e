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
from sitemapx.check.suppressions.identity import Identities, Identity
from sitemapx.cli.reports.writer import ReportOutput

__all__ = ["GitlabReport"]

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


class GitlabReport:
    """Writes each finding that was not fixed as it comes."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write
        self._identities = Identities(os.environ.get("CI_PROJECT_DIR") or os.curdir)
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
        identity = self._identities.of(finding)
        return {
            "description": f"{finding.message}{finding.about}",
            "check_name": finding.code,
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": identity.path, "lines": {"begin": finding.line or 1}},
            "fingerprint": self._fingerprint(identity),
        }

    def _fingerprint(self, identity: Identity) -> str:
        """Return what a finding keeps when its line changes; those of equal findings differ."""
        digest = identity.digest
        self._seen[digest] += 1
        return sha256(digest + b"%d" % self._seen[digest]).hexdigest()
