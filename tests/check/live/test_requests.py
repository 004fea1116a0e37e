"""Requests of `check --live` to real servers on loopback: which pages, and at what rate."""

import time
from pathlib import Path

import pytest

from sitemapx.check.checker import check
from sitemapx.check.live.settings import Live
from sitemapx.cli.app import run
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.sources.opener import Opener
from tests.check.live.liveness import PAGE, check_live
from tests.servers import Answer, Serve, Server


@pytest.fixture
def listed(server: Server, tmp_path: Path) -> Path:
    paths = ("/a", "/b", "/c")
    server.answers |= dict.fromkeys(paths, PAGE)
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url}{one}\n" for one in paths))
    return path


# ---- requests


def test_no_request_without_live_rules(server: Server, listed: Path) -> None:
    fetcher = Fetcher(allow_private=True)
    check([str(listed)], opener=Opener(fetcher=fetcher))
    check([str(listed)], codes=["bad-loc"], live=Live(fetcher=fetcher))

    assert [] == server.requests


def test_pages_are_fetched_once_and_sitemaps_never(server: Server, tmp_path: Path) -> None:
    server.answers = dict.fromkeys(("/a", "/b"), PAGE)
    start = (
        '<?xml version="1.0"?><{0} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{1}</{0}>'
    )
    loc = f"<loc>{server.url}/{{}}</loc>".format
    child = f"<url>{loc('a')}</url><url>{loc('b')}</url><url>{loc('b')}</url>"
    (tmp_path / "index.xml").write_text(
        start.format("sitemapindex", f"<sitemap>{loc('child.xml')}</sitemap>")
    )
    (tmp_path / "child.xml").write_text(start.format("urlset", child))
    (tmp_path / "list.txt").write_text(f"{server.url}/b\n")
    opener = Opener(url=f"{server.url}/index.xml")
    live = Live(fetcher=Fetcher(allow_private=True))
    check([str(tmp_path / "index.xml"), str(tmp_path / "list.txt")], opener=opener, live=live)

    assert ["/a", "/b", "/robots.txt"] == sorted(set(server.requests))
    assert [1, 1] == [server.requests.count(path) for path in ("/a", "/b")]


def test_sample_is_spread_and_repeatable(server: Server, tmp_path: Path) -> None:
    server.answers = {f"/{n}": PAGE for n in range(100)}
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url}/{n}\n" for n in range(100)))
    result, _ = check_live([path], sample=10)
    asked = sorted(server.requests)
    server.requests.clear()
    check_live([path], sample=10)

    assert asked == sorted(server.requests)
    assert {f"/{n}" for n in range(9, 100, 10)} == {*asked} - {"/robots.txt"}
    assert result.live
    assert (10, 10) == (result.live.pages, result.live.requested)


def test_cookies_are_discarded(server: Server, tmp_path: Path) -> None:
    headers = {"Location": "/a", "Set-Cookie": "seen=1"}
    server.answers["/a"] = [Answer(status=302, headers=headers), PAGE]
    (tmp_path / "list.txt").write_text(f"{server.url}/a\n{server.url}/b\n")
    _, findings = check_live([tmp_path / "list.txt"])

    assert "live-redirect-loop" == findings[0].code
    assert not any("Cookie" in header for header in server.headers)


# ---- politeness


def test_robots_txt_is_obeyed(server: Server, listed: Path) -> None:
    robots = b"User-agent: sitemapx\nDisallow: /b\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n"
    server.answers["/robots.txt"] = Answer(robots)
    server.answers["/c"] = Answer(status=301, headers={"Location": "/x"})
    result, findings = check_live([listed])

    assert ["/a", "/c", "/robots.txt"] == sorted(server.requests)
    assert "/robots.txt" == server.requests[0]
    assert all(header["User-Agent"].startswith("sitemapx/") for header in server.headers)
    why = f"disallowed by {server.url}/robots.txt (first: {server.url}/b, {server.url}/c)"
    assert [
        ("live-redirect", f"301 redirect to {server.url}/x"),
        ("live-disallowed", f"2 pages not fetched: {why}"),
    ] == [(finding.code, finding.message) for finding in findings]
    assert result.live
    assert (3, 1) == (result.live.pages, result.live.requested)


