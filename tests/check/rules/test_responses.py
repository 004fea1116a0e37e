"""Rules for the responses of servers, on loopback."""

import gzip

import pytest

from sitemapx.check import RobotsTexts, check
from sitemapx.convert import Opener
from sitemapx.convert.http.fetcher import Fetcher
from tests.convert.documents import SITEMAP
from tests.servers import Answer, Server

_TYPE, _ENCODING = "sitemap-content-type", "sitemap-content-encoding"
_ALL = (_TYPE, _ENCODING, "sitemap-charset", "sitemap-redirect", "sitemap-disallowed")
_XML = f'<urlset xmlns="{SITEMAP}"><url><loc>https://e.example/a</loc></url></urlset>'.encode()
_NAMED = _XML.replace(b"<url>", b"<!-- Zo\xc3\xab --><url>")
_LIST = b"https://e.example/a\n"
_PACKED = gzip.compress(_XML)


def _found(server: Server, path: str) -> list[tuple[str, str]]:
    fetcher, codes = Fetcher(allow_private=True, retries=0), (*_ALL, "not-in-robots")
    opener, robots = Opener(fetcher=fetcher), RobotsTexts(fetcher=fetcher)
    result = check([f"{server.url}{path}"], opener=opener, robots=robots, codes=codes)
    return [(one.code, one.message.replace(server.url, "URL")) for one in result.findings]


@pytest.mark.parametrize(
    ("body", "media_type", "encoding", "codes"),
    [
        (_XML, "application/xml", "", []),
        (_XML, 'Text/XML; charset="UTF-8"', "", []),
        (_XML, "application/rss+xml", "", []),
        (_XML, "text/plain", "", []),
        (_XML, "application/octet-stream", "identity", []),
        (_XML, "", "", []),
        (_PACKED, "application/x-gzip", "", []),
        (_PACKED, "application/octet-stream", "", []),
        (_PACKED, "application/xml", "gzip", []),
        (_PACKED, "application/x-gzip", "x-gzip", []),
        (_LIST, "text/plain; charset=utf-8", "", []),
        (_LIST, "application/octet-stream", "", []),
        (_XML, "text/html; charset=utf-8", "", [_TYPE]),
        (_XML, "application/json", "", [_TYPE]),
        (_PACKED, "image/x-icon", "", [_TYPE]),
        (_LIST, "text/html", "", [_TYPE]),
        (_LIST, "application/xml", "", [_TYPE]),
        (_XML, "application/xml", "gzip", [_ENCODING]),
        (_PACKED, "application/xml", "gzip, gzip", [_ENCODING]),
        (_NAMED, "text/xml; charset=ISO-8859-1", "", ["sitemap-charset"]),
        (_NAMED, "text/xml; charset=utf8", "", []),
        (_NAMED, "text/xml; charset=unknown", "", []),
        (b"\xef\xbb\xbf" + _NAMED, "text/xml; charset=ISO-8859-1", "", []),
        (_XML, "text/xml; charset=ISO-8859-1", "", []),
    ],
)
def test_headers(
    body: bytes, media_type: str, encoding: str, codes: list[str], server: Server
) -> None:
    headers = {"Content-Type": media_type, "Content-Encoding": encoding}
    server.answers["/a"] = Answer(body, headers={k: v for k, v in headers.items() if v})

    assert codes == [code for code, _ in _found(server, "/a")]


def test_noindex_concerns_only_the_sitemap_itself(server: Server) -> None:
    server.answers["/a"] = Answer(_XML, headers={"X-Robots-Tag": "noindex, follow"})

    assert [] == _found(server, "/a")


def test_redirect_is_compared_with_robots_txt(server: Server) -> None:
    robots = f"User-agent: *\nDisallow: /b\n\nSitemap: {server.url}/a\n"
    server.answers["/robots.txt"] = Answer(robots.encode())
    server.answers["/new"] = Answer(_XML)
    for path in ("/a", "/b"):
        server.answers[path] = Answer(status=301, headers={"Location": "/new"})

    to = "redirects to URL/new"
    assert [("sitemap-redirect", f"{to}; robots.txt lists URL/a")] == _found(server, "/a")
    assert [
        (
            "sitemap-disallowed",
            "URL/b, which redirects, is disallowed for * by line 2, `Disallow: /b`",
        ),
        ("not-in-robots", "URL/new is not referenced in robots.txt"),
        ("sitemap-redirect", to),
    ] == _found(server, "/b")


def test_cached_body_is_not_compared_with_headers(server: Server, tmp_path: object) -> None:
    headers = {"Content-Type": "text/html"}
    server.answers["/a"] = Answer(_XML, headers=headers, etag='"1"')
    for codes in ([_TYPE], []):
        fetcher = Fetcher(allow_private=True, retries=0, cache=str(tmp_path))
        result = check([f"{server.url}/a"], opener=Opener(fetcher=fetcher), codes=_ALL)
        assert codes == [one.code for one in result.findings]
