"""What the release workflow needs: one version, and a text for it."""

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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, from a copy, since building leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns(".*", "build", "data", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder / "project", symlinks=True, ignore=ignored)
    code = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    command = [sys.executable, "-c", code, str(folder)]
    subprocess.run(command, cwd=folder / "project", capture_output=True, check=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.parametrize(
    "command", [["uvx", "--from"], ["pipx", "run", "--spec"]], ids=["uvx", "pipx"]
)
def test_run_without_installation(command: list[str], wheel: Path, tmp_path: Path) -> None:
    """The wheel runs in an environment of its own, which `uvx` and `pipx run` make."""
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
