"""Worker processes find the same as a single process."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from sitemapx.check import CheckResult, Finding, check
from sitemapx.convert import Opener
from sitemapx.convert.sources.urlmap import UrlMap
from tests.check.rules.test_rules import FOLDER
from tests.convert.sources.test_following import index, urlset
from tests.effort import slow

_SITE = "https://e.example/"
_LARGE = 1 << 20


def _check(
    sources: list[str], jobs: int, url: str | None = None, folder: str = ""
) -> tuple[list[Finding], CheckResult]:
    findings: list[Finding] = []
    mappings = [UrlMap.create(_SITE, folder)] if folder else []
    opener = Opener(jobs=jobs, url=url, mappings=mappings)
    result = check(sources, opener=opener, with_survey=True, report=findings.append)
    return findings, result


def _assert_same(sources: list[str], url: str | None = None, folder: str = "") -> None:
    found, result = _check(sources, 1, url, folder)
    found_by_two, result_of_two = _check(sources, 2, url, folder)
    surveys = [one.survey for one in (result, result_of_two)]
    assert all(surveys)
    result.survey = result_of_two.survey = None

    assert found
    assert found_by_two == found
    assert result_of_two == result
    assert [vars(survey)["files"] for survey in surveys] == [surveys[0].files] * 2  # type: ignore[union-attr]
    assert surveys[1].months.counts == surveys[0].months.counts  # type: ignore[union-attr]


@pytest.mark.parametrize("url", [None, "https://example.com/sitemap.xml"])
def test_workers_find_the_same_as_one_process(
    url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    paths = [path for path in FOLDER.glob("*/fails.*") if path.is_file()]
    small = sorted(str(path) for path in paths if path.stat().st_size < _LARGE)
    _assert_same([*small, "missing.xml", *small[:9]], url)


def test_workers_find_the_same_in_a_set(tmp_path: Path) -> None:
    children = {
        "a.xml": urlset(*map(str, range(9_000)), "5", "b/", "b"),
        "b.xml": urlset(*map(str, range(8_000, 9_000)), "b#x"),
        "c.txt": b"https://e.example/c\nno URL\nhttps://www.e.example/7\n",
        "cut.xml": urlset("d", "e")[:-30],
        "empty.xml": urlset(),
        "inner.xml": index(f"{_SITE}a.xml", f"{_SITE}deep.xml"),
        "deep.xml": urlset("deep"),
    }
    for name, data in children.items():
        (tmp_path / name).write_bytes(data)
    path = tmp_path / "index.xml"
    path.write_bytes(index(*(_SITE + name for name in [*children, "missing.xml"])))

    _assert_same([str(path)], folder=str(tmp_path))
    _assert_same([str(path), str(tmp_path / "a.xml")], folder=str(tmp_path))


def _files(folder: Path, count: int) -> list[str]:
    """Write `count` files with a finding in each line, and return their paths."""
    paths = [folder / f"{number}.txt" for number in range(count)]
    for path in paths:
        path.write_text("".join(f"{_SITE}{path.stem}/{n}#a\n" for n in range(60_000)))
    return list(map(str, paths))


def _start(sources: list[str], folder: Path) -> "subprocess.Popen[bytes]":
    (folder / "tmp").mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "sitemapx", "check", *sources, "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(folder / "tmp")},
        start_new_session=True,
    )


def _children(number: int) -> list[int]:
    with suppress(FileNotFoundError):
        text = Path(f"/proc/{number}/task/{number}/children").read_text()
        return list(map(int, text.split()))
    return []


def test_killed_worker_ends_the_run(tmp_path: Path) -> None:
    with _start(_files(tmp_path, 6), tmp_path) as process:
        workers: list[int] = []
        while process.poll() is None and not workers:
            workers = _children(process.pid)
            time.sleep(0.001)
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        _, output = process.communicate()

    assert b"a worker process ended unexpectedly" in output
    assert process.returncode == 2
    assert list((tmp_path / "tmp").iterdir()) == []


@slow
def test_worker_killed_at_its_start_ends_the_run(tmp_path: Path) -> None:
    """The executor also terminates the other worker, perhaps before it has set signal handlers."""
    sources = _files(tmp_path, 2)
    for number in range(80):
        (tmp_path / str(number)).mkdir()
        with _start(sources, tmp_path / str(number)) as process:
            workers: list[int] = []
            while process.poll() is None and not workers:
                workers = _children(process.pid)
            for worker in workers:
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
            try:
                process.communicate(timeout=30)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

        assert process.returncode == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_all_processes(number: signal.Signals, tmp_path: Path) -> None:
    with _start(_files(tmp_path, 4), tmp_path) as process:
        assert process.stdout
        process.stdout.read(1)  # the rest is not read, so the run waits
        os.killpg(process.pid, number)
        _, output = process.communicate()

    assert process.returncode == 128 + number
    assert (output.strip() == b"sitemapx: interrupted") == (number == signal.SIGINT)
    assert list((tmp_path / "tmp").iterdir()) == []
