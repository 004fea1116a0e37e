"""robots.txt is edited line by line; every other byte stays."""

import re
import subprocess
import sys
import urllib.robotparser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protego import Protego

from sitemapx.errors import InputError, UsageError
from sitemapx.submit.robots import MAX_SIZE, RobotsFile

URL = "https://e.example/new.xml"
_LINES = [
    *(
        "User-agent: *",
        "User-agent: Googlebot",
        "user-agent : bing",
        "Disallow: /private",
        "Allow: /",
    ),
    *(
        "Disallow:",
        "Crawl-delay: 5",
        "# a comment",
        "",
        "   ",
        "Host: e.example",
        "junk",
        "Dis: \u00e4",
    ),
    *("Sitemap: https://e.example/old.xml", "sitemap:https://e.example/b.xml # old"),
    *(
        "  SITEMAP : /relative.xml",
        "Site-map: https://e.example/c.xml",
        "#Sitemap: https://e.example/d",
    ),
]
_end = st.sampled_from(["\n", "\r\n", "\r"])
_files = st.builds(
    lambda lines, end, bom, has_end: (
        b"\xef\xbb\xbf" * bom + (end.join(lines) + end * has_end).encode()
    ),
    st.lists(st.sampled_from(_LINES), max_size=14),
    _end,
    st.booleans(),
    st.booleans(),
)
_sitemap = re.compile(rb"(?i)[ \t]*site-?maps?[ \t]*:")


def _others(data: bytes) -> list[bytes]:
    """List the lines that are neither Sitemap lines nor blank, without their ends."""
    lines = re.split(rb"\r\n|\r|\n", data.removeprefix(b"\xef\xbb\xbf"))
    return [line for line in lines if line.strip() and not _sitemap.match(line)]


@settings(max_examples=300, deadline=None)
@given(data=_files)
def test_nothing_is_nothing(data: bytes) -> None:
    """A file that is taken apart and not edited is the same to the byte."""
    assert data == bytes(RobotsFile(data))


@settings(max_examples=300, deadline=None)
@given(data=_files)
def test_add(data: bytes) -> None:
    """Adding keeps every other byte in order, adds one line, and is done once."""
    robots = RobotsFile(data)
    before = [line.url for line in robots.sitemaps()]
    assert robots.add(URL)
    once = bytes(robots)
    again = RobotsFile(once)

    assert not again.add(URL)
    assert once == bytes(again)
    assert sorted([*before, URL]) == sorted(line.url for line in again.sitemaps())
    assert _others(data) == _others(once)
    assert data.startswith(b"\xef\xbb\xbf") == once.startswith(b"\xef\xbb\xbf")


@settings(max_examples=300, deadline=None)
@given(data=_files)
def test_remove_undoes_add(data: bytes) -> None:
    """What was added and is removed, also by another run, leaves the file as it was."""
    robots = RobotsFile(data)
    robots.add(URL)
    robots = RobotsFile(bytes(robots))
    assert robots.remove(URL)

    assert data == bytes(robots)


@settings(max_examples=200, deadline=None)
@given(
    data=_files, wanted=st.lists(st.sampled_from([URL, "https://e.example/old.xml"]), unique=True)
)
def test_sync(data: bytes, wanted: list[str]) -> None:
    """Afterwards the lines are exactly those that are wanted, and a second time changes nothing."""
    robots = RobotsFile(data)
    robots.sync(wanted)

    assert set(wanted) == {line.url for line in robots.sitemaps()}
    assert len(wanted) == len(robots.sitemaps())
    assert _others(data) == _others(bytes(robots))
    assert not robots.sync(wanted)


def _verdicts(data: bytes) -> list[bool]:
    """Ask Protego and Python's own parser what is allowed."""
    text = data.decode()
    standard = urllib.robotparser.RobotFileParser()
    standard.parse(text.splitlines())
    protego = Protego.parse(text)
    pages = [f"https://e.example{path}" for path in ("/", "/private", "/private/a", "/x")]
    agents = ("Googlebot", "bing", "other")
    return [
        verdict
        for page in pages
        for agent in agents
        for verdict in (protego.can_fetch(page, agent), standard.can_fetch(agent, page))
    ]


@settings(max_examples=200, deadline=None)
@given(data=_files)
def test_groups_stay(data: bytes) -> None:
    """Before and after, Protego and Python's own parser allow the same."""
    robots = RobotsFile(data)
    robots.add(URL)

    assert _verdicts(data) == _verdicts(bytes(robots))


def test_replace_keeps_the_line() -> None:
    """Key, spaces and comment of the line stay as they are."""
    robots = RobotsFile(b"  SiteMap:\thttps://e.example/old.xml  # main\r\nUser-agent: *\r\n")
    assert robots.replace("https://e.example/old.xml", URL)

    assert f"  SiteMap:\t{URL}  # main\r\nUser-agent: *\r\n".encode() == bytes(robots)


def test_beyond_what_crawlers_read() -> None:
    """A line that would lie beyond 500 KiB goes to the top, before any group."""
    data = b"User-agent: *\n" + b"Disallow: /x\n" * (MAX_SIZE // 13)
    robots = RobotsFile(data)
    robots.add(URL)

    assert f"Sitemap: {URL}\n\n".encode() + data == bytes(robots)
    assert robots.remove(URL)
    assert data == bytes(robots)


@pytest.mark.parametrize(
    "data", [b"<!DOCTYPE html><html></html>", b"\xff\xfeU\0s\0", b"User-agent: *\0", b" <html>"]
)
def test_refused(data: bytes) -> None:
    """What cannot be a robots.txt is refused."""
    with pytest.raises(InputError):
        RobotsFile(data)


@pytest.mark.parametrize("url", ["/sitemap.xml", "ftp://e.example/s", "https://e.example/\na", "x"])
def test_not_a_url(url: str) -> None:
    """What is no absolute http(s) URL cannot be added."""
    with pytest.raises(UsageError):
        RobotsFile().add(url)


def test_two_processes_lose_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    """Two processes that add a hundred URLs each at once have all of them in the file."""
    code = (
        "import sys; from sitemapx.submit.robotsio import edit\n"
        "for n in range(100):\n"
        "    edit('robots.txt', lambda r: r.add(f'https://e.example/{sys.argv[1]}/{n}.xml'))"
    )
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow:\n")
    command = [sys.executable, "-c", code]
    both = [subprocess.Popen([*command, name], cwd=tmp_path, env=environment) for name in "ab"]
    statuses = [process.wait(120) for process in both]
    robots = RobotsFile((tmp_path / "robots.txt").read_bytes())

    assert [0, 0] == statuses
    assert 200 == len(robots.sitemaps())
    assert [tmp_path / "robots.txt"] == list(tmp_path.iterdir())
