"""
Each rule, by a pair of files: one that breaks it, and one that just does not.

A folder `rules/CODE` holds `fails.*` and `passes.*`, and perhaps `options` of the command line, in
which `{name}` is the name of the file, and what these need. What only a server can show has a
folder `site`, too: a real server gives the files in `site/fails` and `site/passes` as its answers,
each from the status line on. In these and in the lists `{site}` is the address of that server, and
`{other}` the same on another host.
"""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from sitemapx.check.rules.registry import RULES
from sitemapx.cli.app import run
from tests.conftest import ROOT
from tests.servers import Answer, Serve

FOLDER = ROOT / "tests" / "check" / "rules" / "pairs"


@pytest.fixture(autouse=True)
def _at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let time stand still."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")  # 2026-09-21T14:13:20Z


def _checked(
    code: str, name: str, serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> set[str]:
    """Check a file for this code, and give the codes that are found."""
    folder = FOLDER / code
    if (folder / "site").is_dir():
        folder = _served(folder, name, serve, tmp_path / name)
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

    codes = {one["code"] for one in findings}
    is_wrong = any(one["severity"] == "error" for one in findings)
    assert status == (2 if "unreadable" in codes else int(is_wrong))
    return codes


def _served(folder: Path, name: str, serve: Serve, copy: Path) -> Path:
    """Start the server of a rule, and give a copy of its files that knows where that is."""
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
    """No rule lacks its files, and no files their rule."""
    assert sorted(RULES) == sorted(path.name for path in FOLDER.iterdir())


def test_what_only_a_server_shows_has_one() -> None:
    """Exactly the rules of `--live` are tried with a server, and it answers for both files."""
    served = {path.parent.name for path in FOLDER.glob("*/site")}
    answers = {tuple(sorted(path.name for path in one.iterdir())) for one in FOLDER.glob("*/site")}

    assert {code for code, rule in RULES.items() if rule.requires == "live"} == served
    assert {("fails", "passes")} == answers


@pytest.mark.parametrize("code", RULES)
def test_rule(code: str, serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A rule finds what breaks it, and nothing in what just does not."""
    assert {code} == _checked(code, "fails", serve, monkeypatch, tmp_path)
    assert set() == _checked(code, "passes", serve, monkeypatch, tmp_path)


#: Phrases of literal translations, and terms for which there are better ones.
BANNED = re.compile(
    r"\b(?:is none|are none|that is no|which is no (?!earlier)|mend(?:ed|s)?|told|who asks"
    r"|letter for letter)\b",
    re.IGNORECASE,
)


def test_headlines() -> None:
    """Headlines are short, distinct, and begin with a capital, a term, or a name from XML."""
    headlines = [rule.wrong for rule in RULES.values()]

    assert len(set(headlines)) == len(headlines)
    for headline in headlines:
        assert len(headline) <= 55, headline
        assert not headline.endswith("."), headline
        assert headline[0].isupper() or headline.startswith(("lastmod ", "hreflang ")), headline
        assert not re.match(r"(?:An?|The|What|Who)\s", headline), headline


@pytest.mark.parametrize("code", RULES)
def test_texts(code: str) -> None:
    """The texts of a rule have no banned phrases; reasons and remedies are sentences."""
    rule = RULES[code]
    for text in (rule.wrong, rule.why, rule.fix):
        assert not BANNED.search(text), text
    assert all(text.endswith((".", ".)")) for text in (rule.why, rule.fix))
