"""What the release workflow needs: one version, and a text for it."""

import subprocess
import sys
from pathlib import Path

import yaml

import sitemapx
from tests.conftest import ROOT

NOTES = ROOT / ".github" / "release-notes"
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())


def _notes(version: str, notes: Path = NOTES) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, notes, version], capture_output=True, text=True)


def test_text_of_a_release() -> None:
    """The section of a version is the text of its release; without one there is none."""
    found, missing = _notes("0.1.0"), _notes("9.9.9")

    assert 0 == found.returncode, found.stderr
    assert found.stdout.startswith(("### ", "First", "- ")) or found.stdout.strip()
    assert "## [" not in found.stdout
    assert 1 == missing.returncode
    assert "CHANGELOG.md has no section [9.9.9]" in missing.stderr


def test_one_source_of_the_version() -> None:
    """The workflow reads the version where the package has it."""
    (step,) = [one for one in WORKFLOW["jobs"]["build"]["steps"] if "TAG" in one.get("env", {})]
    command = step["run"].partition("\n")[0].removeprefix("version=$(").removesuffix(")")
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)

    assert sitemapx.__version__ == done.stdout.strip()


def test_nothing_is_published_untested() -> None:
    """What is published is the wheel that was built once and tested; no token is stored."""
    jobs = WORKFLOW["jobs"]
    builds = [name for name, job in jobs.items() if "python -m build" in str(job)]

    assert ["build"] == builds
    assert {"build", "test"} == set(jobs["publish"]["needs"])
    assert {"id-token": "write"} == jobs["publish"]["permissions"]
    assert ["3.11", "3.12", "3.13", "3.14"] == jobs["test"]["strategy"]["matrix"]["python"]
    assert "password" not in str(WORKFLOW)
