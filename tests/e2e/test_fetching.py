"""Commands whose sources are on a web server."""

import gzip
import itertools
import json
import re
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapx.convert.disk.atomic import GzipPacker
from tests.conftest import PATIENCE, Run
from tests.convert.documents import SITEMAP
from tests.servers import Answer, Serve, Server
from tests.waiting import wait_until

OLD = b"what stood here\n"
ONE = f'<urlset xmlns="{SITEMAP}"><url><loc>https://e.example/a</loc></url></urlset>'.encode()


def index(server: Server, *paths: str) -> Answer:
    """Return a response with an index that lists these paths of a server."""
    listed = "".join(f"<sitemap><loc>{server.url}{path}</loc></sitemap>" for path in paths)
    return Answer(f'<sitemapindex xmlns="{SITEMAP}">{listed}</sitemapindex>'.encode())


def stderr_of(done: subprocess.CompletedProcess[bytes], server: Server) -> str:
    """Return stderr of a command, with the URL of the server replaced by `URL`."""
    return done.stderr.decode().replace(server.url, "URL")


def test_failing_child_of_an_index_is_reported(sitemapx: Run, server: Server) -> None:
    server.answers["/index.xml"] = index(server, "/a.xml.gz", "/missing.xml", "/b.txt")
    server.answers["/a.xml.gz"] = Answer(gzip.compress(ONE), headers={"Content-Type": "text/html"})
    server.answers["/b.txt"] = Answer(b"https://e.example/b\n")
    done = sitemapx("convert", f"{server.url}/index.xml", "--to", "text", "--allow-private")

    assert b"https://e.example/a\nhttps://e.example/b\n" == done.stdout
    assert (
        "URL/index.xml: error: 404 Not Found (URL/missing.xml) [listed-sitemap-failed]\n"
        "2 entries read, 2 written\n"
        "problems: listed-sitemap-failed 1\n"
    ) == stderr_of(done, server)
    assert 1 == done.returncode


def test_private_address_is_rejected(sitemapx: Run, server: Server) -> None:
    done = sitemapx("convert", f"{server.url}/a.xml", "--to", "text")

    expected = "127.0.0.1 is a private address; allow this with --allow-private"
    assert f"sitemapx: error: URL/a.xml: {expected}\n" == stderr_of(done, server)
    assert (1, [], b"") == (done.returncode, server.requests, done.stdout)


def test_headers_go_to_hosts_of_sources_only(sitemapx: Run, server: Server, serve: Serve) -> None:
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
    assert "secret" not in stderr_of(done, server)
    wrong = sitemapx("convert", f"{server.url}/index.xml", *options, "secret")
    assert (2, False) == (wrong.returncode, b"secret" in wrong.stderr)
    nobody = sitemapx("convert", "index.xml", *options, "A: secret")
    expected = "sitemapx: error: --header requires a source that is a URL or a host\n"
    assert (2, expected) == (nobody.returncode, nobody.stderr.decode())


def test_site_is_read_by_its_robots_txt(sitemapx: Run, server: Server) -> None:
    server.answers["/robots.txt"] = Answer(f"Sitemap: {server.url}/a.xml\n".encode())
    server.answers["/a.xml"] = Answer(ONE)
    host = f"localhost:{server.server_port}"
    done = sitemapx("convert", host, "--to", "text", "--allow-private")

    assert b"https://e.example/a\n" == done.stdout
    assert (f"http://{host}/robots.txt lists URL/a.xml\n1 entry read, 1 written\n") == stderr_of(
        done, server
    )
    assert ["/robots.txt", "/a.xml"] == server.requests


