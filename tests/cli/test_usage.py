"""Wrong usage is one line, and a command without arguments explains itself."""

import pytest

from tests.commandhelp import commands
from tests.conftest import Run


@pytest.mark.parametrize("words", ["", "robots", "submit key"])
def test_group_without_command(words: str, sitemapx: Run) -> None:
    """A group of commands without one prints its help, and fails."""
    done = sitemapx(*words.split())

    assert 2 == done.returncode
    assert done.stderr.startswith(b"Usage: sitemapx")
    assert b"Commands:" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("convert", "missing SOURCE: pass a file, URL or host, or set sources in [convert] of "),
        ("chek a.xml", "unknown command 'chek'. Did you mean 'check'?"),
        ("robots ad x", "unknown command 'ad'. Did you mean 'add'?"),
    ],
)
def test_wrong_usage(words: str, said: str, sitemapx: Run) -> None:
    """Every error has the same form, which names the remedy."""
    done = sitemapx(*words.split())

    assert 2 == done.returncode
    assert done.stderr.decode().startswith(f"sitemapx: error: {said}")
    assert 1 == done.stderr.count(b"\n")


def test_no_help_is_cut() -> None:
    """The line of a command in the overview of its group is a whole sentence."""
    cut = [
        (command.name, term, line)
        for command in commands()
        for term, line in command.sections.get("Commands", ())
        if line.endswith("...")
    ]

    assert [] == cut


@pytest.mark.parametrize("words", ["history.xml", "key-pages.txt", "example.invalid"])
def test_source_like_a_command(words: str, sitemapx: Run) -> None:
    """What may be a file or a host is no misspelt command of `submit`."""
    done = sitemapx("submit", words, "--engine", "websub")

    assert b"Did you mean" not in done.stderr
    assert words.encode() in done.stderr
