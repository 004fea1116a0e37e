"""Colour and the default report format, on a terminal and elsewhere."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

_ESCAPE = b"\x1b["


@pytest.fixture(autouse=True)
def _file(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("no URL\nhttps://e.example/\n")


def _run_on_terminal(folder: Path, environment: dict[str, str], *args: str) -> bytes:
    """Run a check on a terminal, and return its output."""
    here, there = pty.openpty()
    command = [sys.executable, "-m", "sitemapx", "check", "list.txt", *args]
    subprocess.run(command, cwd=folder, env=environment, stdout=there, stderr=subprocess.DEVNULL)
    os.close(there)
    shown = b""
    try:
        while data := os.read(here, 4096):
            shown += data
    except OSError:  # Linux says so when all was read
        pass
    os.close(here)
    return shown


def _run_piped(folder: Path, environment: dict[str, str], *args: str) -> bytes:
    command = [sys.executable, "-m", "sitemapx", "check", "list.txt", *args]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True).stdout


def _merge_environment(environment: dict[str, str], **more: str) -> dict[str, str]:
    names = {"NO_COLOR", "FORCE_COLOR", "TERM"}
    kept = {name: value for name, value in environment.items() if name not in names}
    return {**kept, "TERM": "xterm", **more}


@pytest.mark.parametrize(
    ("more", "is_coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_terminal_gets_coloured_groups(
    more: dict[str, str], is_coloured: bool, tmp_path: Path, environment: dict[str, str]
) -> None:
    shown = _run_on_terminal(tmp_path, _merge_environment(environment, **more))

    assert is_coloured == (_ESCAPE in shown)
    assert b"  list.txt:1:1  " in shown


def test_concise_format_on_a_terminal(tmp_path: Path, environment: dict[str, str]) -> None:
    shown = _run_on_terminal(
        tmp_path, _merge_environment(environment, NO_COLOR="1"), "--format", "concise"
    )

    assert [b"list.txt:1:1: error"] == [line[:19] for line in shown.splitlines()]


@pytest.mark.parametrize(
    ("more", "is_coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": ""}, False)],
)
def test_pipe_gets_colour_only_if_forced(
    more: dict[str, str], is_coloured: bool, tmp_path: Path, environment: dict[str, str]
) -> None:
    printed = _run_piped(tmp_path, _merge_environment(environment, **more))

    assert is_coloured == (_ESCAPE in printed)
    assert 1 == len(printed.splitlines())


def test_file_has_no_colour(tmp_path: Path, environment: dict[str, str]) -> None:
    forced = _merge_environment(environment, FORCE_COLOR="1")
    _run_on_terminal(tmp_path, forced, "-o", "report.txt")
    _run_on_terminal(tmp_path, forced, "--format", "grouped", "-o", "grouped.txt")

    assert _ESCAPE not in (tmp_path / "report.txt").read_bytes()
    assert _ESCAPE not in (tmp_path / "grouped.txt").read_bytes()


@pytest.mark.parametrize(("variable", "is_coloured"), [("FORCE_COLOR", True), ("NO_COLOR", False)])
def test_help_and_errors_are_coloured(
    variable: str, is_coloured: bool, sitemapx: Run, environment: dict[str, str]
) -> None:
    more = {"env": _merge_environment(environment, **{variable: "1"})}
    heading = b"\x1b[1mUsage:\x1b[0m sitemapx" if is_coloured else b"Usage: sitemapx"
    error = b"\x1b[31m\x1b[1merror:\x1b[0m" if is_coloured else b"error:"

    assert sitemapx("check", "--help", **more).stdout.startswith(heading)
    assert sitemapx("robots", "add", "--help", **more).stdout.startswith(heading)
    assert sitemapx("convert", "a.nix", **more).stderr.startswith(b"sitemapx: " + error)
