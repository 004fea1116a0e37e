"""What a source leads to: the children of an index, the pages of a feed, the sitemaps of a site."""

import gc
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
    """Make an index."""
    listed = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="{SITEMAP}">{listed}</sitemapindex>'.encode()


def urlset(*names: str) -> bytes:
    """Make a sitemap of pages on e.example."""
    urls = "".join(f"<url><loc>https://e.example/{name}</loc></url>" for name in names)
    return f'<urlset xmlns="{SITEMAP}">{urls}</urlset>'.encode()


def feed(name: str, link: str = "") -> bytes:
    """Make a feed with one entry, and perhaps a page after it."""
    links = f'<link rel="next" href="{link}"/>' if link else ""
    entry = f'<entry><id>{name}</id><link href="https://e.example/{name}"/></entry>'
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title>T{name}</title>{links}{entry}</feed>'
    ).encode()


class Found(NamedTuple):
    """What a source led to: names of pages, and problems as (code, message, loc)."""

    names: list[str]
    problems: list[tuple[str, str, str | None]]


def followed(source: Any, *, said: list[str] | None = None, **settings: Any) -> Found:
    """Read a source with all that it leads to."""
    problems: list[Problem] = []
    kinds = {name: settings.pop(name) for name in ("max_total", "retries") if name in settings}
    say = (said if said is not None else []).append
    with Fetcher(allow_private=True, backoff=0.001, say=say, **kinds) as fetcher:
        settings.setdefault("fetcher", fetcher)
        opener = Opener(**settings)
        inputs = opener.open([source], problems.append)
        batches = chain.from_iterable(one.batches for one in inputs)
        locs = [loc for batch in batches for loc in batch.locs()]
    names = [loc.removeprefix("https://e.example/") for loc in locs]
    return Found(names, [(one.code, one.message, one.loc) for one in problems])


def answer(server: Server, bodies: dict[str, bytes]) -> None:
    """Let a server have these files; URL in them is its address."""
    for path, body in bodies.items():
        server.answers[path] = Answer(body.replace(b"URL", server.url.encode()))


def test_children_in_order(serve: Serve) -> None:
    """Children are fetched at once, four from a host, and read in the order of the index."""
    server = serve(latency=0.02)
    paths = [f"/{number}.xml" for number in range(40)]
    answer(server, {"/index.xml": index(*(f"URL{path}" for path in paths))})
    answer(server, {path: urlset(path[1:]) for path in paths})
    found = followed(f"{server.url}/index.xml")

    assert Found([path[1:] for path in paths], []) == found
    assert 4 == server.most_at_once


def test_child_that_fails(server: Server) -> None:
    """A child that cannot be read is told, and the others are read."""
    names = ("a", "missing", "cut", "html", "broken", "b")
    answer(server, {"/index": index(*(f"URL/{name}" for name in names))})
    answer(server, {"/a": urlset("a"), "/b": urlset("b"), "/html": b"<!doctype html><p>"})
    server.answers["/cut"] = Answer(urlset("c"), headers={"Content-Length": "1000"})
    server.answers["/broken"] = Answer(urlset("d")[:-5])
    found = followed(f"{server.url}/index", retries=0)

    assert ["a", "d", "b"] == found.names
    assert [
        ("child-failed", "404 Not Found", f"{server.url}/missing"),
        ("child-failed", "response was cut off", f"{server.url}/cut"),
        ("child-failed", "HTML page instead of a sitemap", f"{server.url}/html"),
        ("truncated", "file ends before </urlset>", None),
    ] == found.problems


def test_nothing_twice(server: Server) -> None:
    """A sitemap is read once, however its URL is written, and wherever it is redirected to."""
    host = server.url.replace("http://127.0.0.1", "HTTP://127.0.0.1")
    others = ("URL/index", "URL/back", "URL/nested", "URL/here", "URL/there")
    answer(server, {"/index": index("URL/a", f"{host}/x/../a#b", *others)})
    answer(server, {"/nested": index("URL/index", "URL/a", "URL/b"), "/c": urlset("c")})
    answer(server, {"/a": urlset("a"), "/b": urlset("b")})
    server.answers["/back"] = Answer(status=301, headers={"Location": "/index"})
    server.answers["/here"] = server.answers["/there"] = Answer(
        status=301, headers={"Location": "/c"}
    )
    found = followed(f"{server.url}/index")

    assert ["a", "b", "c"] == found.names
    assert ["listed-again"] * 6 == [code for code, *_ in found.problems]
    assert f"redirects to {server.url}/index, which has already been read" == found.problems[2][1]
    assert f"redirects to {server.url}/c, which has already been read" == found.problems[5][1]


