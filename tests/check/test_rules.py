"""
Each rule, by a pair of files: one that breaks it, and one that just does not.

A folder `rules/CODE` holds `fails.*` and `passes.*`, and perhaps `options` of the command line, in
which `{name}` is the name of the file, and what these need.
"""

import json
import shlex
from pathlib import Path

import pytest

from sitemapx.cli.app import run
from sitemapx.convert.rules.table import RULES
from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "rules"


@pytest.fixture(autouse=True)
def _at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let time stand still."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")  # 2026-09-21T14:13:20Z


def _found(code: str, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> set[str]:
    """Check a file for this code, and give the codes that are found."""
    folder = FOLDER / code
    (path,) = folder.glob(f"{name}.*")
    options = folder / "options"
    words = shlex.split(
        options.read_text().replace("{name}", path.name) if options.exists() else ""
    )
    output = tmp_path / "findings.jsonl"
    monkeypatch.chdir(folder)
    rest = ["--select", code, "--format", "json", "-q", "-o", str(output)]
    status = run(["check", path.name, *words, *rest])
    findings = [json.loads(line) for line in output.read_text().splitlines()]

    assert status == any(one["severity"] == "error" for one in findings)
    return {one["code"] for one in findings}


def test_every_code_has_a_pair() -> None:
    """No rule lacks its files, and no files their rule."""
    assert sorted(RULES) == sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("code", RULES)
def test_rule(code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A rule finds what breaks it, and nothing in what just does not."""
    assert {code} == _found(code, "fails", monkeypatch, tmp_path)
    assert set() == _found(code, "passes", monkeypatch, tmp_path)
