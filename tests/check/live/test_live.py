"""Findings of `check --live` in the responses of a real server on loopback."""

import gzip
from pathlib import Path

import pytest

from tests.check.live.liveness import HTML, PAGE, check_live
from tests.servers import Answer, Server


def _page(head: str = "", **headers: str) -> Answer:
    return Answer(f"<!DOCTYPE html><head>{head}</head>".encode(), headers=HTML | headers)


def _moved(target: str, status: int = 301) -> Answer:
    return Answer(status=status, headers={"Location": target})


CASES: dict[str, tuple[Answer, list[tuple[str, str]]]] = {
    "fine": (_page('<link rel="canonical" href="/page#top">'), []),
    "gone": (Answer(status=410), [("live-client-error", "410 Gone")]),
    "login": (Answer(status=401), [("live-client-error", "401 Unauthorized")]),
    "forbidden": (Answer(status=403), [("live-refused", "403 Forbidden")]),
    "failure": (Answer(status=502), [("live-server-error", "502 Bad Gateway")]),
    "no http": (Answer(b"hello\n", is_raw=True), [("live-unreachable", "response is not HTTP")]),
    "redirect": (_moved("other?x", 308), [("live-redirect", "308 redirect to {site}/other?x")]),
    "redirects": (
        _moved("/moved", 302),
        [
            ("live-redirect", "302 redirect to {site}/moved, then 301 redirect to {site}/other"),
            ("live-redirect-chain", "2 redirects in a row; final URL: {site}/other"),
        ],
    ),
    "redirect to nothing": (
        _moved("/missing"),
        [("live-client-error", "301 redirect to {site}/missing: 404 Not Found")],
    ),
    "redirect to a refusal": (
        _moved("/refused"),
        [("live-redirect", "301 redirect to {site}/refused: 403 Forbidden")],
    ),
    "redirect to itself": (
        _moved("/page"),
        [("live-redirect-loop", "leads back to {site}/page")],
    ),
    "endless": (_moved("/endless?1"), [("live-redirect-loop", "more than 10 redirects")]),
    "redirect to what is no URL": (
        _moved("mailto:a@e.example"),
        [("live-unreachable", "301 redirect to mailto:a@e.example: URL cannot be fetched")],
    ),
    "refresh": (
        _page("<meta http-equiv=refresh content='0; URL=\"other\"'>"),
        [("live-redirect", '<meta http-equiv="refresh"> redirect to {site}/other')],
    ),
    "refresh of itself": (_page('<meta http-equiv="refresh" content="0; url=">'), []),
    "noindex": (
        _page('<meta name="Robots" content="none">', **{"X-Robots-Tag": "noarchive, NOINDEX"}),
        [
            (
                "live-noindex",
                "noindex in X-Robots-Tag for all crawlers; noindex in <meta> for all crawlers",
            )
        ],
    ),
    "noindex for one": (
        _page(**{"X-Robots-Tag": "max-snippet: 3, googlebot: noindex"}),
        [("live-noindex", "noindex in X-Robots-Tag for googlebot")],
    ),
    "noindex for another": (_page(**{"X-Robots-Tag": "otherbot: noindex, nofollow"}), []),
    "expired": (
        _page('<meta name="robots" content="noarchive, unavailable_after: Thu, 25 Aug 2011">'),
        [("live-noindex", "unavailable_after: Thu, 25 Aug 2011 (past) in <meta> for all crawlers")],
    ),
    "expired for one": (
        _page(
            **{"X-Robots-Tag": "a: noindex, bingbot: unavailable_after: Wed, 3 Dec 2014, nocache"}
        ),
        [
            (
                "live-noindex",
                "unavailable_after: Wed, 3 Dec 2014 (past) in X-Robots-Tag for bingbot",
            )
        ],
    ),
    "not expired, or without a date": (
        _page(
            '<meta name="robots" content="unavailable_after: 2999-01-01">',
            **{"X-Robots-Tag": "unavailable_after: never"},
        ),
        [],
    ),
    "canonical": (
        _page('<base href="/x/"><link rel="Canonical" href="other">'),
        [("live-canonical", "canonical URL in <link> is {site}/x/other")],
    ),
    "canonical in a header": (
        _page(Link="</style.css>; rel=preload, <other>; rel=canonical"),
        [("live-canonical", "canonical URL in Link header is {site}/other")],
    ),
    "canonical of another page": (_page(Link='<other>; rel="canonical"; anchor="/x"'), []),
    "canonical that is none": (_page('<link rel="canonical" href="http://">'), []),
    "archive": (
        Answer(b"PK\3\4", headers={"Content-Type": "application/zip"}),
        [("live-content-type", "Content-Type application/zip is not indexed")],
    ),
    "picture": (
        Answer(b"GIF89a", headers={"Content-Type": "image/gif"}),
        [("live-not-a-page", "1 page of type image/gif (first: {site}/page)")],
    ),
    "document": (
        Answer(b"%PDF-1.7", headers={"Content-Type": "application/pdf; charset=binary"}),
        [("live-not-a-page", "1 page of type application/pdf (first: {site}/page)")],
    ),
    "title of an error page": (
        _page("<title>404 | Seite nicht gefunden</title>"),
        [
            (
                "live-soft-404",
                "page says in its title that it was not found: '404 | Seite nicht gefunden'",
            )
        ],
    ),
    "heading of an error page": (
        _page("<title>Shop</title></head><h1>Sorry, <b>page not found</b>!</h1>"),
        [
            (
                "live-soft-404",
                "page says in its heading that it was not found: 'Sorry, page not found!'",
            )
        ],
    ),
    "empty page": (
        Answer(b"", headers=HTML),
        [("live-soft-404", "page is empty")],
    ),
    "no content": (
        Answer(b"", status=204, headers={"Content-Type": "text/html"}),
        [("live-soft-404", "page is empty")],
    ),
    "title of a film": (
        _page("<title>Not Found | Jane's films</title></head><h1>Not Found, a film by Jane</h1>"),
        [],
    ),
    "page about lost pages": (
        _page("<title>Lost: page not found in Tolstoy</title></head><h2>Page not found</h2>"),
        [],
    ),
    "missing page with its status": (
        Answer(b"<title>Page not found</title>", status=404, headers=HTML),
        [("live-client-error", "404 Not Found")],
    ),
    "no type": (Answer(b"hello"), [("live-content-type", "response has no Content-Type")]),
    "text that is a page": (
        Answer(b"\xef\xbb\xbf\n<HTML>", headers={"Content-Type": "text/plain"}),
        [("live-content-type", "Content-Type is text/plain, the content a web page")],
    ),
    "page that is none": (
        Answer(b"%PDF-1.7", headers=HTML),
        [("live-content-type", "Content-Type is text/html, the content a PDF file")],
    ),
    "packed": (
        Answer(
            gzip.compress(b'<meta name="robots" content="noindex">'),
            headers=HTML | {"Content-Encoding": "gzip"},
        ),
        [("live-noindex", "noindex in <meta> for all crawlers")],
    ),
    "packed otherwise": (Answer(b"?", headers=HTML | {"Content-Encoding": "br"}), []),
    "packed and damaged": (Answer(b"?", headers=HTML | {"Content-Encoding": "gzip"}), []),
    "larger than is read": (Answer([b"<html>" + bytes(1 << 20)] * 99, headers=HTML), []),
}


