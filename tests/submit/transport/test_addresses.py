"""Invalid URLs from engines, feeds and users."""

import json
import re

import pytest

from tests.engines import KEY, Hub, IndexNow
from tests.loopback import Answered, Asked, Engine, Engines, Site
from tests.submit.conftest import User

BAD = "http://[::1"
FEED = (
    "<rss version='2.0' xmlns:a='http://www.w3.org/2005/Atom'><channel><title>t</title>"
    "<link>{0}/</link><description>d</description>{1}"
    "<item><title>t</title><link>{0}/a</link></item></channel></rss>"
)


@pytest.mark.parametrize(
    ("proxy", "reason"),
    [
        ("http://x:yy", "invalid proxy URL; set HTTPS_PROXY and HTTP_PROXY to http://HOST:PORT"),
        (
            "foo://h:1",
            "proxy error: unsupported scheme 'foo'; set HTTPS_PROXY and HTTP_PROXY to http://",
        ),
        ("http://u:secret@[", "invalid proxy URL; set HTTPS_PROXY and HTTP_PROXY to http://"),
        ("127.0.0.1:9", "proxy error: connection refused"),
    ],
)
def test_invalid_proxy_is_reported_without_password(
    user: User, engines: Engines, site: Site, proxy: str, reason: str
) -> None:
    user.environment |= {"http_proxy": proxy, "no_proxy": ""}
    user.write({f"{site.url}/a": "2026-01-01"})
    engine = engines(IndexNow)
    where = ["--engine", "indexnow", "--endpoint", f"indexnow={engine.url}", "--ignore-robots"]
    (row,) = user.submit("sitemap.xml", *where, "--retries", "0")

    assert reason in row["reason"]
    assert "secret" not in row["reason"]
    assert ("check HTTPS_PROXY, HTTP_PROXY, then run again", 0) == (
        row["action"],
        row["sent"],
    )


class Proxy(Engine):
    """A proxy that rejects all requests."""

    status = 407

    def answer(self, asked: Asked) -> Answered:
        return Answered(self.status)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (407, "407 Proxy Authentication Required; put USER:PASSWORD@ into HTTPS_PROXY, HTTP_PROXY"),
        (403, "403 Forbidden"),
    ],
)
def test_refusing_proxy_is_reported(
    user: User, engines: Engines, site: Site, status: int, reason: str
) -> None:
    proxy = engines(Proxy)
    proxy.status = status
    user.environment |= {"https_proxy": proxy.url, "no_proxy": ""}
    user.write({f"{site.url}/a": "2026-01-01"})
    where = ["--engine", "bing", "--endpoint", "bing=https://bing.example/api"]
    rows = user.submit("sitemap.xml", *where, "--source-url", f"{site.url}/sitemap.xml")

    assert {f"proxy refused the connection: {reason}"} == {row["reason"] for row in rows}
    assert {0} == {row["sent"] for row in rows}


@pytest.mark.parametrize("name", ["bad\nagent", "агент", " ", ""])
def test_invalid_user_agent_is_rejected(user: User, name: str) -> None:
    done = user("submit", "sitemap.xml", "--user-agent", name)

    assert 2 == done.returncode
    assert b"expected one line of ASCII text" in done.stderr


def test_invalid_url_is_reported_once(user: User, engines: Engines, site: Site) -> None:
    bad = ["ftp://x/a", "http://[x/b", f"{site.url}/{'c' * 2100}", "http://e.example:99999/d"]
    user.write(dict.fromkeys(bad, "2026-01-01"))
    (user.folder / "list.txt").write_text("\n".join([*bad, ""]))
    engine = engines(IndexNow)
    where = ["--engine", "indexnow", "--endpoint", f"indexnow={engine.url}"]
    for source in (["sitemap.xml"], ["list.txt"], ["sitemap.xml", "--ignore-findings"]):
        output = user("submit", *source, *where).stderr.decode()
        findings = [line for line in output.splitlines() if re.search(r"\[[a-z-]+\]$", line)]
        assert len(bad) == len(findings), output


def test_invalid_hub_does_not_stop_the_others(user: User, engines: Engines, site: Site) -> None:
    hub: Hub = engines(Hub)
    engine: IndexNow = engines(IndexNow)
    links = "".join(f"<a:link rel='hub' href='{url}'/>" for url in (BAD, f"{hub.url}/"))
    site.files["/a.xml"] = FEED.format(site.url, links)
    options = ["--engine", "websub,indexnow", "--endpoint", f"indexnow={engine.url}"]
    done = user("submit", f"{site.url}/a.xml", *options, "--report", "json")
    again = user("submit", f"{site.url}/a.xml", *options, "--report", "json")

    assert [1, 1] == [done.returncode, again.returncode]
    assert "defect" not in done.stderr.decode()
    assert "killed" not in again.stderr.decode()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert f"{BAD}: URL cannot be fetched" in rows[0]["reason"]
    assert "accepted" == rows[1]["state"]
    assert hub.posts()


def test_key_verify_rejects_an_invalid_site(user: User) -> None:
    done = user("submit", "key", "verify", BAD)

    assert 2 == done.returncode
    assert f"invalid site '{BAD}': expected an absolute http(s) URL" in done.stderr.decode()


def test_invalid_host_does_not_end_a_dry_run(user: User, engines: Engines) -> None:
    engine: IndexNow = engines(IndexNow)
    text = f"http://.../\n{engine.url}/a\n".encode()
    endpoint = ["--engine", "indexnow", "--endpoint", f"indexnow={engine.url}"]
    done = user("submit", "--urls", "-", "--dry-run", *endpoint, given=text)

    assert f"POST {engine.url}/indexnow" in done.stdout.decode()
    assert f"http://.../{KEY}.txt: URL cannot be fetched" in done.stderr.decode()
