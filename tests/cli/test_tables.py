"""Tables on a terminal of 80 columns, and elsewhere."""

import os
import pty
import subprocess
import sys

import pytest

from tests.conftest import PATIENCE

CODE = """
from sitemapx.cli.terminal.tables import print_table
reason = "the endpoint answers 403: " + "key not valid, " * 6 + "https://e.example/" + 70 * "k"
print_table(("ENGINE", "STATE", "REASON", "ACTION"),
    [("indexnow", "refused", reason, "-"), ("bing", "accepted", "-", "-")], details=2)
"""
KEY = "https://e.example/" + 70 * "k"


def _run_on_terminal(command: list[str], columns: str = "80") -> list[str]:
    here, there = pty.openpty()
    done = subprocess.run(
        command, stdout=there, env=os.environ | {"COLUMNS": columns}, timeout=PATIENCE, check=True
    )
    assert 0 == done.returncode
    os.close(there)
    parts = []
    try:
        while part := os.read(here, 1 << 16):
            parts.append(part)
    except OSError:  # how Linux reports the end
        pass
    os.close(here)
    return b"".join(parts).decode().splitlines()


def test_details_are_below_their_row() -> None:
    lines = _run_on_terminal([sys.executable, "-c", CODE])

    assert ["ENGINE    STATE", "indexnow  refused"] == lines[:2]
    assert f"    {KEY}" in lines
    assert "bing      accepted" == lines[-1]
    assert all(len(line) <= 80 for line in lines if KEY not in line)


def test_piped_row_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    lines = done.stdout.splitlines()

    assert 3 == len(lines)
    assert KEY in lines[1]


@pytest.mark.parametrize("columns", ["80", "200"])
def test_engines_fit_the_terminal(columns: str) -> None:
    lines = _run_on_terminal([sys.executable, "-m", "sitemapx", "engines"], columns)

    assert max(map(len, lines)) <= int(columns)
    assert any(line.startswith("indexnow") for line in lines)
