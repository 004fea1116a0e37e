"""Interrupted and failing runs leave no incomplete files, and exit with the right status."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import PATIENCE

OLD = b"what stood here\n"
MANY = b"".join(b"https://e.example/%d\n" % n for n in range(45_000))

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Start:
    def start(*args: str, **options: object) -> subprocess.Popen[bytes]:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        given = {"cwd": tmp_path, "env": environment} | pipes
        command = [sys.executable, "-m", "sitemapx", *args]
        return subprocess.Popen(command, **(given | options))  # type: ignore[call-overload, no-any-return]

    return start


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "out.xml"
    path.write_bytes(OLD)
    return path


def _small_disk(size: int = 100_000) -> None:
    """Limit the size of files in bytes, as a disk that is almost full does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (signal.SIGINT, b"\nsitemapx: interrupted\n"),
        (signal.SIGTERM, b"sitemapx: terminated\n"),
        (signal.SIGHUP, b"sitemapx: hung up\n"),
    ],
)
def test_signal_keeps_the_old_output(
    start: Start, old: Path, number: signal.Signals, message: bytes
) -> None:
    process = start("convert", "-", "--from", "text", "-o", old.name)
    assert process.stdin is not None
    process.stdin.write(MANY)  # more than the pipe holds: when this returns, reading has begun
    process.stdin.flush()
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)

    assert (128 + number, message) == (process.returncode, err)
    assert [old] == list(old.parent.iterdir())
    assert OLD == old.read_bytes()


def test_closed_pipe_ends_quietly(start: Start) -> None:
    process = start("convert", "-", "--to", "text")
    assert process.stdout is not None
    assert process.stdin is not None
    process.stdout.close()
    write = partial(os.write, process.stdin.fileno(), MANY)
    with pytest.raises(BrokenPipeError):
        list(iter(write, None))
    _, err = process.communicate(timeout=PATIENCE)

    assert (128 + signal.SIGPIPE, b"") == (process.returncode, err)


@pytest.mark.parametrize("to", ["sitemap", "text", "csv"])
def test_full_disk_keeps_the_old_output(start: Start, old: Path, to: str) -> None:
    process = start("convert", "-", "--to", to, "-o", old.name, preexec_fn=_small_disk)
    _, err = process.communicate(MANY, timeout=PATIENCE)

    expected = f"sitemapx: error: cannot write {old.name}: File too large\n".encode()
    assert (1, expected) == (process.returncode, err)
    assert [old] == list(old.parent.iterdir())
    assert OLD == old.read_bytes()


@pytest.mark.parametrize("options", [[], ["--report", "json"]])
def test_quiet_fix_reports_a_file_that_cannot_be_written(
    start: Start, old: Path, options: list[str]
) -> None:
    old.write_bytes(text := MANY + b"https://e.example/a b\n")
    process = start("check", old.name, "--fix", "-q", *options, preexec_fn=_small_disk)
    _, err = process.communicate(timeout=PATIENCE)

    assert 2 == process.returncode
    assert f"{old.name} was not changed: cannot write {old}: File too large" in err.decode()
    assert text == old.read_bytes()


@pytest.mark.parametrize(
    ("command", "size", "file"),
    [
        ("init --site https://e.example/", 0, "sitemapx.toml"),
        ("submit key new .", 0, "./*.txt"),
        ("submit key new . --secret key", 32, "key"),
    ],
)
def test_full_disk_leaves_no_new_file(
    start: Start, tmp_path: Path, command: str, size: int, file: str
) -> None:
    process = start(*command.split(), preexec_fn=partial(_small_disk, size))
    _, err = process.communicate(timeout=PATIENCE)

    expected = f"*sitemapx: error: cannot write {file}: File too large\n"
    assert (1, True) == (process.returncode, fnmatchcase(err.decode(), expected)), err
    assert [] == list(tmp_path.iterdir())


def test_full_standard_output_is_reported(start: Start) -> None:
    with open("/dev/full", "wb") as full:
        process = start("convert", "-", "--to", "text", stdout=full)
        _, err = process.communicate(MANY, timeout=PATIENCE)

    assert (1, b"sitemapx: error: cannot write to standard output: No space left on device\n") == (
        process.returncode,
        err,
    )


def test_unreplaceable_file_keeps_the_old_set(
    sitemapx: Callable[..., object], tmp_path: Path
) -> None:
    locs = (f"https://e.example/sitemap-{number}.xml" for number in "12")
    listed = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    (tmp_path / "sitemap.xml").write_text(f"<sitemapindex>{listed}</sitemapindex>")
    (tmp_path / "sitemap-1.xml").write_bytes(OLD)
    (tmp_path / "sitemap-2.xml").mkdir()
    (tmp_path / "urls.txt").write_bytes(MANY[:100])
    before = sorted(tmp_path.iterdir())
    done = sitemapx(
        *("convert", "urls.txt", "-o", "sitemap.xml"),
        *("--max-urls", "2", "--base-url", "https://e.example"),
    )

    assert isinstance(done, subprocess.CompletedProcess)
    assert 1 == done.returncode
    assert b"sitemap-2.xml" in done.stderr
    assert OLD == (tmp_path / "sitemap-1.xml").read_bytes()
    assert before == sorted(tmp_path.iterdir())


@pytest.mark.skipif(
    subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0
    if shutil.which("unshare")
    else True,
    reason="needs mounts of its own",
)
def test_mounted_file_keeps_the_old_set(environment: dict[str, str], tmp_path: Path) -> None:
    first = "--max-urls 2 --base-url https://e.example/ -o sitemap.xml -q"
    (tmp_path / "old.txt").write_bytes(MANY[:100])
    (tmp_path / "new.txt").write_bytes(MANY[-100:].partition(b"\n")[2])
    assert (
        0
        == subprocess.run(
            [sys.executable, "-m", "sitemapx", "convert", "old.txt", *first.split()],
            cwd=tmp_path,
            env=environment,
        ).returncode
    )
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    mount = "cp sitemap-2.xml {0} && mount --bind {0} sitemap-2.xml"
    run = f"{sys.executable} -m sitemapx convert new.txt {first}"
    done = subprocess.run(
        ["unshare", "-rm", "bash", "-c", f"{mount.format(tmp_path.parent / 'mounted')} && {run}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
    )

    expected = f"{tmp_path}/sitemap-2.xml: Device or resource busy; if only this file is mounted"
    assert (1, True) == (done.returncode, expected in done.stderr.decode())
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_mode_and_link_are_kept(sitemapx: Callable[..., object], old: Path) -> None:
    old.chmod(0o640)
    link = old.parent / "link.xml"
    link.symlink_to(old.name)
    (old.parent / "urls.txt").write_bytes(MANY[:100])
    sitemapx("convert", "urls.txt", "-o", "link.xml")

    assert link.is_symlink()
    assert b"<urlset" in old.read_bytes()
    assert 0o640 == old.stat().st_mode & 0o777


def test_pipe_is_written_not_replaced(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_bytes(MANY[:100])
    command = ["sitemapx", "convert", "urls.txt", "--to", "text", "-o", "/dev/stdout", "-q"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, timeout=PATIENCE
    )

    assert MANY[:100].splitlines()[0] == done.stdout.splitlines()[0]
