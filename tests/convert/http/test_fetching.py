"""The fetcher, with test servers that fail in all documented ways."""

import base64
import gc
import gzip
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
import trustme

from sitemapx.convert import Fetcher
from sitemapx.convert.http import ssrf
from sitemapx.convert.http.ssrf import SPECIAL, is_public
from sitemapx.convert.http.throttle import Host
from sitemapx.errors import FetchError, InputError, OutputError
from tests.servers import Answer, Serve, Server

BODY = b"https://e.example/a\n"


def fetch(url: str, **settings: object) -> bytes:
    with Fetcher(**{"allow_private": True, "backoff": 0.001} | settings).open(url) as opened:  # type: ignore[arg-type]
        return opened.read()


def fetch_error(url: str, **settings: object) -> str:
    """Return the message of a failed fetch, without the URL."""
    with pytest.raises(InputError) as caught:
        fetch(url, **settings)
    assert caught.value.source
    return caught.value.message


def format_chunk(size: bytes, data: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\n" + data


@pytest.fixture
def url(server: Server) -> str:
    """Return the URL of a short body on the test server."""
    server.answers["/"] = Answer(BODY)
    return f"{server.url}/"


def redirect(location: str) -> Answer:
    """Return a redirect whose body is never read."""
    return Answer(status=302, headers={"Location": location, "Content-Length": "1000000000"})


def test_request_names_agent_and_gzip(server: Server, url: str) -> None:

    assert BODY == fetch(url)
    assert server.headers[0]["User-Agent"].startswith("sitemapx/")
    assert "(+https://" in server.headers[0]["User-Agent"]
    assert "gzip" == server.headers[0]["Accept-Encoding"]


def test_user_agent_can_be_set(server: Server, url: str) -> None:
    fetch(url, user_agent="Robot/1")

    assert "Robot/1" == server.headers[0]["User-Agent"]


def test_chunked_body_is_read(server: Server) -> None:
    server.answers["/"] = Answer(format_chunk(b"14", BODY + b"\r\n0\r\n\r\n"), is_raw=True)

    assert BODY == fetch(f"{server.url}/")


#: In the words of urllib3.
TWO_LENGTHS = "Content-Length contained multiple unmatching values (1, 2)"
FAILURES: dict[str, tuple[Answer, str]] = {
    "401": (
        Answer(status=401),
        "401 Unauthorized; put credentials into the URL: https://user:password@example.com/",
    ),
    "403": (
        Answer(status=403),
        "403 Forbidden; the site may block crawlers; try `user_agent` with that of a browser",
    ),
    "404": (Answer(status=404), "404 Not Found"),
    "410": (Answer(status=410), "410 Gone"),
    "429": (
        Answer(status=429),
        "429 Too Many Requests; slow down with `delay` (3 attempts)",
    ),
    "500": (Answer(status=500), "500 Internal Server Error (3 attempts)"),
    "503": (Answer(status=503), "503 Service Unavailable (3 attempts)"),
    "503 for long": (
        Answer(status=503, headers={"Retry-After": "7200"}),
        "503 Service Unavailable; the server asks clients to wait 7,200 s",
    ),
    "503 until a day": (
        Answer(status=503, headers={"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}),
        "503 Service Unavailable; the server asks clients to wait 31,536,000 s",
    ),
    "503 until whenever": (
        Answer(status=503, headers={"Retry-After": "soon"}),
        "503 Service Unavailable (3 attempts)",
    ),
    "unknown status": (Answer(status=599), "599"),
    "unasked 304": (Answer(status=304), "304 Not Modified"),
    "redirect to nowhere": (Answer(status=302), "302 Found"),
    "redirect to itself": (redirect("/"), "more than 10 redirects"),
    "redirect to another scheme": (
        redirect("ftp://e.example/"),
        "redirected to ftp://e.example/: URL cannot be fetched",
    ),
    "redirect to a file": (
        redirect("file:///etc/passwd"),
        "redirected to file:///etc/passwd: URL cannot be fetched",
    ),
    "redirect to no URL": (redirect("http://[::1/"), "URL cannot be fetched"),
    "cut off": (Answer(BODY, headers={"Content-Length": "1000"}), "response was cut off"),
    "chunk cut off": (Answer(format_chunk(b"40", BODY), is_raw=True), "response was cut off"),
    "no chunk": (Answer(format_chunk(b"zz", BODY), is_raw=True), "response was cut off"),
    "reset": (Answer([BODY], is_reset=True), "server closed the connection"),
    "no answer": (Answer(is_raw=True), "server closed the connection (3 attempts)"),
    "no HTTP": (Answer(b"SSH-2.0-x\r\n\r\n", is_raw=True), "response is not HTTP"),
    "endless headers": (
        Answer(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 300, is_raw=True),
        "response is not HTTP",
    ),
    "two lengths": (
        Answer(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", is_raw=True),
        f"response has an invalid header: {TWO_LENGTHS}",
    ),
    "brotli": (
        Answer(BODY, headers={"Content-Encoding": "br"}),
        "unsupported Content-Encoding br: only gzip was requested",
    ),
    "said to be large": (
        Answer(BODY, headers={"Content-Length": "3000000"}),
        "larger than 2,000,000 bytes; raise the limit with `max_size`",
    ),
    "endless": (
        Answer(repeat(BODY * 1000)),
        "larger than 2,000,000 bytes; raise the limit with `max_size`",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failure_is_one_line(name: str, server: Server) -> None:
    server.answers["/"], message = FAILURES[name]

    assert message == fetch_error(f"{server.url}/", max_size=2_000_000)


def test_failure_without_server_is_one_line(nobody: str) -> None:
    assert "connection refused" == fetch_error(f"{nobody}/")
    assert "not a URL" == fetch_error("http://[::1/")
    assert "URL cannot be fetched" == fetch_error("http://127.0.0.1:99999/")
    assert fetch_error("http://nowhere.invalid/").startswith("host not found: ")


def _head(server: Server) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    yield from server.drip(b"X")


def _silence(server: Server) -> Iterator[bytes]:
    yield BODY
    server.is_stopped.wait()


SLOW: dict[str, tuple[Callable[[Server], Answer], str]] = {
    "silence": (lambda server: Answer(_silence(server)), "no data received for 0.2 s"),
    "body in drips": (
        lambda server: Answer(server.drip(b" ")),
        "download took longer than 0.3 s; raise the limit with `max_time`",
    ),
    "body without end": (
        lambda server: Answer(repeat(BODY * 10_000)),
        "download took longer than 0.3 s; raise the limit with `max_time`",
    ),
    "head in drips": (
        lambda server: Answer(_head(server), is_raw=True),
        "no data received for 0.2 s",
    ),
}


@pytest.mark.parametrize("name", SLOW)
def test_slow_server_is_abandoned(name: str, server: Server) -> None:
    make, message = SLOW[name]
    server.answers["/"] = make(server)

    assert message == fetch_error(f"{server.url}/", timeout=0.2, max_time=0.3, retries=0)


def test_temporary_failures_are_retried(server: Server) -> None:
    server.answers["/"] = [Answer(status=503), Answer(is_raw=True), Answer(BODY)]
    said: list[str] = []

    assert BODY == fetch(f"{server.url}/", say=said.append)
    assert [
        f"{server.url}/: 503 Service Unavailable; trying again in 0 s",
        f"{server.url}/: server closed the connection; trying again in 0 s",
    ] == said


def test_delay_doubles_between_attempts(server: Server) -> None:
    server.answers["/"] = [Answer(status=503), Answer(status=503), Answer(BODY)]
    started = time.monotonic()
    fetch(f"{server.url}/", backoff=0.1)

    assert time.monotonic() - started >= 0.3


def test_retry_after_is_respected(server: Server) -> None:
    server.answers["/"] = [Answer(status=429, headers={"Retry-After": "1"}), Answer(BODY)]
    started = time.monotonic()
    fetch(f"{server.url}/")

    assert time.monotonic() - started >= 1


def test_truncated_download_is_retried(server: Server) -> None:
    cut = Answer(BODY, headers={"Content-Length": "1000"})
    server.answers["/"] = [cut, Answer([BODY], is_reset=True), Answer(BODY)]
    with Fetcher(allow_private=True, backoff=0.001).spool(f"{server.url}/") as opened:
        assert BODY == opened.read()


def test_large_body_is_spooled(server: Server) -> None:
    server.answers["/"] = Answer(BODY * 50_000)
    with Fetcher(allow_private=True).spool(f"{server.url}/") as opened:
        assert BODY * 50_000 == opened.read()


def test_redirects_are_followed_to_other_hosts(serve: Serve) -> None:
    first, second = serve(), serve()
    first.answers["/a"] = redirect("b")
    first.answers["/b"] = redirect(f"{second.url}/c")
    second.answers["/c"] = Answer(BODY)
    with Fetcher(allow_private=True).open(f"{first.url}/a") as opened:
        assert BODY == opened.read()

    assert (f"{first.url}/a", f"{second.url}/c") == (opened.name, opened.url)


def _authorization(server: Server) -> list[str | None]:
    return [headers.get("Authorization") for headers in server.headers]


def test_credentials_are_sent_only_to_their_origin(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = serve(), serve()
    first.answers["/a"] = redirect("/b")
    first.answers["/b"] = redirect(f"{second.url}/c")
    second.answers["/c"] = Answer(BODY)
    (tmp_path / "netrc").write_text("default login from password netrc")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with Fetcher(allow_private=True, delay=0) as fetcher:
        url = first.url.replace("http://", "http://us%40er:pass@")
        with fetcher.open(f"{url}/a") as opened:
            opened.read()
        fetcher.open(f"{first.url}/b").close()

    basic = f"Basic {base64.b64encode(b'us@er:pass').decode()}"
    assert [basic, basic, basic] == _authorization(first)
    assert [None, None] == _authorization(second)
    assert f"{first.url}/a" == opened.name


def test_credentials_are_in_no_message(server: Server) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(server.url.replace("http://", "http://user:secret@") + "/")

    assert f"{server.url}/: 404 Not Found" == str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
        *("192.0.0.8", "192.0.0.170", "192.0.0.171", "192.88.99.1", "192.88.99.2", "192.0.2.1"),
        *("198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.255", "172.31.255.255"),
        *("::", "::1", "fe80::1%eth0", "febf::1", "fec0::1", "feff::1", "fc00::1", "fd00::1"),
        *("ff02::1", "100::1", "100:0:0:1::1", "5f00::1", "3fff::1", "3fff:fff::1"),
        *("2001:db8::1", "2001:2::1", "2001:10::1", "2001:1ff::1", "2001:1::4", "4000::1"),
        *("64:ff9b:1::7f00:1", "64:ff9b:1::808:808", "::127.0.0.1", "::8.8.8.8"),
        *("::ffff:127.0.0.1", "::ffff:192.88.99.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"),
        *("2002:7f00:1::", "2002:c0a8:101::1", "2002:c058:6301::"),
        # Teredo: a private server, and a private client (its bits are inverted)
        *("2001:0:7f00:1:0:0:f7f7:f7f7", "2001:0:808:808:0:0:3f57:fefe"),
    ],
)
def test_address_is_private(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0"),
        *("100.63.255.255", "100.128.0.0", "192.0.0.9", "192.0.0.10", "192.0.1.1", "192.31.196.1"),
        *("192.52.193.1", "192.175.48.1", "198.17.255.255", "198.20.0.0", "223.255.255.255"),
        *("2606:4700::1111", "2001:1::1", "2001:1::2", "2001:1::3", "2001:3::1", "2001:4:112::1"),
        *("2001:20::1", "2001:30::1", "2001:200::1", "2001:4860:4860::8888", "2620:4f:8000::1"),
        *("3ffe::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"),
        "2001:0:808:808:0:0:f7f7:f7f7",
    ],
)
def test_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("block", SPECIAL)
def test_ends_of_special_block_are_classified(block: str) -> None:
    network = ip_network(block)
    smaller = [ip_network(other) for other in SPECIAL if other != block]
    inner = [
        other
        for other in smaller
        if other.version == network.version and other.subnet_of(network)  # type: ignore[arg-type]
    ]
    for address in (network[0], network[-1]):
        if not any(address in item for item in [*inner, ip_network("2001::/32")]):
            assert is_public(str(address)) is SPECIAL[block]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "127.1"])
def test_private_host_is_rejected_in_every_spelling(host: str, server: Server) -> None:
    url = f"http://{host}:{server.server_port}/"

    assert (
        "a private address; allow this with `fetcher=Fetcher(allow_private=True)`"
        in fetch_error(url, allow_private=False)
    )
    assert [] == server.requests


@pytest.fixture
def public_address(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a loopback address that counts as public."""
    if sys.platform != "linux":
        pytest.skip("only Linux has a whole network of loopback addresses")
    monkeypatch.setattr(ssrf, "is_public", lambda address: address == "127.0.0.2")
    return "127.0.0.2"


def test_redirect_to_private_address_is_rejected(serve: Serve, public_address: str) -> None:
    public, private = serve(public_address), serve()
    public.answers["/"] = redirect(f"{private.url}/secret")
    said = fetch_error(f"{public.url}/", allow_private=False)

    assert (
        f"redirected to {private.url}/secret: 127.0.0.1 is a private address; "
        "allow this with `fetcher=Fetcher(allow_private=True)`"
    ) == said
    assert [] == private.requests


def test_host_is_resolved_once(
    serve: Serve, public_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = serve(public_address)
    public.answers["/"] = Answer(BODY)
    private = serve()
    real, answers = socket.getaddrinfo, [public_address, "127.0.0.1"]

    def changing(host: str, *args: Any, **kwargs: Any) -> Any:
        return real(answers.pop(0) if host == "e.example" else host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", changing)
    fetch(f"http://e.example:{public.server_port}/", allow_private=False)

    assert (["/"], []) == (public.requests, private.requests)


def test_name_with_any_private_address_is_rejected(
    serve: Serve, public_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = serve(public_address)
    public.answers["/"] = Answer(BODY)
    monkeypatch.setattr(ssrf, "is_public", lambda address: address != "127.0.0.1")
    result = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, public.server_port))
        for address in ("127.0.0.3", public_address)
    ]
    private = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", public.server_port))
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *args, **kw: result if host == "e.example" else real(host, *args, **kw),
    )

    url = f"http://e.example:{public.server_port}/"

    assert BODY == fetch(url, allow_private=False)
    result.append(private)
    said = "e.example leads to 127.0.0.1, a private address; allow this with `fetcher="
    assert said in fetch_error(url, allow_private=False)
    assert 1 == len(public.requests)


def test_proxy_may_be_private_but_url_not(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    server.answers["http://nowhere.invalid/"] = Answer(BODY)

    assert BODY == fetch("http://nowhere.invalid/", allow_private=False)
    assert "127.0.0.1 is a private" in fetch_error("http://127.0.0.1/", allow_private=False)
    assert ["http://nowhere.invalid/"] == server.requests


def test_unreachable_proxy_is_reported(nobody: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", nobody)

    assert "proxy error: connection refused" == fetch_error("http://nowhere.invalid/")


def test_proxy_authentication_is_reported(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answers["http://nowhere.invalid/"] = Answer(status=407)
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("https_proxy", server.url)
    cure = "put USER:PASSWORD@ into HTTPS_PROXY, HTTP_PROXY"

    assert fetch_error("http://nowhere.invalid/").endswith(
        f"407 Proxy Authentication Required; {cure}"
    )
    assert fetch_error("https://nowhere.invalid/").startswith("proxy refused the connection: 501")


def test_certificate_is_verified(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server = serve(context=context)
    server.answers["/"] = Answer(BODY)
    url = f"{server.url}/"

    assert fetch_error(url).startswith("invalid certificate: ")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "ca.pem"))
    assert BODY == fetch(url)
    assert fetch_error(url.replace("127.0.0.1", "localhost")).startswith("invalid certificate: ")


def test_server_without_tls_is_reported(server: Server) -> None:
    said = fetch_error(f"{server.url}/".replace("http:", "https:"))

    assert said.startswith("TLS handshake failed: ")


def test_unchanged_body_is_read_from_cache(server: Server, tmp_path: Path) -> None:
    server.answers["/"] = [
        Answer(BODY, etag='"1"'),
        Answer(BODY, etag='"1"'),
        Answer(b"2", etag='"2"'),
    ]
    url, cache = f"{server.url}/", str(tmp_path / "cache")

    assert [BODY, BODY, b"2"] == [fetch(url, cache=cache) for _ in range(3)]
    sent = [headers.get("If-None-Match") for headers in server.headers]
    assert [None, '"1"', '"1"'] == sent


def test_cache_validates_by_date(server: Server, tmp_path: Path) -> None:
    date = "Wed, 21 Oct 2026 07:28:00 GMT"
    server.answers["/"] = Answer(BODY, headers={"Last-Modified": date})
    for _ in range(2):
        assert BODY == fetch(f"{server.url}/", cache=str(tmp_path))

    assert [None, date] == [headers.get("If-Modified-Since") for headers in server.headers]


def test_incomplete_body_is_not_cached(server: Server, url: str, tmp_path: Path) -> None:
    server.answers["/cut"] = Answer(BODY, headers={"Content-Length": "1000"}, etag='"1"')
    fetch(url, cache=str(tmp_path))
    fetch_error(f"{server.url}/cut", cache=str(tmp_path))

    assert [] == list(tmp_path.iterdir())


def test_damaged_cache_is_ignored(server: Server, tmp_path: Path) -> None:
    server.answers["/"] = Answer(BODY, etag='"1"')
    for damage in (b"", b"\n", b"{}", b"\x00" * 100):
        fetch(f"{server.url}/", cache=str(tmp_path))
        next(tmp_path.iterdir()).write_bytes(damage)

        assert BODY == fetch(f"{server.url}/", cache=str(tmp_path))


def test_cache_directory_that_cannot_be_created_is_reported(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot create directory"):
        fetch(f"{server.url}/", cache=str(tmp_path / "file" / "cache"))


def test_total_size_is_limited(url: str) -> None:
    fetcher = Fetcher(allow_private=True, max_total=50)
    fetcher.open(url).read()
    fetcher.open(url).read()
    with pytest.raises(
        FetchError, match="total download size exceeds 50 bytes; raise the limit with `max_total`"
    ):
        fetcher.open(url).read()


def test_get_bytes_limits_the_decompressed_size(server: Server) -> None:
    server.answers["/"] = Answer(gzip.compress(BODY), headers={"Content-Encoding": "gzip"})
    fetcher = Fetcher(allow_private=True)

    assert BODY == fetcher.get_bytes(f"{server.url}/", len(BODY))
    with pytest.raises(InputError, match=f"{server.url}/: larger than 19 bytes"):
        fetcher.get_bytes(f"{server.url}/", len(BODY) - 1)


def test_crawl_delay_of_robots_is_respected(server: Server, url: str) -> None:
    server.answers["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 0.1\n")
    said: list[str] = []
    with Fetcher(allow_private=True, say=said.append) as fetcher:
        fetcher.open(url).close()
        started = time.monotonic()
        for _ in range(2):
            fetcher.open(url).close()

    assert time.monotonic() - started >= 0.2
    assert ["/", "/robots.txt", "/", "/"] == server.requests
    host = server.url.removeprefix("http://")
    assert [f"{host}: waiting 0.1 s between requests (robots.txt); override with `delay`"] == said


@pytest.mark.parametrize("said", ["nan", "-1", "soon", ""])
def test_invalid_crawl_delay_is_ignored(said: str, server: Server, url: str) -> None:
    server.answers["/robots.txt"] = Answer(f"User-agent: *\nCrawl-delay: {said}\n".encode())
    with Fetcher(allow_private=True) as fetcher:
        assert BODY * 2 == b"".join(fetcher.open(url).read() for _ in range(2))


def test_given_delay_overrides_robots(server: Server, url: str) -> None:
    with Fetcher(allow_private=True, delay=0.1) as fetcher:
        started = time.monotonic()
        for _ in range(3):
            fetcher.open(url).close()

    assert time.monotonic() - started >= 0.2
    assert ["/"] * 3 == server.requests


def test_silent_host_is_abandoned(server: Server) -> None:
    server.answers["/"] = Answer(is_raw=True)
    with Fetcher(allow_private=True, retries=0, delay=0) as fetcher:
        messages = []
        for _ in range(5):
            with pytest.raises(FetchError) as caught:
                fetcher.open(f"{server.url}/")
            messages.append(caught.value.message)

    closed = "server closed the connection"
    assert [closed] * 3 + ["not fetched: host stopped responding"] * 2 == messages
    assert 3 == len(server.requests)


def test_pause_holds_for_all_requests() -> None:
    host = Host(4, 3, 0.0, lambda: 0.0)
    host.pause(0.1)
    started = time.monotonic()
    with host.throttled():
        assert time.monotonic() - started >= 0.1


def test_unclosed_fetcher_leaves_no_connection_open(url: str) -> None:
    """Python warns of an open connection, and warnings are errors."""
    body = Fetcher(allow_private=True).open(url).read()
    gc.collect()

    assert BODY == body
