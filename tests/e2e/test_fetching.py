"""Whole command lines whose sources are on a web server."""

import gzip
import itertools
import json
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, Run
from tests.convert.documents import SITEMAP
from tests.servers import Answer, Serve, Server
from tests.waiting import wait_until

OLD = b"what stood here\n"
ONE = f'<urlset xmlns="{SITEMAP}"><url><loc>https://e.example/a</loc></url></urlset>'.encode()


def index(server: Server, *paths: str) -> Answer:
    """Make an index of files on a server."""
    listed = "".join(f"<sitemap><loc>{server.url}{path}</loc></sitemap>" for path in paths)
    return Answer(f'<sitemapindex xmlns="{SITEMAP}">{listed}</sitemapindex>'.encode())


def said(done: subprocess.CompletedProcess[bytes], server: Server) -> str:
    """Give what was said on stderr, with URL for the address of the server."""
    return done.stderr.decode().replace(server.url, "URL")


def test_index(sitemapx: Run, server: Server) -> None:
    """An index is read with its children; what fails is told, and makes the status 1."""
    server.answers["/index.xml"] = index(server, "/a.xml.gz", "/missing.xml", "/b.txt")
    server.answers["/a.xml.gz"] = Answer(gzip.compress(ONE), headers={"Content-Type": "text/html"})
    server.answers["/b.txt"] = Answer(b"https://e.example/b\n")
    done = sitemapx("convert", f"{server.url}/index.xml", "--to", "text", "--allow-private")

    assert b"https://e.example/a\nhttps://e.example/b\n" == done.stdout
    assert (
        "URL/index.xml: error: 404 Not Found (URL/missing.xml) [child-failed]\n"
        "2 entries read, 2 written\n"
        "problems: child-failed 1\n"
    ) == said(done, server)
    assert 1 == done.returncode


def test_private_address(sitemapx: Run, server: Server) -> None:
    """Private addresses need a word from whoever runs the command."""
    done = sitemapx("convert", f"{server.url}/a.xml", "--to", "text")

    told = "127.0.0.1 is a private address; allow this with --allow-private"
    assert f"sitemapx: error: URL/a.xml: {told}\n" == said(done, server)
    assert (1, [], b"") == (done.returncode, server.requests, done.stdout)


def test_header(sitemapx: Run, server: Server, serve: Serve) -> None:
    """Further headers are sent to the hosts of the sources only, and are in no message."""
    other = serve()
    server.answers["/index.xml"] = index(server, "/a.xml", "/b.xml")
    server.answers["/a.xml"] = Answer(ONE)
    server.answers["/b.xml"] = Answer(status=302, headers={"Location": f"{other.url}/b.xml"})
    options = ("--allow-private", "--to", "text", "--header")
    given = (*options, "X-Staging: secret", "--header", "Cookie:a=1")
    done = sitemapx("convert", f"{server.url}/index.xml", *given)

    assert {("secret", "a=1")} == {(h.get("X-Staging"), h.get("Cookie")) for h in server.headers}
    assert "/b.xml" in other.requests
    assert not any("X-Staging" in headers or "Cookie" in headers for headers in other.headers)
    assert "secret" not in said(done, server)
    wrong = sitemapx("convert", f"{server.url}/index.xml", *options, "secret")
    assert (2, False) == (wrong.returncode, b"secret" in wrong.stderr)
    nobody = sitemapx("convert", "index.xml", *options, "A: secret")
    told = "sitemapx: error: --header requires a source that is a URL or a host\n"
    assert (2, told) == (nobody.returncode, nobody.stderr.decode())