def test_reader_that_gives_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that turns out to be unreadable half-way stops no other."""

    def read_half(stream: Readable, context: Context) -> Document:
        def batches() -> Iterator[Batch]:
            yield Batch([Entry(loc=stream.read().decode().strip())])
            raise InputError("no more", line=2)

        return Document(batches())

    monkeypatch.setattr("sitemapx.convert.formats.text.reader.read_text", read_half)
    answer(server, {"/index": index("URL/a", "URL/b"), "/a": b"https://e.example/a"})
    answer(server, {"/b": urlset("b")})
    url = f"{server.url}/a"

    assert (["a", "b"], [("child-failed", f"{url}:2: no more", url)]) == followed(
        f"{server.url}/index"
    )


def test_depth(server: Server) -> None:
    """Indexes in indexes have an end."""
    answer(server, {f"/{number}": index(f"URL/{number + 1}") for number in range(10)})
    found = followed(f"{server.url}/0", max_depth=3)

    said = "sitemap index is nested too deeply; raise the limit with `max_depth`"
    assert Found([], [("child-failed", said, f"{server.url}/3")]) == found


def test_source_that_breaks_off_once(server: Server) -> None:
    """A source is fetched again if it breaks off, as a child is."""
    cut = Answer(urlset("a", "b")[:-50], headers={"Content-Length": "1000"})
    server.answers["/a"] = [cut, Answer(urlset("a", "b"))]

    assert Found(["a", "b"], []) == followed(f"{server.url}/a")


def test_number_of_files(server: Server) -> None:
    """Files have an end, in all indexes together."""
    answer(server, {"/index": index("URL/a", "URL/nested", "URL/b"), "/nested": index("URL/c")})
    answer(server, {f"/{name}": urlset(name) for name in "abc"})
    found = followed(f"{server.url}/index", max_files=3)

    said = "this and all later files are not read: the limit is 3 files; raise it with `max_files`"
    assert Found(["a", "b"], [("child-failed", said, f"{server.url}/c")]) == found


def test_total_size(server: Server) -> None:
    """Bytes have an end, in all files together."""
    answer(server, {"/index": index("URL/a", "URL/b"), "/a": urlset("a"), "/b": urlset("b")})
    total = len(index(f"{server.url}/a", f"{server.url}/b"))
    found = followed(f"{server.url}/index", max_total=total)

    limit = f"the limit is {total} bytes in total; raise it with `max_total`"
    said = f"this and all later files are not read: {limit}"
    assert [("child-failed", said, f"{server.url}/a")] == found.problems


@pytest.fixture
def on_disk(server: Server, tmp_path: Path) -> Path:
    """Give an index on disk, of sitemaps on a server."""
    answer(server, {"/a": urlset("a"), "/b": urlset("b")})
    path = tmp_path / "index.xml"
    path.write_bytes(index(f"{server.url}/a", f"{server.url}/maps/b"))
    return path


def test_index_on_disk(on_disk: Path, server: Server) -> None:
    """A file leads to no request, unless that is wanted."""
    found = followed(on_disk)

    assert ([], [], ["child-unread"] * 2) == (
        server.requests,
        found.names,
        [code for code, *_ in found.problems],
    )
    assert "pass `url`, `mappings` or `fetches`" in found.problems[0][1]


def test_files_beside_an_index(tmp_path: Path) -> None:
    """What an index lists is found beside it, by as much of its path as can be, and told."""
    (tmp_path / "shop").mkdir()
    found_at = ("https://e.example/shop/a.xml", "https://e.example/x/b%20b.xml")
    names = ("none.xml", "shop/", "../a.xml", "%2e%2e/b.xml", "index.xml")
    locs = [*found_at, *(f"https://e.example/{name}" for name in names)]
    locs.append("https://f.example/shop/a.xml")  # another, since that file is taken
    (tmp_path / "index.xml").write_bytes(index(*locs))
    for name in ("shop/a.xml", "a.xml", "b b.xml"):
        (tmp_path / name).write_bytes(urlset(name.replace(" ", "+")))
    found = followed(tmp_path / "index.xml")

    assert ["shop/a.xml", "b+b.xml"] == found.names
    assert locs == [loc for *_, loc in found.problems]
    assert ["child-beside"] * 2 + ["child-unread"] * 6 == [code for code, *_ in found.problems]
    said = f"read from {tmp_path}/shop/a.xml, found by its name beside this index"
    assert said == found.problems[0][1]


def test_what_is_said_counts_more_than_a_name(tmp_path: Path, server: Server) -> None:
    """A file beside an index is not taken where something says where the listed one is."""
    answer(server, {"/a": urlset("fetched")})
    (tmp_path / "other").mkdir()
    path, folder = tmp_path / "index.xml", tmp_path / "other"
    path.write_bytes(index(f"{server.url}/a"))
    (tmp_path / "a").write_bytes(urlset("beside"))
    (folder / "a").write_bytes(urlset("mapped"))
    mappings = [UrlMap.of(server.url, str(folder))]

    assert ["beside"] == followed(path).names
    assert Found(["mapped"], []) == followed(path, mappings=mappings)
    assert ["beside"] == followed(path, mappings=mappings, beside="first").names
    assert Found(["beside"], []) == followed(path, url=f"{server.url}/index.xml")
    assert [] == followed(path, url="https://e.example/maps/index.xml").names
    assert [] == followed(path, beside=None).names
    assert Found(["fetched"], []) == followed(path, fetches=True)


def test_only_files_are_listed_sitemaps(tmp_path: Path) -> None:
    """A folder or a pipe to which a listed address leads costs that sitemap and no other."""
    (tmp_path / "x.xml").mkdir()
    (tmp_path / "x.xml" / "index.html").write_text("<p>")
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "a.xml").write_bytes(urlset("a"))
    names = ("", "x.xml", "pipe.xml", "a.xml")
    (tmp_path / "index.xml").write_bytes(index(*(f"https://e.example/{name}" for name in names)))
    mappings = [UrlMap.of("https://e.example", str(tmp_path))]
    found = followed(tmp_path / "index.xml", mappings=mappings)

    assert ["a"] == found.names
    assert [f"{tmp_path / name} is not a regular file" for name in names[:3]] == [
        said for _, said, _ in found.problems
    ]
    assert {"child-failed"} == {code for code, *_ in found.problems}


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="no such file")
def test_page_that_the_disk_fails_to_read(tmp_path: Path) -> None:
    """It costs that page of a folder and no other; such an error names no file."""
    (tmp_path / "a.html").write_text("<p>")
    (tmp_path / "b.html").symlink_to("/proc/self/mem")
    found = followed(tmp_path, url="https://e.example/")

    assert ["a.html"] == found.names
    assert [("unread", "cannot be read: Input/output error; skipped")] == [
        problem[:2] for problem in found.problems
    ]


def test_index_on_disk_is_fetched(on_disk: Path, server: Server, tmp_path: Path) -> None:
    """What a file lists is fetched if that is wanted, save what is on disk."""
    (tmp_path / "b").write_bytes(urlset("b on disk"))
    mappings = [UrlMap.of(f"{server.url}/maps", str(tmp_path))]

    assert Found(["a", "b on disk"], []) == followed(on_disk, fetches=True, mappings=mappings)
    assert ["/a"] == server.requests


def test_file_called_like_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child on disk whose name is a hyphen is that file."""
    monkeypatch.chdir(tmp_path)
    Path("index.xml").write_bytes(index("https://e.example/-"))
    Path("-").write_bytes(urlset("a"))
    mappings = [UrlMap.of("https://e.example", ".")]

    assert Found(["a"], []) == followed("index.xml", mappings=mappings)


