"""The action for GitHub workflows, run as GitHub's runner does."""

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
from tests.submit.conftest import SECRETS, User, site, user

__all__ = ["site", "user"]  # fixtures

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
_expression = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
_output = re.compile(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", re.MULTILINE | re.DOTALL).finditer
Outcome = tuple[int, str, dict[str, str], str]
Runner = Callable[..., Outcome]


@pytest.fixture
def runner(tmp_path: Path, user: User) -> Runner:
    """Return a function that runs a step, by default the main one, as GitHub's runner does."""
    temp = tmp_path / "runner"
    (temp / "sitemapx" / "bin").mkdir(parents=True)
    python = temp / "sitemapx" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    files = {name: temp / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}

    def run(step_id: str = "run", **inputs: str) -> Outcome:
        given = {
            name: str(inputs.get(name.replace("-", "_"), value.get("default", "")))
            for name, value in ACTION["inputs"].items()
        }
        values = {f"inputs.{name}": value for name, value in given.items()}
        values |= {"github.action_path": str(ROOT), "runner.temp": str(temp)}
        (step,) = [item for item in ACTION["runs"]["steps"] if item.get("id") == step_id]
        own = {name: _evaluate(text, values) for name, text in step["env"].items()}
        for path in files.values():
            path.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=user.folder / _evaluate(step["working-directory"], values),
            env={
                **user.environment,
                **own,
                "RUNNER_TEMP": str(temp),
                "GITHUB_WORKSPACE": str(user.folder),
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


def _evaluate(text: str, values: Mapping[str, str]) -> str:
    return _expression.sub(lambda m: values[m[1]], text)


def test_outputs_come_from_the_step() -> None:
    assert {name: f"${{{{ steps.run.outputs.{name} }}}}" for name in ACTION["outputs"]} == {
        name: output["value"] for name, output in ACTION["outputs"].items()
    }


def test_findings_become_annotations_and_outputs(runner: Runner, user: User) -> None:
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


def test_paths_in_a_working_directory_are_those_in_the_workspace(
    runner: Runner, user: User
) -> None:
    (user.folder / "web").mkdir()
    (user.folder / "web" / "bad.txt").write_text("https://example.com/\nno URL\n")
    _, out, outputs, _ = runner(args="bad.txt", report_file="out.sarif", working_directory="web")

    assert "::error file=web/bad.txt,line=2" in out
    assert "web/out.sarif" == outputs["report-file"]
    assert (user.folder / "web" / "out.sarif").exists()


def test_threshold_and_format_are_inputs(runner: Runner, user: User) -> None:
    (user.folder / "twice.txt").write_text("https://example.com/\nhttps://example.com/\n")
    passed = runner(args="twice.txt", summary="false")
    failed = runner(args="twice.txt --format concise", fail_on="warning")

    assert (0, 1) == (passed[0], failed[0])
    assert "" == passed[3]
    assert "twice.txt:2:1: warning" in failed[1]
    assert "::warning" not in failed[1]


def test_output_counts_hidden_but_not_fixed_findings(runner: Runner, user: User) -> None:
    lines = ["https://example.com/", *(f"no URL {n}" for n in range(200))]
    (user.folder / "bad.txt").write_text("\n".join(lines))
    (user.folder / "twice.txt").write_text("https://example.com/\n" * 3)
    many = runner(args="bad.txt --max-per-code 1")
    fixed = runner(args="twice.txt --fix")

    assert ("200", "0") == (many[2]["errors"], many[2]["warnings"])
    assert (0, "0") == (fixed[0], fixed[2]["warnings"])


def test_line_ends_in_values_add_no_output(runner: Runner, user: User) -> None:
    (user.folder / "a.txt").write_text("https://example.com/\n")
    _, _, outputs, _ = runner(args="a.txt", report_file="r\nexit-code=77.sarif")

    assert {"exit-code", "errors", "warnings", "report-file"} == set(outputs)
    assert "77" != outputs["exit-code"]


def test_other_commands_run_unchanged(runner: Runner, user: User) -> None:
    history = runner(command="submit history")
    key = runner(command="submit", args="key new .")
    names = runner(command="check", args="--no-follow -- missing.txt")

    assert (0, 0, 2) == (history[0], key[0], names[0])
    assert "submitted" not in history[2]


def test_shell_does_not_expand_inputs(runner: Runner, user: User) -> None:
    (user.folder / "two words.txt").write_text("https://example.com/\n")
    quoted = runner(args="'two words.txt'")
    hostile = runner(args="$(touch hacked) ; touch hacked `touch hacked`")
    broken = runner(args="'two words.txt")

    assert (0, 2, 2) == (quoted[0], hostile[0], broken[0])
    assert "::error title=failed::invalid args: No closing quotation" in broken[1]
    assert {"exit-code": "2"} == broken[2]
    assert not (user.folder / "hacked").exists()
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_submission_is_counted_and_journalled(
    runner: Runner, user: User, engines: Engines, site: Site
) -> None:
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


def test_reason_why_publish_failed_is_shown(runner: Runner, user: User) -> None:
    (user.folder / "web").mkdir()
    (user.folder / "web" / "urls.txt").write_text("https://example.com/\nhttps://b.example/\n")
    (user.folder / "web" / "sitemapx.toml").write_text(
        'site = "https://example.com/"\nsitemaps = ["urls.txt"]\nroot = "."\n'
    )
    found = runner(command="publish", working_directory="web")
    (user.folder / "web" / "urls.txt").write_text("https://example.com/\n")
    for name in SECRETS:
        del user.environment[name]
    without_key = runner(command="publish", working_directory="web")

    assert (1, 2) == (found[0], without_key[0])
    assert "::error file=web/urls.txt,line=2,col=1,title=other-host::URL is on" in found[1]
    assert "::error title=failed::nothing was changed: the check found problems" in found[1]
    assert "### sitemapx publish\n\nNothing was submitted.\n\nProblems:\n\n- urls.txt:2" in found[3]
    assert "- sitemapx: nothing was changed: the check found problems\n" in found[3]
    assert "- sitemapx: no search engine configured: set engine" in without_key[3]


@pytest.mark.parametrize(
    ("command", "args", "status", "problem"),
    [
        ("check", "urls.txt --no-such", 2, "unknown option '--no-such'"),
        ("check", "urls.txt --require missing.txt", 2, "missing.txt: No such file or directory"),
        ("convert", "missing.txt --to text", 2, "missing.txt: No such file or directory"),
        ("diff", "missing.txt urls.txt", 2, "missing.txt: No such file or directory"),
        ("robots check", "robots.txt", 1, "byte order mark hides this line from some crawlers"),
        ("submit", "urls.txt --no-such", 2, "unknown option '--no-such'"),
    ],
)
def test_reason_of_a_failure_is_shown(
    runner: Runner, user: User, command: str, args: str, status: int, problem: str
) -> None:
    (user.folder / "urls.txt").write_text("https://example.com/\n")
    (user.folder / "robots.txt").write_text("\ufeffUser-agent: *\nDisallow:\n")
    found, out, outputs, summary = runner(command=command, args=args)

    assert status == found
    assert re.search(f"^::(error|warning) .*{re.escape(problem)}", out, re.MULTILINE), out
    assert f"### sitemapx {command}\n" in summary
    assert problem in summary
    assert not {"errors", "warnings"}.intersection(outputs)


def test_report_file_of_unknown_format_is_rejected(runner: Runner, user: User) -> None:
    (user.folder / "urls.txt").write_text("https://example.com/\n")
    status, out, outputs, summary = runner(args="urls.txt", report_file="x.pdf")

    problem = "invalid report-file: cannot infer the report format from 'x.pdf'"
    assert (2, {"exit-code": "2"}) == (status, outputs)
    assert f"::error title=failed::{problem}" in out
    assert problem in summary
    assert not (user.folder / "x.pdf").exists()


def test_journal_is_cached_at_its_configured_path(runner: Runner, user: User) -> None:
    steps = [item for item in ACTION["runs"]["steps"] if "cache" in item.get("uses", "")]
    default = runner("journal")[2]["path"]
    args = runner("journal", args="urls.txt --journal=a/j.sqlite3 --engine indexnow")[2]["path"]
    (user.folder / "web").mkdir()
    (user.folder / "web" / "sitemapx.toml").write_text('journal = "state/j.sqlite3"')
    configured = runner("journal", working_directory="web", args="status")[2]["path"]
    named = runner("journal", args="--config web/sitemapx.toml")[2]["path"]
    invalid = runner("journal", args="--config missing.toml 'x")[2]["path"]

    assert {"${{ steps.journal.outputs.path }}*"} == {step["with"]["path"] for step in steps}
    assert steps[-1]["if"].startswith("always() &&")
    assert default.endswith("/runner/sitemapx-state/sitemapx/journal.sqlite3")
    assert str(user.folder / "a/j.sqlite3") == args
    assert str(user.folder / "web/state/j.sqlite3") == configured == named
    assert default == invalid


def _list_workflows() -> list[Path]:
    return [ROOT / "action.yml", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]


@pytest.mark.parametrize("path", _list_workflows(), ids=lambda path: path.name)
def test_foreign_actions_are_pinned(path: Path) -> None:
    used = re.findall(r"uses: (\S+@\S+)(.*)", path.read_text())

    assert used
    for name, comment in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name), name
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), name


@pytest.mark.skipif(not shutil.which("zizmor"), reason="zizmor is not installed")
def test_zizmor_finds_nothing() -> None:
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
def test_workflow_matches_its_schema(path: str) -> None:
    schema = f"vendor.{_SCHEMAS[path]}"
    command = ["check-jsonschema", "--builtin-schema", schema, path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert 0 == done.returncode, done.stdout
