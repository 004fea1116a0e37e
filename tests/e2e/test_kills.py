"""Whenever the command is killed, the old set is there or the new one, and never a mix."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from sitemapx.convert import Mapping, Opener

BASE = "https://e.example/"
#: In CI more often.
KILLS = int(os.environ.get("SITEMAPX_KILLS", "25"))
_COUNT = 3000


def _urls(letter: str) -> list[str]:
    """List URLs which, in a set, make every file of one letter differ from that of another."""
    return [f"{BASE}{letter}/{number}" for number in range(_COUNT)]


def _convert(folder: Path, letter: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    source = folder / f"{letter}.txt"
    source.write_text("\n".join(_urls(letter)))
    options = ("-o", str(folder / "set" / "sitemap.xml"), "--base-url", BASE, "--max-urls", "100")
    command = [sys.executable, "-m", "sitemapx", "convert", str(source), *options, "-q"]
    return subprocess.Popen(command, env=environment)


def _in(folder: Path) -> list[str | None]:
    opener = Opener(mappings=[Mapping.of(BASE, str(folder))])
    inputs = opener.open([str(folder / "sitemap.xml")])
    return [entry.loc for one in inputs for batch in one.batches for entry in batch.entries]


def _kill(process: subprocess.Popen[bytes], folder: Path, draw: random.Random) -> None:
    """Kill at any time; every other time when the first file has been put in place."""
    if draw.random() < 0.5:
        time.sleep(draw.uniform(0, 0.5))
    else:
        while process.poll() is None and not any(n.endswith(".old") for n in os.listdir(folder)):
            pass
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_kills(tmp_path: Path, environment: dict[str, str]) -> None:
    """A kill at a random point leaves one of the two sets, whole."""
    folder = tmp_path / "set"
    folder.mkdir()
    assert 0 == _convert(tmp_path, "a", environment).wait()
    draw, both = random.Random(1), {letter: _urls(letter) for letter in "ab"}
    seen: list[str] = []
    for number in range(KILLS):
        _kill(_convert(tmp_path, "ab"[number % 2], environment), folder, draw)
        until = time.monotonic() + 5  # what has begun to put the files in place goes on
        while (found := _in(folder)) not in both.values() and time.monotonic() < until:
            time.sleep(0.01)
        assert found in both.values(), f"a mix after kill {number}"
        seen += [letter for letter, urls in both.items() if urls == found]
    assert {"a", "b"} == set(seen)
