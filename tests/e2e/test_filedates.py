"""Dates of pages from a real git repository."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

Sitemapx = Callable[..., subprocess.CompletedProcess[bytes]]
_CONVERT = ("--source-url", "https://e.example/", "--lastmod", "git", "--to", "jsonl")


class _Site:
    """A repository with pages in a folder of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages = folder / "site" / "public"
        self.pages.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *args: str, date: str = "2024-01-01T00:00:00+00:00") -> None:
        dates = {
            "GIT_COMMITTER_DATE": date,
            "GIT_AUTHOR_DATE": date,
            "GIT_CONFIG_GLOBAL": "/dev/null",
        }
        names = {"GIT_AUTHOR_NAME": "A", "GIT_COMMITTER_NAME": "A"}
        mails = {"GIT_AUTHOR_EMAIL": "a@e.example", "GIT_COMMITTER_EMAIL": "a@e.example"}
        command = ["git", "-C", str(self.folder), *args]
        subprocess.run(
            command, env=os.environ | dates | names | mails, check=True, capture_output=True
        )

    def commit(self, date: str, **pages: str) -> None:
        """Commit pages with these texts."""
        for name, text in pages.items():
            (self.pages / f"{name}.html").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", date, date=date)


@pytest.fixture
def site(tmp_path: Path) -> _Site:
    """Give a site with some history."""
    site = _Site(tmp_path / "repository")
    site.commit("2024-01-02T03:04:05+01:00", index="1", old="1", b="1")
    site.commit("2024-02-02T03:04:05+01:00", index="2")
    site.git("checkout", "-q", "-b", "side", "HEAD~1")
    site.commit("2024-01-20T00:00:00+02:00", c="1")
    site.git("checkout", "-q", "main")
    site.git("merge", "-q", "--no-edit", "side", date="2024-03-01T00:00:00+00:00")
    (site.pages / "ä ö.html").write_text("1")
    site.commit("2024-04-01T00:00:00-05:00")
    return site


def test_last_commits(site: _Site, sitemapx: Sitemapx) -> None:
    """Each page has the date of the commit that changed it, merges and file names aside."""
    done = sitemapx("convert", str(site.pages), *_CONVERT)

    assert done.stdout.decode().splitlines() == [
        '{"loc":"https://e.example/","lastmod":"2024-02-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/b.html","lastmod":"2024-01-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/c.html","lastmod":"2024-01-20T00:00:00+02:00"}',
        '{"loc":"https://e.example/old.html","lastmod":"2024-01-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/%C3%A4%20%C3%B6.html","lastmod":"2024-04-01T00:00:00-05:00"}',
    ]


def test_what_is_not_committed(site: _Site, sitemapx: Sitemapx) -> None:
    """A file that was changed since, or that git does not know, has no date; that is told."""
    (site.pages / "b.html").write_text("2")
    (site.pages / "new.html").write_text("1")
    done = sitemapx("convert", str(site.pages), *_CONVERT)

    lines = done.stdout.decode().splitlines()
    assert '{"loc":"https://e.example/b.html"}' in lines
    assert '{"loc":"https://e.example/new.html"}' in lines
    changed = b"file has uncommitted changes; no lastmod (https://e.example/b.html)"
    assert changed in done.stderr
    assert b"file is not tracked by git; no lastmod (https://e.example/new.html)" in done.stderr


def test_shallow_clone(site: _Site, sitemapx: Sitemapx, tmp_path: Path) -> None:
    """A history that is cut off gives no date at all, and says how to complete it."""
    clone = tmp_path / "clone"
    site.git("clone", "-q", "--depth", "1", f"file://{site.folder}", str(clone))
    done = sitemapx("convert", str(clone / "site" / "public"), *_CONVERT)

    assert 0 == done.returncode
    assert b"lastmod" not in done.stdout
    assert b"run `git fetch --unshallow`; no lastmod (5 times)" in done.stderr


def test_root(site: _Site, sitemapx: Sitemapx, tmp_path: Path) -> None:
    """Entries of any source are dated by the files under a root; a date that is there stays."""
    path = tmp_path / "urls.csv"
    path.write_text("loc,lastmod\nhttps://e.example/b,\nhttps://e.example/c,2020-01-01\n")
    done = sitemapx("convert", str(path), "--root", str(site.pages), *_CONVERT)

    assert done.stdout.decode().splitlines() == [
        '{"loc":"https://e.example/b","lastmod":"2024-01-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/c","lastmod":"2020-01-01"}',
    ]


def test_no_program_is_run(site: _Site, sitemapx: Sitemapx, tmp_path: Path) -> None:
    """No setting of a repository makes git run a program: filters, signatures, hooks."""
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    signed = "cat >/dev/null; echo >&2 '[GNUPG:] SIG_CREATED '; echo -----BEGIN PGP SIGNATURE-----"
    program.write_text(f"#!/bin/sh\n{signed}\n")
    program.chmod(0o755)
    site.git("config", "gpg.program", str(program))
    site.git("commit", "-q", "--allow-empty", "-S", "-m", "signed")
    program.write_text(f'#!/bin/sh\necho "$0 $@" >> {ran}\ncat\n')
    (site.folder / ".git" / "hooks" / "post-index-change").symlink_to(program)
    for name in ("core.fsmonitor", "filter.a=b.clean", "filter.c.process", "diff.d.textconv"):
        site.git("config", name, str(program))
    site.git("config", "filter.c.required", "true")
    site.git("config", "log.showSignature", "true")
    attributes = "b.html filter=a=b\nc.html filter=c\nindex.html diff=d\n"
    (site.folder / ".git" / "info" / "attributes").write_text(attributes)
    for name in ("b", "c", "index"):
        os.utime(site.pages / f"{name}.html", (0, 0))
    ran.unlink(missing_ok=True)
    done = sitemapx("convert", str(site.pages), *_CONVERT)

    assert 5 == done.stdout.count(b"lastmod")
    assert not ran.exists(), ran.read_text()
    (site.pages / "b.html").write_text("2")
    assert 4 == sitemapx("convert", str(site.pages), *_CONVERT).stdout.count(b"lastmod")
    assert not ran.exists()


def test_whose_files_they_are(site: _Site, sitemapx: Sitemapx, tmp_path: Path) -> None:
    """Files are those of one host; of which is to be said where entries are of several."""
    path = tmp_path / "urls.txt"
    path.write_text("https://e.example/b\nhttp://E.example/c\n")
    command = ("convert", str(path), "--root", str(site.pages), "--to", "jsonl", "--lastmod", "git")
    assert 2 == sitemapx(*command).stdout.count(b"lastmod")
    path.write_text("https://e.example/b\nhttps://other.example/c\n")
    done = sitemapx(*command)

    said = "entries are on e.example and on other.example; pass --source-url"
    assert (
        f"sitemapx: error: {said} to say which site the files belong to\n" == done.stderr.decode()
    )
    assert 2 == done.returncode
    assert 1 == sitemapx(*command, "--source-url", "https://e.example").stdout.count(b"lastmod")
