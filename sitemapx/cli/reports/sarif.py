"""Findings in SARIF: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html"""

from pathlib import Path
from typing import Any

import msgspec

from sitemapx import __version__
from sitemapx.check.findings import Finding
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.cli.reports.writer import ReportOutput
from sitemapx.convert.values import uris, urls

__all__ = ["SarifReport"]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_INDEX = {code: number for number, code in enumerate(RULES)}


class SarifReport:
    """Writes one run, each result as it comes."""

    def __init__(self, output: ReportOutput) -> None:
        self._write = output.write
        self._parts = 0

    def _begin(self) -> None:
        driver = {
            "name": "sitemapx",
            "semanticVersion": __version__,
            "informationUri": "https://www.sitemaps.org/protocol.html",
            "rules": [_rule(code) for code in RULES],
        }
        # Columns are counted in characters.
        start = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
        head = _json({"$schema": _SCHEMA, "version": "2.1.0"}).removesuffix("}")
        self._write(f'{head},"runs":[{_json(start).removesuffix("}")},"results":[')

    def add(self, finding: Finding) -> None:
        """Write a result."""
        if not self._parts:
            self._begin()
        self._write(f"{',' * bool(self._parts)}\n{_json(_result(finding))}")
        self._parts += 1

    def end(self, checked: CheckResult) -> None:
        """End the document."""
        if not self._parts:
            self._begin()
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


def _result(finding: Finding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _INDEX[finding.code],
        "level": finding.severity,
        "message": {"text": f"{finding.message}{finding.about}"},
    }
    if finding.source:
        location: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.source)}}
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
    """Make a URI of the name of a source; a path stays relative, so that viewers find it."""
    if urls.is_absolute(source):
        return uris.to_uri(source) or source
    path = Path(source)
    return path.as_uri() if path.is_absolute() else uris.escaped(path.as_posix())
