"""The scripts of the template for GitLab CI/CD."""

import json
import re
import subprocess
from pathlib import Path

import yaml

from tests.conftest import PATIENCE, ROOT

HEAD, JOBS = yaml.safe_load_all((ROOT / "templates" / "sitemapx.yml").read_text())
_input = re.compile(r"\$\[\[ inputs\.([\w-]+) \]\]")


def _run(
    job: str, folder: Path, environment: dict[str, str], **inputs: str
) -> subprocess.CompletedProcess[str]:
    """Run the script of a job, except for the installation."""
    given = {name: str(value["default"]) for name, value in HEAD["spec"]["inputs"].items()}
    given |= inputs
    variables = {
        name: _input.sub(lambda m: given[m[1]], text)
        for name, text in JOBS[job]["variables"].items()
    }
    lines = [line for line in JOBS[job]["script"] if not line.startswith("pip install")]
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_check_writes_reports_and_fails_by_severity(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "a.txt").write_text("https://example.com/\nhttps://example.com/\n")
    passed = _run("sitemapx-check", tmp_path, environment, sources="a.txt")
    failed = _run(
        "sitemapx-check", tmp_path, environment, sources="a.txt", **{"fail-on": "warning"}
    )
    reports = JOBS["sitemapx-check"]["artifacts"]["reports"]

    assert (0, 1) == (passed.returncode, failed.returncode), failed.stderr
    assert ["duplicate-loc"] == [
        item["check_name"] for item in json.loads((tmp_path / reports["codequality"]).read_text())
    ]
    assert "<testsuite" in (tmp_path / reports["junit"]).read_text()


def test_settings_decide_what_fails_unless_an_input_does(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "a.txt").write_text("https://example.com/\nhttps://example.com/\n")
    (tmp_path / "sitemapx.toml").write_text('[check]\nfail-on = "warning"\n')
    by_settings = _run("sitemapx-check", tmp_path, environment, sources="a.txt")
    by_input = _run(
        "sitemapx-check", tmp_path, environment, sources="a.txt", **{"fail-on": "error"}
    )

    assert (1, 0) == (by_settings.returncode, by_input.returncode)


def test_all_inputs_are_used() -> None:
    assert set(HEAD["spec"]["inputs"]) == set(_input.findall(json.dumps(JOBS)))


def test_submission_follows_the_deployment() -> None:
    job = JOBS["sitemapx-submit"]

    assert ".post" == job["stage"]
    assert {".sitemapx"} == set(job["cache"]["paths"])
    assert "--journal .sitemapx/" in job["script"][-1]
