"""Findings in the formats of CI services: GitHub, GitLab, reviewdog, JUnit and SARIF."""

import os
from collections import Counter
from hashlib import sha256
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from sitemapx import __version__
from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.check.suppressions import Identities, Identity
from sitemapx.cli.reports.writer import ReportOutput, StreamedReport
from sitemapx.convert.disk.spill import DigestSet
from sitemapx.convert.values import uris, urls
from sitemapx.convert.xml.repair.references import is_xml_character


def _project_identities() -> Identities:
    """Return identities with paths relative to the checkout in CI, or the current directory."""
    folders = map(os.environ.get, ("CI_PROJECT_DIR", "GITHUB_WORKSPACE"))
    return Identities(next(filter(None, folders), os.curdir))


# ---- GitHub Actions

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class GithubReport(StreamedReport):
    """
    Annotations of GitHub Actions, one line per finding.

    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    """

    def __init__(self, output: ReportOutput) -> None:
        super().__init__(output)
        self._identities = _project_identities()

    def add_finding(self, finding: Finding) -> None:
        file = finding.source and self._identities.path_of(finding.source)
        known = {"file": file, "line": finding.line, "col": finding.column}
        known["title"] = finding.code
        where = ",".join(
            f"{name}={str(value).translate(_PROPERTY)}" for name, value in known.items() if value
        )
        text = f"{finding.message}{finding.about}"
        text = f"{text}{'' if text.endswith('?') else '.'} {finding.fix}".rstrip()
        message = text.translate(_DATA)
        command = "notice" if finding.fixed else _COMMANDS[finding.severity]
        self._write(f"::{command} {where}::{'fixed: ' * finding.fixed}{message}\n")


# ---- GitLab

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


class GitlabReport(StreamedReport):
    """Code Quality report of GitLab, shown in merge requests; fixed findings are omitted."""

    def __init__(self, output: ReportOutput) -> None:
        super().__init__(output)
        self._identities = _project_identities()
        self._seen: Counter[bytes] = Counter()

    def add_finding(self, finding: Finding) -> None:
        if not finding.fixed:
            self._write(f"{',' if self._seen else '['}\n")
            self._write(msgspec.json.encode(self._issue(finding)).decode())

    def finish_report(self, checked: CheckResult) -> None:
        self._write("\n]\n" if self._seen else "[]\n")

    def _issue(self, finding: Finding) -> dict[str, Any]:
        identity = self._identities.identity_of(finding)
        return {
            "description": f"{finding.message}{finding.about}",
            "check_name": finding.code,
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": identity.path, "lines": {"begin": finding.line or 1}},
            "fingerprint": self._fingerprint(identity),
        }

    def _fingerprint(self, identity: Identity) -> str:
        """Return a hash that ignores the line and is unique even among identical findings."""
        digest = identity.digest
        self._seen[digest] += 1
        return sha256(digest + b"%d" % self._seen[digest]).hexdigest()


# ---- reviewdog

_URL = "https://sitemapx.github.io/sitemapx/"
_RDF_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


class RdjsonReport(StreamedReport):
    """
    Findings as one JSON object for reviewdog (rdjson); fixed findings are omitted.

    https://github.com/reviewdog/reviewdog/tree/master/proto/rdf
    """

    _parts = 0

    def add_finding(self, finding: Finding) -> None:
        if not finding.fixed:
            self._separate()
            self._write(_json(_diagnostic(finding)))

    def finish_report(self, checked: CheckResult) -> None:
        if not self._parts:
            self._separate()
        self._write("\n]}\n")

    def _separate(self) -> None:
        start = _json({"source": {"name": "sitemapx", "url": _URL}}).removesuffix("}")
        self._write(",\n" if self._parts else f'{start},"diagnostics":[\n')
        self._parts += 1


def _diagnostic(finding: Finding) -> dict[str, Any]:
    diagnostic: dict[str, Any] = {
        "message": f"{finding.message}{finding.about}",
        "severity": _RDF_SEVERITIES[finding.severity],
        "code": {"value": finding.code, "url": finding.rule},
    }
    if finding.source:
        location: dict[str, Any] = {"path": finding.source}
        if finding.line:  # without column, which the format counts in bytes, not in characters
            location["range"] = {"start": {"line": finding.line}}
        diagnostic["location"] = location
    return diagnostic


# ---- JUnit

_COPY = 1 << 16
_IN_MEMORY = 8 << 20


