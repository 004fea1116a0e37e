"""Usage errors are one line, and a group without a command prints help."""

import pytest

from tests.commandhelp import commands
from tests.conftest import Run


@pytest.mark.parametrize("words", ["", "robots", "submit key"])
def test_group_without_command_prints_help(words: str, sitemapx: Run) -> None:
    done = sitemapx(*words.split())

    assert 2 == done.returncode
    assert done.stderr.startswith(b"Usage: sitemapx")
    assert b"Commands:" in done.stderr


def test_command_summaries_are_whole_sentences() -> None:
    cut = [
        (command.name, term, line)
        for command in commands()
        for term, line in command.sections.get("Commands", ())
        if line.endswith("...")
    ]

    assert [] == cut


@pytest.mark.parametrize("words", ["history.xml", "key-pages.txt", "example.invalid"])
def test_source_is_not_taken_for_a_misspelt_command(words: str, sitemapx: Run) -> None:
    done = sitemapx("submit", words, "--engine", "websub")

    assert b"Did you mean" not in done.stderr
    assert words.encode() in done.stderr
