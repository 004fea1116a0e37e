"""Dates of pages from a real git repository."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

Sitemapx = Callable[..., subprocess.CompletedProcess[bytes]]
_CONVERT = ("--source-url", "https://e.example/", "--lastmod", "git", "--to", "jsonl")


class _Site:
    """A repository with pages in a directory."""

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


def test_page_has_the_date_of_its_last_commit(site: _Site, sitemapx: Sitemapx) -> None:
    done = sitemapx("convert", str(site.pages), *_CONVERT)

    assert done.stdout.decode().splitlines() == [
        '{"loc":"https://e.example/","lastmod":"2024-02-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/b.html","lastmod":"2024-01-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/c.html","lastmod":"2024-01-20T00:00:00+02:00"}',
        '{"loc":"https://e.example/old.html","lastmod":"2024-01-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/%C3%A4%20%C3%B6.html","lastmod":"2024-04-01T00:00:00-05:00"}',
    ]


def test_uncommitted_page_has_no_date(site: _Site, sitemapx: Sitemapx) -> None:
    (site.pages / "b.html").write_text("2")
    (site.pages / "new.html").write_text("1")
    done = sitemapx("convert", str(site.pages), *_CONVERT)

    lines = done.stdout.decode().splitlines()
    assert '{"loc":"https://e.example/b.html"}' in lines
    assert '{"loc":"https://e.example/new.html"}' in lines
    changed = b"file has uncommitted changes; no lastmod (https://e.example/b.html)"
    assert changed in done.stderr
    assert b"file is not tracked by git; no lastmod (https://e.example/new.html)" in done.stderr


def test_shallow_clone_gives_no_dates(site: _Site, sitemapx: Sitemapx, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    site.git("clone", "-q", "--depth", "1", f"file://{site.folder}", str(clone))
    done = sitemapx("convert", str(clone / "site" / "public"), *_CONVERT)

    assert 0 == done.returncode
    assert b"lastmod" not in done.stdout
    assert b"run `git fetch --unshallow`; no lastmod (5 times)" in done.stderr


def test_entries_are_dated_by_files_of_the_root(
    site: _Site, sitemapx: Sitemapx, tmp_path: Path
) -> None:
    path = tmp_path / "urls.csv"
    path.write_text("loc,lastmod\nhttps://e.example/b,\nhttps://e.example/c,2020-01-01\n")
    done = sitemapx("convert", str(path), "--root", str(site.pages), *_CONVERT)

    assert done.stdout.decode().splitlines() == [
        '{"loc":"https://e.example/b","lastmod":"2024-01-02T03:04:05+01:00"}',
        '{"loc":"https://e.example/c","lastmod":"2020-01-01"}',
    ]


def test_repository_settings_run_no_program(
    site: _Site, sitemapx: Sitemapx, tmp_path: Path
) -> None:
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


def test_files_belong_to_one_host(site: _Site, sitemapx: Sitemapx, tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_text("https://e.example/b\nhttp://E.example/c\n")
    command = ("convert", str(path), "--root", str(site.pages), "--to", "jsonl", "--lastmod", "git")
    assert 2 == sitemapx(*command).stdout.count(b"lastmod")
    path.write_text("https://e.example/b\nhttps://other.example/c\n")
    done = sitemapx(*command)

    hosts = "entries are on several hosts (e.example, other.example)"
    advice = "pass --source-url with the URL of the site that the files belong to"
    assert f"sitemapx: error: {hosts}; {advice}\n" == done.stderr.decode()
    assert 2 == done.returncode
    assert 1 == sitemapx(*command, "--source-url", "https://e.example").stdout.count(b"lastmod")


#: Generator -> the options that name its sources; source files; page -> its source, if it has one.
LAYOUTS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "hugo": (
        ("content/{path}.md", "content/{path}/index.md", "content/{path}/_index.md"),
        {
            "index.html": "content/_index.md",
            "posts/index.html": "content/posts/_index.md",
            "posts/first/index.html": "content/posts/first.md",
            "posts/bundle/index.html": "content/posts/bundle/index.md",
            "tags/index.html": "",
        },
    ),
    "astro": (
        ("src/pages/{path}.astro", "src/pages/{path}.md"),
        {
            "index.html": "src/pages/index.astro",
            "about/index.html": "src/pages/about.astro",
            "blog/index.html": "src/pages/blog/index.astro",
            "blog/a b/index.html": "src/pages/blog/a b.md",
            "tags/index.html": "",
        },
    ),
    "next": (
        ("app/{path}/page.tsx", "app/(shop)/{path}/page.tsx"),
        {
            "index.html": "app/page.tsx",
            "about.html": "app/about/page.tsx",
            "cart/index.html": "app/(shop)/cart/page.tsx",
            "post/7.html": "",
        },
    ),
    "eleventy": (
        ("src/{path}.md", "src/{path}.njk"),
        {
            "index.html": "src/index.njk",
            "about/index.html": "src/about.md",
            "blog/index.html": "src/blog/index.njk",
            "feed.html": "src/feed.njk",
        },
    ),
}


@pytest.mark.parametrize("generator", LAYOUTS)
def test_page_has_the_date_of_its_source(
    generator: str, sitemapx: Sitemapx, tmp_path: Path
) -> None:
    site = _Site(tmp_path)
    patterns, pages = LAYOUTS[generator]
    expected: dict[str, str] = {}
    for day, (page, source) in enumerate(pages.items(), 1):
        built = site.folder / "out" / page
        built.parent.mkdir(parents=True, exist_ok=True)
        built.write_text("<title>Page</title>")
        if source:
            file = site.folder / source
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page)
            date = f"2026-01-{day:02}T00:00:00+00:00"
            site.git("add", source)
            site.git("commit", "-q", "-m", page, date=date)
            expected[page] = date
    options = [word for pattern in patterns for word in ("--source-files", pattern)]
    command = ("convert", "out", "--source-url", "https://e.example/docs/", "--lastmod", "git")
    done = sitemapx(*command, *options, "--to", "jsonl", cwd=site.folder)
    lines = [json.loads(line) for line in done.stdout.splitlines()]

    assert sorted(expected.values()) == sorted(
        line["lastmod"] for line in lines if "lastmod" in line
    )
    for page, date in expected.items():
        url = f"https://e.example/docs/{quote(page.removesuffix('index.html'))}"
        assert [date] == [line["lastmod"] for line in lines if line["loc"] == url], page
    missing = len(pages) - len(expected)
    assert (b"page has no source file; no lastmod" in done.stderr) == bool(missing)


def test_uncommitted_source_has_no_date(sitemapx: Sitemapx, tmp_path: Path) -> None:
    site = _Site(tmp_path)
    (site.folder / "content").mkdir()
    (site.folder / "content" / "a.md").write_text("1")
    site.git("add", "content")
    site.git("commit", "-q", "-m", "a")
    (site.folder / "content" / "a.md").write_text("2")
    (site.folder / "content" / "b.md").write_text("1")
    for name in "ab":
        (site.pages / f"{name}.html").write_text("<title>Page</title>")
    command = ("convert", str(site.pages), *_CONVERT, "--source-files", "content/{path}.md")
    done = sitemapx(*command, cwd=site.folder)

    assert b"lastmod" not in done.stdout
    assert b"file has uncommitted changes; no lastmod (https://e.example/a.html)" in done.stderr
    assert b"file is not tracked by git; no lastmod (https://e.example/b.html)" in done.stderr


def test_lastmod_is_compared_with_the_last_commit(site: _Site, sitemapx: Sitemapx) -> None:
    (site.folder / "list.csv").write_text(
        "loc,lastmod\n"
        "https://e.example/,2024-02-03\n"
        "https://e.example/old.html,2024-01-01\n"
        "https://e.example/b.html,2024-05-01\n"
    )
    command = ("check", str(site.folder / "list.csv"), "--root", str(site.pages))

    plain = sitemapx(*command, "--select", "page-lastmod", "--source-url", "https://e.example/")
    done = sitemapx(*command, "--source-url", "https://e.example/", "--lastmod", "git")

    assert b"page-lastmod" not in plain.stdout
    assert b"lastmod of 1 of 3 pages differs from the date of the page (1 ahead)" in done.stdout
    assert b"last commit 2024-01-02T03:04:05+01:00 (120 days ahead)" in done.stdout