class JunitReport:
    """
    JUnit XML, which most CI servers display.

    Tests are buffered, on disk beyond 8 MiB, until all are counted.
    """

    def __init__(self, output: ReportOutput) -> None:
        self._write, self._fails = output.write, output.fails
        self._tests = self._failures = 0
        self._sources: set[str | None] = set()
        self._names = DigestSet()
        self._repeats: Counter[str] = Counter()
        self._cases = SpooledTemporaryFile(max_size=_IN_MEMORY, mode="w+", encoding="utf-8")

    def add_finding(self, finding: Finding) -> None:
        text = f"{finding.where or 'all files'}: {finding.message}"
        text += f"\n{finding.shown_loc}" if finding.loc else ""
        text = _replace_illegal(f"{text}\n{finding.why} {finding.rule}\n{finding.fix}")
        passes = not self._fails(finding)
        if passes:
            body = f"<system-out>{escape(text)}</system-out>"
        else:
            message = quoteattr(_replace_illegal(finding.message))
            body = f'<failure type="{finding.severity}" message={message}>{escape(text)}</failure>'
        place = _replace_illegal(finding.source or "all files")
        attributes = f"classname={quoteattr(place)} name={quoteattr(self._name(place, finding))}"
        self._cases.write(f"<testcase {attributes}>{body}</testcase>\n")
        self._sources.add(finding.source)
        self._tests += finding.times
        self._failures += 0 if passes else finding.times

    def finish_report(self, checked: CheckResult) -> None:
        for source in dict.fromkeys(checked.names):
            if source not in self._sources:
                self._cases.write(
                    f'<testcase classname={quoteattr(_replace_illegal(source))} name="check"/>\n'
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
        """Return a name for a test case that is unique within its source."""
        about = _replace_illegal(finding.shown_loc) or _position(finding)
        code = finding.code
        key = f"{code} {about} {place}"
        if self._names.add_text(key, 0) is not None:
            self._repeats[key] += 1
            code += f" ({self._repeats[key] + 1})"
        return f"{code}: {about}" if about else code


def _position(finding: Finding) -> str:
    parts = {"line": finding.line, "column": finding.column}
    return ", ".join(f"{name} {number}" for name, number in parts.items() if number)


def _replace_illegal(text: str) -> str:
    """Replace characters that XML forbids with U+FFFD."""
    return "".join(char if is_xml_character(ord(char)) else "\ufffd" for char in text)


# ---- SARIF

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_INDEX = {code: number for number, code in enumerate(RULES)}


class SarifReport(StreamedReport):
    """
    A SARIF log with one run, written result by result.

    https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
    """

    _parts = 0

    def __init__(self, output: ReportOutput) -> None:
        super().__init__(output)
        self._identities = _project_identities()

    def _write_start(self) -> None:
        driver = {
            "name": "sitemapx",
            "semanticVersion": __version__,
            "informationUri": _URL,
            "rules": [_rule(code) for code in RULES],
        }
        # Columns are counted in characters.
        start = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
        head = _json({"$schema": _SCHEMA, "version": "2.1.0"}).removesuffix("}")
        self._write(f'{head},"runs":[{_json(start).removesuffix("}")},"results":[')

    def add_finding(self, finding: Finding) -> None:
        if not self._parts:
            self._write_start()
        source = finding.source and self._identities.path_of(finding.source)
        self._write(f"{',' * bool(self._parts)}\n{_json(_result(finding, source))}")
        self._parts += 1

    def finish_report(self, checked: CheckResult) -> None:
        if not self._parts:
            self._write_start()
        self._write("\n]}]}\n")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _rule(code: str) -> dict[str, Any]:
    rule = RULES[code]
    return {
        "id": code,
        "shortDescription": {"text": rule.wrong},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.fix},
        "helpUri": rule.source,
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, source: str | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _INDEX[finding.code],
        "level": finding.severity,
        "message": {"text": f"{finding.message}{finding.about}"},
    }
    if source:
        location: dict[str, Any] = {"artifactLocation": {"uri": _uri(source)}}
        if finding.line:
            column = {"startColumn": finding.column} if finding.column else {}
            location["region"] = {"startLine": finding.line, **column}
        result["locations"] = [{"physicalLocation": location}]
    if finding.count:
        result["occurrenceCount"] = finding.count
    tags = [name for name in ("schema", "fixed") if getattr(finding, name)]
    if tags:
        result["properties"] = {"tags": tags}
    return result


def _uri(source: str) -> str:
    """Convert the name of a source to a URI; keep relative paths, which viewers resolve."""
    if urls.is_absolute(source):
        return uris.to_uri(source) or source
    path = Path(source)
    return path.as_uri() if path.is_absolute() else uris.escape_name(path.as_posix())
