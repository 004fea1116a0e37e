"""`sitemapx check --explain` knows every code that any command reports."""

import ast
import re
from collections.abc import Iterator

import pytest

from sitemapx.check.rules.registry import RULES
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.submit.robots.lint import FINDINGS
from tests.conftest import ROOT, Run

_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: Functions whose first argument is a code, or the second after an element or a line.
_REPORTING = {
    *("problem", "tally", "note_form", "report", "_report", "on_problem", "finding"),
    *("Problem", "RawFinding", "Lint", "Refusal"),
}
_CODES = {*RULES, *PROBLEMS, *FINDINGS}


@pytest.mark.parametrize("code", sorted(_CODES - RULES.keys()))
def test_code_of_another_command_is_explained(sitemapx: Run, code: str) -> None:
    kind = PROBLEMS.get(code) or FINDINGS[code]

    text = sitemapx("check", "--explain", code).stdout.decode()

    assert kind.meaning in text
    assert kind.remedy, "a code without a rule needs a remedy"
    assert kind.remedy in text


def test_every_reported_code_is_in_a_table() -> None:
    assert [] == sorted(code for code in _reported() if code not in _CODES)


def _reported() -> Iterator[str]:
    """Yield the codes that the product reports as literals."""
    for folder in ("check", "convert", "submit", "sitemapx"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _name(node.func) in _REPORTING:
                    first = [arg for arg in node.args[:2] if isinstance(arg, ast.Constant)]
                    yield from (
                        arg.value
                        for arg in first[:1]
                        if isinstance(arg.value, str) and _CODE.fullmatch(arg.value)
                    )


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
