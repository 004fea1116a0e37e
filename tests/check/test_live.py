"""What `check --live` finds in answers, and how it asks for them: of a real server on loopback."""

import gzip
import time
from pathlib import Path
from typing import Any

import pytest

from sitemapx.convert.checking import Checked, check
from sitemapx.convert.fetching import Fetcher
from sitemapx.convert.findings import Finding
from sitemapx.convert.live.settings import Live
from sitemapx.convert.opening import Opener
from sitemapx.convert.rules.robotstxt import RobotsTexts
from sitemapx.convert.rules.table import RULES
from tests.servers import Answer, Serve, Server

LIVE = [code for code, rule in RULES.items() if rule.live]
HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = Answer(b"<!DOCTYPE html><title>A page</title>", headers=HTML)


def _page(head: str = "", **headers: str) -> Answer:
    return Answer(f"<!DOCTYPE html><head>{head}</head>".encode(), headers=HTML | headers)


def _moved(target: str, status: int = 301) -> Answer:
    return Answer(status=status, headers={"Location": target})


def _checked(
    sources: list[Path], agent: str = "*", fetcher: Fetcher | None = None, **how: Any
) -> tuple[Checked, list[Finding]]:
    """Check what servers answer; how patiently, the fetcher says."""
    fetcher = fetcher or Fetcher(allow_private=True, retries=0)
    found: list[Finding] = []
    with fetcher:
        checked = check(
            map(str, sources),
            codes=LIVE,
            robots=RobotsTexts(agents=[agent]),
            live=Live(fetcher=fetcher, **how),
            report=found.append,
        )
    return checked, found


@pytest.fixture
def listed(server: Server, tmp_path: Path) -> Path:
    """Give a list of three pages that are all right."""
    paths = ("/a", "/b", "/c")
    server.answers |= dict.fromkeys(paths, PAGE)
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url}{one}\n" for one in paths))
    return path


CASES: dict[str, tuple[Answer, list[tuple[str, str]]]] = {
    "fine": (_page('<link rel="canonical" href="/page#top">'), []),
    "gone": (Answer(status=410), [("live-client-error", "410 Gone")]),
    "login": (Answer(status=401), [("live-client-error", "401 Unauthorized")]),
    "forbidden": (Answer(status=403), [("live-refused", "403 Forbidden")]),
    "failure": (Answer(status=502), [("live-server-error", "502 Bad Gateway")]),
    "no http": (Answer(b"hello\n", is_raw=True), [("live-unreachable", "its answer is not HTTP")]),
    "redirect": (_moved("other?x", 308), [("live-redirect", "308 to {site}/other?x")]),
    "redirects": (
        _moved("/moved", 302),
        [("live-redirect", "302 to {site}/moved, then 301 to {site}/other")],
    ),
    "redirect to nothing": (
        _moved("/missing"),
        [("live-redirect", "301 to {site}/missing"), ("live-client-error", "404 Not Found")],
    ),
    "redirect to itself": (
        _moved("/page"),
        [("live-redirect-loop", "leads back to {site}/page")],
    ),
    "endless": (_moved("/endless?1"), [("live-redirect-loop", "more than 10 redirects")]),
    "redirect to what is no URL": (
        _moved("mailto:a@e.example"),
        [
            ("live-redirect-away", "301 to mailto:a@e.example"),
            ("live-unreachable", "not a URL that can be fetched"),
        ],
    ),
    "refresh": (
        _page("<meta http-equiv=refresh content='0; URL=\"other\"'>"),
        [("live-redirect", '<meta http-equiv="refresh"> to {site}/other')],
    ),
    "refresh of itself": (_page('<meta http-equiv="refresh" content="0; url=">'), []),
    "noindex": (
        _page('<meta name="Robots" content="none">', **{"X-Robots-Tag": "noarchive, NOINDEX"}),
        [("live-noindex", "X-Robots-Tag, for all crawlers; <meta>, for all crawlers")],
    ),
    "noindex for one": (
        _page(**{"X-Robots-Tag": "max-snippet: 3, googlebot: noindex"}),
        [("live-noindex", "X-Robots-Tag, for googlebot")],
    ),
    "noindex for another": (_page(**{"X-Robots-Tag": "otherbot: noindex, nofollow"}), []),
    "canonical": (
        _page('<base href="/x/"><link rel="Canonical" href="other">'),
        [("live-canonical", "<link>: {site}/x/other")],
    ),
    "canonical in a header": (
        _page(Link="</style.css>; rel=preload, <other>; rel=canonical"),
        [("live-canonical", "Link: {site}/other")],
    ),
    "canonical of another page": (_page(Link='<other>; rel="canonical"; anchor="/x"'), []),
    "canonical that is none": (_page('<link rel="canonical" href="http://">'), []),
    "archive": (
        Answer(b"PK\3\4", headers={"Content-Type": "application/zip"}),
        [("live-content-type", "application/zip, which is not indexed")],
    ),
    "picture": (Answer(b"GIF89a", headers={"Content-Type": "image/gif"}), []),
    "no type": (Answer(b"hello"), [("live-content-type", "no Content-Type")]),
    "text that is a page": (
        Answer(b"\xef\xbb\xbf\n<HTML>", headers={"Content-Type": "text/plain"}),
        [("live-content-type", "text/plain, but it is a web page")],
    ),
    "page that is none": (
        Answer(b"%PDF-1.7", headers=HTML),
        [("live-content-type", "text/html, but it is a PDF file")],
    ),
    "packed": (
        Answer(
            gzip.compress(b'<meta name="robots" content="noindex">'),
            headers=HTML | {"Content-Encoding": "gzip"},
        ),
        [("live-noindex", "<meta>, for all crawlers")],
    ),
    "packed otherwise": (Answer(b"?", headers=HTML | {"Content-Encoding": "br"}), []),
    "packed and damaged": (Answer(b"?", headers=HTML | {"Content-Encoding": "gzip"}), []),
    "larger than is read": (Answer([b"<html>" + bytes(1 << 20)] * 99, headers=HTML), []),
}


