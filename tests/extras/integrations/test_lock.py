"""Everything that the workflows install is pinned with hashes, and fits pyproject.toml."""

import re
import tomllib
from collections.abc import Iterator

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

_LOCKS = ROOT / ".github" / "requirements"
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
_PINNED = re.compile(r"([a-z0-9.-]+)==(\S+)(?: ; [^\\]+)? \\")
_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("test.txt", {"test"}), ("all.txt", {"test", "test-all", "check", "docs", "integrations"})],
)
def test_lock_satisfies_project(lock: str, extras: set[str]) -> None:
    """If pyproject.toml has changed, `.ci/lock` updates the lock files."""
    pinned: dict[str, list[str]] = {}
    for found in _PINNED.finditer((_LOCKS / lock).read_text()):
        pinned.setdefault(found[1], []).append(found[2])
    wanted = [*_PROJECT["dependencies"]]
    wanted += (text for extra in extras for text in _PROJECT["optional-dependencies"][extra])
    requirements = [Requirement(text) for text in wanted if not text.startswith("sitemapx[")]

    assert [] == [
        str(one)
        for one in requirements
        if not any(map(one.specifier.contains, pinned.get(canonicalize_name(one.name), [])))
    ]


@pytest.mark.parametrize("lock", sorted(path.name for path in _LOCKS.glob("*.txt")))
def test_lock_has_no_paths_or_indexes(lock: str) -> None:
    lines = (_LOCKS / lock).read_text().splitlines()
    entries = [line for line in lines if not line.startswith("#")]

    assert entries
    assert [] == [one for one in entries if not (_PINNED.fullmatch(one) or _HASH.fullmatch(one))]


def _commands(name: str) -> Iterator[str]:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text())
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            yield from step.get("run", "").splitlines()


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_workflows_install_what_is_locked(name: str) -> None:
    installs = [command for command in _commands(name) if "pip install" in command]
    listed = "sbom/bin/pip install dist/*.whl"  # for the SBOM of a plain installation

    assert any("--require-hashes" in command for command in installs)
    assert [] == [
        command
        for command in installs
        if not ("--require-hashes" in command or "--no-deps" in command or command == listed)
    ]
