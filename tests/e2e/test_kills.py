"""If the command is killed, the output is either the old set or the new one, not a mix."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sitemapx.convert import Opener, UrlMap
from tests.conftest import Run
from tests.effort import slow
from tests.servers import Answer, Server

BASE = "https://e.example/"
_COUNT = 3000
_PLAN = ".sitemapx.swap"
#: The command, for which Ctrl-C counts even if the parent process ignores it, as under nohup.
_HEARING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from sitemapx.cli import main
sys.exit(main())
"""


def _urls(letter: str) -> list[str]:
    """Return the URLs of the set with this letter; no file of the two sets is the same."""
    count = _COUNT if letter == "a" else _COUNT * 3 // 2  # grows and shrinks
    return [f"{BASE}{letter}/{number}" for number in range(count)]


def _convert(folder: Path, letter: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    source = folder / f"{letter}.txt"
    source.write_text("\n".join(_urls(letter)))
    options = ("-o", str(folder / "set" / "sitemap.xml"), "--base-url", BASE, "--max-urls", "100")
    command = [sys.executable, "-c", _HEARING, "convert", str(source), *options, "-q"]
    return subprocess.Popen(command, env=environment)


def _locs(folder: Path) -> list[str | None]:
    opener = Opener(mappings=[UrlMap.create(BASE, str(folder))])
    inputs = opener.open([str(folder / "sitemap.xml")])
    return [entry.loc for one in inputs for batch in one.batches for entry in batch.entries]


def _wait_for_swap(
    process: subprocess.Popen[bytes], folder: Path, draw: random.Random, longest: float
) -> None:
    """Wait for up to `longest` seconds; half of the times, until replacing the set has begun."""
    if draw.random() < 0.5:
        time.sleep(draw.uniform(0, longest))
        return
    killed = _plan_id(folder)  # the run finishes this swap first
    while process.poll() is None and _plan_id(folder) in (None, killed):
        pass
    time.sleep(draw.choice([0, 0, draw.uniform(0, 0.005)]))


def _plan_id(folder: Path) -> int | None:
    """Return what identifies the plan of a swap, or None if no swap is pending."""
    with suppress(FileNotFoundError):
        return (folder / _PLAN).stat().st_mtime_ns
    return None


def _kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its children, as happens when a container stops."""
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGSTOP)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for child in children.read_text().split() if children.exists() else ():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
    process.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    return folder


@pytest.fixture
def longest(folder: Path, environment: dict[str, str]) -> float:
    """Return for how many seconds a run lasts that writes set "a"."""
    start = time.monotonic()
    assert 0 == _convert(folder.parent, "a", environment).wait()
    return time.monotonic() - start


def _name_of_set(folder: Path) -> str:
    """Return the letter of the set that is published, or "a mix"; wait for a swap to finish."""
    both = {letter: _urls(letter) for letter in "ab"}
    until = time.monotonic() + 5
    while (found := _locs(folder)) not in both.values() and time.monotonic() < until:
        time.sleep(0.01)
    return next((letter for letter, urls in both.items() if urls == found), "a mix")


def _start_runs(
    folder: Path, environment: dict[str, str], count: int
) -> Iterator[subprocess.Popen[bytes]]:
    for number in range(count):
        yield _convert(folder.parent, "ba"[number % 2], environment)


#: Few kills need not hit every moment, so what they hit is asserted of many.
kills = pytest.mark.parametrize("count", [2, pytest.param(200, marks=slow)])


@kills
def test_kill_leaves_a_whole_set(
    folder: Path, environment: dict[str, str], longest: float, count: int
) -> None:
    draw, seen = random.Random(1), Counter[str]()
    for process in _start_runs(folder, environment, count):
        _wait_for_swap(process, folder, draw, longest)
        process.kill()
        process.wait()
        seen[_name_of_set(folder)] += 1

    assert "a mix" not in seen
    assert count < 100 or set(seen) == {"a", "b"}


@kills
def test_kill_of_all_processes_leaves_a_whole_set(
    folder: Path, environment: dict[str, str], longest: float, count: int
) -> None:
    draw, seen = random.Random(2), Counter[str]()
    for process in _start_runs(folder, environment, count):
        _wait_for_swap(process, folder, draw, longest)
        _kill_tree(process)
        process.wait()
        seen["in the swap"] += (folder / _PLAN).exists()
        missing = ["convert", str(folder / "none.txt"), "-o", str(folder / "sitemap.xml"), "-q"]
        command = [sys.executable, "-m", "sitemapx", *missing]
        done = subprocess.run(command, env=environment, capture_output=True)
        assert b"No such file" in done.stderr, done.stderr
        assert not (folder / _PLAN).exists()
        seen[_name_of_set(folder)] += 1
    assert 0 == _convert(folder.parent, "a", environment).wait()

    assert not list(folder.glob(".*"))
    assert len(list(folder.iterdir())) == _COUNT // 100 + 1
    assert "a mix" not in seen
    assert count < 100 or set(+seen) == {"a", "b", "in the swap"}


@kills
def test_signal_during_swap_leaves_a_whole_set(
    folder: Path, environment: dict[str, str], count: int
) -> None:
    assert 0 == _convert(folder.parent, "a", environment).wait()
    draw, seen = random.Random(3), Counter[str]()
    for process in _start_runs(folder, environment, count):
        number = draw.choice([signal.SIGINT, signal.SIGTERM])
        while process.poll() is None and _PLAN not in os.listdir(folder):
            pass
        process.send_signal(number)
        status = process.wait()
        assert status in (0, 128 + number)
        seen[f"status {status}"] += 1
        seen[_name_of_set(folder)] += 1
        assert not list(folder.glob(".*"))

    assert "a mix" not in seen
    assert count < 100 or {"a", "b", "status 130", "status 143"} <= set(seen)


def test_leftovers_of_this_machine_are_removed(tmp_path: Path, environment: dict[str, str]) -> None:
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


@pytest.mark.posix  # on Windows, they stay an hour
@pytest.mark.parametrize(
    "command",
    [
        "check a.xml --fix",
        "check clean.txt --fix",
        "check a.xml -o report.html",
        "check a.xml --format sarif=report.sarif",
        "diff a.xml a.xml -o report.txt",
        "robots add robots.txt https://e.example/a.xml",
        "convert site -o site/a.txt --source-url https://e.example --lastmod content --dates dates",
    ],
)
def test_every_writer_removes_leftovers(tmp_path: Path, sitemapx: Run, command: str) -> None:
    """Any command that writes to a directory removes temporary files of killed runs there."""
    _kill_while_writing(tmp_path)
    (tmp_path / "a.xml").write_text("<urlset><url><loc>https://e.example/ </loc></url></urlset>")
    (tmp_path / "clean.txt").write_text("https://e.example/\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "page.html").write_text("<title>A</title>")
    assert list(tmp_path.glob(".*.tmp"))
    done = sitemapx(*command.split())

    assert done.returncode < 2, done.stderr
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.posix  # as above
def test_cache_removes_leftovers(tmp_path: Path, sitemapx: Run, server: Server) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    _kill_while_writing(cache)
    server.answers["/a.txt"] = Answer(b"https://e.example/", etag='"1"')
    done = sitemapx(
        "convert", f"{server.url}/a.txt", "--to", "text", "--cache", cache, "--allow-private"
    )

    assert done.returncode == 0, done.stderr
    assert not list(cache.glob(".*.tmp"))
    assert list(cache.iterdir())


def _kill_while_writing(folder: Path) -> None:
    """Begin to write a file in a process, and kill the process."""
    code = (
        "import os, sys; from sitemapx.convert.disk.atomic import FileDraft; "
        "FileDraft(sys.argv[1]).write(b'half'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, folder / "killed.xml"])


def test_parallel_runs_leave_a_whole_set(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    for _ in range(3):
        runs = {letter: _convert(tmp_path, letter, environment) for letter in "ab"}
        done = {letter: run.wait() for letter, run in runs.items()}

        assert 0 in done.values()
        assert _locs(folder) in [_urls(letter) for letter, status in done.items() if status == 0]


def test_newer_set_is_not_replaced(tmp_path: Path, environment: dict[str, str]) -> None:
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

    expected = "was changed during this run, possibly by another run; kept unchanged"
    assert (1, f"sitemapx: error: sitemap.xml {expected}\n") == (first.returncode, err.decode())
    assert _urls("a") == _locs(folder)
