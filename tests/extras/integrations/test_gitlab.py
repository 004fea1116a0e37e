"""The template for GitLab CI/CD: its scripts, run with their inputs."""

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
    """Run the script of a job, but for the installation."""
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


def test_check(tmp_path: Path, environment: dict[str, str]) -> None:
    """The check writes both reports, and fails from the severity that was chosen."""
    (tmp_path / "a.txt").write_text("https://example.com/\nhttps://example.com/\n")
    passed = _run("sitemapx-check", tmp_path, environment, sources="a.txt")
    failed = _run(
        "sitemapx-check", tmp_path, environment, sources="a.txt", **{"fail-on": "warning"}
    )
    reports = JOBS["sitemapx-check"]["artifacts"]["reports"]

    assert (0, 1) == (passed.returncode, failed.returncode), failed.stderr
    assert ["duplicate-loc"] == [
        one["check_name"] for one in json.loads((tmp_path / reports["codequality"]).read_text())
    ]
    assert "<testsuite" in (tmp_path / reports["junit"]).read_text()


def test_inputs() -> None:
    """Every input is used, and every input that is used exists."""
    assert set(HEAD["spec"]["inputs"]) == set(_input.findall(json.dumps(JOBS)))


def test_submission_follows_the_deployment() -> None:
    """The submission is in the last stage, and its journal outlives the job."""
    job = JOBS["sitemapx-submit"]

    assert ".post" == job["stage"]
    assert {".sitemapx"} == set(job["cache"]["paths"])
    assert "--journal .sitemapx/" in job["script"][-1]