@pytest.mark.parametrize("name", CASES)
def test_response_yields_its_findings(name: str, server: Server, tmp_path: Path) -> None:
    answer, expected = CASES[name]
    server.answers = {
        "/page": answer,
        "/other": PAGE,
        "/other?x": PAGE,
        "/moved": _moved("/other"),
        "/refused": Answer(status=403),
        **{f"/endless?{n}": _moved(f"/endless?{n + 1}") for n in range(20)},
    }
    path = tmp_path / "list.txt"
    path.write_text(f"\n  {server.url}/page\n")
    _, findings = check_live([path])

    assert [(code, said.replace("{site}", server.url)) for code, said in expected] == [
        (finding.code, finding.message) for finding in findings
    ]
    assert {(str(path), 2, 3, f"{server.url}/page")} >= {
        (one.source, one.line, one.column, one.loc or f"{server.url}/page") for one in findings
    }


@pytest.mark.parametrize(
    ("agent", "count"), [("*", 0), ("YandexBot", 1), ("yandex", 1), ("Googlebot", 0)]
)
def test_noindex_applies_to_the_named_crawler(
    agent: str, count: int, server: Server, tmp_path: Path
) -> None:
    server.answers["/page"] = _page('<meta name="yandex" content="noindex">')
    (tmp_path / "list.txt").write_text(f"{server.url}/page\n")
    _, findings = check_live([tmp_path / "list.txt"], agent)

    assert count == len(findings)