def test_unchanged_sitemaps_keep_the_date_of_the_previous_online_build(
    sitemapx: Run, server: Server, tmp_path: Path
) -> None:
    urls = tmp_path / "urls.txt"
    urls.write_bytes(b"".join(b"https://e.example/%d\n" % n for n in range(5)))
    previous = f"{server.url}/sitemap.xml.gz"
    given = ("urls.txt", "--base-url", server.url, "--max-urls", "2", "--previous", previous)

    def build(name: str, *options: str) -> tuple[dict[str, bytes], str]:
        folder = tmp_path / name
        folder.mkdir()
        done = sitemapx("convert", *given, "-o", f"{name}/sitemap.xml.gz", *options)
        assert 0 == done.returncode
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        return files, stderr_of(done, server).partition("\n")[0]

    files, note = build("private")
    assert "127.0.0.1 is a private address; allow this with --allow-private" in note
    assert [] == server.requests
    _, note = build("first", "--allow-private")
    expected = "404 Not Found; all sitemaps count as changed [previous-unread]"
    assert f"URL/sitemap.xml.gz: note: {expected}" == note

    old = b"2020-01-02T03:04:05Z"
    index = gzip.decompress(files["sitemap.xml.gz"])
    index = re.sub(rb"(?<=<lastmod>)[^<]*", old, index)
    packer = GzipPacker()
    files["sitemap.xml.gz"] = packer.compress(index) + b"".join(packer.finish())
    for name, data in files.items():
        server.answers[f"/{name}"] = Answer(data)
    # Only the contents count: some servers decompress what they send.
    server.answers["/sitemap-1.xml.gz"] = Answer(gzip.decompress(files["sitemap-1.xml.gz"]))
    again, line = build("second", "--allow-private")
    assert (files, "5 entries read") == (again, line[:14])

    server.answers["/sitemap-2.xml.gz"] = Answer(status=404)
    urls.write_bytes(urls.read_bytes() + b"https://e.example/5\n")
    changed, note = build("third", "--allow-private")
    expected = "URL/sitemap-2.xml.gz: 404 Not Found; counts as changed [previous-unread]"
    assert f"URL/sitemap.xml.gz: note: {expected}" == note
    dates = re.findall(rb"<lastmod>([^<]*)", gzip.decompress(changed["sitemap.xml.gz"]))
    assert [True, False, False] == [date == old for date in dates]


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
def test_truncated_source_keeps_the_old_output(
    answer: Answer, message: str, sitemapx: Run, server: Server, tmp_path: Path
) -> None:
    (tmp_path / "out.xml").write_bytes(OLD)
    server.answers["/"] = answer
    options = ("--allow-private", "--max-size", "1MB", "--retries", "0", "-o", "out.xml")
    done = sitemapx("convert", f"{server.url}/?", "--from", "text", *options)

    assert f"sitemapx: error: URL/?: {message}\n" == stderr_of(done, server)[-len(message) - 27 :]
    assert 1 == done.returncode
    assert [("out.xml", OLD)] == [(path.name, path.read_bytes()) for path in tmp_path.iterdir()]


def test_silent_server_is_given_up(sitemapx: Run, server: Server) -> None:
    server.answers["/a"] = [Answer(server.drip(b""), is_raw=True) for _ in range(2)]
    options = ("--timeout", "0.2", "--retries", "1", "--report", "json")
    done = sitemapx("convert", f"{server.url}/a", "--to", "text", "--allow-private", *options)

    expected = {
        "code": "failed",
        "severity": "error",
        "message": "no data received for 0.2 s (2 attempts)",
        "source": "URL/a",
    }
    assert expected == json.loads(stderr_of(done, server))


def _bomb() -> Iterator[bytes]:
    """Yield gzip data of a sitemap with 10 GB of spaces, as repeated pieces."""
    packer = zlib.compressobj(wbits=31)
    yield packer.compress(ONE[:-9]) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(b" " * 10_000_000) + packer.flush(zlib.Z_FULL_FLUSH)
    yield from [piece] * 1000


@pytest.mark.parametrize("path", ["/bomb.xml.gz", "/index.xml"])
def test_gzip_bomb_is_not_unpacked(path: str, sitemapx: Run, server: Server) -> None:
    server.answers["/index.xml"] = index(server, "/bomb.xml.gz")
    server.answers["/bomb.xml.gz"] = Answer(_bomb())
    done = sitemapx("convert", f"{server.url}{path}", "--to", "text", "--allow-private")

    assert b"https://e.example/a\n" == done.stdout
    assert 1 == done.returncode
    assert "[too-large]" in stderr_of(done, server)


