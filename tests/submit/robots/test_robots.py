"""Edits of robots.txt change only Sitemap lines, and no other byte."""

import re
import subprocess
import sys
import urllib.robotparser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from protego import Protego

from sitemapx.errors import InputError, UsageError
from sitemapx.submit.robots import file as robots_module
from sitemapx.submit.robots.file import MAX_SIZE, RobotsFile
from tests.effort import examples
from tests.submit.robots.rfc9309 import groups
from tests.submit.robots.strategies import (
    AGENTS,
    NEW,
    OLD,
    PAGES,
    Edit,
    edits,
    files,
    uniform_files,
)

_BOM = b"\xef\xbb\xbf"
_sitemap = re.compile(rb"(?i)[ \t]*site-?maps?[ \t]*:")


def _others(data: bytes) -> list[bytes]:
    """Return the lines that are neither Sitemap lines nor blank, without line breaks."""
    lines = data.removeprefix(_BOM).splitlines()
    return [line for line in lines if line.strip() and not _sitemap.match(line)]


@examples(100)
@given(data=files)
def test_unedited_file_is_unchanged(data: bytes) -> None:
    assert data == bytes(RobotsFile(data))


@examples(200)
@given(data=files, some=st.lists(edits, min_size=1, max_size=3))
def test_edits_keep_other_lines(data: bytes, some: list[Edit]) -> None:
    robots = RobotsFile(data)
    for edit in some:
        edit(robots)

    assert _others(data) == _others(bytes(robots))
    assert data.startswith(_BOM) == bytes(robots).startswith(_BOM)


@examples(200)
@given(data=uniform_files, edit=edits)
@example(b"User-agent: *\n   \nSitemap: /s.xml", lambda robots: robots.remove("/s.xml"))
def test_edits_keep_other_bytes(data: bytes, edit: Edit) -> None:
    robots = RobotsFile(data)
    edit(robots)
    before, after = (
        b"".join(line for line in lines.splitlines(keepends=True) if not _sitemap.match(line))
        for lines in (data.removeprefix(_BOM), bytes(robots).removeprefix(_BOM))
    )

    assert before.strip(b"\r\n") == after.strip(b"\r\n")
    assert abs(len(before) - len(after)) <= len(b"\r\n\r\n")


@examples(200)
@given(data=files, edit=edits)
def test_repeated_edit_changes_nothing(data: bytes, edit: Edit) -> None:
    robots = RobotsFile(data)
    has_changed = edit(robots)
    once = bytes(robots)
    again = RobotsFile(once)

    assert has_changed == (once != data)
    assert not edit(again)
    assert once == bytes(again)


@examples(200)
@given(data=files)
def test_added_line_is_the_last_sitemap_line(data: bytes) -> None:
    robots = RobotsFile(data)
    before = [line.url for line in robots.sitemaps()]
    assert robots.add(NEW)

    assert [*before, NEW] == [line.url for line in RobotsFile(bytes(robots)).sitemaps()]


@pytest.mark.parametrize("limit", [MAX_SIZE, 60, 90, 120])
def test_remove_undoes_add(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_module, "MAX_SIZE", limit)

    @examples(150)
    @given(data=files)
    @example(f"#\r#\rSitemap: {OLD}\n\n#\r".encode())
    @example(b"#\n#\r")
    def undoes(data: bytes) -> None:
        robots = RobotsFile(data)
        robots.add(NEW)
        robots = RobotsFile(bytes(robots))
        assert robots.remove(NEW)

        assert data == bytes(robots)

    undoes()


@examples(200)
@given(data=files, wanted=st.lists(st.sampled_from([NEW, OLD]), unique=True))
def test_sync_leaves_the_wanted_lines(data: bytes, wanted: list[str]) -> None:
    robots = RobotsFile(data)
    robots.sync(wanted)

    assert sorted(wanted) == sorted(line.url for line in robots.sitemaps())


def _remove_old(robots: RobotsFile) -> bool:
    return robots.remove(OLD)