def test_site(sitemapx: Run, server: Server) -> None:
    """What is found for a site is told; robots.txt and sitemaps are asked for, and nothing else."""
    server.answers["/robots.txt"] = Answer(f"Sitemap: {server.url}/a.xml\n".encode())
    server.answers["/a.xml"] = Answer(ONE)
    host = f"localhost:{server.server_port}"
    done = sitemapx("convert", host, "--to", "text", "--allow-private")

    assert b"https://e.example/a\n" == done.stdout
    assert (f"http://{host}/robots.txt lists URL/a.xml\n1 entry read, 1 written\n") == said(
        done, server
    )
    assert ["/robots.txt", "/a.xml"] == server.requests


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(ONE * 1000, headers={"Content-Length": "999999"}), "response was cut off"),
        (
            Answer(itertools.repeat(b"https://e.example/a\n" * 1000)),
            "larger than 1,000,000 bytes; raise the limit with --max-size",
        ),
    ],
)
def test_half_a_source(
    answer: Answer, message: str, sitemapx: Run, server: Server, tmp_path: Path
) -> None:
    """A source that breaks off leaves the output as it was, and no temporary file."""
    (tmp_path / "out.xml").write_bytes(OLD)
    server.answers["/"] = answer
    options = ("--allow-private", "--max-size", "1MB", "--retries", "0", "-o", "out.xml")
    done = sitemapx("convert", f"{server.url}/?", "--from", "text", *options)

    assert f"sitemapx: error: URL/?: {message}\n" == said(done, server)[-len(message) - 27 :]
    assert 1 == done.returncode
    assert [("out.xml", OLD)] == [(path.name, path.read_bytes()) for path in tmp_path.iterdir()]


def test_server_that_is_silent(sitemapx: Run, server: Server) -> None:
    """A server that says nothing is given up, after as many attempts as are wanted."""
    server.answers["/a"] = [Answer(server.drip(b""), is_raw=True) for _ in range(2)]
    options = ("--timeout", "0.2", "--retries", "1", "--report", "json")
    done = sitemapx("convert", f"{server.url}/a", "--to", "text", "--allow-private", *options)

    told = {
        "code": "failed",
        "severity": "error",
        "message": "no data received for 0.2 s (2 attempts)",
        "source": "URL/a",
    }
    assert told == json.loads(said(done, server))


def _bomb() -> Iterator[bytes]:
    """Pack 10 GB of spaces in a sitemap: the same packed piece over and over."""
    packer = zlib.compressobj(wbits=31)
    yield packer.compress(ONE[:-9]) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(b" " * 10_000_000) + packer.flush(zlib.Z_FULL_FLUSH)
    yield from [piece] * 1000


@pytest.mark.parametrize("path", ["/bomb.xml.gz", "/index.xml"])
def test_bomb(path: str, sitemapx: Run, server: Server) -> None:
    """A gzip bomb is neither unpacked nor stored, as a source and as a child."""
    server.answers["/index.xml"] = index(server, "/bomb.xml.gz")
    server.answers["/bomb.xml.gz"] = Answer(_bomb())
    done = sitemapx("convert", f"{server.url}{path}", "--to", "text", "--allow-private")

    assert b"https://e.example/a\n" == done.stdout
    assert 1 == done.returncode
    assert "[too-large]" in said(done, server)


def test_cache(sitemapx: Run, server: Server) -> None:
    """What is in the cache is asked for again, and not sent again."""
    server.answers["/index.xml"] = index(server, "/a.xml")
    server.answers["/a.xml"] = Answer(ONE, etag='"1"')
    options = ("--to", "text", "--allow-private", "--cache", "cache")
    for _ in range(2):
        done = sitemapx("convert", f"{server.url}/index.xml", *options)

        assert (0, b"https://e.example/a\n") == (done.returncode, done.stdout)
    asked = [headers.get("If-None-Match") for headers in server.headers]
    assert [None] * 5 + ['"1"'] == asked


