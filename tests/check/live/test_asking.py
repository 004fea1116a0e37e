"""How `check --live` asks: for what, and how politely, of real servers on loopback."""

import time
from pathlib import Path

import pytest

from sitemapx.check.checker import check
from sitemapx.check.live.settings import Live
from sitemapx.cli.app import run
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.sources.opener import Opener
from tests.check.live.liveness import PAGE, checked
from tests.servers import Answer, Serve, Server


@pytest.fixture
def listed(server: Server, tmp_path: Path) -> Path:
    """Give a list of three pages that are all right."""
    paths = ("/a", "/b", "/c")
    server.answers |= dict.fromkeys(paths, PAGE)
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url}{one}\n" for one in paths))
    return path


# ---- what is asked for


def test_nobody_is_asked_without_need(server: Server, listed: Path) -> None:
    """Without `live`, or if nobody wants to know, no server is asked."""
    fetcher = Fetcher(allow_private=True)
    check([str(listed)], opener=Opener(fetcher=fetcher))
    check([str(listed)], codes=["bad-loc"], live=Live(fetcher=fetcher))

    assert [] == server.requests


def test_pages_once_and_no_sitemaps(server: Server, tmp_path: Path) -> None:
    """Pages are asked for once, in whatever files they are; what an index lists is none."""
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


def test_sample_is_spread_and_the_same(server: Server, tmp_path: Path) -> None:
    """A sample is of pages from all parts of the set, and always of the same ones."""
    server.answers = {f"/{n}": PAGE for n in range(100)}
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url}/{n}\n" for n in range(100)))
    result, _ = checked([path], sample=10)
    asked = sorted(server.requests)
    server.requests.clear()
    checked([path], sample=10)

    assert asked == sorted(server.requests)
    assert {f"/{n}" for n in range(9, 100, 10)} == {*asked} - {"/robots.txt"}
    assert result.live
    assert (10, 10) == (result.live.pages, result.live.asked)


def test_no_cookie_is_kept(server: Server, tmp_path: Path) -> None:
    """A page that shows itself only to who brings its cookie is none to a crawler."""
    headers = {"Location": "/a", "Set-Cookie": "seen=1"}
    server.answers["/a"] = [Answer(status=302, headers=headers), PAGE]
    (tmp_path / "list.txt").write_text(f"{server.url}/a\n{server.url}/b\n")
    _, found = checked([tmp_path / "list.txt"])

    assert "live-redirect-loop" == found[0].code
    assert not any("Cookie" in one for one in server.headers)


# ---- politeness


def test_robots_txt_is_obeyed(server: Server, listed: Path) -> None:
    """What robots.txt disallows is not asked for, not even at the end of a redirect."""
    robots = b"User-agent: sitemapx\nDisallow: /b\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n"
    server.answers["/robots.txt"] = Answer(robots)
    server.answers["/c"] = Answer(status=301, headers={"Location": "/x"})
    result, found = checked([listed])

    assert ["/a", "/c", "/robots.txt"] == sorted(server.requests)
    assert "/robots.txt" == server.requests[0]
    assert all(one["User-Agent"].startswith("sitemapx/") for one in server.headers)
    why = f"disallowed by {server.url}/robots.txt (first: {server.url}/b)"
    assert [
        ("live-redirect", f"301 redirect to {server.url}/x"),
        ("live-disallowed", f"2 pages not fetched: {why}"),
    ] == [(one.code, one.message) for one in found]
    assert result.live
    assert (3, 1) == (result.live.pages, result.live.asked)


@pytest.mark.parametrize("status", [429, 503])
def test_robots_txt_that_fails_forbids_all(status: int, server: Server, listed: Path) -> None:
    """Who fails to say what is allowed allows nothing, and is asked once: RFC 9309, 2.3.1.4."""
    server.answers["/robots.txt"] = Answer(status=status)
    _, found = checked([listed])

    assert ["/robots.txt"] == server.requests
    said = f"3 pages not fetched: {server.url}/robots.txt returns {status} (first: {server.url}/a)"
    assert [("live-unasked", said)] == [(one.code, one.message) for one in found]


def test_crawl_delay_and_connections(serve: Serve, tmp_path: Path) -> None:
    """A host waits between requests as long as it wants, and never has more than four."""
    slow, hasty = serve(), serve(latency=0.05)
    slow.answers["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 0.2\n")
    paths = [f"/{n}" for n in range(20)]
    hasty.answers = dict.fromkeys(paths, PAGE)
    slow.answers |= dict.fromkeys(paths[:4], PAGE)
    path = tmp_path / "list.txt"
    urls = [*(slow.url + one for one in paths[:4]), *(hasty.url + one for one in paths)]
    path.write_text("\n".join(urls))
    started = time.monotonic()
    _, found = checked([path])

    assert [] == found
    assert time.monotonic() - started >= 3 * 0.2
    assert 1 < hasty.most_at_once <= 4


def test_retry_after(server: Server, listed: Path) -> None:
    """Who asks to wait is asked again only then."""
    server.answers["/b"] = [Answer(status=503, headers={"Retry-After": "1"}), PAGE]
    started = time.monotonic()
    _, found = checked([listed], fetcher=Fetcher(allow_private=True, retries=1))

    assert [] == found
    assert time.monotonic() - started >= 1


def test_private_addresses(server: Server, listed: Path) -> None:
    """Private addresses are refused, as for all that is fetched."""
    _, found = checked([listed], fetcher=Fetcher(retries=0))

    assert [] == server.requests
    assert "live-unreachable" == found[0].code
    assert "`allow_private`" in found[0].message


@pytest.mark.parametrize("status", [None, 429])
def test_host_that_has_enough(
    status: int | None, server: Server, nobody: str, tmp_path: Path
) -> None:
    """A host that answers no more, or says that this is too much, is left alone."""
    server.answers = {f"/{n}": Answer(status=status or 0) for n in range(40)}
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url if status else nobody}/{n}\n" for n in range(40)))
    _, found = checked([path])

    assert {"live-refused" if status else "live-unreachable"} == {one.code for one in found[:-1]}
    assert "live-unasked" == found[-1].code
    assert len(found) < 10
    assert f"{41 - len(found)} pages not fetched:" in found[-1].message


def test_what_is_large_is_not_read(server: Server, listed: Path) -> None:
    """Of a film nothing is read, so one that never ends harms nobody."""
    headers = {"Content-Type": "video/mp4"}
    server.answers["/b"] = Answer(server.drip(b"film"), headers=headers)

    result, found = checked([listed])

    assert result.live
    assert (3, []) == (result.live.asked, found)


def test_robots_txt_is_fetched_once(server: Server) -> None:
    """Reading, the rules, and asking for the pages share one robots.txt, or the lack of one."""
    pages = "".join(f"<url><loc>{server.url}/{name}</loc></url>" for name in "abc")
    data = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>'
    for robots in (Answer(b"User-agent: *\nDisallow: /b\n"), Answer(status=404)):
        server.requests.clear()
        server.answers["/robots.txt"] = robots
        server.answers["/sitemap.xml"] = Answer(data.encode())
        assert run(["check", f"{server.url}/sitemap.xml", "--live", "--allow-private", "-q"]) == 1
        assert server.requests.count("/robots.txt") == 1
        assert server.requests.count("/sitemap.xml") == 1
