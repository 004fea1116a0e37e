"""Listed sitemaps of an index, pages of a feed, and sitemaps of a site are followed."""

import gc
import ntpath
import os
import tracemalloc
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sitemapx.convert import (
    Batch,
    Context,
    Document,
    Entry,
    Fetcher,
    Opener,
    Problem,
    Readable,
    UrlMap,
    convert,
    read_site,
    target_of,
)
from sitemapx.convert.http import ssrf
from sitemapx.convert.sources.discovery import site_of
from sitemapx.errors import InputError
from tests.convert.documents import SITEMAP
from tests.effort import slow
from tests.servers import Answer, Serve, Server


def index(*urls: str) -> bytes:
    listed = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="{SITEMAP}">{listed}</sitemapindex>'.encode()


def urlset(*names: str) -> bytes:
    urls = "".join(f"<url><loc>https://e.example/{name}</loc></url>" for name in names)
    return f'<urlset xmlns="{SITEMAP}">{urls}</urlset>'.encode()


def format_feed(name: str, link: str = "") -> bytes:
    links = f'<link rel="next" href="{link}"/>' if link else ""
    entry = f'<entry><id>{name}</id><link href="https://e.example/{name}"/></entry>'
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title>T{name}</title>{links}{entry}</feed>'
    ).encode()


class FollowResult(NamedTuple):
    """URLs of entries, as paths, and problems as (code, message, loc)."""

    names: list[str]
    problems: list[tuple[str, str, str | None]]


def follow(source: Any, *, said: list[str] | None = None, **settings: Any) -> FollowResult:
    """Read a source and everything that it links to; append the fetcher's messages to `said`."""
    problems: list[Problem] = []
    kinds = {name: settings.pop(name) for name in ("max_total", "retries") if name in settings}
    say = (said if said is not None else []).append
    with Fetcher(allow_private=True, backoff=0.001, say=say, **kinds) as fetcher:
        settings.setdefault("fetcher", fetcher)
        opener = Opener(**settings)
        inputs = opener.open([source], problems.append)
        batches = chain.from_iterable(source.batches for source in inputs)
        locs = [loc for batch in batches for loc in batch.locs()]
    names = [loc.removeprefix("https://e.example/") for loc in locs]
    return FollowResult(
        names, [(problem.code, problem.message, problem.loc) for problem in problems]
    )


def set_answers(server: Server, bodies: dict[str, bytes]) -> None:
    """Set the responses of a server by path; `URL` in a body stands for the server's URL."""
    for path, body in bodies.items():
        server.answers[path] = Answer(body.replace(b"URL", server.url.encode()))


def test_children_are_fetched_at_once_and_read_in_order(serve: Serve) -> None:
    server = serve(latency=0.02)
    paths = [f"/{number}.xml" for number in range(40)]
    set_answers(server, {"/index.xml": index(*(f"URL{path}" for path in paths))})
    set_answers(server, {path: urlset(path[1:]) for path in paths})
    result = follow(f"{server.url}/index.xml")

    assert FollowResult([path[1:] for path in paths], []) == result
    assert 4 == server.most_at_once


def test_failed_child_is_reported(server: Server) -> None:
    names = ("a", "missing", "cut", "html", "broken", "b")
    set_answers(server, {"/index": index(*(f"URL/{name}" for name in names))})
    set_answers(server, {"/a": urlset("a"), "/b": urlset("b"), "/html": b"<!doctype html><p>"})
    server.answers["/cut"] = Answer(urlset("c"), headers={"Content-Length": "1000"})
    server.answers["/broken"] = Answer(urlset("d")[:-5])
    result = follow(f"{server.url}/index", retries=0)

    assert ["a", "d", "b"] == result.names
    assert [
        ("listed-sitemap-failed", "404 Not Found", f"{server.url}/missing"),
        ("listed-sitemap-failed", "response was cut off", f"{server.url}/cut"),
        ("listed-sitemap-failed", "HTML page instead of a sitemap", f"{server.url}/html"),
        ("truncated", "file ends before </urlset>", None),
    ] == result.problems


