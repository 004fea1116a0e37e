"""The action for GitHub workflows: its steps, run as a runner does, and how it is written."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import PATIENCE, ROOT
from tests.engines import KEY, IndexNow
from tests.loopback import Engines, Site
from tests.submit.conftest import User, site, user

__all__ = ["site", "user"]  # fixtures

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
_expression = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
_output = re.compile(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", re.MULTILINE | re.DOTALL).finditer
Outcome = tuple[int, str, dict[str, str], str]
Runner = Callable[..., Outcome]


@pytest.fixture
def runner(tmp_path: Path, user: User) -> Runner:
    """Give a function that runs the step with the command, as a runner of GitHub does."""
    temp = tmp_path / "runner"
    (temp / "sitemapx" / "bin").mkdir(parents=True)
    python = temp / "sitemapx" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    files = {name: temp / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}

    def run(**inputs: str) -> Outcome:
        given = {
            name: str(inputs.get(name.replace("-", "_"), value.get("default", "")))
            for name, value in ACTION["inputs"].items()
        }
        values = {f"inputs.{name}": value for name, value in given.items()}
        values |= {"github.action_path": str(ROOT), "runner.temp": str(temp)}
        (step,) = [one for one in ACTION["runs"]["steps"] if one.get("id") == "run"]
        own = {name: _evaluated(text, values) for name, text in step["env"].items()}
        for path in files.values():
            path.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=user.folder,
            env={
                **user.environment,
                **own,
                "RUNNER_TEMP": str(temp),
                **{name: str(path) for name, path in files.items()},
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        text = files["GITHUB_OUTPUT"].read_text()
        outputs = {m[1]: m[3] for m in _output(text)}
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout, outputs, files["GITHUB_STEP_SUMMARY"].read_text()

    return run


def _evaluated(text: str, values: Mapping[str, str]) -> str:
    return _expression.sub(lambda m: values[m[1]], text)


def test_outputs_are_those_of_the_step() -> None:
    """Every output of the action comes from the step that runs the command."""
    assert {name: f"${{{{ steps.run.outputs.{name} }}}}" for name in ACTION["outputs"]} == {
        name: output["value"] for name, output in ACTION["outputs"].items()
    }


def test_check(runner: Runner, user: User) -> None:
    """Findings are annotations, counts and a summary; the status is that of the command."""
    (user.folder / "bad.txt").write_text("https://example.com/\nhttps://example.com/\nno URL\n")
    status, out, outputs, summary = runner(args="bad.txt", report_file="out.sarif")

    assert 1 == status
    assert "::error file=bad.txt,line=3" in out
    assert {
        "exit-code": "1",
        "errors": "1",
        "warnings": "1",
        "report-file": "out.sarif",
    } == outputs
    assert "duplicate-loc" in summary
    assert "/sarif/v2.1.0/" in (user.folder / "out.sarif").read_text()


def test_threshold_and_own_format(runner: Runner, user: User) -> None:
    """The threshold is an input; whoever chooses a format of the output gets that one."""
    (user.folder / "twice.txt").write_text("https://example.com/\nhttps://example.com/\n")
    passed = runner(args="twice.txt", summary="false")
    failed = runner(args="twice.txt --format concise", fail_on="warning")

    assert (0, 1) == (passed[0], failed[0])
    assert "" == passed[3]
    assert "twice.txt:2:1: warning" in failed[1]
    assert "::warning" not in failed[1]


def test_totals(runner: Runner, user: User) -> None:
    """Every finding counts, also those that are not shown; those that are fixed do not."""
    lines = ["https://example.com/", *(f"no URL {n}" for n in range(200))]
    (user.folder / "bad.txt").write_text("\n".join(lines))
    (user.folder / "twice.txt").write_text("https://example.com/\n" * 3)
    many = runner(args="bad.txt --max-per-code 1")
    fixed = runner(args="twice.txt --fix")

    assert ("200", "0") == (many[2]["errors"], many[2]["warnings"])
    assert (0, "0") == (fixed[0], fixed[2]["warnings"])


def test_forged_output(runner: Runner, user: User) -> None:
    """A value with line ends is one value."""
    (user.folder / "a.txt").write_text("https://example.com/\n")
    _, _, outputs, _ = runner(args="a.txt", report_file="r.sarif\nexit-code=77")

    assert {"exit-code", "errors", "warnings", "report-file"} == set(outputs)
    assert "77" != outputs["exit-code"]


def test_other_commands(runner: Runner, user: User) -> None:
    """Commands that submit nothing run as they are, wherever their name stands."""
    history = runner(command="submit history")
    key = runner(command="submit", args="key new .")
    names = runner(command="check", args="--no-follow -- missing.txt")

    assert (0, 0, 2) == (history[0], key[0], names[0])
    assert "submitted" not in history[2]


def test_shells_read_no_input(runner: Runner, user: User) -> None:
    """What looks like a command is an argument; quotes work, and an open one is an error."""
    (user.folder / "two words.txt").write_text("https://example.com/\n")
    quoted = runner(args="'two words.txt'")
    hostile = runner(args="$(touch hacked) ; touch hacked `touch hacked`")
    broken = runner(args="'two words.txt")

    assert (0, 2, 2) == (quoted[0], hostile[0], broken[0])
    assert "::error title=sitemapx::invalid args: No closing quotation" in broken[1]
    assert not (user.folder / "hacked").exists()
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_submit(runner: Runner, user: User, engines: Engines, site: Site) -> None:
    """A submission counts what was accepted; its journal is where the cache looks for it."""
    engine: IndexNow = engines(IndexNow)
    user.environment["INDEXNOW_KEY"] = KEY
    (user.folder / "urls.txt").write_text(f"{site.url}/a\n{site.url}/b\n")
    args = f"urls.txt --engine indexnow --endpoint indexnow={engine.url} --allow-private --force"
    first = runner(command="submit", args=args.removesuffix(" --force"))
    again = runner(command="submit", args=args.removesuffix(" --force"))

    assert (0, "2") == (first[0], first[2]["submitted"])
    assert "| indexnow | urls |" in first[3]
    assert (0, "0") == (again[0], again[2]["submitted"])
    assert "Nothing was submitted." in again[3]
    assert 2 == len(engine.taken)


def test_journal_is_cached_where_it_is() -> None:
    """It is saved whatever happens, and the cache is the directory that the step writes."""
    steps = [one for one in ACTION["runs"]["steps"] if "cache" in one.get("uses", "")]
    script = (ROOT / ".github" / "action" / "run.py").read_text()

    assert {"${{ runner.temp }}/sitemapx-state"} == {one["with"]["path"] for one in steps}
    assert '"sitemapx-state"' in script
    assert steps[-1]["if"].startswith("always() &&")


def _workflows() -> list[Path]:
    return [ROOT / "action.yml", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]


@pytest.mark.parametrize("path", _workflows(), ids=lambda path: path.name)
def test_actions_of_others_are_pinned(path: Path) -> None:
    """Each action of others is pinned by a commit, with the version in a comment."""
    used = re.findall(r"uses: (\S+@\S+)(.*)", path.read_text())

    assert used
    for name, comment in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name), name
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), name


@pytest.mark.skipif(not shutil.which("zizmor"), reason="zizmor is not installed")
def test_zizmor() -> None:
    """The workflows and the action have no known weakness."""
    command = ["zizmor", "--offline", "--quiet", "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ})

    assert 0 == done.returncode, done.stdout


_SCHEMAS: dict[str, Any] = {
    "action.yml": "github-actions",
    ".github/workflows/ci.yml": "github-workflows",
    ".github/workflows/release.yml": "github-workflows",
}


@pytest.mark.skipif(not shutil.which("check-jsonschema"), reason="check-jsonschema is missing")
@pytest.mark.parametrize("path", _SCHEMAS)
def test_schemas(path: str) -> None:
    """The files are valid by the published schemas."""
    schema = f"vendor.{_SCHEMAS[path]}"
    command = ["check-jsonschema", "--builtin-schema", schema, path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert 0 == done.returncode, done.stdout
