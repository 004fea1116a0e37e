"""Files read by worker processes give the same result as without workers."""

import gzip
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from functools import partial
from multiprocessing import get_context, resource_tracker
from pathlib import Path
from typing import Any

import pytest

from sitemapx.check import check
from sitemapx.convert import Opener, Problem, Safeguards, convert, read, target_of
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.model.document import Document
from sitemapx.convert.parallel import workers
from sitemapx.convert.parallel.encoding import encode
from sitemapx.convert.parallel.files import Encode, FileWorkers, Reading
from sitemapx.convert.parallel.workers import Workers
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.errors import InputError, OutputError, UsageError
from tests.convert.sources.test_following import index, urlset
from tests.effort import slow

_SITE = "https://e.example/"


def _write_set(folder: Path) -> Path:
    """Write an index whose children have all kinds of defects."""
    children = {
        "many.xml": urlset(*map(str, range(20_000))),
        "packed.xml.gz": gzip.compress(urlset("packed")),
        "cut.xml": urlset("a", "b", "c")[:-60],
        "page.xml": b"<!doctype html><html>",
        "inner.xml": index(f"{_SITE}deep.xml", f"{_SITE}list.txt"),
        "empty.xml": b"",
        "list.txt": b"https://e.example/listed\nnot a URL\n",
        "rich.xml": urlset("rich").replace(
            b"</url>",
            b'<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">'
            b"<i:loc>https://e.example/i.png</i:loc></i:image><priority>7</priority></url>",
        ),
        "deep.xml": urlset("deep"),
        "half.xml.gz": gzip.compress(urlset(*map(str, range(30_000))), 1)[:100_000],
    }
    for name, data in children.items():
        (folder / name).write_bytes(data)
    path = folder / "index.xml"
    listed = [*children, "missing.xml", "many.xml"]
    path.write_bytes(index(*(_SITE + name for name in listed if name != "deep.xml")))
    return path


def _convert(
    sources: list[Path], folder: Path, jobs: int, **options: Any
) -> tuple[list[bytes], Any]:
    """Convert sources with `jobs` processes; return the written files, and what was reported."""
    problems: list[Problem] = []
    sizes: list[int] = []
    (folder / "outputs").mkdir(exist_ok=True)
    summary = convert(
        [str(source) for source in sources],
        target_of(str(folder / "outputs" / "output"), **options),
        opener=Opener(jobs=jobs, mappings=[UrlMap.create(_SITE, str(folder))]),
        safeguards=Safeguards(partial=True),
        report=problems.append,
        progress=lambda entries, size: sizes.append(size),
    )
    # An index has the time of the run.
    parts = [file.path for file in summary.files if not file.is_index]
    written = [Path(path).read_bytes() for path in parts]
    shutil.rmtree(folder / "outputs")
    return written, (problems, summary.read, summary.problems, summary.written, sizes[-1])


_FORMS: dict[str, dict[str, Any]] = {
    "text": {"format": "text"},
    "jsonl": {"format": "jsonl"},
    "csv": {"format": "csv"},
    "feed": {"format": "rss"},
    "set": {"format": "sitemap", "base_url": _SITE, "max_urls": 700},
    "lists": {"format": "text", "base_url": _SITE, "max_urls": 999},
    "groups": {"format": "sitemap", "base_url": _SITE, "group_by": "path:1"},
}


