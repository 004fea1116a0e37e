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


def test_nothing_stays_behind(tmp_path: Path, environment: dict[str, str]) -> None:
    """What killed runs left is removed by the next one; what another machine may need is not."""
    folder = tmp_path / "set"
    folder.mkdir()
    process = _convert(tmp_path, "a", environment)
    while process.poll() is None and not list(folder.iterdir()):
        time.sleep(0.01)
    process.kill()
    process.wait()
    mine = os.listdir(folder)[0].rpartition("-")[0]
    (folder / f"{mine}-9.tmp.old").touch()
    other = folder / ".sitemap-1.xml.0123abcd-1-1.tmp"
    other.touch()
    assert 0 == _convert(tmp_path, "a", environment).wait()

    assert [other] == list(folder.glob(".*"))


def test_two_at_once(tmp_path: Path, environment: dict[str, str]) -> None:
    """Of two runs at once one set is left, whole; a run says so if it had to give way."""
    folder = tmp_path / "set"
    folder.mkdir()
    for _ in range(3):
        runs = {letter: _convert(tmp_path, letter, environment) for letter in "ab"}
        done = {letter: run.wait() for letter, run in runs.items()}

        assert 0 in done.values()
        assert _in(folder) in [_urls(letter) for letter, status in done.items() if status == 0]


def test_published_meanwhile(tmp_path: Path, environment: dict[str, str]) -> None:
    """A set that another run published in the meantime is not replaced by one that is older."""
    folder = tmp_path / "set"
    folder.mkdir()
    command = [sys.executable, "-m", "sitemapx", "convert", "-", "-o", "sitemap.xml"]
    options = ["--base-url", BASE, "--max-urls", "100"]
    pipe = subprocess.PIPE
    first = subprocess.Popen(
        [*command, *options], cwd=folder, env=environment, stdin=pipe, stderr=pipe
    )
    assert first.stdin is not None
    first.stdin.write(b"".join(b"https://e.example/%d\n" % n for n in range(10_000)))
    first.stdin.flush()
    while first.poll() is None and not list(folder.iterdir()):
        time.sleep(0.01)
    assert 0 == _convert(tmp_path, "a", environment).wait()
    _, err = first.communicate()

    said = "was changed while this was under way, by another run perhaps; it is left as it is now"
    assert (1, f"sitemapx: error: sitemap.xml {said}\n") == (first.returncode, err.decode())
    assert _urls("a") == _in(folder)