def test_index_of_a_server_with_files_on_disk(server: Server, tmp_path: Path) -> None:
    """What is mapped is read from disk, also where the index is fetched."""
    answer(server, {"/index": index("URL/a", "URL/maps/b"), "/a": urlset("a")})
    (tmp_path / "b").write_bytes(urlset("b"))
    mappings = [UrlMap.of(f"{server.url}/maps", str(tmp_path))]

    assert Found(["a", "b"], []) == followed(f"{server.url}/index", mappings=mappings)


def test_credentials_hold_for_children(server: Server) -> None:
    """Who may read an index may read what it lists on the same host; no message tells who."""
    answer(server, {"/index": index("URL/a", "URL/b"), "/a": urlset("a")})
    found = followed(f"{server.url}/index".replace("http://", "http://user:secret@"))

    assert ["a"] == found.names
    assert "secret" not in str(found)
    assert all("Authorization" in headers for headers in server.headers)


def test_credentials_hold_for_a_site(server: Server) -> None:
    """Who may see a site may see its robots.txt and its sitemaps; no message tells who."""
    answer(server, {"/robots.txt": b"Sitemap: URL/a", "/a": urlset("a")})
    said: list[str] = []
    site = server.url.replace("http://", "http://user:secret@")

    assert Found(["a"], []) == followed(site, said=said)
    assert [f"{server.url}/robots.txt lists {server.url}/a"] == said
    assert all("Authorization" in headers for headers in server.headers)
    server.answers["/robots.txt"] = Answer(b"")
    assert "secret" not in failure(site)


