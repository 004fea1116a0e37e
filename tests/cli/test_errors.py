"""Errors that end a command."""

import pytest

from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.errors import run_guarded


def test_internal_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> int:
        raise ZeroDivisionError("division by zero")

    Console()

    assert run_guarded(fail, debug=False) == 1

    error = capsys.readouterr().err
    assert error.startswith("sitemapx: error: internal error: ZeroDivisionError: division by zero")
    assert "please report it at https://github.com/sitemapx/sitemapx/issues with" in error
    assert 1 == error.count("\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError(28, "No space left on device", "a.tmp"), "a.tmp: No space left on device"),
    ],
)
def test_system_error_keeps_the_output(
    capsys: pytest.CaptureFixture[str], error: OSError, message: str
) -> None:
    def fail() -> int:
        print("a row")
        raise error

    Console()

    assert 1 == run_guarded(fail, debug=False)
    captured = capsys.readouterr()
    assert (f"sitemapx: error: {message}\n", "a row\n") == (captured.err, captured.out)


def test_debug_shows_the_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    assert 1 == run_guarded(lambda: int("x"), debug=True)
    shown = capfd.readouterr().err
    assert "Traceback" in shown
    assert "sitemapx: error: internal error: ValueError: invalid literal" in shown
