"""Problems that a command prints."""

import pytest

from sitemapx.cli.terminal.console import Console
from sitemapx.convert.model.problems import Problem


def test_problem_that_stands_for_many_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    for name in "ab":
        console.print_problem(Problem("dropped-field", "note", f"{name} dropped", count=20))

    assert "note: a dropped [dropped-field]\nnote: b dropped [dropped-field]\n" == (
        capsys.readouterr().err
    )
    assert {"dropped-field": 40} == console.problems