def test_child_with_credentials(server: Server) -> None:
    """User and password in an index are in no message, either."""
    url = server.url.replace("http://", "http://user:secret@")
    answer(server, {"/index": index(f"{url}/a")})
    found = followed(f"{server.url}/index")

    assert [("child-failed", "404 Not Found", f"{server.url}/a")] == found.problems


def test_child_on_a_private_address(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A public index leads to no private address."""
    monkeypatch.setattr(ssrf, "is_public", lambda address: address == "127.0.0.2")
    public, private = serve("127.0.0.2"), serve()
    answer(public, {"/index": index(f"{private.url}/a")})
    found = followed(f"{public.url}/index", fetcher=Fetcher())

    said = "127.0.0.1 is a private address; allow this with `allow_private`"
    assert [("child-failed", said, f"{private.url}/a")] == found.problems
    assert [] == private.requests


def test_whoever_has_enough(serve: Serve) -> None:
    """Downloads that nobody waits for any more leave nothing open (warnings are errors)."""
    server = serve(latency=0.01)
    answer(server, {"/index": index(*(f"URL/{number}" for number in range(30)))})
    answer(server, {f"/{number}": urlset("a" * 1000) * 300 for number in range(30)})
    with Fetcher(allow_private=True) as fetcher:
        inputs = Opener(fetcher=fetcher).open([f"{server.url}/index"])
        first = next(next(inputs).batches)
        inputs.close()
    gc.collect()

    assert {f"https://e.example/{'a' * 1000}"} == set(first.locs())
    assert len(server.requests) < 30


PAGES = {"/1": feed("1", "/2"), "/2": feed("2", "3"), "/3": feed("3", "/4"), "/4": feed("4", "/1")}


def test_pages(server: Server) -> None:
    """As many pages of a feed are read as is wanted, and it is told if there are more."""
    answer(server, PAGES)
    goes_on = (
        "paged",
        f"feed continues at {server.url}/2; pass `pages` to read all pages",
        None,
    )

    assert Found(["1"], [goes_on]) == followed(f"{server.url}/1")
    goes_on = (
        "paged",
        f"feed continues at {server.url}/4; pass `pages` to read all pages",
        None,
    )
    assert Found(["1", "2", "3"], [goes_on]) == followed(f"{server.url}/1", pages=2)


def test_all_pages(server: Server) -> None:
    """Pages that lead in a circle have an end."""
    answer(server, PAGES)
    found = followed(f"{server.url}/1", pages=100)

    assert ["1", "2", "3", "4"] == found.names
    assert ["listed-again"] == [code for code, *_ in found.problems]


def test_page_that_fails(server: Server) -> None:
    """A page that cannot be fetched is told, and what came before is kept."""
    answer(server, {"/1": feed("1", "/2")})
    found = followed(f"{server.url}/1", pages=2)

    assert Found(["1"], [("child-failed", "404 Not Found", f"{server.url}/2")]) == found


def test_feed_in_an_index(server: Server, tmp_path: Path) -> None:
    """A feed that an index lists is read with its pages; it loses what no sitemap holds."""
    extra = b"<title>T1</title><x:y xmlns:x='urn:x'>1</x:y>"
    answer(server, {"/index": index("URL/1"), "/2": feed("2")})
    answer(server, {"/1": feed("1", "/2").replace(b"<entry>", b"<entry>" + extra)})
    problems: list[Problem] = []
    opener = Opener(fetcher=Fetcher(allow_private=True), pages=1)
    target = target_of(str(tmp_path / "out.xml"))
    convert([f"{server.url}/index"], target, opener=opener, report=problems.append)
    written = (tmp_path / "out.xml").read_text()

    assert ("https://e.example/1<" in written, "https://e.example/2<" in written) == (True, True)
    assert "urn:x" not in written
    assert "sitemap does not support 'extras' (dropped in 1 entry)" in [
        one.message for one in problems
    ]


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
def test_what_is_a_site(source: str, site: str | None) -> None:
    """Hosts and the roots of sites stand for sites; names of files do not."""
    assert site == site_of(source)


def test_sitemaps_in_robots(server: Server) -> None:
    """The sitemaps of a site are those that its robots.txt names."""
    robots = b"User-agent: *\nDisallow: /a\nSitemap: URL/a\nsitemap: /b # ours\nSitemap: URL/a\n"
    answer(server, {"/robots.txt": robots, "/a": urlset("a"), "/b": index("URL/c")})
    answer(server, {"/c": urlset("c")})
    said: list[str] = []
    url = server.url

    assert Found(["a", "c"], []) == followed(url, said=said)
    assert [f"{url}/robots.txt lists {url}/a, {url}/b"] == said
    assert ["/", "/robots.txt"] == server.requests[:2]
    assert ["/a", "/b", "/c"] == sorted(server.requests[2:])


def test_host(server: Server) -> None:
    """A host is asked by TLS, or else without."""
    answer(server, {"/robots.txt": b"Sitemap: URL/a", "/a": urlset("a")})

    assert ["a"] == followed(
        server.url.removeprefix("http://").replace("127.0.0.1", "localhost")
    ).names


def test_robots_that_is_not_utf8(server: Server) -> None:
    """A byte that is not UTF-8 is requested percent-encoded."""
    answer(server, {"/robots.txt": b"Sitemap: URL/caf\xe9", "/caf%E9": urlset("a")})

    assert ["a"] == followed(server.url).names


def test_usual_places(server: Server) -> None:
    """Without help of robots.txt the usual places are tried, until there is a sitemap."""
    answer(server, {"/robots.txt": b"<html>", "/sitemap.xml": b"<html>Not found"})
    answer(server, {"/sitemap-index.xml": index("URL/a"), "/a": urlset("a"), "/sitemap": b""})
    said: list[str] = []

    assert Found(["a"], []) == followed(f"{server.url}/", said=said)
    assert [
        f"{server.url}/robots.txt lists no sitemap; found {server.url}/sitemap-index.xml"
    ] == said


def test_root_that_is_a_feed(server: Server) -> None:
    """What can be read at the root of a site is what is meant."""
    answer(server, {"/": feed("1")})

    assert Found(["1"], []) == followed(server.url)
    assert ["/"] == server.requests


def failure(source: str, **settings: Any) -> str:
    """Fail to read a source, and tell why."""
    with pytest.raises(InputError) as caught:
        followed(source, **settings)
    return str(caught.value)


def test_site_without_sitemaps(server: Server) -> None:
    """A site that has none is told so."""
    said = "and there is no sitemap at the usual places; pass the URL of the sitemap"
    start = f"{server.url}/: 404 Not Found; its robots.txt"

    assert f"{start} is missing, {said}" == failure(f"{server.url}/")
    answer(server, {"/robots.txt": b"User-agent: *\n"})
    assert f"{start} lists no sitemap, {said}" == failure(f"{server.url}/")
    server.answers["/robots.txt"] = Answer(status=410)
    assert f"{start} is missing, {said}" == failure(f"{server.url}/")
    server.answers["/robots.txt"] = Answer(status=451)
    why = "cannot be read (451 Unavailable For Legal Reasons)"
    assert f"{start} {why}, {said}" == failure(f"{server.url}/")


def test_site_that_is_closed(server: Server) -> None:
    """A site that wants a password is told so, and not only to have no sitemaps."""
    server.answers["/sitemap.xml"] = Answer(status=401)

    told = "(401 Unauthorized; put credentials into the URL: https://user:password@example.com/)"
    assert told in failure(server.url)


def test_robots_in_trouble(server: Server) -> None:
    """A robots.txt that cannot be had now is asked for again; it may name something."""
    answer(server, {"/named": urlset("a"), "/sitemap.xml": urlset("b")})
    lines = Answer(f"Sitemap: {server.url}/named".encode())
    server.answers["/robots.txt"] = [Answer(status=503), Answer(status=429), lines]

    assert ["a"] == followed(server.url).names
    server.answers["/robots.txt"] = Answer(status=503)
    told = f"{server.url}/robots.txt: 503 Service Unavailable (3 attempts)"
    assert f"{server.url}: 404 Not Found; {told}" == failure(server.url)


def test_page_in_a_usual_place(server: Server) -> None:
    """A text that names URLs, with words between, is no sitemap of a site; a bare list is."""
    prose = b"Sorry, this was not found.\nhttps://e.example/help\n"
    answer(server, {"/sitemap.xml": prose, "/sitemap.xml.gz": b"https://e.example/a\n"})

    assert Found(["a"], []) == followed(server.url)
    answer(server, {"/sitemap.xml.gz": b'{"loc": "https://e.example/a"}\n'})
    assert "there is no sitemap at the usual places" in failure(server.url)


def test_site_in_trouble(server: Server) -> None:
    """A site that cannot answer now is not said to have no sitemaps."""
    server.answers["/sitemap.xml"] = Answer(status=503)

    assert f"{server.url}/sitemap.xml: 503 Service Unavailable (3 attempts)" == failure(server.url)


def test_site_that_does_not_answer(nobody: str) -> None:
    """Where nobody answers there is no more to find."""
    assert f"{nobody}/: connection refused" == failure(f"{nobody}/")


def test_neither_file_nor_host() -> None:
    """What is neither a file nor a host is told to be neither."""
    said = failure("nowhere.invalid:1")

    assert said.startswith(
        "nowhere.invalid:1: No such file or directory; https://nowhere.invalid:1/"
    )
    assert "nowhere.invalid: No such file or directory" == failure("nowhere.invalid")
    assert "nowhere.xml: No such file or directory" == failure("nowhere.xml")


@slow
def test_memory(server: Server) -> None:
    """Children are forgotten once they are read: only those in flight take memory."""
    body = urlset("a").replace(b"<url>", b" " * 200_000 + b"<url>")
    answer(server, {f"/{number}": body for number in range(200)})
    answer(server, {"/index": index(*(f"URL/{number}" for number in range(200)))})
    tracemalloc.start()
    try:
        assert len(followed(f"{server.url}/index").names) == 200
        assert tracemalloc.get_traced_memory()[1] < 200 * len(body) / 2
    finally:
        tracemalloc.stop()


def test_reading_a_site(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """Each entry comes with its sitemap, and without a report, problems go to the log."""
    broken = b"<urlset><url><loc>https://e.example/b</loc></url>"
    answer(server, {"/robots.txt": b"Sitemap: URL/index", "/index": index("URL/a", "URL/b")})
    answer(server, {"/a": urlset("a"), "/b": broken})
    fetcher = Fetcher(allow_private=True)
    found = {entry.loc: entry.source for entry in read_site(server.url, fetcher=fetcher)}

    assert found == {
        "https://e.example/a": f"{server.url}/a",
        "https://e.example/b": f"{server.url}/b",
    }
    levels = {(record.name, record.levelname, record.getMessage()) for record in caplog.records}
    ended = f"{server.url}/b:1: error: file ends before </urlset> [truncated]"
    assert ("sitemapx", "ERROR", ended) in levels
    assert {"ERROR", "WARNING"} == {level for _, level, _ in levels}


def test_sitemap_named_by_the_home_page(server: Server) -> None:
    """Where nothing is at the usual places, the home page may name a sitemap."""
    links = b'<base href="/maps/"><link rel="sitemap" href="s.xml">'
    feeds = b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    page = b"<!doctype html><title>Home</title>" + links + feeds
    answer(server, {"/": page, "/maps/s.xml": urlset("a"), "/feed.xml": feed("f")})
    said: list[str] = []
    found = followed(server.url, said=said)

    assert ["a"] == found.names
    assert any("the home page names" in line for line in said)


def test_feeds_named_by_the_home_page(server: Server) -> None:
    """A page that names no sitemap may name feeds."""
    kinds = ("rss+xml", "atom+xml")
    links = "".join(
        f'<link rel=alternate type="application/{kind}" href="/{number}">'
        for number, kind in enumerate(kinds)
    )
    answer(server, {"/": links.encode(), "/0": feed("a"), "/1": feed("b")})

    assert ["a", "b"] == followed(server.url).names


def test_listed_sitemaps_are_not_fetched_unless_they_are_selected(server: Server) -> None:
    """What is not selected costs no request."""
    rows = (
        f"<sitemap><loc>{server.url}/{name}.xml</loc><lastmod>{date}</lastmod></sitemap>"
        for name, date in (("old", "2020-01-01"), ("new", "2026-01-01"))
    )
    index_ = f'<sitemapindex xmlns="{SITEMAP}">{"".join(rows)}</sitemapindex>'.encode()
    answer(server, {"/index.xml": index_, "/old.xml": urlset("o"), "/new.xml": urlset("n")})
    found = followed(f"{server.url}/index.xml", selects=lambda row: row.lastmod >= "2025")

    assert ["n"] == found.names
    assert "/old.xml" not in server.requests
