"""Completion in shells, as on a terminal."""

import os
import pty
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, Run

Type = Callable[[str, str], str]


@pytest.fixture
def bash(sitemapx: Run, tmp_path: Path, environment: dict[str, str]) -> Iterator[Type]:
    script = tmp_path / "completion"
    script.write_bytes(sitemapx("completion", "bash").stdout)
    (tmp_path / "inputrc").write_text("set bell-style none\nset enable-bracketed-paste off\n")
    here, there = pty.openpty()
    own = {"TERM": "dumb", "PS1": "$ ", "INPUTRC": str(tmp_path / "inputrc"), "COLUMNS": "200"}
    shell = subprocess.Popen(
        [str(shutil.which("bash")), "--rcfile", str(script), "-i"],
        cwd=tmp_path,
        env=environment | own,
        stdin=there,
        stdout=there,
        stderr=there,
        start_new_session=True,
    )
    screen = ""

    def type_keys(keys: str, expected: str) -> str:
        """Type keys, and wait until the screen shows the expected text."""
        nonlocal screen
        os.write(here, keys.encode())
        end = time.monotonic() + PATIENCE
        while expected not in screen and time.monotonic() < end:
            if select.select([here], [], [], 1)[0]:
                screen += os.read(here, 65536).decode(errors="replace")
        return screen

    yield type_keys
    shell.kill()
    shell.wait()
    os.close(here)
    os.close(there)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("conv", "convert "),
        ("convert --to sitemapi", "sitemapindex "),
        ("convert --set l", "lastmod="),
        ("convert --drop images,vid", "images,videos "),
        ("submit --endpoint indexn", "indexnow="),
        ("check --per-file-ignores x:relative-lo", "x:relative-loc "),
        ("check --per-file-ignores x:bom,relative-lo", "x:bom,relative-loc "),
    ],
)
def test_tab_completes_the_word(bash: Type, typed: str, completed: str) -> None:
    screen = bash(f"sitemapx {typed}\t", completed)

    assert completed in screen


def test_each_shell_has_a_script(sitemapx: Run) -> None:
    done = {shell: sitemapx("completion", shell) for shell in ("bash", "zsh", "fish", "csh")}

    assert [0, 0, 0, 2] == [one.returncode for one in done.values()]
    assert all(b"_SITEMAPX_COMPLETE" in done[shell].stdout for shell in ("bash", "zsh", "fish"))
