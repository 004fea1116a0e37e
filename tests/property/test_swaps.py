"""Replacing files is atomic: after any failure or kill, all files are old, or all are new."""

import errno
import os
import signal
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from sitemapx.convert import Document, Entry, target_of, write
from sitemapx.convert.disk import swap as swapping
from sitemapx.convert.disk.lock import remove_leftovers
from sitemapx.convert.disk.swap import Swap, recover, swap_in
from sitemapx.convert.disk.swapplan import Plan
from sitemapx.errors import OutputError

#: Sets before and after, by the names of their files; the index is the last to be replaced.
SHAPES = {
    "same": ({"1": "a", "2": "b", "x": "1 2"}, {"1": "A", "2": "B", "x": "1 2!"}),
    "grown": ({"1": "a", "x": "1"}, {"1": "A", "2": "B", "3": "C", "x": "1 2 3"}),
    "shrunk": ({"1": "a", "2": "b", "3": "c", "x": "1 2 3"}, {"1": "A", "x": "1"}),
    "to one": ({"1": "a", "2": "b", "x": "1 2"}, {"x": "all"}),
    "first": ({}, {"1": "A", "2": "B", "x": "1 2"}),
}
_CALLS = ("replace", "link", "unlink", "fsync", "chmod")


class Killed(BaseException):
    """Simulates a killed process: `except Exception` does not handle it."""


