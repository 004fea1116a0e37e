"""SARIF reports are valid by a model of the standard."""

import json
from pathlib import Path

from pydantic import BaseModel
from sarif_pydantic import Sarif

from tests.conftest import Run


def _unknown(model: object) -> list[str]:
    """List the keys that SARIF does not know, at any depth."""
    if isinstance(model, BaseModel):
        found = list(model.model_extra or {})
        return found + [key for _, value in model for key in _unknown(value)]
    if isinstance(model, list):
        return [key for one in model for key in _unknown(one)]
    return []


def test_sarif(sitemapx: Run, samples: Path, tmp_path: Path) -> None:
    """SARIF has no key that it should not have, and each result its rule and its place."""
    (tmp_path / "a b.txt").write_text("https://e.example/a#b\n")
    done = sitemapx("check", samples / "broken.xml", "a b.txt", "missing", "--format", "sarif")
    report = Sarif.model_validate_json(done.stdout)
    (run,) = report.runs
    rules = run.tool.driver.rules or []
    results = run.results or []

    assert {"columnKind"} == set(_unknown(report))  # which is section 3.14.27, and not in the model
    assert "2.1.0" == report.version
    assert all(rules[one.rule_index or 0].id == one.rule_id for one in results)
    places = [one["locations"][0] for one in json.loads(done.stdout)["runs"][0]["results"]]
    uris = [one["physicalLocation"]["artifactLocation"]["uri"] for one in places]
    assert {(samples / "broken.xml").as_uri(), "a%20b.txt", "missing"} == set(uris)


def test_sarif_of_nothing(sitemapx: Run, tmp_path: Path) -> None:
    """Without a finding it is a whole document, too."""
    (tmp_path / "list.txt").write_text("https://e.example/a\n")
    done = sitemapx("check", "list.txt", "--format", "sarif")

    assert 0 == done.returncode
    assert [] == Sarif.model_validate_json(done.stdout).runs[0].results