def test_pages(sitemapx: Run, server: Server) -> None:
    """The pages of a feed are followed as far as is wanted."""
    for page in "123":
        server.answers[f"/{page}"] = Answer(
            f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>'
            f'<link rel="next" href="/{int(page) + 1}"/><entry><id>{page}</id>'
            f'<link href="https://e.example/{page}"/></entry></feed>'.encode()
        )
    options = ("--to", "jsonl", "--allow-private", "--follow-pages", "1")
    done = sitemapx("convert", f"{server.url}/1", *options)

    assert [b"1", b"2"] == [line[-3:-2] for line in done.stdout.splitlines()]
    told = (
        "URL/2: warning: feed continues at URL/3; pass --follow-pages to read all pages [paged]\n"
    )
    assert told in said(done, server)


def test_diff(sitemapx: Run, server: Server, tmp_path: Path) -> None:
    """What is published is compared with what is on disk, all children of an index included."""
    server.answers["/index.xml"] = index(server, "/a.xml", "/b.txt")
    server.answers["/a.xml"] = Answer(ONE)
    server.answers["/b.txt"] = Answer(b"https://e.example/b\n")
    (tmp_path / "new.txt").write_text("https://e.example/b\nhttps://e.example/c\n")
    done = sitemapx("diff", f"{server.url}/index.xml", "new.txt", "--allow-private")

    assert b"- https://e.example/a\n+ https://e.example/c\n" == done.stdout
    assert (1, "1 added, 1 removed, 0 changed, 1 unchanged\n") == (
        done.returncode,
        said(done, server),
    )


def test_robots_list(sitemapx: Run, server: Server) -> None:
    """The Sitemap lines of a robots.txt are listed wherever it is."""
    server.answers["/robots.txt"] = Answer(b"Sitemap: https://e.example/a.xml\n")
    listed = sitemapx("robots", "list", f"{server.url}/robots.txt", "--allow-private")
    missing = sitemapx("robots", "list", f"{server.url}/robots", "--allow-private")

    assert (b"https://e.example/a.xml\n", b"") == (listed.stdout, listed.stderr)
    told = "sitemapx: error: URL/robots: 404 Not Found\n"
    assert (1, told) == (missing.returncode, said(missing, server))


def test_robots_list_hides_the_user(sitemapx: Run, server: Server) -> None:
    """No warning about a line shows the password that the URL has."""
    server.answers["/robots.txt"] = Answer(b"Sitemap: https://e.example/\xe9.xml\n")
    url = server.url.replace("http://", "http://user:secret@")
    done = sitemapx("robots", "list", f"{url}/robots.txt", "--allow-private")

    assert b"https://e.example/%E9.xml\n" == done.stdout
    assert b"not UTF-8" in done.stderr
    assert b"secret" not in done.stderr


def test_robots_check(sitemapx: Run, server: Server) -> None:
    """A robots.txt on the web is checked with pages there; no message tells who asked."""
    server.answers["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /a\nSitemap: /s.txt\n")
    server.answers["/s.txt"] = Answer(f"{server.url}/a\n".encode())
    url = server.url.replace("http://", "http://user:secret@")
    done = sitemapx("robots", "check", f"{url}/robots.txt", f"{url}/s.txt", "--allow-private")

    told = said(done, server)
    assert "URL/robots.txt:3: error: relative URL '/s.txt'; write URL/s.txt [relative]" in told
    assert "1 URL checked, 1 disallowed for *\n" in told
    assert "secret" not in told
    assert all("Authorization" in headers for headers in server.headers)


def test_interrupt(environment: dict[str, str], server: Server, tmp_path: Path) -> None:
    """Ctrl-C ends a run at once, whatever it waits for."""
    server.answers["/index.xml"] = index(server, *(f"/{number}" for number in range(20)))
    for number in range(20):
        server.answers[f"/{number}"] = Answer(server.drip(b" "))
    options = ("--allow-private", "--to", "text", "-o", "out.txt")
    command = [sys.executable, "-m", "sitemapx", "convert", f"{server.url}/index.xml", *options]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
    wait_until(lambda: len(server.requests) >= 5, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)

    assert (130, b"sitemapx: interrupted") == (process.returncode, err.strip())
    assert [] == list(tmp_path.iterdir())
