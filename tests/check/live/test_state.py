"""An interrupted run of `check --live` is resumed where it stopped."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from sitemapx.cli.reports.registry import REPORTS
from tests.conftest import PATIENCE, Run
from tests.effort import slow
from tests.servers import Answer, Serve, Server
from tests.waiting import wait_until

PAGE = Answer(b"<!DOCTYPE html>", headers={"Content-Type": "text/html"})
LIVE = (
    *("--live", "--allow-private", "--retries", "0", "--select", "live-*"),
    *("--ignore", "live-canonical-missing", "--format", "json"),
)
STATE = ("--live-state", "state.db")


@pytest.fixture
def site(server: Server, tmp_path: Path) -> Server:
    server.answers = dict.fromkeys(("/a", "/b", "/c"), PAGE)
    paths = ("/a", "/b", "/c", "/missing")
    (tmp_path / "list.txt").write_text("".join(f"{server.url}{path}\n" for path in paths))
    return server


def _codes(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    return [json.loads(line)["code"] for line in done.stdout.splitlines()]


def _requested_pages(site: Server) -> list[str]:
    """Return the pages that were requested since the last call."""
    paths = sorted(path for path in site.requests if path != "/robots.txt")
    site.requests.clear()
    return paths


def test_only_failures_are_fetched_again(site: Server, sitemapx: Run) -> None:
    first = sitemapx("check", "list.txt", *LIVE, *STATE)
    asked = _requested_pages(site)
    site.answers["/missing"] = PAGE
    second = sitemapx("check", "list.txt", *LIVE, *STATE)

    assert (["live-client-error"], 1) == (_codes(first), first.returncode)
    assert ["/a", "/b", "/c", "/missing"] == asked
    assert ([], 0) == (_codes(second), second.returncode)
    assert ["/missing"] == _requested_pages(site)
    assert b"fetched 1 of 4 pages, 3 known from an earlier run\n" in second.stderr


@pytest.mark.parametrize("other", [("--live-max-age", "0h"), ("--user-agent", "Mozilla")])
def test_outdated_answers_are_fetched_again(
    other: tuple[str, str], site: Server, sitemapx: Run
) -> None:
    sitemapx("check", "list.txt", *LIVE, *STATE)
    _requested_pages(site)
    done = sitemapx("check", "list.txt", *LIVE, *STATE, *other)

    assert ["/a", "/b", "/c", "/missing"] == _requested_pages(site)
    assert ["live-client-error"] == _codes(done)


@slow
def test_size_limit_leaves_pages_to_the_next_run(
    site: Server, sitemapx: Run, tmp_path: Path
) -> None:
    large = Answer(b"<!DOCTYPE html>" + bytes(1000), headers=PAGE.headers)
    site.answers = dict.fromkeys(("/a", "/b", "/c"), large)
    (tmp_path / "list.txt").write_text("".join(f"{site.url}{path}\n" for path in site.answers))
    first = sitemapx("check", "list.txt", *LIVE, *STATE, "--max-total", "500", "--delay", "2")
    asked = _requested_pages(site)
    site.answers = dict.fromkeys(("/a", "/b", "/c"), PAGE)
    second = sitemapx("check", "list.txt", *LIVE, *STATE)

    assert 1 == len(asked)  # any of them: many may be requested at the same time
    assert (["live-not-fetched"], 1) == (_codes(first), first.returncode)
    assert b"total download size exceeds 500 bytes" in first.stdout
    assert ([], 0) == (_codes(second), second.returncode)
    assert ["/a", "/b", "/c"] == _requested_pages(site)


def _start(folder: Path, environment: dict[str, str], *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "sitemapx", "check", "list.txt", *LIVE, *options]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def _stored_paths(path: Path) -> set[str]:
    """Return the paths of the pages whose responses a state file has."""
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as connection:
        try:
            rows = connection.execute("SELECT url FROM answers").fetchall()
        except sqlite3.Error:  # for it is being made
            return set()
    return {"/" + url.rpartition("/")[2] for (url,) in rows}


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, *(pytest.param(n, marks=slow) for n in (signal.SIGTERM, signal.SIGKILL))],
)
def test_interrupted_run_is_continued(
    number: signal.Signals,
    serve: Serve,
    sitemapx: Run,
    tmp_path: Path,
    environment: dict[str, str],
) -> None:
    site = serve(latency=0.1)
    paths = [f"/{n}" for n in range(200)]
    site.answers = dict.fromkeys(paths[1:], PAGE)  # the first is missing
    (tmp_path / "list.txt").write_text("".join(f"{site.url}{path}\n" for path in paths))
    process = _start(tmp_path, environment, *STATE)
    state = tmp_path / "state.db"
    wait_until(lambda: len(before := _stored_paths(state)) >= 20 and "/0" in before, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    kept = _stored_paths(state)
    first = Counter(_requested_pages(site))
    site.latency = 0
    second = sitemapx("check", "list.txt", *LIVE, *STATE)
    rest = Counter(_requested_pages(site))
    twice = (rest & first).total()

    assert {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[number] == (
        process.returncode
    )
    assert 20 <= first.total() < 200
    assert "/0" in kept
    assert set(paths) - kept == set(rest)  # not again for what is on disk, be it wrong or right
    assert ["live-client-error"] == _codes(second)
    if number == signal.SIGINT:
        found = [json.loads(line) for line in out.splitlines()]
        assert ["live-client-error", "live-not-fetched"] == [finding["code"] for finding in found]
        assert "pages not fetched: interrupted (first: " in found[1]["message"]
        assert b"rerun the same command to fetch the remaining pages" in err
        assert err.endswith(b"sitemapx: interrupted\n")
        assert f"fetched {len(kept)} of 200 pages\n".encode() in err
        assert twice <= 64  # what was under way


@slow
def test_interrupted_run_without_state_reports_findings(
    serve: Serve, tmp_path: Path, environment: dict[str, str]
) -> None:
    site = serve(latency=0.1)
    (tmp_path / "list.txt").write_text("".join(f"{site.url}/{n}\n" for n in range(400)))
    process = _start(tmp_path, environment)
    wait_until(lambda: len(site.requests) >= 50, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    codes = Counter(json.loads(line)["code"] for line in out.splitlines())

    assert 130 == process.returncode
    assert 10 < codes["live-client-error"] < 400
    assert 1 == codes["live-not-fetched"]
    assert b"pass --live-state FILE" in err


@pytest.mark.parametrize("kind", ["text", "database"])
def test_other_file_is_not_a_state(kind: str, site: Server, sitemapx: Run, tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    if kind == "text":
        path.write_text("hello\n" * 1000)
    else:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE mine (a)")
    before = path.read_bytes()
    done = sitemapx("check", "list.txt", *LIVE, *STATE)
    said = "sitemapx: error: state.db: not a state file of live checks\n"

    assert (2, said) == (done.returncode, done.stderr.decode())
    assert before == path.read_bytes()
    assert [] == site.requests


def test_state_in_a_missing_directory_is_rejected(
    site: Server, sitemapx: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    done = sitemapx("check", "list.txt", *LIVE, "--live-state", "file/state.db")

    assert 2 == done.returncode
    assert done.stderr.startswith(b"sitemapx: error: cannot create the state file file/state.db: ")
    assert [] == site.requests


_PLACES = (
    b"list.txt:4:1",
    b'"line":4',
    b"line=4,col=1",
    b'"startLine":4',
    b'"begin":4',
    b"| `list.txt` | 4 |",
)


@pytest.mark.parametrize("form", sorted(REPORTS.keys() - {"statistics"}))
def test_each_report_has_live_findings(form: str, site: Server, sitemapx: Run) -> None:
    done = sitemapx("check", "list.txt", *LIVE[:-1], form)

    assert 1 == done.returncode
    assert b"live-client-error" in done.stdout
    assert b"404 Not Found" in done.stdout
    assert any(place in done.stdout for place in _PLACES)
