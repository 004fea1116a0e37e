"""What stops a run half-way: nothing half-made stays behind, and the status says so."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import PATIENCE

OLD = b"what stood here\n"
MANY = b"".join(b"https://e.example/%d\n" % n for n in range(45_000))

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Start:
    """Give a function that starts the command without waiting for it."""

    def start(*args: str, **options: object) -> subprocess.Popen[bytes]:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        given = {"cwd": tmp_path, "env": environment} | pipes
        command = [sys.executable, "-m", "sitemapx", *args]
        return subprocess.Popen(command, **(given | options))  # type: ignore[call-overload, no-any-return]

    return start


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Give an output that exists already."""
    path = tmp_path / "out.xml"
    path.write_bytes(OLD)
    return path


def _small_disk() -> None:
    """Let no file grow beyond 100,000 bytes, as on a disk with so little left."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal(start: Start, old: Path, number: signal.Signals) -> None:
    """Ctrl-C and a polite kill leave the old output, no temporary file, and 128 + the number."""
    process = start("convert", "-", "--from", "text", "-o", old.name)
    assert process.stdin is not None
    process.stdin.write(MANY)  # more than the pipe holds: when this returns, reading has begun
    process.stdin.flush()
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)

    assert 128 + number == process.returncode
    assert b"Traceback" not in err
    assert [old] == list(old.parent.iterdir())
    assert OLD == old.read_bytes()


def test_reader_has_enough(start: Start) -> None:
    """A closed pipe (`| head`) ends the run quietly, with the status of SIGPIPE."""
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
def test_disk_full(start: Start, old: Path, to: str) -> None:
    """A disk that runs full leaves the old output and no temporary file."""
    process = start("convert", "-", "--to", to, "-o", old.name, preexec_fn=_small_disk)
    _, err = process.communicate(MANY, timeout=PATIENCE)

    said = f"sitemapx: error: cannot write {old.name}: File too large\n".encode()
    assert (1, said) == (process.returncode, err)
    assert [old] == list(old.parent.iterdir())
    assert OLD == old.read_bytes()


def test_standard_output_full(start: Start) -> None:
    """A standard output that takes nothing is one clear line."""
    with open("/dev/full", "wb") as full:
        process = start("convert", "-", "--to", "text", stdout=full)
        _, err = process.communicate(MANY, timeout=PATIENCE)

    assert (1, b"sitemapx: error: cannot write to standard output: No space left on device\n") == (
        process.returncode,
        err,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder closed to everybody")
def test_folder_that_may_not_be_written(start: Start) -> None:
    """A folder that cannot be written to is one clear line."""
    process = start("convert", "-", "--to", "text", "-o", "/sys/out.txt")
    _, err = process.communicate(MANY, timeout=PATIENCE)

    assert (1, b"sitemapx: error: cannot write /sys/out.txt: Permission denied\n") == (
        process.returncode,
        err,
    )


def test_set_that_cannot_be_swapped_in(sitemapx: Callable[..., object], tmp_path: Path) -> None:
    """A set one of whose files cannot be replaced leaves all files as they were."""
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
def test_set_with_a_mounted_file(environment: dict[str, str], tmp_path: Path) -> None:
    """A file of a set that is mounted by itself leaves all as it was, and the message says why."""
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

    said = f"{tmp_path}/sitemap-2.xml: Device or resource busy; if only this file is mounted"
    assert (1, True) == (done.returncode, said in done.stderr.decode())
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_mode_and_link_are_kept(sitemapx: Callable[..., object], old: Path) -> None:
    """The file that a link leads to is replaced, and keeps its permissions; the link stays."""
    old.chmod(0o640)
    link = old.parent / "link.xml"
    link.symlink_to(old.name)
    (old.parent / "urls.txt").write_bytes(MANY[:100])
    sitemapx("convert", "urls.txt", "-o", "link.xml")

    assert link.is_symlink()
    assert b"<urlset" in old.read_bytes()
    assert 0o640 == old.stat().st_mode & 0o777


def test_pipe_as_output(environment: dict[str, str], tmp_path: Path) -> None:
    """A device or pipe as output is written to, not replaced."""
    (tmp_path / "urls.txt").write_bytes(MANY[:100])
    command = ["sitemapx", "convert", "urls.txt", "--to", "text", "-o", "/dev/stdout", "-q"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, timeout=PATIENCE
    )

    assert MANY[:100].splitlines()[0] == done.stdout.splitlines()[0]