@pytest.mark.parametrize("name", CASES)
def test_answer(name: str, server: Server, tmp_path: Path) -> None:
    """Each answer yields its findings, at the place where the page is listed."""
    answer, expected = CASES[name]
    server.answers = {
        "/page": answer,
        "/other": PAGE,
        "/other?x": PAGE,
        "/moved": _moved("/other"),
        **{f"/endless?{n}": _moved(f"/endless?{n + 1}") for n in range(20)},
    }
    path = tmp_path / "list.txt"
    path.write_text(f"\n  {server.url}/page\n")
    _, found = _checked([path])

    assert [(code, said.replace("{site}", server.url)) for code, said in expected] == [
        (one.code, one.message) for one in found
    ]
    assert {(str(path), 2, 3, f"{server.url}/page")} >= {
        (one.source, one.line, one.column, one.loc) for one in found
    }


@pytest.mark.parametrize(
    ("agent", "count"), [("*", 0), ("YandexBot", 1), ("yandex", 1), ("Googlebot", 0)]
)
def test_noindex_is_for_whom_it_names(agent: str, count: int, server: Server, listed: Path) -> None:
    """A crawler that --agent names is the one that counts."""
    server.answers["/b"] = _page('<meta name="yandex" content="noindex">')

    assert count == len(_checked([listed], agent)[1])


def test_what_is_large_is_not_read(server: Server, listed: Path) -> None:
    """Of a film nothing is read, so one that never ends harms nobody."""
    headers = {"Content-Type": "video/mp4"}
    server.answers["/b"] = Answer(server.drip(b"film"), headers=headers)

    assert (3, []) == ((result := _checked([listed]))[0].asked.asked, result[1])  # type: ignore[union-attr]


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
    samples = []
    for _ in range(2):
        server.requests.clear()
        checked, _ = _checked([path], sample=10)
        samples.append(sorted(int(one[1:]) for one in server.requests if one[1:].isdecimal()))

    assert samples[0] == samples[1] == list(range(9, 100, 10))
    assert checked.asked
    assert (10, 10) == (checked.asked.pages, checked.asked.asked)


# ---- politeness


def test_robots_txt_is_obeyed(server: Server, listed: Path) -> None:
    """What robots.txt disallows is not asked for, not even at the end of a redirect."""
    robots = b"User-agent: sitemapx\nDisallow: /b\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n"
    server.answers["/robots.txt"] = Answer(robots)
    server.answers["/c"] = _moved("/x")
    checked, found = _checked([listed])

    assert ["/a", "/c", "/robots.txt"] == sorted(server.requests)
    assert "/robots.txt" == server.requests[0]
    assert all(one["User-Agent"].startswith("sitemapx/") for one in server.headers)
    why = f"disallowed by {server.url}/robots.txt; the first: {server.url}/b"
    assert [
        ("live-redirect", f"301 to {server.url}/x"),
        ("live-disallowed", f"2 pages: {why}"),
    ] == [(one.code, one.message) for one in found]
    assert checked.asked
    assert (3, 1) == (checked.asked.pages, checked.asked.asked)


def test_robots_txt_that_fails_forbids_all(server: Server, listed: Path) -> None:
    """Who fails to say what is allowed allows nothing, and is asked once: RFC 9309, 2.3.1.4."""
    server.answers["/robots.txt"] = Answer(status=503)
    _, found = _checked([listed])

    assert ["/robots.txt"] == server.requests
    said = f"3 pages: {server.url}/robots.txt answers 503; the first: {server.url}/a"
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
    _, found = _checked([path])

    assert [] == found
    assert time.monotonic() - started >= 3 * 0.2
    assert 1 < hasty.most_at_once <= 4


def test_retry_after(server: Server, listed: Path) -> None:
    """Who asks to wait is asked again only then."""
    server.answers["/b"] = [Answer(status=503, headers={"Retry-After": "1"}), PAGE]
    started = time.monotonic()
    _, found = _checked([listed], fetcher=Fetcher(allow_private=True, retries=1))

    assert [] == found
    assert time.monotonic() - started >= 1


def test_private_addresses(server: Server, listed: Path) -> None:
    """Private addresses are refused, as for all that is fetched."""
    _, found = _checked([listed], fetcher=Fetcher(retries=0))

    assert [] == server.requests
    assert "live-unreachable" == found[0].code
    assert "--allow-private" in found[0].message


@pytest.mark.parametrize("status", [None, 429])
def test_host_that_has_enough(
    status: int | None, server: Server, nobody: str, tmp_path: Path
) -> None:
    """A host that answers no more, or says that this is too much, is left alone."""
    server.answers = {f"/{n}": Answer(status=status or 0) for n in range(40)}
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{server.url if status else nobody}/{n}\n" for n in range(40)))
    _, found = _checked([path])

    assert {"live-refused" if status else "live-unreachable"} == {one.code for one in found[:-1]}
    assert "live-unasked" == found[-1].code
    assert len(found) < 10
    assert f"{41 - len(found)} pages: not asked for, since" in found[-1].message