class Faults:
    """
    Makes system calls on files in a directory raise an exception.

    Args:
        number: Number of the system call that fails, from 1.
        fault: The exception.
        stays: Whether all later calls fail, too.

    Attributes:
        calls: Number of system calls so far.

    """

    def __init__(self, folder: Path, number: int, fault: BaseException, *, stays: bool) -> None:
        self.calls = 0
        self._folder = str(folder)
        self._number = number
        self._fault = fault
        self._stays = stays

    @contextmanager
    def happen(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            for name in _CALLS:
                patch.setattr(os, name, self._faulty(getattr(os, name)))
            yield

    def _faulty(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def faulty(*args: Any, **known: Any) -> Any:
            if isinstance(args[0], int) or str(args[0]).startswith(self._folder):
                self._assert_index_is_complete()
                self.calls += 1
                if self.calls == self._number or (self._stays and self.calls > self._number):
                    raise self._fault
            return call(*args, **known)

        return faulty

    def _assert_index_is_complete(self) -> None:
        """Check that the index, which a web server may serve now, lists no missing file."""
        index = Path(self._folder, "x")
        for name in filter(str.isdigit, index.read_text() if index.exists() else ""):
            assert index.with_name(name).exists(), f"{name} is listed, and missing"


def _fault(folder: Path) -> OSError:
    return OSError(errno.EIO, os.strerror(errno.EIO), str(folder / "x"))


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.name[0] != "."}


def _publish(folder: Path, contents: dict[str, str]) -> None:
    folder.mkdir()
    for name, text in contents.items():
        (folder / name).write_text(text)
        os.utime(folder / name, (1, 1))


def _publish_with_drafts(
    folder: Path, old: dict[str, str], new: dict[str, str]
) -> tuple[list[Swap], list[str]]:
    _publish(folder, old)
    swaps = []
    for name, text in new.items():
        draft = folder / f".{name}.tmp"
        draft.write_text(text)
        swaps.append((str(draft), str(folder / name)))
    return swaps, [str(folder / name) for name in old if name not in new]


def _assert_only(folder: Path, contents: dict[str, str]) -> None:
    assert contents == _contents(folder)
    assert not list(folder.glob(".*"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "set"


def _discard(swaps: list[Swap]) -> None:
    for draft, _ in swaps:
        Path(draft).unlink(missing_ok=True)


@pytest.fixture
def no_helper_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swapping, "_execute_in_fork", lambda plan: None)


@pytest.mark.usefixtures("no_helper_process")
@pytest.mark.parametrize("stays", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("shape", SHAPES)
def test_error_leaves_one_whole_set(tmp_path: Path, shape: str, stays: bool) -> None:
    old, new = SHAPES[shape]
    for number in range(1, 100):
        folder = tmp_path / str(number)
        swaps, stale = _publish_with_drafts(folder, old, new)
        faults = Faults(folder, number, _fault(folder), stays=stays)
        said = ""
        with faults.happen():
            try:
                swap_in(swaps, stale)
            except OutputError as error:
                said = str(error)
        if faults.calls < number:
            break
        _discard(swaps)
        is_partial = "some files could not be restored" in said or "everything was written" in said
        if not stays and not is_partial:
            assert _contents(folder) in (old, new), f"a mix after call {number}: {said}"
        recover(str(folder))
        result = _contents(folder)
        if "everything was written" in said:  # stale files are named in the message, and kept
            assert all(str(folder / name) in said for name in result.keys() - new)
            result = {name: result[name] for name in new}
        assert result in ((old,) if said and stays else (old, new)) or result == new
        assert said or result == new
        assert not (folder / ".sitemapx.swap").exists()
    else:
        pytest.fail("it never ends")


@pytest.mark.usefixtures("no_helper_process")
@pytest.mark.parametrize("shape", SHAPES)
def test_kill_leaves_one_whole_set(tmp_path: Path, shape: str) -> None:
    old, new = SHAPES[shape]
    ends = set()
    for number in range(1, 100):
        folder = tmp_path / str(number)
        swaps, stale = _publish_with_drafts(folder, old, new)
        faults = Faults(folder, number, Killed(), stays=True)
        with faults.happen():
            try:
                swap_in(swaps, stale)
            except Killed:
                pass
            else:
                break
        recover(str(folder))
        assert _contents(folder) in (old, new), f"a mix after call {number}"
        assert not (folder / ".sitemapx.swap").exists()
        ends.add(_contents(folder) == new)
    else:
        pytest.fail("it never ends")
    assert ends == {False, True}


@pytest.mark.usefixtures("no_helper_process")
@pytest.mark.parametrize("shape", SHAPES)
def test_killed_recovery_is_finished(tmp_path: Path, shape: str) -> None:
    old, new = SHAPES[shape]
    for first in range(3, 40):
        for second in range(1, 40):
            folder = tmp_path / f"{first}-{second}"
            swaps, stale = _publish_with_drafts(folder, old, new)
            with Faults(folder, first, Killed(), stays=True).happen():
                try:
                    swap_in(swaps, stale)
                except Killed:
                    pass
                else:
                    return
            if second % 2 and swaps:  # a file was removed: it has to be restored
                Path(swaps[-1][0]).unlink(missing_ok=True)
            with Faults(folder, second, Killed(), stays=True).happen():
                try:
                    recover(str(folder))
                except Killed:
                    pass
                else:
                    break
            recover(str(folder))
            assert _contents(folder) in (old, new), f"a mix after {first} and {second}"
    pytest.fail("it never ends")


@pytest.mark.usefixtures("no_helper_process")
@pytest.mark.parametrize("hurt", ["1", "2", "x"])
def test_irreplaceable_file_leaves_other_files_unchanged(
    folder: Path, monkeypatch: pytest.MonkeyPatch, hurt: str
) -> None:
    """A file cannot be replaced if it is a mount point or immutable, for example."""
    old, new = SHAPES["same"]
    swaps, stale = _publish_with_drafts(folder, old, new)
    replace = os.replace

    def refusing(source: str, target: str) -> None:
        if os.path.basename(target) == hurt:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), source, None, target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", refusing)
    with pytest.raises(OutputError, match=f"{hurt}: Device or resource busy; if only this file is"):
        swap_in(swaps, stale)
    _discard(swaps)

    _assert_only(folder, old)


@pytest.mark.usefixtures("no_helper_process")
def test_unrestored_contents_are_kept_and_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = SHAPES["grown"]
    swaps, stale = _publish_with_drafts(folder, old, new)
    replace = os.replace

    def refusing(source: str, target: str) -> None:
        if target.endswith("/3") or (target.endswith("/1") and source.endswith(".old")):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), source, None, target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", refusing)
    with pytest.raises(OutputError) as caught:
        swap_in(swaps, stale)
    _discard(swaps)
    kept = str(caught.value).partition("its contents are kept in ")[2].partition(";")[0]

    assert f"{folder}/3: Operation not permitted; some files could not be restored: " in str(
        caught.value
    )
    assert old["1"] == Path(kept).read_text()
    assert {**old, "1": "A"} == _contents(folder)
    with pytest.raises(OutputError, match="some files could not be restored"):
        recover(str(folder))
    assert old["1"] == Path(kept).read_text()

    monkeypatch.undo()
    recover(str(folder))
    _assert_only(folder, old)


@pytest.mark.parametrize("number", range(6))
def test_swap_is_finished_after_death_of_helper(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    old, new = SHAPES["grown"]
    parent, replace, left = os.getpid(), os.replace, iter(range(number))

    def dying(source: str, target: str) -> None:
        if os.getpid() != parent and next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(source, target)

    monkeypatch.setattr(os, "replace", dying)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    swap_in(*_publish_with_drafts(folder, old, new))

    _assert_only(folder, new)


@pytest.mark.posix  # Windows has no fork
def test_recovery_is_finished_after_death_of_its_process(folder: Path) -> None:
    old, new = SHAPES["grown"]
    plan = Plan.make(str(folder / ".sitemapx.swap"), *_publish_with_drafts(folder, old, new))
    process = os.fork()
    if not process:
        _recover_and_die(str(folder), os.getpid())
    os.waitpid(process, 0)
    until = time.monotonic() + 10
    while os.path.lexists(plan.path) and time.monotonic() < until:
        time.sleep(0.001)

    assert new == _contents(folder)


def _recover_and_die(folder: str, process: int) -> NoReturn:
    """Recover a directory in this process, which is killed after the first file is replaced."""
    replace = os.replace

    def dying(source: str, target: str) -> None:
        replace(source, target)
        if source.endswith(".1.tmp"):
            os.kill(process, signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", dying)
        patch.setattr("threading.active_count", lambda: 1)
        recover(folder)
    os._exit(1)


@pytest.mark.parametrize("threads", [1, 2])
def test_swap_works_in_any_program(
    folder: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    old, new = SHAPES["shrunk"]
    monkeypatch.setattr("sys.executable", "/bin/true")
    monkeypatch.setattr("threading.active_count", lambda: threads)
    swap_in(*_publish_with_drafts(folder, old, new), durable=True)

    _assert_only(folder, new)


def test_directory_need_not_be_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "new").write_text("new")
    fsync = os.fsync

    def refusing(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refusing)
    swap_in([(str(tmp_path / "new"), str(tmp_path / "1"))], durable=True)

    _assert_only(tmp_path, {"1": "new"})


def test_empty_plan_is_removed(tmp_path: Path) -> None:
    """A power failure can truncate a plan."""
    for data in (b"", bytes(7), b'[[["a", '):
        (tmp_path / ".sitemapx.swap").write_bytes(data)
        recover(str(tmp_path))

        assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("no_helper_process")
def test_truncated_draft_is_not_published(folder: Path) -> None:
    """A power failure can truncate a new file."""
    old, new = SHAPES["same"]
    swaps, stale = _publish_with_drafts(folder, old, new)
    with Faults(folder, 8, Killed(), stays=True).happen(), pytest.raises(Killed):
        swap_in(swaps, stale)
    assert (folder / ".sitemapx.swap").exists()
    os.truncate(swaps[-1][0], 0)
    recover(str(folder))

    assert old == _contents(folder)


def test_sticky_directory_is_supported(folder: Path) -> None:
    """Files are copied: in a sticky directory such as /tmp, links might not be removable."""
    old, new = SHAPES["same"]
    swaps, stale = _publish_with_drafts(folder, old, new)
    folder.chmod(folder.stat().st_mode | stat.S_ISVTX)
    swap_in(swaps, stale)

    _assert_only(folder, new)
    remove_leftovers(str(folder))


@pytest.mark.parametrize(
    ("count", "durable", "synced"),
    [(1, False, 1), (3, False, 0), (3, True, 4)],
    ids=["one file", "set", "durable set"],
)
def test_files_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, durable: bool, synced: int
) -> None:
    paths: list[str] = []
    fsync = os.fsync

    def noting(descriptor: int) -> None:
        paths.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noting)
    base = "https://e.example/"
    target = target_of(str(tmp_path / "sitemap.xml"), base_url=base, max_urls=1, durable=durable)
    write(Document.from_entries([Entry(loc=f"{base}{n}") for n in range(count)]), target)

    assert synced == sum(".xml." in path for path in paths)
    assert str(tmp_path) in paths  # the names in the directory are flushed, too


@pytest.mark.parametrize(
    "plan",
    [
        '[[], ["../precious"]]',
        '[[], [".."]]',
        '[[["a", "/precious", null, [1, 2]]], []]',
        '[[["a"]], []]',
        '[[["a", 1, null, [1, 2]]], []]',
        "[1, 2]",
        "{}",
        "7",
    ],
)
def test_invalid_plan_is_rejected(tmp_path: Path, folder: Path, plan: str) -> None:
    _publish(folder, {"1": "a"})
    (tmp_path / "precious").touch()
    (folder / ".sitemapx.swap").write_text(plan)
    with pytest.raises(OutputError, match="not a replacement plan of sitemapx and this user"):
        recover(str(folder))

    assert (tmp_path / "precious").exists()
    assert {"1": "a"} == _contents(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files of others")
def test_plan_of_another_user_is_rejected(tmp_path: Path) -> None:
    """In a sticky directory such as /tmp, everyone may create a plan."""
    plan = tmp_path / ".sitemapx.swap"
    plan.write_text('[[], ["mine"]]')
    (tmp_path / "mine").touch()
    os.chown(plan, 12345, 12345)
    tmp_path.chmod(0o1777)
    with pytest.raises(OutputError, match="not a replacement plan of sitemapx and this user"):
        recover(str(tmp_path))
    assert (tmp_path / "mine").exists()

    tmp_path.chmod(0o755)
    recover(str(tmp_path))
    assert not (tmp_path / "mine").exists()