def test_noindex_that_robots_txt_hides_is_reported(server: Server, tmp_path: Path) -> None:
    robots = b"User-agent: sitemapx\nAllow: /\n\nUser-agent: *\nDisallow: /p\n"
    server.answers = {
        "/robots.txt": Answer(robots),
        "/page": _page('<meta name="robots" content="noindex">'),
        "/other": _page('<meta name="robots" content="noindex">'),
    }
    (tmp_path / "list.txt").write_text("".join(f"{server.url}/{p}\n" for p in ("page", "other")))
    _, findings = check_live([tmp_path / "list.txt"])
    blocked = "noindex cannot be seen: disallowed for * by line 5, `Disallow: /p`"

    assert [
        ("live-noindex", "/page"),
        ("live-noindex-blocked", "/page"),
        ("live-noindex", "/other"),
    ] == [(one.code, str(one.loc).removeprefix(server.url)) for one in findings]
    assert blocked == findings[1].message


def test_missing_canonical_urls_are_one_finding(server: Server, tmp_path: Path) -> None:
    server.answers = {
        **dict.fromkeys(("/a", "/b", "/c", "/d"), PAGE),
        "/own": _page('<link rel="canonical" href="/own">'),
        "/header": _page(Link='</header>; rel="canonical"'),
        "/hidden": _page('<meta name="robots" content="noindex">'),
        "/refresh": _page('<meta http-equiv="refresh" content="0; url=/own">'),
        "/moved": _moved("/a"),
        "/text": Answer(b"text", headers={"Content-Type": "text/plain"}),
    }
    names = [name for name in server.answers if name != "/d"] + ["/d"]
    (tmp_path / "list.txt").write_text("".join(f"{server.url}{name}\n" for name in names))
    _, findings = check_live([tmp_path / "list.txt"], without=())
    (found,) = (one for one in findings if one.code == "live-canonical-missing")
    first = ", ".join(f"{server.url}/{name}" for name in "abc")

    assert f"4 pages without a canonical URL (first: {first})" == found.message
    assert ("note", 1) == (found.severity, found.line)


@pytest.mark.parametrize(
    ("in_page", "message"),
    [
        ({}, ""),
        ({"de": "/de", "en": "/page", "x-default": "/page"}, ""),
        ({"DE": "/x/../de"}, ""),
        ({"de": "/deutsch"}, "de is {site}/deutsch in the page but {site}/de in the sitemap"),
        ({"en": "/page"}, "de only in the sitemap"),
        ({"de": "/de", "fr-FR": "/fr"}, "fr-fr only in the page"),
    ],
)
def test_hreflang_of_page_is_compared(
    in_page: dict[str, str], message: str, server: Server, tmp_path: Path
) -> None:
    link = '<link rel="alternate" hreflang="{}" href="{}">'
    server.answers["/page"] = _page("".join(link.format(*version) for version in in_page.items()))
    link = f'<xhtml:link rel="alternate" hreflang="%s" href="{server.url}/%s"/>'
    (tmp_path / "sitemap.xml").write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        f'xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>{server.url}/page</loc>'
        f"{link % ('de', 'de')}{link % ('en', 'page')}</url></urlset>"
    )
    _, findings = check_live([tmp_path / "sitemap.xml"])
    expected = f"hreflang differs: {message.replace('{site}', server.url)}"

    assert ([("live-hreflang", expected)] if message else []) == [
        (one.code, one.message) for one in findings
    ]