def test_sitemap_is_read_once(server: Server) -> None:
    host = server.url.replace("http://127.0.0.1", "HTTP://127.0.0.1")
    others = ("URL/index", "URL/back", "URL/nested", "URL/here", "URL/there")
    set_answers(server, {"/index": index("URL/a", f"{host}/x/../a#b", *others)})
    set_answers(server, {"/nested": index("URL/index", "URL/a", "URL/b"), "/c": urlset("c")})
    set_answers(server, {"/a": urlset("a"), "/b": urlset("b")})
    server.answers["/back"] = Answer(status=301, headers={"Location": "/index"})
    server.answers["/here"] = server.answers["/there"] = Answer(
        status=301, headers={"Location": "/c"}
    )
    result = follow(f"{server.url}/index")

    assert ["a", "b", "c"] == result.names
    assert ["duplicate-sitemap"] * 6 == [code for code, *_ in result.problems]
    assert f"redirects to {server.url}/index, which has already been read" == result.problems[2][1]
    assert f"redirects to {server.url}/c, which has already been read" == result.problems[5][1]


def test_child_that_fails_midway_stops_no_other(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_half(stream: Readable, context: Context) -> Document:
        def batches() -> Iterator[Batch]:
            yield Batch([Entry(loc=stream.read().decode().strip())])
            raise InputError("no more", line=2)

        return Document(batches())

    monkeypatch.setattr("sitemapx.convert.formats.text.reader.read_text", read_half)
    set_answers(server, {"/index": index("URL/a", "URL/b"), "/a": b"https://e.example/a"})
    set_answers(server, {"/b": urlset("b")})
    url = f"{server.url}/a"

    assert (["a", "b"], [("listed-sitemap-failed", f"{url}:2: no more", url)]) == follow(
        f"{server.url}/index"
    )


def test_nesting_is_limited(server: Server) -> None:
    set_answers(server, {f"/{number}": index(f"URL/{number + 1}") for number in range(10)})
    result = follow(f"{server.url}/0", max_depth=3)

    said = "index is nested too deeply; raise the limit with `max_depth`"
    assert FollowResult([], [("listed-sitemap-failed", said, f"{server.url}/3")]) == result


def test_index_in_robots_txt_is_not_nested(server: Server) -> None:
    set_answers(server, {"/robots.txt": b"Sitemap: URL/index", "/index": index("URL/a", "URL/b")})
    set_answers(server, {"/a": urlset("a"), "/b": index("URL/c")})
    result = follow(server.url, max_depth=1)

    said = "index is nested too deeply; raise the limit with `max_depth`"
    assert FollowResult(["a"], [("listed-sitemap-failed", said, f"{server.url}/b")]) == result


def test_truncated_source_is_fetched_again(server: Server) -> None:
    cut = Answer(urlset("a", "b")[:-50], headers={"Content-Length": "1000"})
    server.answers["/a"] = [cut, Answer(urlset("a", "b"))]

    assert FollowResult(["a", "b"], []) == follow(f"{server.url}/a")


def test_number_of_files_is_limited(server: Server) -> None:
    set_answers(
        server, {"/index": index("URL/a", "URL/nested", "URL/b"), "/nested": index("URL/c")}
    )
    set_answers(server, {f"/{name}": urlset(name) for name in "abc"})
    result = follow(f"{server.url}/index", max_files=3)

    said = "this and all later files are not read: the limit is 3 files; raise it with `max_files`"
    assert FollowResult(["a", "b"], [("listed-sitemap-failed", said, f"{server.url}/c")]) == result


def test_total_size_is_limited(server: Server) -> None:
    set_answers(server, {"/index": index("URL/a", "URL/b"), "/a": urlset("a"), "/b": urlset("b")})
    total = len(index(f"{server.url}/a", f"{server.url}/b"))
    result = follow(f"{server.url}/index", max_total=total)

    limit = f"the limit is {total} bytes in total; raise it with `max_total`"
    said = f"this and all later files are not read: {limit}"
    assert [("listed-sitemap-failed", said, f"{server.url}/a")] == result.problems


@pytest.fixture
def index_path(server: Server, tmp_path: Path) -> Path:
    """Write an index on disk that lists sitemaps on a server."""
    set_answers(server, {"/a": urlset("a"), "/b": urlset("b")})
    path = tmp_path / "index.xml"
    path.write_bytes(index(f"{server.url}/a", f"{server.url}/maps/b"))
    return path


def test_index_on_disk_causes_no_request(index_path: Path, server: Server) -> None:
    result = follow(index_path)

    assert ([], [], ["listed-sitemap-unchecked"] * 2) == (
        server.requests,
        result.names,
        [code for code, *_ in result.problems],
    )
    assert "pass `url`, `mappings` or `fetches`" in result.problems[0][1]


def test_files_beside_an_index_are_read(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    found_at = ("https://e.example/shop/a.xml", "https://e.example/x/b%20b.xml")
    names = ("none.xml", "shop/", "../a.xml", "%2e%2e/b.xml", "index.xml")
    locs = [*found_at, *(f"https://e.example/{name}" for name in names)]
    locs.append("https://f.example/shop/a.xml")  # another, since that file is taken
    (tmp_path / "index.xml").write_bytes(index(*locs))
    for name in ("shop/a.xml", "a.xml", "b b.xml"):
        (tmp_path / name).write_bytes(urlset(name.replace(" ", "+")))
    result = follow(tmp_path / "index.xml")

    assert ["shop/a.xml", "b+b.xml"] == result.names
    *unchecked, (code, message, first) = result.problems
    assert [("listed-sitemap-unchecked", loc) for loc in locs[2:]] == [
        (code, loc) for code, _, loc in unchecked
    ]
    assert ("local-copy", locs[0]) == (code, first)
    assert message.endswith("beside this index; pass `mappings` to use another (2 times)")


def test_mapping_overrides_file_beside_index(tmp_path: Path, server: Server) -> None:
    set_answers(server, {"/a": urlset("fetched")})
    (tmp_path / "other").mkdir()
    path, folder = tmp_path / "index.xml", tmp_path / "other"
    path.write_bytes(index(f"{server.url}/a"))
    (tmp_path / "a").write_bytes(urlset("beside"))
    (folder / "a").write_bytes(urlset("mapped"))
    mappings = [UrlMap.create(server.url, str(folder))]

    assert ["beside"] == follow(path).names
    assert FollowResult(["mapped"], []) == follow(path, mappings=mappings)
    assert ["beside"] == follow(path, mappings=mappings, beside="first").names
    assert FollowResult(["beside"], []) == follow(path, url=f"{server.url}/index.xml")
    assert [] == follow(path, url="https://e.example/maps/index.xml").names
    assert [] == follow(path, beside=None).names
    assert FollowResult(["fetched"], []) == follow(path, fetches=True)


def test_output_directory_with_the_index_has_all_its_files(tmp_path: Path) -> None:
    public, other = tmp_path / "public", tmp_path / "other"
    for folder in (public, other):
        folder.mkdir()
        (folder / "index.xml").write_bytes(index("https://e.example/shop/a.xml"))
        (folder / "a.xml").write_bytes(urlset("beside"))
    home = UrlMap("https://e.example/", str(public))

    assert ["beside"] == follow(other / "index.xml", home=home).names
    assert ["listed-sitemap-failed"] == [
        code for code, *_ in follow(public / "index.xml", home=home).problems
    ]


def test_listed_path_must_be_a_regular_file(tmp_path: Path) -> None:
    (tmp_path / "x.xml").mkdir()
    (tmp_path / "x.xml" / "index.html").write_text("<p>")
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "a.xml").write_bytes(urlset("a"))
    names = ("", "x.xml", "pipe.xml", "a.xml")
    (tmp_path / "index.xml").write_bytes(index(*(f"https://e.example/{name}" for name in names)))
    mappings = [UrlMap.create("https://e.example", str(tmp_path))]
    result = follow(tmp_path / "index.xml", mappings=mappings)

    assert ["a"] == result.names
    assert [f"{tmp_path / name} is not a regular file" for name in names[:3]] == [
        said for _, said, _ in result.problems
    ]
    assert {"listed-sitemap-failed"} == {code for code, *_ in result.problems}


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="no such file")
def test_disk_error_costs_one_page(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>")
    (tmp_path / "b.html").symlink_to("/proc/self/mem")
    result = follow(tmp_path, url="https://e.example/")

    assert ["a.html"] == result.names
    assert [("path-unreadable", "cannot be read: Input/output error; skipped")] == [
        problem[:2] for problem in result.problems
    ]


def test_mapped_children_are_not_fetched(index_path: Path, server: Server, tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(urlset("b on disk"))
    mappings = [UrlMap.create(f"{server.url}/maps", str(tmp_path))]

    assert FollowResult(["a", "b on disk"], []) == follow(
        index_path, fetches=True, mappings=mappings
    )
    assert ["/a"] == server.requests


def test_child_named_hyphen_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("index.xml").write_bytes(index("https://e.example/-"))
    Path("-").write_bytes(urlset("a"))
    mappings = [UrlMap.create("https://e.example", ".")]

    assert FollowResult(["a"], []) == follow("index.xml", mappings=mappings)


@pytest.mark.parametrize("folder", ["public", "s3://bucket/public"])
def test_mapping_does_not_lead_out_of_its_directory(folder: str) -> None:
    assert UrlMap.create("https://e.example", folder).path_of("https://e.example/%2e%2e/a") is None


def test_file_on_another_drive_has_no_url(monkeypatch: pytest.MonkeyPatch) -> None:
    mapping = UrlMap.create("https://e.example", "C:\\public")
    with monkeypatch.context() as patch:
        patch.setattr("os.path.commonpath", ntpath.commonpath)
        patch.setattr("os.path.abspath", str)
        url = mapping.url_of("D:\\public\\a.xml")

    assert url is None


def test_mapping_applies_to_fetched_index(server: Server, tmp_path: Path) -> None:
    set_answers(server, {"/index": index("URL/a", "URL/maps/b"), "/a": urlset("a")})
    (tmp_path / "b").write_bytes(urlset("b"))
    mappings = [UrlMap.create(f"{server.url}/maps", str(tmp_path))]

    assert FollowResult(["a", "b"], []) == follow(f"{server.url}/index", mappings=mappings)


def test_credentials_are_sent_for_children(server: Server) -> None:
    set_answers(server, {"/index": index("URL/a", "URL/b"), "/a": urlset("a")})
    result = follow(f"{server.url}/index".replace("http://", "http://user:secret@"))

    assert ["a"] == result.names
    assert "secret" not in str(result)
    assert all("Authorization" in headers for headers in server.headers)


def test_credentials_are_sent_for_robots_and_sitemaps(server: Server) -> None:
    set_answers(server, {"/robots.txt": b"Sitemap: URL/a", "/a": urlset("a")})
    said: list[str] = []
    site = server.url.replace("http://", "http://user:secret@")

    assert FollowResult(["a"], []) == follow(site, said=said)
    assert [f"{server.url}/robots.txt lists {server.url}/a"] == said
    assert all("Authorization" in headers for headers in server.headers)
    server.answers["/robots.txt"] = Answer(b"")
    assert "secret" not in failure(site)


def test_credentials_of_child_are_not_shown(server: Server) -> None:
    url = server.url.replace("http://", "http://user:secret@")
    set_answers(server, {"/index": index(f"{url}/a")})
    result = follow(f"{server.url}/index")

    assert [("listed-sitemap-failed", "404 Not Found", f"{server.url}/a")] == result.problems


def test_public_index_leads_to_no_private_address(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssrf, "is_public", lambda address: address == "127.0.0.2")
    public, private = serve("127.0.0.2"), serve()
    set_answers(public, {"/index": index(f"{private.url}/a")})
    result = follow(f"{public.url}/index", fetcher=Fetcher())

    said = "127.0.0.1 is a private address; allow this with `fetcher=Fetcher(allow_private=True)`"
    assert [("listed-sitemap-failed", said, f"{private.url}/a")] == result.problems
    assert [] == private.requests


def test_abandoned_downloads_leave_nothing_open(serve: Serve) -> None:
    """Python warns of an open connection or file, and warnings are errors."""
    server = serve(latency=0.01)
    set_answers(server, {"/index": index(*(f"URL/{number}" for number in range(30)))})
    set_answers(server, {f"/{number}": urlset("a" * 1000) * 300 for number in range(30)})
    with Fetcher(allow_private=True) as fetcher:
        inputs = Opener(fetcher=fetcher).open([f"{server.url}/index"])
        first = next(next(inputs).batches)
        inputs.close()
    gc.collect()

    assert {f"https://e.example/{'a' * 1000}"} == set(first.locs())
    assert len(server.requests) < 30


PAGES = {
    "/1": format_feed("1", "/2"),
    "/2": format_feed("2", "3"),
    "/3": format_feed("3", "/4"),
    "/4": format_feed("4", "/1"),
}


def test_number_of_feed_pages_is_limited(server: Server) -> None:
    set_answers(server, PAGES)
    goes_on = (
        "paged",
        f"feed continues at {server.url}/2; pass `pages` to read all pages",
        None,
    )

    assert FollowResult(["1"], [goes_on]) == follow(f"{server.url}/1")
    goes_on = (
        "paged",
        f"feed continues at {server.url}/4; pass `pages` to read all pages",
        None,
    )
    assert FollowResult(["1", "2", "3"], [goes_on]) == follow(f"{server.url}/1", pages=2)


def test_circle_of_feed_pages_ends(server: Server) -> None:
    set_answers(server, PAGES)
    result = follow(f"{server.url}/1", pages=100)

    assert ["1", "2", "3", "4"] == result.names
    assert ["duplicate-sitemap"] == [code for code, *_ in result.problems]


def test_failed_feed_page_is_reported(server: Server) -> None:
    set_answers(server, {"/1": format_feed("1", "/2")})
    result = follow(f"{server.url}/1", pages=2)

    assert (
        FollowResult(["1"], [("listed-sitemap-failed", "404 Not Found", f"{server.url}/2")])
        == result
    )


def test_pages_of_listed_feed_have_its_depth(server: Server) -> None:
    set_answers(server, {"/index": index("URL/1"), "/1": format_feed("1", "/2")})
    set_answers(server, {"/2": format_feed("2")})
    opener = Opener(fetcher=Fetcher(allow_private=True), pages=1)

    assert [1, 1] == [part.depth for part in opener.open([f"{server.url}/index"], print)]


def test_listed_feed_is_read_with_its_pages(server: Server, tmp_path: Path) -> None:
    extra = b"<title>T1</title><x:y xmlns:x='urn:x'>1</x:y>"
    set_answers(server, {"/index": index("URL/1"), "/2": format_feed("2")})
    set_answers(server, {"/1": format_feed("1", "/2").replace(b"<entry>", b"<entry>" + extra)})
    problems: list[Problem] = []
    opener = Opener(fetcher=Fetcher(allow_private=True), pages=1)
    target = target_of(str(tmp_path / "out.xml"))
    convert([f"{server.url}/index"], target, opener=opener, report=problems.append)
    written = (tmp_path / "out.xml").read_text()

    assert ("https://e.example/1<" in written, "https://e.example/2<" in written) == (True, True)
    assert "urn:x" not in written
    assert (
        "sitemap does not support extras (1 entry), id (2 entries), title (1 entry); dropped"
        in [problem.message for problem in problems]
    )


@pytest.mark.parametrize(
    ("source", "site"),
    [
        ("example.com", "https://example.com/"),
        ("example.com/", "https://example.com/"),
        ("shop.example.com:8080", "https://shop.example.com:8080/"),
        ("münchen.com", "https://münchen.com/"),
        ("пример.рф", "https://пример.рф/"),
        ("пример.xn--p1ai", "https://пример.xn--p1ai/"),
        ("EXAMPLE.CO.UK", "https://EXAMPLE.CO.UK/"),
        ("feed.xm", None),
        ("export.md", None),
        ("video.mov", None),
        ("data.zip", None),
        ("intranet.corp", None),
        ("intranet.corp:80", "https://intranet.corp:80/"),
        ("localhost:8000", "https://localhost:8000/"),
        ("http://example.com", "http://example.com/"),
        ("HTTPS://example.com/", "HTTPS://example.com/"),
        ("https://example.com/feed", None),
        ("https://example.com/?a", None),
        ("sitemap.xml", None),
        ("urls.txt.gz", None),
        ("urls", None),
        ("./example.com", None),
        ("1.5", None),
        ("-", None),
    ],
)
def test_hosts_and_roots_are_sites(source: str, site: str | None) -> None:
    assert site == site_of(source)


def test_sitemaps_of_robots_are_read(server: Server) -> None:
    robots = b"User-agent: *\nDisallow: /a\nSitemap: URL/a\nsitemap: /b # ours\nSitemap: URL/a\n"
    set_answers(server, {"/robots.txt": robots, "/a": urlset("a"), "/b": index("URL/c")})
    set_answers(server, {"/c": urlset("c")})
    said: list[str] = []
    url = server.url

    assert FollowResult(["a", "c"], []) == follow(url, said=said)
    assert [f"{url}/robots.txt lists {url}/a, {url}/b"] == said
    assert ["/", "/robots.txt"] == server.requests[:2]
    assert ["/a", "/b", "/c"] == sorted(server.requests[2:])


def test_host_is_tried_without_tls(server: Server) -> None:
    set_answers(server, {"/robots.txt": b"Sitemap: URL/a", "/a": urlset("a")})

    assert ["a"] == follow(
        server.url.removeprefix("http://").replace("127.0.0.1", "localhost")
    ).names


def test_invalid_utf8_in_robots_is_percent_encoded(server: Server) -> None:
    set_answers(server, {"/robots.txt": b"Sitemap: URL/caf\xe9", "/caf%E9": urlset("a")})

    assert ["a"] == follow(server.url).names


def test_usual_places_are_tried(server: Server) -> None:
    set_answers(server, {"/robots.txt": b"<html>", "/sitemap.xml": b"<html>Not found"})
    set_answers(server, {"/sitemap-index.xml": index("URL/a"), "/a": urlset("a"), "/sitemap": b""})
    said: list[str] = []

    assert FollowResult(["a"], []) == follow(f"{server.url}/", said=said)
    assert [
        f"{server.url}/robots.txt lists no sitemap; found {server.url}/sitemap-index.xml"
    ] == said


def test_feed_at_the_root_is_read(server: Server) -> None:
    set_answers(server, {"/": format_feed("1")})

    assert FollowResult(["1"], []) == follow(server.url)
    assert ["/"] == server.requests


def failure(source: str, **settings: Any) -> str:
    with pytest.raises(InputError) as caught:
        follow(source, **settings)
    return str(caught.value)


def test_site_without_sitemaps_is_reported(server: Server) -> None:
    said = "and there is no sitemap at the usual paths; pass the URL of the sitemap"
    start = f"{server.url}/: 404 Not Found; its robots.txt"

    assert f"{start} is missing, {said}" == failure(f"{server.url}/")
    set_answers(server, {"/robots.txt": b"User-agent: *\n"})
    assert f"{start} lists no sitemap, {said}" == failure(f"{server.url}/")
    server.answers["/robots.txt"] = Answer(status=410)
    assert f"{start} is missing, {said}" == failure(f"{server.url}/")
    server.answers["/robots.txt"] = Answer(status=451)
    why = "cannot be read (451 Unavailable For Legal Reasons)"
    assert f"{start} {why}, {said}" == failure(f"{server.url}/")


def test_site_that_requires_a_password_is_reported(server: Server) -> None:
    server.answers["/sitemap.xml"] = Answer(status=401)

    reported = (
        "(401 Unauthorized; put credentials into the URL: https://user:password@example.com/)"
    )
    assert reported in failure(server.url)


def test_unavailable_robots_is_retried(server: Server) -> None:
    set_answers(server, {"/named": urlset("a"), "/sitemap.xml": urlset("b")})
    lines = Answer(f"Sitemap: {server.url}/named".encode())
    server.answers["/robots.txt"] = [Answer(status=503), Answer(status=429), lines]

    assert ["a"] == follow(server.url).names
    server.answers["/robots.txt"] = Answer(status=503)
    reported = f"{server.url}/robots.txt: 503 Service Unavailable (3 attempts)"
    assert f"{server.url}: 404 Not Found; {reported}" == failure(server.url)


def test_prose_at_a_common_url_is_not_a_sitemap(server: Server) -> None:
    prose = b"Sorry, this was not found.\nhttps://e.example/help\n"
    set_answers(server, {"/sitemap.xml": prose, "/sitemap.xml.gz": b"https://e.example/a\n"})

    assert FollowResult(["a"], []) == follow(server.url)
    set_answers(server, {"/sitemap.xml.gz": b'{"loc": "https://e.example/a"}\n'})
    assert "there is no sitemap at the usual paths" in failure(server.url)


def test_unavailable_sitemap_is_reported(server: Server) -> None:
    server.answers["/sitemap.xml"] = Answer(status=503)

    assert f"{server.url}/sitemap.xml: 503 Service Unavailable (3 attempts)" == failure(server.url)


def test_refused_connection_is_reported(nobody: str) -> None:
    assert f"{nobody}/: connection refused" == failure(f"{nobody}/")


def test_source_that_is_neither_file_nor_host_is_reported() -> None:
    said = failure("nowhere.invalid:1")

    assert said.startswith(
        "nowhere.invalid:1: No such file or directory; https://nowhere.invalid:1/"
    )
    assert "nowhere.invalid: No such file or directory" == failure("nowhere.invalid")
    assert "nowhere.xml: No such file or directory" == failure("nowhere.xml")


@slow
def test_read_children_are_freed(server: Server) -> None:
    body = urlset("a").replace(b"<url>", b" " * 200_000 + b"<url>")
    set_answers(server, {f"/{number}": body for number in range(200)})
    set_answers(server, {"/index": index(*(f"URL/{number}" for number in range(200)))})
    tracemalloc.start()
    try:
        assert len(follow(f"{server.url}/index").names) == 200
        assert tracemalloc.get_traced_memory()[1] < 200 * len(body) / 2
    finally:
        tracemalloc.stop()


def test_entries_of_a_site_name_their_source(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    broken = b"<urlset><url><loc>https://e.example/b</loc></url>"
    set_answers(server, {"/robots.txt": b"Sitemap: URL/index", "/index": index("URL/a", "URL/b")})
    set_answers(server, {"/a": urlset("a"), "/b": broken})
    fetcher = Fetcher(allow_private=True)
    result = {entry.loc: entry.source for entry in read_site(server.url, fetcher=fetcher)}

    assert result == {
        "https://e.example/a": f"{server.url}/a",
        "https://e.example/b": f"{server.url}/b",
    }
    levels = {(record.name, record.levelname, record.getMessage()) for record in caplog.records}
    ended = f"{server.url}/b:1: error: file ends before </urlset> [truncated]"
    assert ("sitemapx", "ERROR", ended) in levels
    assert {"ERROR", "WARNING"} == {level for _, level, _ in levels}


def test_sitemap_of_home_page_is_read(server: Server) -> None:
    links = b'<base href="/maps/"><link rel="sitemap" href="s.xml">'
    feeds = b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    page = b"<!doctype html><title>Home</title>" + links + feeds
    set_answers(server, {"/": page, "/maps/s.xml": urlset("a"), "/feed.xml": format_feed("f")})
    said: list[str] = []
    result = follow(server.url, said=said)

    assert ["a"] == result.names
    assert any("the home page names" in line for line in said)


def test_feeds_of_home_page_are_read(server: Server) -> None:
    kinds = ("rss+xml", "atom+xml")
    links = "".join(
        f'<link rel=alternate type="application/{kind}" href="/{number}">'
        for number, kind in enumerate(kinds)
    )
    set_answers(server, {"/": links.encode(), "/0": format_feed("a"), "/1": format_feed("b")})

    assert ["a", "b"] == follow(server.url).names


def test_unselected_sitemaps_are_not_fetched(server: Server) -> None:
    rows = (
        f"<sitemap><loc>{server.url}/{name}.xml</loc><lastmod>{date}</lastmod></sitemap>"
        for name, date in (("old", "2020-01-01"), ("new", "2026-01-01"))
    )
    index_ = f'<sitemapindex xmlns="{SITEMAP}">{"".join(rows)}</sitemapindex>'.encode()
    set_answers(server, {"/index.xml": index_, "/old.xml": urlset("o"), "/new.xml": urlset("n")})
    result = follow(f"{server.url}/index.xml", selects=lambda row: row.lastmod >= "2025")

    assert ["n"] == result.names
    assert "/old.xml" not in server.requests
