"""
Each rule, with two files: one that breaks the rule, and one that only just complies.

A directory `pairs/CODE` has `fails.*` and `passes.*`, and perhaps `options` for the command, in
which `{name}` is the name of the file, and files that the options name. For rules about servers,
the files in `site/fails` and `site/passes` are raw responses of a local server, including the
status line. A script `make` writes the files if there are many. In all files, `{site}` is the URL
of that server, and `{other}` the same on another host.
"""

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from sitemapx.check.rules.registry import RULES
from sitemapx.check.rules.responses import Responses
from sitemapx.cli.app import run
from tests.conftest import ROOT
from tests.servers import Answer, Serve

FOLDER = ROOT / "tests" / "check" / "rules" / "pairs"


@pytest.fixture(autouse=True)
def _fixed_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")  # 2026-09-21T14:13:20Z


def _check(
    code: str, name: str, serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> set[str]:
    """Check a file for this code, and return the codes of the findings."""
    folder = FOLDER / code
    if (folder / "site").is_dir():
        folder = _serve_site(folder, name, serve, tmp_path / name)
    if (folder / "make").exists():
        folder = Path(shutil.copytree(folder, tmp_path / name))
        subprocess.run(["bash", "-euc", (folder / "make").read_text()], cwd=folder, check=True)
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

    codes = {finding["code"] for finding in findings}
    is_wrong = any(finding["severity"] == "error" for finding in findings)
    assert status == (2 if "unreadable" in codes else int(is_wrong))
    return codes


def _serve_site(folder: Path, name: str, serve: Serve, copy: Path) -> Path:
    """Start the server of a rule; return a copy of the files, with the URL of the server."""
    server = serve()
    known = {"{site}": server.url, "{other}": server.url.replace("127.0.0.1", "localhost")}
    shutil.copytree(folder, copy)
    for path in filter(Path.is_file, copy.rglob("*")):
        text = path.read_text()
        for placeholder, address in known.items():
            text = text.replace(placeholder, address)
        path.write_text(text)
    for path in (copy / "site" / name).iterdir():
        head, _, body = path.read_bytes().partition(b"\n\n")
        raw = head.replace(b"\n", b"\r\n") + b"\r\n\r\n" + body
        server.answers[f"/{path.name}"] = Answer(raw, is_raw=True)
    return copy


def test_every_code_has_a_pair() -> None:
    assert sorted(RULES) == sorted(path.name for path in FOLDER.iterdir())


def test_exactly_rules_about_servers_have_a_site() -> None:
    served = {path.parent.name for path in FOLDER.glob("*/site")}
    answers = {tuple(sorted(path.name for path in one.iterdir())) for one in FOLDER.glob("*/site")}

    live = {code for code, rule in RULES.items() if rule.requires == "live"}
    assert live | Responses.rules.keys() == served
    assert {("fails", "passes")} == answers


@pytest.mark.parametrize("code", RULES)
def test_rule_reports_violations_only(
    code: str, serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert {code} == _check(code, "fails", serve, monkeypatch, tmp_path)
    assert set() == _check(code, "passes", serve, monkeypatch, tmp_path)