@pytest.mark.parametrize("status", [429, 503])
def test_failing_robots_txt_disallows_all(status: int, server: Server, listed: Path) -> None:
    """A failing robots.txt is requested once, and counts as disallowing all: RFC 9309, 2.3.1.4"""
    server.answers["/robots.txt"] = Answer(status=status)
    _, findings = check_live([listed])

    assert ["/robots.txt"] == server.requests
    names = ", ".join(f"{server.url}/{name}" for name in "abc")
    said = f"3 pages not fetched: {server.url}/robots.txt returns {status} (first: {names})"
    assert [("live-not-fetched", said)] == [(finding.code, finding.message) for finding in findings]


def test_crawl_delay_and_connection_limit_are_obeyed(serve: Serve, tmp_path: Path) -> None:
    slow, hasty = serve(), serve(latency=0.05)
    slow.answers["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 0.2\n")
    paths = [f"/{n}" for n in range(20)]
    hasty.answers = dict.fromkeys(paths, PAGE)
    slow.answers |= dict.fromkeys(paths[:4], PAGE)
    path = tmp_path / "list.txt"
    urls = [*(slow.url + one for one in paths[:4]), *(hasty.url + one for one in paths)]
    path.write_text("\n".join(urls))
    started = time.monotonic()
    _, findings = check_live([path])

    assert [] == findings
    assert time.monotonic() - started >= 3 * 0.2
    assert 1 < hasty.most_at_once <= 4


def test_retry_after_is_obeyed(server: Server, listed: Path) -> None:
    server.answers["/b"] = [Answer(status=503, headers={"Retry-After": "1"}), PAGE]
    started = time.monotonic()
    _, findings = check_live([listed], fetcher=Fetcher(allow_private=True, retries=1))

    assert [] == findings
    assert time.monotonic() - started >= 1


def test_private_addresses_are_rejected(server: Server, listed: Path) -> None:
    _, findings = check_live([listed], fetcher=Fetcher(retries=0))

    assert [] == server.requests
    assert "live-unreachable" == findings[0].code
    assert "allow_private=True" in findings[0].message


@pytest.mark.parametrize("status", [None, 429])
def test_failing_host_is_left_alone(
    status: int | None, server: Server, nobody: str, tmp_path: Path
) -> None:
    server.answers = {f"/{n}": Answer(status=status or 0) for n in range(40)}
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url if status else nobody}/{n}\n" for n in range(40)))
    _, findings = check_live([path])

    assert {"live-refused" if status else "live-unreachable"} == {one.code for one in findings[:-1]}
    assert "live-not-fetched" == findings[-1].code
    assert len(findings) < 10
    assert f"{41 - len(findings)} pages not fetched:" in findings[-1].message


def test_endless_video_is_not_read(server: Server, listed: Path) -> None:
    headers = {"Content-Type": "video/mp4"}
    server.answers["/b"] = Answer(server.drip(b"film"), headers=headers)

    result, findings = check_live([listed])

    assert result.live
    assert (3, ["live-not-a-page"]) == (result.live.requested, [one.code for one in findings])


def test_robots_txt_is_fetched_once(server: Server) -> None:
    pages = "".join(f"<url><loc>{server.url}/{name}</loc></url>" for name in "abc")
    data = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>'
    for robots in (Answer(b"User-agent: *\nDisallow: /b\n"), Answer(status=404)):
        server.requests.clear()
        server.answers["/robots.txt"] = robots
        server.answers["/sitemap.xml"] = Answer(data.encode())
        assert run(["check", f"{server.url}/sitemap.xml", "--live", "--allow-private", "-q"]) == 1
        assert server.requests.count("/robots.txt") == 1
        assert server.requests.count("/sitemap.xml") == 1
