"""Faults of the journal are reported in one line, without delay, and no data is lost."""

import os
import re
import shlex
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from sitemapx.errors import OutputError
from sitemapx.submit.journal.journal import copy_journal, read_journal
from tests.conftest import PATIENCE
from tests.effort import slow
from tests.engines import KEY, IndexNow
from tests.loopback import Engines, Fault, Site
from tests.submit.conftest import User, pages, site, user
from tests.waiting import wait_until

__all__ = ["site", "user"]  # fixtures


@pytest.fixture
def engine(engines: Engines, user: User) -> IndexNow:
    found: IndexNow = engines(IndexNow)
    (user.folder / "sitemapx.toml").write_text(
        f'journal = "journal/j.db"\n[engines.indexnow]\nendpoint = "{found.url}"\n'
    )
    return found


def _journal(user: User) -> Path:
    return user.folder / "journal" / "j.db"


def _run(user: User, limit: int, *args: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command with a limit on the size of its files, in blocks of 512 bytes."""
    command = shlex.join([sys.executable, "-m", "sitemapx", *args])
    shell = ["/bin/sh", "-c", f"ulimit -f {limit}; exec {command}"]
    environment = user.environment | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(shell, cwd=user.folder, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("limit", [0, 8, 64, 150])
def test_missing_space_for_the_journal_loses_nothing(
    user: User, engine: IndexNow, site: Site, limit: int
) -> None:
    entries = pages(site, range(3000))
    user.write(entries)
    full = _run(user, limit, "submit", "sitemap.xml", "--allow-private", "--timeout", "5")
    done = user("submit", "sitemap.xml")

    assert (1, 0) == (full.returncode, done.returncode), (full.stderr, done.stderr)
    assert b"another run" not in full.stderr
    assert b"sitemapx: error: " in full.stderr
    assert b"internal" not in full.stderr
    assert b"defect" not in full.stderr
    assert sorted(entries) == sorted(engine.taken)


@pytest.mark.parametrize("is_removed", [False, True])
def test_unrecorded_acceptance_is_recorded_later(
    user: User, engine: IndexNow, site: Site, *, is_removed: bool
) -> None:
    entries = pages(site, range(3000))
    unconfirmed = 0
    for limit in range(1000, 1800, 100):
        for path in _journal(user).parent.glob("*"):
            path.unlink()
        engine.taken.clear()
        expected = sorted(entries)
        user.write(entries)
        options = ["submit", "sitemap.xml", "--allow-private", "--allow-removals"]
        if is_removed:
            user(*options)
            expected += [f"{site.url}/{number}" for number in range(2000)]
            user.write(pages(site, range(2000, 3000)))
        _run(user, limit, *options)
        states = user.query("SELECT state FROM batches", "journal/j.db")
        done = user(*options)
        history = user("submit", "history").stdout
        assert 0 == done.returncode, done.stderr
        assert sorted(expected) == sorted(engine.taken)
        assert [] == user.submit("sitemap.xml")
        if ("sending",) in states:
            unconfirmed += 1
            assert b"was accepted; now recorded" in done.stderr
            assert b"unconfirmed 200" in history

    assert unconfirmed


def test_unrecorded_partial_acceptance_is_recorded_later(
    user: User, engine: IndexNow, site: Site
) -> None:
    settings = user.folder / "sitemapx.toml"
    location = f"{site.url}/below/{{key}}.txt"
    settings.write_text(f'{settings.read_text()}key-location = "{location}"\n')
    site.files[f"/below/{KEY}.txt"] = KEY
    inside, outside = pages(site, (f"below/{n}" for n in range(3000))), pages(site, range(101))
    unconfirmed = 0
    for limit in range(1000, 1800, 100):
        for path in _journal(user).parent.glob("*"):
            path.unlink()
        engine.taken.clear()
        user.write(inside | outside)
        options = ["submit", "sitemap.xml", "--allow-private", "--force"]
        _run(user, limit, *options)
        states = user.query("SELECT state FROM batches", "journal/j.db")
        done = user(*options)
        refused = user.query("SELECT url FROM entries WHERE refused NOTNULL", "journal/j.db")
        assert sorted(inside) == sorted(engine.taken), done.stderr
        assert sorted(outside) == sorted(url for (url,) in refused)
        if ("sending",) in states and b"now recorded" in done.stderr:
            unconfirmed += 1
            assert b"could not record that 3,000 URLs for" in done.stderr
            assert b"unconfirmed 200" in user("submit", "history").stdout

    assert unconfirmed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
@pytest.mark.parametrize("size", ["16k", "256k"])
def test_full_disk_is_reported(user: User, engine: IndexNow, site: Site, size: str) -> None:
    folder = user.folder / "journal"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        user.write(pages(site, range(3000)))
        full = user("submit", "sitemap.xml")
        subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
        done = user("submit", "sitemap.xml")
    finally:
        subprocess.run(["umount", str(folder)], check=True)

    assert (1, 0) == (full.returncode, done.returncode)
    assert b"the disk is full" in full.stderr
    assert b"free some space, then run again" in full.stderr
    assert sorted(pages(site, range(3000))) == sorted(engine.taken)


def test_read_only_journal_can_be_read(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    folder = _journal(user).parent
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    # For root, nothing is read-only but what is mounted so.
    mount = ["mount", "--bind", "-o", "ro", str(folder), str(folder)]
    is_root = os.geteuid() == 0
    if is_root and subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        status = user("submit", "status", f"{site.url}/a")
        history = user("submit", "history")
        dry = user("submit", "sitemap.xml", "--dry-run")
        user.write(pages(site, "abc"))
        wet = user("submit", "sitemap.xml")
    finally:
        if is_root:
            subprocess.run(["umount", str(folder)], check=True)
        folder.chmod(0o755)

    assert [0, 0, 0] == [done.returncode for done in (status, history, dry)], status.stderr
    assert b"2026-01-01" in status.stdout
    assert b"accepted 200" in history.stdout
    assert 1 == wet.returncode
    assert b"cannot" in wet.stderr
    assert b"another run" not in wet.stderr


@slow
def test_status_works_beside_a_run(user: User, engine: IndexNow, site: Site) -> None:
    with (user.folder / "sitemapx.toml").open("a") as file:
        file.write("batch = 1\n")
    user.write(pages(site, "ab"))
    engine.faults = [Fault(after=True), Fault(after=True, when=(answer := threading.Event()))]
    run = user.start("-q", stdout=-3)
    wait_until(lambda: len(engine.posts()) > 1, run)
    status = user("submit", "status")
    answer.set()
    run.wait(PATIENCE)

    assert 0 == status.returncode
    assert ["indexnow", "urls", "1", "0", "1"] == status.stdout.decode().splitlines()[1].split()[:5]


def test_unusable_lock_is_reported(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    _journal(user).parent.mkdir()
    lock = Path(f"{_journal(user)}-turn")
    lock.mkdir()
    refused = user("submit", "sitemap.xml")
    lock.rmdir()
    lock.write_bytes(b"SQLite format 3\0" + b"garbage" * 999)
    done = user("submit", "sitemap.xml")

    assert (1, 0) == (refused.returncode, done.returncode)
    assert b"j.db-turn: Is a directory; pass --journal" in refused.stderr
    assert b"another run" not in refused.stderr


def _damage(path: Path, start: int) -> None:
    for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        if name != path and name.exists():
            name.unlink()
    data = bytearray(path.read_bytes())
    for place in range(start, len(data), 4096):
        data[place : place + 512] = b"\xff" * 512
    path.write_bytes(data)


@pytest.mark.parametrize("command", ["submit", "retry", "history", "status", "forget"])
def test_damaged_journal_is_reported(
    user: User, engine: IndexNow, site: Site, command: str
) -> None:
    user.write(pages(site, range(500)))
    user.submit("sitemap.xml")
    _damage(_journal(user), 4096)
    args = {"submit": ["sitemap.xml"], "forget": ["forget", "--all"]}.get(command, [command])
    done = user("submit", *args)

    assert 1 == done.returncode
    assert 1 == len(done.stderr.splitlines())
    assert b"the file is damaged; `sitemapx submit journal rebuild` recovers what" in done.stderr


@pytest.mark.parametrize("start", [0, 8 * 4096, 16 * 4096 + 100])
def test_rebuild_recovers_readable_rows(
    user: User, engine: IndexNow, site: Site, start: int
) -> None:
    entries = pages(site, range(3000))
    user.write(entries)
    user.submit("sitemap.xml")
    engine.taken.clear()
    path = _journal(user)
    user.query("PRAGMA wal_checkpoint(TRUNCATE)", "journal/j.db")
    data = bytearray(path.read_bytes())
    data[start : start + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    rebuilt = user("submit", "journal", "rebuild")
    kept = min(path.parent.glob("j.db-damaged-*"))
    user.submit("sitemap.xml")
    sent = len(engine.taken)
    user.write(pages(site, range(2990)))
    user.submit("sitemap.xml")

    assert 0 == rebuilt.returncode, rebuilt.stderr
    assert bytes(data) == kept.read_bytes()
    assert b", the rest is unreadable; the next submit" in rebuilt.stderr
    assert f"The old file is kept as journal/{kept.name}" in rebuilt.stderr.decode()
    assert (sent == 3000) if not start else (sent < 3000)
    assert sorted(pages(site, range(2990, 3000))) == sorted(engine.taken[sent:])


def test_rebuild_needs_a_journal(user: User, engine: IndexNow) -> None:
    done = user("submit", "journal", "rebuild")

    assert 2 == done.returncode
    assert b"no journal at" in done.stderr


def test_rebuild_keeps_an_intact_journal(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    data = _journal(user).read_bytes()
    done = user("submit", "journal", "rebuild")

    assert 0 == done.returncode
    assert b"is not damaged; nothing was changed" in done.stderr
    assert data == _journal(user).read_bytes()
    assert [] == [*_journal(user).parent.glob("*-damaged-*")]

    assert [] == user.submit("sitemap.xml")
    assert stat.S_ISREG(_journal(user).stat().st_mode)


@pytest.mark.parametrize("content", [b"my only notes", b"", b"SQLite format 3\0" + bytes(99)])
def test_rebuild_keeps_other_files(user: User, engine: IndexNow, content: bytes) -> None:
    (user.folder / "precious.txt").write_bytes(content)
    before = sorted(user.folder.iterdir())
    done = user("submit", "journal", "rebuild", "--journal", "precious.txt")

    assert 1 == done.returncode
    assert b"precious.txt: not a sitemapx journal; nothing was changed" in done.stderr
    assert b"move it away to start a new journal, or pass --journal to use another" in done.stderr
    assert content == (user.folder / "precious.txt").read_bytes()
    assert before == sorted(user.folder.iterdir())


def test_dry_run_names_the_damaged_journal(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, range(500)))
    user.submit("sitemap.xml")
    _damage(_journal(user), 4096)
    done = user("submit", "sitemap.xml", "--dry-run")

    assert 1 == done.returncode
    assert "cannot use the journal journal/j.db: the file is damaged" in done.stderr.decode()


def test_damage_of_a_copy_names_the_journal(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    with closing(copy_journal(str(_journal(user)))) as journal:
        journal.connection.execute("PRAGMA query_only = 1")
        with pytest.raises(OutputError, match=str(_journal(user))):
            journal.rename_set("sitemap.xml", "https://e.example/sitemap.xml")


def test_batch_of_a_parallel_run_is_not_killed(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.query("UPDATE batches SET state = 'sending'", "journal/j.db")
    dry = user("submit", "sitemap.xml", "--dry-run")
    done = user("submit", "sitemap.xml")

    assert b"killed" not in dry.stderr
    assert b"a run was killed before the response" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_log_of_a_killed_run_is_read_without_writing(
    user: User, engine: IndexNow, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    path = _journal(user)
    with closing(sqlite3.connect(path)) as journal:
        journal.execute("UPDATE entries SET fingerprint = '2026-01-02'")
        journal.commit()
        kept = [(name, Path(f"{path}{name}").read_bytes()) for name in ("", "-wal")]
    for name, data in kept:
        Path(f"{path}{name}").write_bytes(data)
    mount = ["mount", "--bind", "-o", "ro", str(path.parent), str(path.parent)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        status = user("submit", "status", f"{site.url}/a")
        history = user("submit", "history")
        dry = user("submit", "sitemap.xml", "--dry-run")
        monkeypatch.setattr(tempfile, "tempdir", str(path.parent))
        with pytest.raises(OutputError, match="Read-only file system; set TMPDIR"):
            read_journal(str(path))
    finally:
        subprocess.run(["umount", str(path.parent)], check=True)

    assert [0, 0, 0] == [done.returncode for done in (status, history, dry)], status.stderr
    assert b"2026-01-02" in status.stdout
    assert b"accepted 200" in history.stdout


@pytest.mark.parametrize("command", ["history", "status"])
def test_empty_file_is_a_new_journal(
    user: User, engine: IndexNow, site: Site, command: str
) -> None:
    path = _journal(user)
    path.parent.mkdir()
    path.write_bytes(b"")
    read = user("submit", command)
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")

    assert 0 == read.returncode
    assert b"nothing submitted yet (journal: journal/j.db)" in read.stderr
    assert 0 == user("submit", command).returncode


@pytest.mark.parametrize("version", [2, 9])
def test_journal_of_another_version_is_rejected(
    user: User, engine: IndexNow, site: Site, version: int
) -> None:
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.query(f"PRAGMA user_version = {version}", "journal/j.db")
    done = [user("submit", *args) for args in (["sitemap.xml"], ["status"])]
    expected = rf"unsupported journal version {version}: expected \d; pass --journal to use another"

    assert [1, 1] == [one.returncode for one in done]
    assert all(re.search(expected, one.stderr.decode()) for one in done)
