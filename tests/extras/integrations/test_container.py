"""The Dockerfile is linted, and its steps run without a builder."""

import os
import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT

TEXT = (ROOT / "Dockerfile").read_text()
#: Megabytes that the program may add to the image of Python on Alpine, which has 45.
_MOST = 75


def _parse_instructions() -> list[tuple[str, str]]:
    lines = re.sub(r"\\\n\s*", "", TEXT).splitlines()
    pairs = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [(name, rest) for name, _, rest in pairs]


def test_image_has_two_stages_and_no_root_user() -> None:
    given = _parse_instructions()

    assert 2 == [name for name, _ in given].count("FROM")
    assert ("USER", "1000") in given
    assert ("ENTRYPOINT", '["sitemapx"]') in given
    assert "org.opencontainers.image.source" in dict(given)["LABEL"]


def test_journal_is_kept_in_a_volume_that_any_user_can_write() -> None:
    given = _parse_instructions()
    guide = (ROOT / "docs" / "howto" / "ci.md").read_text()

    assert any(name == "ENV" and "XDG_STATE_HOME=/state" in rest for name, rest in given)
    assert any(name == "RUN" and rest.endswith("mkdir -m 1777 /state") for name, rest in given)
    assert "--volume sitemapx-state:/state" in guide


@pytest.mark.skipif(not shutil.which("hadolint"), reason="hadolint is not installed")
def test_hadolint_finds_nothing() -> None:
    done = subprocess.run(["hadolint", "Dockerfile"], cwd=ROOT, capture_output=True, text=True)

    assert (0, "") == (done.returncode, done.stdout)


def _copy_project(folder: Path) -> None:
    """Copy the files that `.dockerignore` selects."""
    rules = (ROOT / ".dockerignore").read_text().split()
    kept = [rule.removeprefix("!") for rule in rules if rule.startswith("!")]
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.splitlines():
        if any(fnmatch(name, rule) for rule in kept) and not (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


@pytest.mark.skipif(not shutil.which("uv"), reason="uv is not installed")
def test_built_program_is_small_and_runs(tmp_path: Path) -> None:
    source, target = tmp_path / "src", tmp_path / "sitemapx"
    source.mkdir()
    _copy_project(source)
    (build,) = [rest for name, rest in _parse_instructions() if name == "RUN" and "uv" in rest]
    environment = {**os.environ, "UV_COMPILE_BYTECODE": "1"}
    subprocess.run(
        ["sh", "-euc", build.replace("/opt/sitemapx", str(target))],
        cwd=source,
        env=environment,
        check=True,
        timeout=PATIENCE,
    )
    size = sum(path.lstat().st_size for path in target.rglob("*"))
    subprocess.run(["chmod", "-R", "a-w", str(target)], check=True)
    command = [str(target / "bin" / "sitemapx"), "convert", "samples/sitemap.xml", "--to", "text"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={"HOME": "/none"})
    subprocess.run(["chmod", "-R", "u+w", str(target)], check=True)

    assert 0 == done.returncode, done.stderr
    assert "https://" in done.stdout
    assert size < _MOST * 1_000_000