def test_cached_sitemap_is_revalidated(sitemapx: Run, server: Server) -> None:
    server.answers["/index.xml"] = index(server, "/a.xml")
    server.answers["/a.xml"] = Answer(ONE, etag='"1"')
    options = ("--to", "text", "--allow-private", "--cache", "cache")
    for _ in range(2):
        done = sitemapx("convert", f"{server.url}/index.xml", *options)

        assert (0, b"https://e.example/a\n") == (done.returncode, done.stdout)
    asked = [headers.get("If-None-Match") for headers in server.headers]
    assert [None] * 5 + ['"1"'] == asked


def test_feed_pages_are_followed_up_to_the_limit(sitemapx: Run, server: Server) -> None:
    for page in "123":
        server.answers[f"/{page}"] = Answer(
            f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>'
            f'<link rel="next" href="/{int(page) + 1}"/><entry><id>{page}</id>'
            f'<link href="https://e.example/{page}"/></entry></feed>'.encode()
        )
    options = ("--to", "jsonl", "--allow-private", "--follow-pages", "1")
    done = sitemapx("convert", f"{server.url}/1", *options)

    assert [b"1", b"2"] == [line[-3:-2] for line in done.stdout.splitlines()]
    expected = (
        "URL/2: warning: feed continues at URL/3; pass --follow-pages to read all pages [paged]\n"
    )
    assert expected in stderr_of(done, server)


def test_diff_reads_children_of_an_index(sitemapx: Run, server: Server, tmp_path: Path) -> None:
    server.answers["/index.xml"] = index(server, "/a.xml", "/b.txt")
    server.answers["/a.xml"] = Answer(ONE)
    server.answers["/b.txt"] = Answer(b"https://e.example/b\n")
    (tmp_path / "new.txt").write_text("https://e.example/b\nhttps://e.example/c\n")
    done = sitemapx("diff", f"{server.url}/index.xml", "new.txt", "--allow-private")

    assert b"- https://e.example/a\n+ https://e.example/c\n" == done.stdout
    assert (1, "1 added, 1 removed, 0 changed, 1 unchanged\n") == (
        done.returncode,
        stderr_of(done, server),
    )


def test_sitemap_lines_of_a_url_are_listed(sitemapx: Run, server: Server) -> None:
    server.answers["/robots.txt"] = Answer(b"Sitemap: https://e.example/a.xml\n")
    listed = sitemapx("robots", "list", f"{server.url}/robots.txt", "--allow-private")
    missing = sitemapx("robots", "list", f"{server.url}/robots", "--allow-private")

    assert (b"https://e.example/a.xml\n", b"") == (listed.stdout, listed.stderr)
    expected = "sitemapx: error: URL/robots: 404 Not Found\n"
    assert (1, expected) == (missing.returncode, stderr_of(missing, server))


def test_robots_list_hides_the_password(sitemapx: Run, server: Server) -> None:
    server.answers["/robots.txt"] = Answer(b"Sitemap: https://e.example/\xe9.xml\n")
    url = server.url.replace("http://", "http://user:secret@")
    done = sitemapx("robots", "list", f"{url}/robots.txt", "--allow-private")

    assert b"https://e.example/%E9.xml\n" == done.stdout
    assert b"not UTF-8" in done.stderr
    assert b"secret" not in done.stderr


def test_robots_check_hides_the_password(sitemapx: Run, server: Server) -> None:
    server.answers["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /a\nSitemap: /s.txt\n")
    server.answers["/s.txt"] = Answer(f"{server.url}/a\n".encode())
    url = server.url.replace("http://", "http://user:secret@")
    done = sitemapx("robots", "check", f"{url}/robots.txt", f"{url}/s.txt", "--allow-private")

    expected = stderr_of(done, server)
    assert (
        "URL/robots.txt:3: error: relative URL '/s.txt'; write URL/s.txt [relative-sitemap]"
        in expected
    )
    assert "1 URL checked, 1 disallowed for *\n" in expected
    assert "secret" not in expected
    assert all("Authorization" in headers for headers in server.headers)


def test_interrupt_ends_a_waiting_run(
    environment: dict[str, str], server: Server, tmp_path: Path
) -> None:
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
