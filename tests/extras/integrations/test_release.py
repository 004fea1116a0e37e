"""The release workflow has one version, its text and a tested wheel."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import sitemapx
from tests.conftest import PATIENCE, ROOT

NOTES = ROOT / ".github" / "release-notes"
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())


def _notes(version: str, notes: Path = NOTES) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, notes, version], capture_output=True, text=True)


def test_release_text_is_its_changelog_section() -> None:
    result, missing = _notes("0.1.0"), _notes("9.9.9")

    assert 0 == result.returncode, result.stderr
    assert result.stdout.startswith(("### ", "First", "- ")) or result.stdout.strip()
    assert "## [" not in result.stdout
    assert 1 == missing.returncode
    assert "CHANGELOG.md has no section [9.9.9]" in missing.stderr


def test_workflow_reads_the_version_of_the_package() -> None:
    (step,) = [item for item in WORKFLOW["jobs"]["build"]["steps"] if "TAG" in item.get("env", {})]
    command = step["run"].partition("\n")[0].removeprefix("version=$(").removesuffix(")")
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)

    assert sitemapx.__version__ == done.stdout.strip()


def test_only_the_tested_wheel_is_published() -> None:
    jobs = WORKFLOW["jobs"]
    builds = [name for name, job in jobs.items() if "python -m build" in str(job)]

    assert ["build"] == builds
    assert {"build", "test"} == set(jobs["publish"]["needs"])
    assert {"id-token": "write"} == jobs["publish"]["permissions"]
    assert ["3.11", "3.12", "3.13", "3.14", "3.15"] == jobs["test"]["strategy"]["matrix"]["python"]
    assert "password" not in str(WORKFLOW)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy, since building leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns(".*", "build", "data", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder / "project", symlinks=True, ignore=ignored)
    code = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    command = [sys.executable, "-c", code, str(folder)]
    subprocess.run(command, cwd=folder / "project", capture_output=True, check=True)
    (result,) = folder.glob("*.whl")
    return result


@pytest.mark.parametrize(
    "command", [["uvx", "--from"], ["pipx", "run", "--spec"]], ids=["uvx", "pipx"]
)
def test_wheel_runs_without_installation(command: list[str], wheel: Path, tmp_path: Path) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    places = {name: str(tmp_path / name) for name in ("PIPX_HOME", "UV_CACHE_DIR")}
    done = subprocess.run(
        [*command, str(wheel), "sitemapx", "convert", "samples/sitemap.xml", "--to", "text"],
        cwd=ROOT,
        env=os.environ | places,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )

    assert 0 == done.returncode, done.stderr
    assert done.stdout.startswith("https://")