@pytest.mark.parametrize(
    "form",
    [
        *("text", "set", "groups"),
        *(pytest.param(form, marks=slow) for form in ("jsonl", "csv", "feed", "lists")),
    ],
)
@pytest.mark.parametrize("jobs", [2, pytest.param(5, marks=slow)])
def test_processes_give_the_same_output(form: str, jobs: int, tmp_path: Path) -> None:
    source = _write_set(tmp_path)
    sources = [tmp_path / "list.txt", source, tmp_path / "packed.xml.gz", tmp_path / "rich.xml"]

    alone = _convert(sources, tmp_path, 1, **_FORMS[form])
    assert len(alone[0]) >= 1
    assert alone == _convert(sources, tmp_path, jobs, **_FORMS[form])


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start processes as on Windows, which cannot fork, and let them read all files."""
    monkeypatch.setattr(Reading, "_claim", lambda reading: False)
    monkeypatch.setattr(workers, "_can_fork", False)
    monkeypatch.setattr(workers, "_context", get_context("spawn"))
    yield
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]


@pytest.mark.usefixtures("spawned")
def test_spawned_processes_give_the_same_output(tmp_path: Path) -> None:
    source = _write_set(tmp_path)
    alone = _convert([source], tmp_path, 1, **_FORMS["set"])
    assert alone == _convert([source], tmp_path, 2, **_FORMS["set"])


@pytest.mark.usefixtures("spawned")
def test_spawned_processes_give_the_same_findings(tmp_path: Path) -> None:
    source = _write_set(tmp_path)
    mappings = [UrlMap.create(_SITE, str(tmp_path))]
    alone, several = (
        check([str(source)], opener=Opener(jobs=jobs, mappings=mappings)) for jobs in (1, 2)
    )
    codes = [finding.code for finding in alone.findings]
    assert codes.count("listed-elsewhere") > 10_000  # by hashes, which differ between processes
    assert several.findings == alone.findings


def test_unreadable_source_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text(_SITE)
    (tmp_path / "bad.xml").write_text("<html>")
    sources = [str(tmp_path / name) for name in ("good.txt", "bad.xml")]
    with pytest.raises(InputError, match="HTML page"):
        convert(sources, target_of(str(tmp_path / "out.txt")), opener=Opener(jobs=2))

    assert not (tmp_path / "out.txt").exists()


@pytest.fixture(autouse=True)
def children_before() -> Iterator[set[int]]:
    """Return the child processes before the test, and check that the test leaves no other."""
    before = _list_children()
    yield before
    assert _list_children() == before


@pytest.fixture
def slow_source(tmp_path: Path) -> Path:
    """Return a named pipe, for which readers wait."""
    path = tmp_path / "slow"
    os.mkfifo(path)
    return path


def _list_children() -> set[int]:
    """Return the IDs of the child processes."""
    result = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            number, rest = path.read_text().split(" ", 1)
            if int(rest.rpartition(")")[2].split()[1]) == os.getpid():
                result.add(int(number))
    return result


def _write_urls(path: Path, count: int) -> str:
    path.write_text("".join(f"{_SITE}{path.stem}/{number}\n" for number in range(count)))
    return str(path)


def test_full_disk_ends_the_run(children_before: set[int], slow_source: Path) -> None:
    text = "".join(f"{_SITE}{number}\n" for number in range(3000))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 14, limits[1]))
    workers = _start_workers(2)
    try:
        reading = _submit(workers, str(slow_source))
        assert any(_wait_for_open(number) for number in _list_children() - children_before)
        threading.Thread(target=slow_source.write_text, args=(text,)).start()
        said = "slow until they are written: File too large; set TMPDIR"
        with pytest.raises(OutputError, match=said):
            list(reading.document(print, read))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        workers.close()


def _start_workers(number: int, encode: Encode | None = None) -> FileWorkers:
    return FileWorkers(number, read, lambda count: None, encode, is_explicit=True)


def _submit(workers: FileWorkers, path: str) -> Reading:
    reading = workers.submit(path, 2)
    assert reading
    return reading


def test_process_limit_is_reported(tmp_path: Path) -> None:
    sources = [_write_urls(tmp_path / name, 3) for name in ("a.txt", "b.txt")]
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, limits[1]))
    done = threading.Event()  # regardless of other threads
    threading.Thread(target=done.wait).start()
    try:
        with pytest.raises(UsageError, match="cannot start 90 processes: Too many open files; "):
            convert(sources, target_of(str(tmp_path / "out.txt")), opener=Opener(jobs=90))
    finally:
        done.set()
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("form", ["text", pytest.param("lists", marks=slow)])
def test_buffered_output_stays_in_order(form: str, tmp_path: Path) -> None:
    sources = [tmp_path / f"{name}.txt" for name in ("one", "two", "three", "four")]
    for source, count in zip(sources, (60_000, 50_000, 10, 70_000), strict=True):
        _write_urls(source, count)

    alone = _convert(sources, tmp_path, 1, **_FORMS[form])
    assert sum(map(len, alone[0])) > 4 << 20  # bytes
    assert alone == _convert(sources, tmp_path, 2, **_FORMS[form])


def test_files_can_be_read_in_any_order(tmp_path: Path) -> None:
    names = [f"{number}.txt" for number in range(8)]
    encodes = partial(encode, format=by_name("text"), source=None, keeps=False)
    with closing(_start_workers(3, encodes)) as workers:
        readings = [_submit(workers, _write_urls(tmp_path / name, 50_000)) for name in names]
        order = [5, 0, 3, 7, 1, 2, 6, 4]
        result = []
        for number in order:
            document = readings[number].document(print, read)
            sizes = map(len, document.batches)
            result.append(next(sizes) if number % 3 == 0 else sum(sizes))
            document.close()

    assert [count == 50_000 for count in result] == [number % 3 != 0 for number in order]


def test_unstarted_files_are_read_here(tmp_path: Path, slow_source: Path) -> None:
    read_here: list[str] = []

    def read_too(path: str, **options: Any) -> Document:
        read_here.append(Path(path).stem)
        return read(path, **options)

    with closing(_start_workers(1)) as workers:
        readings = [_submit(workers, str(slow_source))]
        readings += [_submit(workers, _write_urls(tmp_path / f"{n}.txt", n)) for n in range(1, 5)]
        result = [len(list(reading.document(print, read_too))) for reading in readings[1:]]

    assert result == [1, 2, 3, 4]
    assert read_here == ["1", "2", "3", "4"]


def test_worker_death_after_local_reads_leaves_no_thread(
    tmp_path: Path, children_before: set[int], slow_source: Path
) -> None:
    """An executor fails in its own thread if it finds a cancelled task when a worker dies."""
    threads = threading.active_count()
    with closing(_start_workers(1)) as workers:
        readings = [_submit(workers, str(slow_source))]
        readings += [_submit(workers, _write_urls(tmp_path / f"{n}.txt", n)) for n in range(1, 6)]
        (number,) = (
            number for number in _list_children() - children_before if _wait_for_open(number)
        )
        assert len(list(readings[4].document(print, read))) == 4
        os.kill(number, signal.SIGKILL)
        with pytest.raises(OutputError, match="ended unexpectedly"):
            readings[0].document(print, read)

    assert threading.active_count() == threads


def test_killed_worker_ends_the_run(children_before: set[int], slow_source: Path) -> None:
    with closing(_start_workers(2)) as workers:
        reading = _submit(workers, str(slow_source))
        (number,) = (
            number for number in _list_children() - children_before if _wait_for_open(number)
        )
        os.kill(number, signal.SIGKILL)
        with pytest.raises(OutputError, match="a worker process ended unexpectedly; pass `jobs=1`"):
            reading.document(print, read)


def test_results_after_worker_death_are_errors(children_before: set[int]) -> None:
    started: Workers[int, int] = Workers(abs, 1)
    with closing(started) as workers:
        (number,) = _list_children() - children_before
        os.kill(number, signal.SIGKILL)
        for _ in range(2):
            assert isinstance(workers.submit(-1).exception(), BrokenProcessPool)


def _wait_for_open(number: int) -> bool:
    """Return whether a process starts to open a named pipe within two seconds."""
    for _ in range(200):
        for call in Path(f"/proc/{number}/task").glob("*/syscall"):
            if call.read_text().split()[0] == _OPENAT:
                return True
        time.sleep(0.01)
    return False


_OPENAT = "257"


def test_killed_run_leaves_nothing(tmp_path: Path) -> None:
    sources = [_write_urls(tmp_path / f"{number}.txt", 100_000) for number in range(3)]
    command = [sys.executable, "-m", "sitemapx", "convert", *sources]
    command += ["--to", "text", "--jobs", "2"]
    (tmp_path / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        process.stdout.read(1 << 20)
        process.kill()
        process.stdout.read()  # ends when no process has the pipe open
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_all_processes(number: signal.Signals, tmp_path: Path) -> None:
    sources = [_write_urls(tmp_path / f"{name}.txt", 100_000) for name in "abc"]
    command = [sys.executable, "-m", "sitemapx", "convert", *sources]
    command += ["--to", "text", "--jobs", "2"]
    (tmp_path / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp")}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    ) as process:
        assert process.stdout
        process.stdout.read(1)  # the process waits until the rest is read
        os.killpg(process.pid, number)
        _, reported = process.communicate()  # ends when no process has the pipe open
    end = b"interrupted" if number == signal.SIGINT else b"terminated"
    assert process.returncode == 128 + number
    assert reported.strip() == b"sitemapx: " + end
    assert list((tmp_path / "tmp").iterdir()) == []


def test_one_process_does_not_import_multiprocessing(tmp_path: Path) -> None:
    source = _write_urls(tmp_path / "a.txt", 1)
    run = "import sys; from sitemapx.cli import main; main(sys.argv[1:])"
    run += "; print([name for name in sys.modules if 'multiprocessing' in name])"
    command = [sys.executable, "-c", run, "convert", source, "--to", "text"]
    assert subprocess.check_output(command).decode() == f"{_SITE}a/0\n[]\n"


def test_processors_are_counted_as_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)

    assert os.cpu_count() == Opener(jobs=0).processes
