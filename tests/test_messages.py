"""Messages quote long values in part, and machine-readable output in full."""

import json
import subprocess
from pathlib import Path

import pytest

from sitemapx.check.checker import check
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.values.words import MAX_LOC, MAX_MESSAGE, MAX_VALUE, short_message
from sitemapx.submit.robots.check import check_robots
from sitemapx.submit.robots.file import RobotsFile

_LONG = 1_000_000
#: Maximum length of a line of a report: message, URL, place and fix.
_MOST = 5_000


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large.xml"
    path.write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<url><loc>https://e.example/{'a' * _LONG}</loc><lastmod>{'9' * _LONG}</lastmod>"
        f"<priority>{'y' * _LONG}</priority></url><url><loc>/{'r' * _LONG}</loc></url>"
        f"<url><loc>https://e.example/</loc><{'x' * _LONG}/></url></urlset>"
    )
    return path


@pytest.mark.parametrize(
    "words",
    [
        "convert large.xml --to text",
        "check large.xml",
        "check large.xml --format github",
        "check large.xml --format sarif",
        "diff large.xml large.xml",
    ],
)
def test_text_is_short(words: str, large: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["sitemapx", *words.split()], cwd=large.parent, env=environment, capture_output=True
    )
    lines = [*done.stderr.splitlines(), *done.stdout.splitlines()]
    assert [line[:200] for line in lines if len(line) > _MOST and b"$schema" not in line] == []
    assert any("…".encode() in line for line in lines)


@pytest.mark.parametrize(
    ("words", "stream"),
    [
        ("convert large.xml --to text -o out.txt --report json", "stderr"),
        ("check large.xml --format json", "stdout"),
    ],
)
def test_json_is_bounded(words: str, stream: str, large: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["sitemapx", *words.split()], cwd=large.parent, env=environment, capture_output=True
    )
    lines = map(json.loads, getattr(done, stream).splitlines())
    rows = [row for row in lines if "summary" not in row]
    assert len(rows) >= 4
    assert max(len(row["message"]) for row in rows) <= MAX_MESSAGE
    assert max(len(row.get("loc") or "") for row in rows) == MAX_LOC


_VALUE = "q" * _LONG
_ROOT = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>https://e.example/</loc>'
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", f"{_ROOT}<lastmod>{_VALUE}</lastmod></url></urlset>"),
        ("a.xml", f'{_ROOT}<xhtml:link rel="{_VALUE}" hreflang="{_VALUE}" href="{_VALUE}"/></url>'),
        ("a.xml", f'<urlset xmlns="http://{_VALUE}"><url/></urlset>'),
        (
            "a.xml",
            f"{_ROOT}</url>{_VALUE}<url><loc>https://e.example/#{_VALUE}</loc></url></urlset>",
        ),
        ("a.txt", f"https://e.example/\n{_VALUE}\nhttps://{_VALUE}/\nhttps://[{_VALUE}\n"),
        ("a.csv", f"loc,lastmod,priority,images\nhttps://e.example/,{_VALUE},{_VALUE},{_VALUE}\n"),
        (
            "a.jsonl",
            f'{{"loc":"https://e.example/","lastmod":"{_VALUE}","{_VALUE}":1}}\n"{_VALUE}\n',
        ),
        ("a.xml", f"<rss><channel><item><link>{_VALUE}</link><pubDate>{_VALUE}</pubDate></item>"),
    ],
    ids=["lastmod", "attributes", "namespace", "text", "list", "csv", "jsonl", "feed"],
)
def test_values_are_short(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    messages: list[str] = []
    check([path], report=lambda one: messages.append(one.message + one.about))
    assert messages
    assert [message[:100] for message in messages if "q" * (MAX_VALUE + 1) in message] == []


def test_robots_lines_are_short() -> None:
    messages: list[str] = []
    for line in (f"Sitemap: {_VALUE}", f"Sitemap: https://{_VALUE}/", f"{_VALUE}: /", _VALUE):
        robots = RobotsFile(line.encode())
        check_robots(robots, report=lambda one: messages.append(one.message + one.about))
    assert messages
    assert [message[:100] for message in messages if "q" * (MAX_VALUE + 1) in message] == []


def test_locs_are_whole() -> None:
    url = "https://e.example/" + "a" * 2029
    assert f"({url})" in str(Problem("bad-loc", "warning", "m", loc=url))
    longer = url + "b" * 10_000
    problem = Problem("bad-loc", "warning", "m", loc=longer)
    assert problem.loc == longer
    assert len(str(problem)) < 2200


_LEGAL = "r/" * 1000
_A, _LINK = "https://e.example/", 'xhtml:link rel="alternate"'


@pytest.mark.parametrize(
    ("name", "text", "url"),
    [
        ("a.xml", f"<url><loc>/{_LEGAL}</loc></url>", f"/{_LEGAL}"),
        ("a.xml", f"<url><loc>ftp://e.example/{_LEGAL}</loc></url>", f"ftp://e.example/{_LEGAL}"),
        (
            "a.xml",
            "".join(f"<url><loc>{s}://e.example/{_LEGAL}</loc></url>" for s in ("https", "http")),
            f"also listed as https://e.example/{_LEGAL}",
        ),
        (
            "a.xml",
            f'<url><loc>{_A}</loc><{_LINK} hreflang="de" href="../{_LEGAL}"/></url>',
            f"../{_LEGAL}",
        ),
    ],
    ids=["relative", "scheme", "duplicate", "alternate"],
)
def test_legal_urls_are_whole(name: str, text: str, url: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(f"{_ROOT.partition('<url>')[0]}{text}</urlset>")
    messages: list[str] = []
    check([path], report=lambda one: messages.append(one.message))
    assert any(url in message for message in messages)
    assert not any("…" in message for message in messages)


def test_both_ends_are_kept() -> None:
    message = short_message(f"<loc>: not a URL: 'begin{'x' * _LONG}end'; left out")
    assert message.startswith("<loc>: not a URL: 'beginxxx")
    assert message.endswith("xxxend'; left out")
    assert "…" in message
    assert short_message("'short'") == "'short'"
    assert len(short_message("word " * _LONG)) == MAX_MESSAGE


def test_root_of_any_length(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "root.xml").write_text(f"<{'x' * 50_000}></{'x' * 50_000}>")
    done = subprocess.run(
        ["sitemapx", "convert", "root.xml", "--to", "text"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
    )
    assert done.returncode == 1
    assert len(done.stderr) < 1000