def _protego(data: bytes) -> list[object]:
    """Return Protego's verdict for each page and crawler, and the crawl delays."""
    protego = Protego.parse(data.decode("utf-8-sig"))
    verdicts = [protego.can_fetch(page, agent) for page in PAGES for agent in AGENTS]
    return [*verdicts, *(protego.crawl_delay(agent) for agent in AGENTS)]


def _urllib(data: bytes) -> str:
    """Return the groups as `urllib.robotparser` reads them; for it, blank lines end groups."""
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(data.decode().splitlines())
    return str(parser)


@examples(250)
@given(data=files, some=st.lists(edits, min_size=1, max_size=3))
@example(f"User-agent: *\rSitemap: {OLD}\n\nDisallow: /x\n".encode(), [_remove_old])
@example(f"\ufeffSitemap: {OLD}\nUser-agent: *\nDisallow: /private\n".encode(), [_remove_old])
def test_edits_keep_groups(data: bytes, some: list[Edit]) -> None:
    robots = RobotsFile(data)
    for edit in some:
        edit(robots)
    after = bytes(robots)

    assert groups(data) == groups(after)
    assert _protego(data) == _protego(after)
    assert _urllib(data) == _urllib(after)


def test_replace_keeps_key_spaces_and_comment() -> None:
    robots = RobotsFile(b"  SiteMap:\thttps://e.example/old.xml  # main\r\nUser-agent: *\r\n")
    assert robots.replace("https://e.example/old.xml", NEW)

    assert f"  SiteMap:\t{NEW}  # main\r\nUser-agent: *\r\n".encode() == bytes(robots)


def test_line_beyond_500_kib_goes_to_the_top() -> None:
    data = b"User-agent: *\n" + b"Disallow: /x\n" * (MAX_SIZE // 13)
    robots = RobotsFile(data)
    robots.add(NEW)

    assert f"Sitemap: {NEW}\n\n".encode() + data == bytes(robots)
    assert robots.remove(NEW)
    assert data == bytes(robots)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("extra", [0, 1])
def test_size_limit_includes_mark_and_line_ends(bom: bytes, extra: int) -> None:
    line = f"Sitemap: {NEW}".encode()
    data = bom + b"User-agent: *\nDisallow: /" + b"x"
    data += b"x" * (512_000 - len(data) - len(line) - 4 - 1 + extra) + b"\n"
    robots = RobotsFile(data)
    robots.add(NEW)
    at = bytes(robots).index(line)

    assert (at == len(bom)) is bool(extra)
    assert extra or at + len(line) + 1 <= 512_000


@pytest.mark.parametrize(
    "data", [b"<!DOCTYPE html><html></html>", b"\xff\xfeU\0s\0", b"User-agent: *\0", b" <html>"]
)
def test_file_that_cannot_be_robots_txt_is_rejected(data: bytes) -> None:
    with pytest.raises(InputError):
        RobotsFile(data)


@pytest.mark.parametrize("url", ["/sitemap.xml", "ftp://e.example/s", "https://e.example/\na", "x"])
def test_relative_url_cannot_be_added(url: str) -> None:
    with pytest.raises(UsageError):
        RobotsFile().add(url)


def test_concurrent_edits_lose_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    code = (
        "import sys; from sitemapx.submit.robots.edit import edit_robots_file\n"
        "for n in range(100):\n"
        "    edit_robots_file('robots.txt', lambda r: r.add(f'https://e.example/{sys.argv[1]}/{n}.xml'))"
    )
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow:\n")
    command = [sys.executable, "-c", code]
    both = [subprocess.Popen([*command, name], cwd=tmp_path, env=environment) for name in "ab"]
    statuses = [process.wait(120) for process in both]
    robots = RobotsFile((tmp_path / "robots.txt").read_bytes())

    assert [0, 0] == statuses
    assert 200 == len(robots.sitemaps())
    assert [tmp_path / "robots.txt"] == list(tmp_path.iterdir())
