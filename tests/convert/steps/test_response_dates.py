"""`convert --lastmod http`: the Last-Modified of pages, requested politely."""

import csv
import time
from email.utils import formatdate
from pathlib import Path

import pytest

from sitemapx.cli.app import run
from tests.servers import Answer, Serve, Server

DATE = "Mon, 05 Jan 2026 10:00:00 GMT"


@pytest.fixture
def site(server: Server) -> Server:
    server.answers = {
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /private\n"),
        "/dated": Answer(b"<p>1", headers={"Last-Modified": DATE}),
        "/tagged": Answer(b"<p>2", headers={"Last-Modified": DATE}, etag='"v1"'),
        "/private": Answer(b"<p>3", headers={"Last-Modified": DATE}),
        "/undated": Answer(b"<p>4"),
        "/generated": Answer(
            b"<p>5", headers={"Last-Modified": formatdate(time.time(), usegmt=True)}
        ),
        "/moved": Answer(b"", status=301, headers={"Location": "/dated"}),
    }
    return server


def _dates(site: Server, tmp_path: Path, *paths: str, options: tuple[str, ...] = ()) -> list[str]:
    """Convert a list of pages, and return their dates."""
    (tmp_path / "urls.txt").write_text("".join(f"{site.url}{path}\n" for path in paths))
    target = tmp_path / "out.csv"
    target.unlink(missing_ok=True)
    command = ["convert", str(tmp_path / "urls.txt"), "--lastmod", "http", "--allow-private"]
    assert 0 == run([*command, "--retries", "0", "-o", str(target), *options])
    with target.open(newline="") as file:
        return [row.get("lastmod", "") for row in csv.DictReader(file)]


def test_dates_are_those_of_the_responses(
    site: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = ("/dated", "/private", "/undated", "/generated", "/moved", "/missing")
    found = _dates(site, tmp_path, *paths, options=("-v",))
    reasons = capsys.readouterr().err

    assert ["2026-01-05T10:00:00Z", *[""] * 5] == found
    assert "/private" not in site.requests
    for reason in (
        "robots.txt disallows the page",
        "page has no Last-Modified",
        "Last-Modified is the time of the response",
        "page redirects",
        "page returns 404",
    ):
        assert f"{reason}; no lastmod" in reasons


def test_entries_with_a_date_are_not_requested(site: Server, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"loc,lastmod\n{site.url}/dated,2025-01-01\n")
    target = tmp_path / "out.csv"
    command = ["convert", str(tmp_path / "in.csv"), "--lastmod", "http", "--allow-private"]

    assert 0 == run([*command, "-q", "-o", str(target)])
    assert "2025-01-01" in target.read_text()
    assert [] == site.requests


def test_cached_page_is_requested_conditionally(site: Server, tmp_path: Path) -> None:
    options = ("--cache", str(tmp_path / "cache"))
    found = [_dates(site, tmp_path, "/tagged", options=options) for _ in "ab"]

    assert [["2026-01-05T10:00:00Z"]] * 2 == found
    last = [one for path, one in zip(site.requests, site.headers, strict=True) if path == "/tagged"]
    assert '"v1"' == last[-1]["If-None-Match"]
    assert "If-None-Match" not in last[0]


def test_pages_of_several_hosts_are_dated(serve: Serve, tmp_path: Path) -> None:
    servers = [serve(), serve("localhost")]
    for one in servers:
        one.answers["/a"] = Answer(b"", headers={"Last-Modified": DATE})
    (tmp_path / "urls.txt").write_text("".join(f"{one.url}/a\n" for one in servers))
    target = tmp_path / "out.csv"
    command = ["convert", str(tmp_path / "urls.txt"), "--lastmod", "http", "--allow-private"]

    assert 0 == run([*command, "-q", "-o", str(target)])
    assert 2 == target.read_text().count("2026-01-05T10:00:00Z")
