"""Standard streams that are closed, not read, or redirected to a source."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import PATIENCE

Sitemapx = Callable[..., subprocess.CompletedProcess[bytes]]
_URLS = b"https://e.example/\nhttps://e.example/2\n"
_PRINTING = [
    "--version",
    "--help",
    "formats",
    "engines",
    "completion bash",
    "convert --help",
    "convert urls.txt --to text",
    "convert urls.txt --to sitemap",
    "check bad.txt",
    "check bad.txt --format json",
    "check --list",
    "check --explain relative-loc",
    "diff urls.txt bad.txt",
    "diff urls.txt bad.txt --to text",
    "robots list robots.txt",
]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_bytes(_URLS)
    (tmp_path / "bad.txt").write_bytes(b"not a URL\nhttps://e.example/3\n")
    (tmp_path / "robots.txt").write_text("Sitemap: https://e.example/s.xml\nSitemap: nowhere\n")


@pytest.mark.parametrize("command", _PRINTING)
def test_closed_pipe_ends_each_command_quietly(
    environment: dict[str, str], tmp_path: Path, command: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            ["sitemapx", *command.split()],
            cwd=tmp_path,
            env=environment,
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
        )
    finally:
        os.close(writing)

    assert 128 + signal.SIGPIPE == done.returncode
    assert b"Error" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.fixture
def shell(tmp_path: Path, environment: dict[str, str]) -> Callable[[str], tuple[int, str, str]]:
    def run(line: str) -> tuple[int, str, str]:
        command = shlex.join([sys.executable, "-m", "sitemapx"])
        done = subprocess.run(
            ["bash", "-c", line.replace("sitemapx", command, 1)],
            cwd=tmp_path,
            env={**environment, "PYTHONWARNINGS": "always::ResourceWarning"},
            capture_output=True,
            timeout=60,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


Shell = Callable[[str], tuple[int, str, str]]


@pytest.mark.parametrize("command", _PRINTING)
def test_closed_output_is_reported(shell: Shell, command: str) -> None:
    status, out, err = shell(f"sitemapx {command} >&-")

    assert (2 if command.startswith(("diff", "check bad")) else 1, "") == (status, out)
    expected = "sitemapx: error: cannot write to standard output: Bad file descriptor"
    assert expected == err.splitlines()[-1]


def test_closed_output_is_ignored_if_unused(shell: Shell, tmp_path: Path) -> None:
    assert (0, "", "") == shell("sitemapx convert urls.txt -o out.txt -q >&-")
    assert _URLS == (tmp_path / "out.txt").read_bytes()


def test_closed_input_is_reported_if_used(shell: Shell) -> None:
    expected = "sitemapx: error: <stdin>: Bad file descriptor\n"
    assert (1, "", expected) == shell("sitemapx convert - --to text <&-")
    assert (0, _URLS.decode(), "") == shell("sitemapx convert urls.txt --to text -q <&-")


def test_closed_stderr_loses_only_messages(shell: Shell, tmp_path: Path) -> None:
    status, out, err = shell("sitemapx convert bad.txt --to text 2>&-")

    assert (0, "https://e.example/3\n", "") == (status, out, err)
    assert (2, "", "") == shell("sitemapx nonsense 2>&-")
    assert (0, "", "") == shell("sitemapx convert urls.txt -o out.txt <&- >&- 2>&-")
    assert _URLS == (tmp_path / "out.txt").read_bytes()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("convert urls.txt --to text", 0),
        ("convert bad.txt --to text --strict", 1),
        ("convert missing.txt --to text", 2),
        ("check urls.txt", 0),
        ("check bad.txt", 1),
        ("check bad.txt --select nonsense", 2),
        ("robots list robots.txt", 0),
        ("submit status", 0),
        ("--version", 0),
        ("nonsense", 2),
    ],
)
def test_full_stderr_loses_only_messages(shell: Shell, command: str, status: int) -> None:
    lost = shell(f"sitemapx {command} 2>/dev/full")

    assert lost == shell(f"sitemapx {command} 2>&-")
    assert lost[0] == shell(f"sitemapx {command}")[0] == status


@pytest.mark.parametrize(
    "line",
    [
        "sitemapx convert urls.txt --to text >> urls.txt",
        "sitemapx convert - --to text < urls.txt >> urls.txt",
        "sitemapx convert bad.txt urls.txt --to text -q >> urls.txt",
        "sitemapx convert index.xml --to text >> urls.txt",
    ],
)
def test_source_as_output_is_rejected(shell: Shell, tmp_path: Path, line: str) -> None:
    listed = "<sitemap><loc>https://e.example/urls.txt</loc></sitemap>"
    (tmp_path / "index.xml").write_text(f"<sitemapindex>{listed}</sitemapindex>")
    status, out, err = shell(line)

    assert (2, "") == (status, out)
    assert "input and output are the same file; write to another file" in err
    assert (tmp_path / "urls.txt").read_bytes().count(_URLS) == 1


@pytest.mark.parametrize(
    "line",
    [
        "sitemapx check urls.txt -o urls.txt",
        "sitemapx check bad.txt ./urls.txt --format json -o urls.txt",
        "sitemapx check urls.txt >> urls.txt",
        "sitemapx check - < urls.txt >> urls.txt",
        "sitemapx check index.xml -o urls.txt",
        "sitemapx check index.xml --format json -o ./urls.txt",
        "sitemapx check index.xml >> urls.txt",
        "sitemapx check index.xml --format json >> urls.txt",
    ],
)
def test_report_on_its_source_is_rejected(shell: Shell, tmp_path: Path, line: str) -> None:
    listed = "<sitemap><loc>https://e.example/urls.txt</loc></sitemap>"
    (tmp_path / "index.xml").write_text(f"<sitemapindex>{listed}</sitemapindex>")
    status, out, err = shell(line)

    assert (2, "", 1) == (status, out, len(err.splitlines()))
    assert _URLS == (tmp_path / "urls.txt").read_bytes()


def test_report_is_written_to_a_pipe(shell: Shell, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    _, out, _ = shell("cat pipe & sitemapx check bad.txt -q -o pipe --format json=/dev/null; wait")

    assert "bad.txt:1:1: error" in out
    assert (tmp_path / "pipe").is_fifo()
    assert Path("/dev/null").is_char_device()


def test_failing_report_leaves_no_file(shell: Shell, tmp_path: Path) -> None:
    status, _, _ = shell("sitemapx check bad.txt -o a.json --format sarif=nowhere/b.sarif")

    assert 2 == status
    assert {"urls.txt", "bad.txt", "robots.txt"} == {path.name for path in tmp_path.iterdir()}
