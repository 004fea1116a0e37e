"""
Each rule of `check` has a page, docs/rules/CODE.md, whose examples are true.

`pytest tests/test_rule_pages.py --update-docs` writes the heading and the text between the markers
from the rule, and `index.md`. The rest is written by hand.

The sections "Bad" and "Good" contain a command, `console`, and its input; "Good" may omit files
that are the same. A block is written to the file named in the line before it, or to the source of
the command. `sh` is executed, and `http` is the raw response to the URL before it, sent by a local
server in place of https://example.com and https://www.example.com.
"""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from sitemapx.check.findings import SEVERITIES, Rule
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import PROFILES
from sitemapx.cli.app import run
from tests.conftest import PATIENCE, ROOT
from tests.effort import slow
from tests.markdown import coded
from tests.servers import Answer, Serve, Server

FOLDER = ROOT / "docs" / "rules"

_GENERATED = re.compile(r"\A.*?<!-- end -->\n", re.DOTALL)
_SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


# ---- generated parts


def _head(code: str, rule: Rule) -> str:
    """Return the generated part of a page: the rule, and search engines that deviate from it."""
    how = ["fixable with `--fix`"] * rule.is_fixable + [
        f"checked only with `--{rule.requires}`"
    ] * bool(rule.requires)
    lines = [
        f"# {coded(rule.wrong)} (`{code}`)",
        "<!-- rule -->\n" + ", ".join([f"**{rule.severity}**", *how]),
        f"{coded(rule.why)} [Source]({rule.source})",
        f"**How to fix**: {coded(rule.fix)}",
    ]
    differences = [
        f"- `--engine {name}`: {one.severity or 'not reported'}. {one.why} "
        f"[Source]({engine.source})"
        for name, engine in PROFILES.items()
        for one in engine.differences
        if one.code == code
    ]
    if differences:
        lines.append("**Search engines** that differ:\n\n" + "\n".join(differences))
    return "\n\n".join(lines) + "\n<!-- end -->\n"


def _index() -> str:
    """Return the list of all pages, by severity."""
    parts = [
        "# Rules of `sitemapx check`\n",
        "Each page explains a rule and shows a sitemap that breaks it and one that does not.",
        "[Checking](../check.md) describes the command.",
    ]
    for severity in SEVERITIES:
        parts.append(f"\n## {severity.capitalize()}s\n")
        parts.append("| code | what is wrong | `--fix` |\n| --- | --- | --- |")
        parts += [
            f"| [`{code}`]({code}.md) | {coded(rule.wrong)} | {'✓' if rule.is_fixable else ''} |"
            for code, rule in RULES.items()
            if rule.severity == severity
        ]
    parts.append("\n```{toctree}\n:hidden:\n:glob:\n\n*\n```")
    return "\n".join(parts) + "\n"


def _page(code: str) -> str:
    """Return a page with its generated part updated."""
    path = FOLDER / f"{code}.md"
    text = path.read_text() if path.exists() else "<!-- end -->\n\n## Bad\n\n## Good\n"
    return _GENERATED.sub(lambda _: _head(code, RULES[code]), text, count=1)


PAGES: dict[str, Callable[[], str]] = {
    "index": _index,
    **{code: partial(_page, code) for code in RULES},
}


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name: str, pytestconfig: pytest.Config) -> None:
    path = FOLDER / f"{name}.md"
    if pytestconfig.getoption("--update-docs"):
        path.write_text(PAGES[name]())

    assert PAGES[name]() == path.read_text()


def test_every_page_has_a_rule() -> None:
    assert sorted(PAGES) == sorted(path.stem for path in FOLDER.iterdir())


# ---- examples


class Block(NamedTuple):
    """A block of a page: the file or URL before it, its language, and its content."""

    name: str
    language: str
    text: str


@dataclass
class Example:
    """Runs the commands of a page in a directory, with a server if one is needed."""

    folder: Path
    environment: dict[str, str]
    serve: Serve
    command: list[str] = field(default_factory=list)
    server: Server | None = None

    def codes(self, section: str) -> set[str]:
        """Run a section, and return the codes of the findings."""
        blocks = [Block(*found) for found in _BLOCK.findall(section)]
        commands = [one.text for one in blocks if one.language == "console"]
        if commands:
            (command,) = commands
            prompt, program, name, *self.command = shlex.split(command)
            assert ["$", "sitemapx", "check"] == [prompt, program, name]
        if self.server is None and any(one.language == "http" for one in blocks):
            self.server = self.serve()
        for block in blocks:
            self._make(block)
        return self._check()

    def _make(self, block: Block) -> None:
        """Write a file, run a script, or add a response to the server."""
        text = self._localized(block.text)
        if block.language == "sh":
            command = ["bash", "-euc", text]
            subprocess.run(
                command, cwd=self.folder, env=self.environment, check=True, timeout=PATIENCE
            )
        elif block.language == "http":
            assert self.server
            head, _, body = text.partition("\n\n")
            raw = "\r\n".join([*head.strip().split("\n"), "", body])
            self.server.answers[urlsplit(block.name).path] = Answer(raw.encode(), is_raw=True)
        elif block.language != "console":
            path = self.folder / (block.name or self.command[0])
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def _localized(self, text: str) -> str:
        """Return a text with the URLs of the example site replaced by that of the server."""
        if self.server is None:
            return text
        other = self.server.url.replace("127.0.0.1", "localhost")
        text = text.replace("https://www.example.com", other)
        return text.replace("https://example.com", self.server.url)

    def _check(self) -> set[str]:
        output = self.folder / "findings.jsonl"
        words = [*map(self._localized, self.command), "--format", "json", "-o", str(output), "-q"]
        patient = ["--allow-private", "--retries", "0"] if self.server else []
        run(["check", *words, *patient])
        codes = {json.loads(line)["code"] for line in output.read_text().splitlines()}
        return codes - {"loc-local"} if self.server else codes


#: Rules whose examples have the maximum size of a sitemap.
_HUGE = {"too-large", "too-many-bytes"}


@pytest.fixture
def example(
    tmp_path: Path, environment: dict[str, str], serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> Example:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", environment["SOURCE_DATE_EPOCH"])
    monkeypatch.chdir(tmp_path)
    return Example(tmp_path, environment, serve)


@pytest.mark.parametrize(
    "code", [pytest.param(code, marks=slow if code in _HUGE else ()) for code in RULES]
)
def test_examples_of_page_hold(code: str, example: Example) -> None:
    sections = dict(_SECTION.findall((FOLDER / f"{code}.md").read_text()))

    assert ["Bad", "Good"] == [*sections]
    assert code in example.codes(sections["Bad"])
    assert set() == example.codes(sections["Good"])
