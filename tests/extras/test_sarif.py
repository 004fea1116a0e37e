"""SARIF reports match a model of the standard."""

import json
from pathlib import Path

from pydantic import BaseModel
from sarif_pydantic import Sarif

from tests.conftest import Run


def _list_unknown_keys(model: object) -> list[str]:
    """Return the keys that are not part of SARIF, at any depth."""
    if isinstance(model, BaseModel):
        result = list(model.model_extra or {})
        return result + [key for _, value in model for key in _list_unknown_keys(value)]
    if isinstance(model, list):
        return [key for item in model for key in _list_unknown_keys(item)]
    return []


def test_report_is_valid_sarif(sitemapx: Run, samples: Path, tmp_path: Path) -> None:
    (tmp_path / "a b.txt").write_text("https://e.example/a#b\n")
    done = sitemapx("check", samples / "broken.xml", "a b.txt", "missing", "--format", "sarif")
    report = Sarif.model_validate_json(done.stdout)
    (run,) = report.runs
    rules = run.tool.driver.rules or []
    results = run.results or []

    assert {"columnKind"} == set(
        _list_unknown_keys(report)
    )  # which is section 3.14.27, and not in the model
    assert "2.1.0" == report.version
    assert all(rules[result.rule_index or 0].id == result.rule_id for result in results)
    places = [item["locations"][0] for item in json.loads(done.stdout)["runs"][0]["results"]]
    uris = [item["physicalLocation"]["artifactLocation"]["uri"] for item in places]
    assert {(samples / "broken.xml").as_uri(), "a%20b.txt", "missing"} == set(uris)


def test_empty_report_is_valid_sarif(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("https://e.example/a\n")
    done = sitemapx("check", "list.txt", "--format", "sarif")

    assert 0 == done.returncode
    assert [] == Sarif.model_validate_json(done.stdout).runs[0].results
