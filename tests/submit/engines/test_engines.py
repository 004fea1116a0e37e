"""Engines other than IndexNow: the exact requests, and the reported answers."""

import json
import subprocess
import sys
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.conftest import Run
from tests.engines import Baidu, Bing, Google, Hub, IndexNow, Yandex
from tests.loopback import Answered, Asked, Engine, Engines, Fault, Site
from tests.submit.conftest import User, pages

HOST = "https://www.example.com"
SITEMAP = f"{HOST}/sitemap.xml"
URLS = [f"{HOST}/{name}" for name in "abc"]


@pytest.fixture
def submit_to(user: User) -> Any:
    def tell(name: str, engine: Engine, *options: str) -> list[dict[str, Any]]:
        user.write(dict.fromkeys(URLS, "2026-01-01"))
        endpoint = f"{name}={engine.url}{engine.path.rstrip('/')}"
        where = ["--engine", name, "--endpoint", endpoint, "--source-url", SITEMAP]
        # The robots.txt of www.example.com is not requested in tests.
        return user.submit("sitemap.xml", *where, "--force", "--retries", "0", *options)

    return tell


def _states(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["kind"], row["state"], row["status"], row["accepted"]) for row in rows]


def test_bing_accepts_sitemap_and_urls_within_its_quota(submit_to: Any, engines: Engines) -> None:
    engine: Bing = engines(Bing)
    engine.quota = 2
    rows = submit_to("bing", engine)

    assert [SITEMAP, *URLS[:2]] == engine.taken
    expected = [("sitemaps", "accepted", 200, 1), ("urls", "accepted", 200, 2)]
    assert [*expected, ("urls", "left", None, 0)] == _states(rows)
    assert 1 == rows[2]["left"]
    engine.quota = 10
    assert [("urls", "accepted", 200, 1)] == _states(submit_to("bing", engine))
    assert [SITEMAP, *URLS] == engine.taken


def test_bing_error_ends_the_submission(submit_to: Any, engines: Engines, user: User) -> None:
    engine: Bing = engines(Bing)
    user.environment["BING_API_KEY"] = "wrong"
    rows = submit_to("bing", engine)

    assert ["InvalidApiKey: ERROR!!! InvalidApiKey"] == [
        rows[0]["reason"]
    ] or "InvalidApiKey" in rows[0]["reason"]
    assert ["refused", "left"] == [row["state"] for row in rows]
    assert 2 == len(engine.asked)


@pytest.mark.parametrize("body", ["<html>", '{"d":'])
def test_unreadable_bing_response_is_unknown_and_resent(
    submit_to: Any, engines: Engines, body: str
) -> None:
    engine: Bing = engines(Bing)
    engine.faults = [Fault(body=body, after=True), Fault(body=body, cut=5, after=True)]
    rows = submit_to("bing", engine)
    again = submit_to("bing", engine)

    assert ["unknown", "unknown"] == [row["state"] for row in rows]
    assert "cannot be parsed" in rows[0]["reason"]
    assert ["accepted", "accepted"] == [row["state"] for row in again]


def test_incomplete_bing_response_is_unknown_and_resent(submit_to: Any, engines: Engines) -> None:
    engine: Bing = engines(Bing)
    engine.faults = [Fault(body='{"d":', cut=5, hang=3.0, after=True)]
    rows = submit_to("bing", engine, "--timeout", "0.5")
    again = submit_to("bing", engine)

    assert ["unknown", "accepted"] == [row["state"] for row in rows]
    assert "response cannot be parsed: " in rows[0]["reason"]
    assert [("sitemaps", "accepted", 200, 1)] == _states(again)


class Portal(Yandex):
    """A server that returns a login page instead of the responses of Yandex."""

    def answer(self, asked: Asked) -> Answered:
        return Answered(200, "<html>login</html>")


def test_unreadable_yandex_response_before_sending_leaves_urls(
    submit_to: Any, engines: Engines
) -> None:
    (*_, row) = submit_to("yandex", engines(Portal))

    assert ("left", 0, "run again later") == (row["state"], row["sent"], row["action"])


def test_expired_yandex_token_ends_the_run(submit_to: Any, engines: Engines) -> None:
    engine: Yandex = engines(Yandex)
    gone = json.dumps({"error_code": "INVALID_OAUTH_TOKEN", "error_message": "expired"})
    engine.faults = [Fault(after=True, status=201, body="{}"), Fault(status=401, body=gone)]
    rows = submit_to("yandex", engine)
    again = submit_to("yandex", engine)

    assert ["accepted", "refused", "left"] == [row["state"] for row in rows]
    assert ("token is invalid or expired: expired", 2) == (
        rows[1]["reason"],
        rows[2]["left"],
    )
    assert 3 * [("urls", "accepted", 202, 1)] == _states(again)
    assert [SITEMAP, *URLS] == engine.taken


def test_yandex_accepts_sitemap_once_and_urls_within_its_quota(
    submit_to: Any, engines: Engines
) -> None:
    engine: Yandex = engines(Yandex)
    engine.quota = 2
    rows = submit_to("yandex", engine)
    engine.quota = 5
    later = submit_to("yandex", engine)
    again = submit_to("yandex", engine, "--all", "--limit", "1")

    expected = [("sitemaps", "accepted", 201, 1), *2 * [("urls", "accepted", 202, 1)]]
    assert [*expected, ("urls", "left", None, 0)] == _states(rows)
    assert [("urls", "accepted", 202, 1)] == _states(later)
    assert [("sitemaps", "accepted", 409, 1), ("urls", "accepted", 202, 1)] == _states(again)
    assert [SITEMAP, *URLS, URLS[0]] == engine.taken


def test_refusals_of_single_urls_are_one_row(engines: Engines, user: User) -> None:
    engine: Yandex = engines(Yandex)
    refusal = json.dumps({"error_code": "INVALID_URL", "error_message": "no"})
    engine.faults = [Fault(status=400, body=refusal) for _ in range(10)]
    (user.folder / "urls.txt").write_text("\n".join(f"{HOST}/{n}" for n in range(10)))
    where = ["--engine", "yandex", "--endpoint", f"yandex={engine.url}", "--force"]
    done = user("submit", "--urls", "urls.txt", *where, "--retries", "0")
    (line,) = done.stdout.decode().splitlines()[1:]
    history = user("submit", "history").stdout.decode()
    (user.folder / "urls.txt").write_text(f"{HOST}/new")
    engine.faults = [Fault(status=400, body=refusal)]
    row, *_ = user.submit("--urls", "urls.txt", *where, "--retries", "0")

    expected = ["yandex", "urls", "www.example.com", "refused", "400", "10", "0", "10", "0"]
    assert expected == line.split()[:9]
    assert f"{HOST}/0, {HOST}/1, {HOST}/2, {HOST}/3, {HOST}/4 and 5 more: URL is invalid" in line
    assert all(f"{HOST}/{n}: URL is invalid" in history for n in range(10))
    assert ([f"{HOST}/0"], 0) == (row["urls"], row["reason"].index(f"{HOST}/0: URL is inv"))


def test_yandex_sites_differ_by_scheme(submit_to: Any, engines: Engines, user: User) -> None:
    engine: Yandex = engines(Yandex)
    (user.folder / "urls.txt").write_text("http://www.example.com/a\n" + "\n".join(URLS))
    options = ["--endpoint", f"yandex={engine.url}", "--engine", "yandex", "--force"]
    dry = user("submit", "--urls", "urls.txt", *options, "--dry-run")
    rows = user.submit("--urls", "urls.txt", *options)

    assert URLS == engine.taken
    assert ["accepted"] * 3 + ["left"] == [row["state"] for row in rows]
    assert "http://www.example.com is not among the sites" in rows[3]["reason"]
    lines = [line for line in dry.stderr.decode().splitlines() if "would be" in line]
    assert ["yandex: 4 URLs for www.example.com would be sent"] == lines
    assert b"yandex: no sitemaps to submit: no source is a sitemap" in dry.stderr


@pytest.mark.parametrize("verified", [False, None])
def test_yandex_without_a_verified_site_gets_nothing(
    submit_to: Any, engines: Engines, verified: bool | None
) -> None:
    engine: Yandex = engines(Yandex)
    if verified is None:
        engine.host_id = "https:other.example:443"
    else:
        engine.verified = verified
    rows = submit_to("yandex", engine)

    assert [] == engine.posts()
    assert ["left", "left"] == [row["state"] for row in rows]
    assert "verif" in rows[0]["action"]


def test_baidu_accepts_urls_within_its_quota(submit_to: Any, engines: Engines, user: User) -> None:
    engine: Baidu = engines(Baidu)
    rows = submit_to("baidu", engine)
    engine.quota = 0
    (user.folder / "new.txt").write_text(f"{HOST}/new")
    where = ["--engine", "baidu", "--endpoint", f"baidu={engine.url}", "--force"]
    over = user.submit("--urls", "new.txt", *where)

    assert [("urls", "accepted", 200, 3)] == _states(rows)
    assert URLS == engine.taken
    assert "\n".join(URLS) == engine.posts()[0].body
    assert "today's quota" in over[0]["reason"]


def test_baidu_gets_no_removals(engines: Engines, user: User) -> None:
    engine: Baidu = engines(Baidu)
    where = ["--engine", "baidu", "--endpoint", f"baidu={engine.url}", "--force"]
    before = {f"{HOST}/{n}": "2026-01-01" for n in range(40)}
    user.write(before)
    user.submit("sitemap.xml", *where)
    engine.taken.clear()
    user.write({f"{HOST}/0": "2026-02-02"})
    rows = user.submit("sitemap.xml", *where)

    assert [("urls", "accepted", 200, 1)] == _states(rows)
    assert [f"{HOST}/0"] == engine.taken


def test_batch_that_baidu_accepts_in_part_is_counted_by_url(
    submit_to: Any, engines: Engines
) -> None:
    engine: Baidu = engines(Baidu)
    expected = {"remain": 0, "success": 1, "not_valid": [URLS[0]]}
    engine.faults = [Fault(body=json.dumps(expected))]
    (row,) = submit_to("baidu", engine)
    engine.site = "other.example"
    (again,) = submit_to("baidu", engine)

    assert ("accepted", 1, 1, 1) == tuple(
        row[name] for name in ("state", "accepted", "refused", "left")
    )
    assert f"{URLS[0]}: URL is not valid for Baidu; over today's quota" == row["reason"]
    assert ("refused", 1) == (again["state"], again["sent"])


def test_baidu_refuses_all_urls_of_a_batch(engines: Engines, user: User) -> None:
    """Invalid URLs are permanently refused only if Baidu accepts another one in the same run."""
    engine: Baidu = engines(Baidu)
    where = ["--engine", "baidu", "--endpoint", f"baidu={engine.url}", "--force"]
    where += ["--journal", "j.db"]
    refused = "SELECT url FROM entries WHERE refused NOTNULL"
    user.write(dict.fromkeys(URLS, "2026-01-01"))
    body = json.dumps({"remain": 100, "success": 0, "not_valid": URLS})
    engine.faults = [Fault(body=body)]
    (row,) = user.submit("sitemap.xml", *where)

    assert ("refused", 3, 0, 3) == tuple(
        row[name] for name in ("state", "sent", "accepted", "refused")
    )
    assert f"{', '.join(URLS)}: URL is not valid for Baidu" == row["reason"]
    assert "or set `site` of [engines.baidu]" in row["action"]
    assert [] == user.query(refused)

    (row,) = user.submit("sitemap.xml", *where)
    assert ("accepted", 3) == (row["state"], row["accepted"])

    user.write({URLS[0]: "2026-02-02", URLS[1]: "2026-01-01"})
    engine.faults = [Fault(body=json.dumps({"success": 0, "not_valid": URLS[:1]}))]
    user.query("UPDATE entries SET submitted_at = submitted_at - 3600")
    (row,) = user.submit("sitemap.xml", *where)
    assert [(URLS[0],)] == user.query(refused)
    assert "`sitemapx submit retry` resends it" in row["action"]


class _OneBadUrl(Bing):
    """Bing that rejects batches with a certain URL, without naming the URL."""

    bad = f"{HOST}/b"

    def answer(self, asked: Any) -> Any:
        if self.bad in asked.body and not asked.place.endswith("Feed"):
            return self._error(7, "InvalidUrl")
        return super().answer(asked)


def test_bing_batch_is_bisected_to_the_rejected_url(
    submit_to: Any, engines: Engines, user: User
) -> None:
    engine: _OneBadUrl = engines(_OneBadUrl)
    rows = submit_to("bing", engine)
    pending = user("submit", "status", "--engine", "bing")

    assert [SITEMAP, f"{HOST}/a", f"{HOST}/c"] == sorted(engine.taken, key=len, reverse=True)
    assert ("accepted", 3, 2, 1, 0) == tuple(
        rows[1][name] for name in ("state", "sent", "accepted", "refused", "left")
    )
    assert f"{engine.bad}: InvalidUrl" in rows[1]["reason"]
    assert b"bing" in pending.stdout


def test_bing_rejecting_all_urls_advises_retry(submit_to: Any, engines: Engines) -> None:
    engine: _OneBadUrl = engines(_OneBadUrl)
    engine.bad = HOST
    (_, row) = submit_to("bing", engine)

    assert (row["state"], row["refused"]) == ("refused", 3)
    assert row["action"] == "correct or remove the URL; `sitemapx submit retry` resends it"


def test_urls_beyond_the_baidu_quota_are_sent_later(
    submit_to: Any, engines: Engines, user: User
) -> None:
    engine: Baidu = engines(Baidu)
    engine.quota = 6
    urls = [f"{HOST}/{n}" for n in range(10)]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    where = ["--engine", "baidu", "--endpoint", f"baidu={engine.url}", "--force"]
    rows = user.submit("--urls", "urls.txt", *where)
    engine.quota = 100
    (again,) = user.submit("retry", *where[:4], "--ignore-interval", "--no-wait")

    assert [(6, 6, 0, 0), (0, 0, 0, 4)] == [
        tuple(row[name] for name in ("sent", "accepted", "refused", "left")) for row in rows
    ]
    assert "used up" in rows[1]["reason"]
    assert (4, 4) == (again["sent"], again["accepted"])
    assert urls == sorted(engine.taken)
    assert 4 == len(engine.posts())


@pytest.mark.parametrize("status", [402, 403, 405, 408, 410, 418, 421, 425, 451])
def test_each_status_has_reason_and_action(submit_to: Any, engines: Engines, status: int) -> None:
    for name, kind in (("yandex", Yandex), ("bing", Bing), ("baidu", Baidu)):
        engine = engines(kind)
        engine.faults = [Fault(status=status) for _ in range(9)]
        row = next(row for row in submit_to(name, engine) if row["state"] == "refused")
        assert (status, True, True) == (row["status"], bool(row["reason"]), bool(row["action"]))


@pytest.mark.parametrize("status", [408, 425])
def test_unprocessed_request_is_retried(submit_to: Any, engines: Engines, status: int) -> None:
    engine: Yandex = engines(Yandex)
    engine.faults = [Fault(status=status)]
    rows = submit_to("yandex", engine, "--retries", "1")

    assert {"accepted"} == {row["state"] for row in rows}


def test_google_indexing_sends_200_urls_a_day(user: User, google: Google) -> None:
    urls = [f"{HOST}/{n:03}" for n in range(205)]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    google.quota = 1000
    where = ["--endpoint", f"google-indexing={google.url}", "--journal", "j.db"]
    options = ["--urls", "urls.txt", "--engine", "google-indexing", *where]
    rows = user.submit(*options)
    (again,) = user.submit("retry", "--engine", "google-indexing", *where)
    first = len(google.taken)
    user.query("UPDATE batches SET sent_at = sent_at - 86401")
    user.submit("retry", "--engine", "google-indexing", *where)

    assert (200, 5) == (sum(row["accepted"] for row in rows), sum(row["left"] for row in rows))
    assert (5, "current quota is used up") == (again["left"], again["reason"])
    assert (200, 205) == (first, len(google.taken))


def test_baidu_without_quota_gets_one_url(submit_to: Any, engines: Engines) -> None:
    engine: Baidu = engines(Baidu)
    engine.quota = 0
    rows = submit_to("baidu", engine)

    assert [(1, 1, 0), (0, 0, 2)] == [
        tuple(row[name] for name in ("sent", "refused", "left")) for row in rows
    ]
    assert 2 == len(engine.posts())


def test_google_accepts_the_sitemap_of_a_property(submit_to: Any, google: Google) -> None:
    google.properties["sc-domain:example.com"] = "siteFullUser"
    rows = submit_to("google", google)

    assert [("sitemaps", "accepted", 204, 1)] == _states(rows)
    assert [SITEMAP] == google.taken
    quoted = "https%3A%2F%2Fwww.example.com%2F"
    assert f"/webmasters/v3/sites/{quoted}/sitemaps/{quoted}sitemap.xml" == google.asked[-1].path
    assert [] == submit_to("google", google)


def test_google_needs_an_owned_property(submit_to: Any, google: Google) -> None:
    google.properties = {"https://www.example.com/": "siteRestrictedUser"}
    refused = submit_to("google", google)
    google.properties["sc-domain:example.com"] = "siteOwner"
    rows = submit_to("google", google)

    assert ["refused"] == [row["state"] for row in refused]
    assert "Search Console" in refused[0]["action"]
    assert [("sitemaps", "accepted", 204, 1)] == _states(rows)
    assert "/sites/sc-domain%3Aexample.com/" in google.asked[-1].path


def test_refused_google_token_is_renewed_once(submit_to: Any, google: Google) -> None:
    google.faults = [Fault(), Fault(status=401, body="{}")]
    google.faults[0] = _Token(google)
    rows = submit_to("google", google)

    assert [("sitemaps", "accepted", 204, 1)] == _states(rows)
    assert 2 == google.tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            None,
            "cannot use the credentials in GOOGLE_APPLICATION_CREDENTIALS: neither a JSON object",
        ),
        ("hush", ": not JSON: Expecting value (line 1, column 1)"),
        ('["hush"]', ": not a JSON object"),
        ('{"type": "service_account", "private_key": "hush"}', "missing fields "),
    ],
    ids=["missing", "no-json", "list", "incomplete"],
)
def test_invalid_google_credentials_are_not_shown(
    submit_to: Any, google: Google, user: User, text: str, expected: str
) -> None:
    path = user.folder / "account.json"
    path.unlink()
    if text:
        path.write_text(text)
    (row,) = submit_to("google", google)

    assert expected in row["reason"]
    assert "hush" not in row["reason"]
    assert "fix the credentials, then run again" == row["action"]
    assert (0, 0, 1) == (row["sent"], row["refused"], row["left"])


def test_echoed_google_token_is_masked(submit_to: Any, google: Google, user: User) -> None:
    google.faults = [_Token(google), Fault(status=418, body="I know ya29.google-token-1")]
    (row,) = submit_to("google", google)
    kept = b"".join(path.read_bytes() for path in (user.folder / "state").rglob("*.sqlite3*"))

    assert "refused: I know ***" == row["reason"]
    assert b"ya29." not in kept
    assert b"I know ***" in kept


class _Token(Fault):
    """The response with the first token, whose expiry must not count as a fault."""

    def __init__(self, google: Google) -> None:
        expected = {"access_token": "ya29.google-token-1", "expires_in": 3600}
        super().__init__(body=json.dumps(expected), headers={"Content-Type": "application/json"})
        google.tokens = 1


@pytest.mark.parametrize(
    ("status", "reason", "expected", "action"),
    [
        (403, "rateLimitExceeded", "too many requests: slow down", "wait ten minutes"),
        (403, "userRateLimitExceeded", "too many requests: slow down", "wait ten minutes"),
        (403, "quotaExceeded", "quota exceeded: slow down", "tomorrow"),
        (429, "dailyLimitExceeded", "quota exceeded: slow down", "tomorrow"),
        (
            403,
            "forbidden",
            "credentials lack the required permission: slow down",
            "to the users of",
        ),
    ],
)
def test_google_error_reason_determines_the_action(
    submit_to: Any, google: Google, status: int, reason: str, expected: str, action: str
) -> None:
    error = {"code": status, "errors": [{"reason": reason}], "message": "slow down"}
    google.faults = [_Token(google), Fault(status=status, body=json.dumps({"error": error}))]
    (row,) = submit_to("google", google)

    assert (expected, status) == (row["reason"], row["status"])
    assert action in row["action"]


def test_long_location_header_is_truncated(submit_to: Any, engines: Engines) -> None:
    engine = engines(Bing)
    target = f"https://e.example/{'a' * 50_000}"
    engine.faults = [Fault(status=301, headers={"Location": target}) for _ in range(3)]
    rows = submit_to("bing", engine)

    assert "redirected to https://e.example/aaa" in rows[0]["reason"]
    assert max(len(row["reason"]) for row in rows) < 1100


def test_google_rate_limit_is_retried_and_quota_is_not(submit_to: Any, google: Google) -> None:
    bodies = [
        json.dumps({"error": {"errors": [{"reason": reason}], "message": "m"}})
        for reason in ("rateLimitExceeded", "quotaExceeded")
    ]
    google.faults = [_Token(google), *(Fault(status=403, body=body) for body in bodies)]
    (row,) = submit_to("google", google, "--retries", "5")

    assert "quota exceeded: m" == row["reason"]
    assert 3 == len(google.posts())


def test_google_indexing_gets_updates_and_removals(
    submit_to: Any, google: Google, user: User
) -> None:
    endpoint = f"google-indexing={google.url}"
    options = ["--engine", "google-indexing", "--endpoint", endpoint, "--force"]
    user.write(dict.fromkeys(URLS, "2026-01-01"))
    done = user("submit", "sitemap.xml", *options)
    user.write(dict.fromkeys(URLS[:1], "2026-01-01"))
    google.quota = 1
    rows = user.submit("sitemap.xml", *options, "--retries", "0")

    assert b"google-indexing: Only for pages with JobPosting" in done.stderr
    assert [f"URL_UPDATED {url}" for url in URLS] == google.taken[:3]
    assert f"URL_DELETED {URLS[1]}" == google.taken[3]
    assert ["accepted", "refused"] == [row["state"] for row in rows]


GARBLED = [
    Fault(body="<!doctype html><title>Log in</title>"),
    Fault(body='{"a": 1', cut=99),
    Fault(body="no gzip at all", headers={"Content-Encoding": "gzip"}),
]


@pytest.mark.parametrize("fault", [*GARBLED, Fault(body=""), Fault(body="[]")])
def test_google_indexing_response_without_json_is_unknown(
    google: Google, user: User, fault: Fault
) -> None:
    endpoint = f"google-indexing={google.url}"
    options = ["--engine", "google-indexing", "--endpoint", endpoint, "--force", "--retries", "0"]
    user.write({URLS[0]: "2026-01-01"})
    assert 0 == user("submit", "sitemap.xml", *options, "--dry-run").returncode
    publish, google._publish = google._publish, lambda said: fault  # type: ignore[method-assign]
    rows = user.submit("sitemap.xml", *options)
    google._publish = publish  # type: ignore[method-assign]
    again = user.submit("sitemap.xml", *options)

    assert ["unknown"] == [row["state"] for row in rows]
    assert ["accepted"] == [row["state"] for row in again]


@pytest.mark.parametrize("status", [200, 202])
@pytest.mark.parametrize("fault", [fault for fault in GARBLED if fault.body.startswith("<")])
def test_web_page_from_indexnow_is_unknown(
    engines: Engines, user: User, site: Site, fault: Fault, status: int
) -> None:
    engine = engines(IndexNow)
    engine.faults = [Fault(status=status, body=fault.body, headers=fault.headers, cut=fault.cut)]
    options = ["--engine", "indexnow", "--endpoint", f"indexnow={engine.url}", "--retries", "0"]
    user.write(pages(site, "a"))
    rows = user.submit("sitemap.xml", *options)
    again = user.submit("sitemap.xml", *options)

    assert ["unknown"] == [row["state"] for row in rows]
    assert ["accepted"] == [row["state"] for row in again]


FEED = (
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title>'
    "<link>{site}/</link>{links}<item><link>{site}/a</link></item></channel></rss>"
)


def test_hubs_of_headers_and_feed_are_notified_once(
    user: User, engines: Engines, site: Site
) -> None:
    hub: Hub = engines(Hub)
    links = f'<atom:link rel="hub" href="{hub.url}/"/><atom:link rel="self" href="{site.url}/f"/>'
    site.files["/feed.xml"] = FEED.format(site=site.url, links=links)
    source = [f"{site.url}/feed.xml", "--allow-private", "--engine", "websub"]
    rows = user.submit(*source)
    site.headers["Link"] = f'<{hub.url}/>; rel="hub", <{site.url}/me>; rel="self"'
    again = user.submit(*source)
    everything = user.submit(*source, "--all", "--force")

    assert ["accepted", 204] == [rows[0]["state"], rows[0]["status"]]
    assert [] == again
    assert ["accepted"] == [row["state"] for row in everything]
    assert [f"{site.url}/f", f"{site.url}/me"] == hub.taken
    assert [f"{site.url}/f"] == parse_qs(hub.posts()[0].body)["hub.topic"]


def _feed_with_hubs(site: Site, *hubs: Hub) -> str:
    links = "".join(f'<atom:link rel="hub" href="{hub.url}/"/>' for hub in hubs)
    site.files["/feed.xml"] = FEED.format(site=site.url, links=links)
    return f"{site.url}/feed.xml"


def test_only_the_refusing_hub_is_notified_again(user: User, engines: Engines, site: Site) -> None:
    hubs = [engines(Hub) for _ in range(3)]
    feed = _feed_with_hubs(site, *hubs)
    hubs[0].faults = [Fault(status=400, body="no")]
    rows = user.submit(feed, "--engine", "websub")
    again = user.submit(feed, "--engine", "websub")

    reason = f"{hubs[0].url}/: request rejected as invalid: no (accepted by 2 of 3 hubs)"
    assert [("refused", reason)] == [(row["state"], row["reason"]) for row in rows]
    assert ["accepted"] == [row["state"] for row in again]
    assert [[feed]] * 3 == [hub.taken for hub in hubs]


def _change(site: Site, title: str) -> None:
    feed = site.files["/feed.xml"]
    assert isinstance(feed, str)
    start, end = feed.index("<title>"), feed.index("</title>")
    item = f"<item><link>{site.url}/{title}</link></item></channel>"
    site.files["/feed.xml"] = f"{feed[:start]}<title>{title}{feed[end:]}".replace(
        "</channel>", item
    )


def test_each_hub_is_notified_of_each_state_once(user: User, engines: Engines, site: Site) -> None:
    hubs = [engines(Hub) for _ in range(2)]
    source = [_feed_with_hubs(site, *hubs), "--engine", "websub"]
    hubs[1].faults = [Fault(status=400) for _ in range(3)]
    first = user.submit(*source)
    again = user.submit(*source)
    retried = user("submit", "retry", "--ignore-interval", "--engine", "websub")
    counts = [len(hub.taken) for hub in hubs]
    _change(site, "more")
    user.submit(*source)
    end = user.submit(*source, "--all", "--ignore-interval")

    assert ["refused", "refused"] == [row["state"] for row in (*first, *again)]
    assert 1 == retried.returncode
    assert [1, 0] == counts
    assert ["accepted"] == [row["state"] for row in end]
    assert [3, 2] == [len(hub.taken) for hub in hubs]


def test_refusal_of_a_removed_hub_is_not_due(user: User, engines: Engines, site: Site) -> None:
    hubs = [engines(Hub) for _ in range(2)]
    source = [_feed_with_hubs(site, *hubs), "--engine", "websub"]
    hubs[1].faults = [Fault(status=400)]
    user.submit(*source)
    _feed_with_hubs(site, hubs[0])
    user.submit(*source)

    assert [1, 0] == [len(hub.taken) for hub in hubs]
    assert [] == user.submit(*source)


@pytest.mark.parametrize("options", [[], ["--engine", "indexnow"], ["--force"]])
def test_websub_needs_to_be_selected(
    user: User, engines: Engines, site: Site, options: list[str]
) -> None:
    hub, engine = engines(Hub), engines(IndexNow)
    endpoint = ["--endpoint", f"indexnow={engine.url}"]
    for name in ("BING_API_KEY", "YANDEX_OAUTH_TOKEN", "BAIDU_TOKEN"):
        del user.environment[name]
    done = user("submit", _feed_with_hubs(site, hub), *options, *endpoint)

    assert [] == hub.asked
    assert [f"{site.url}/a"] == engine.taken
    assert b"a feed has a WebSub hub; pass --engine websub to notify it" in done.stderr


def test_configured_hub_replaces_those_of_the_feed(
    user: User, engines: Engines, site: Site
) -> None:
    named, configured = engines(Hub), engines(Hub)
    text = f'[engines.websub]\nendpoint = "{configured.url}/"\n'
    (user.folder / "sitemapx.toml").write_text(text)
    (user.folder / "feed.xml").write_text(
        FEED.format(site=site.url, links=f'<atom:link rel="hub" href="{named.url}/"/>')
    )
    user.allows_private = False
    rows = user.submit("feed.xml", "--source-url", f"{site.url}/feed.xml", "--ignore-findings")

    assert ["accepted"] == [row["state"] for row in rows]
    assert ([], [f"{site.url}/feed.xml"]) == (named.asked, configured.taken)


def test_private_hub_of_a_feed_is_rejected(user: User, engines: Engines, site: Site) -> None:
    hub: Hub = engines(Hub)
    links = f'<atom:link rel="hub" href="{hub.url}/"/>'
    (user.folder / "feed.xml").write_text(FEED.format(site=site.url, links=links))
    user.allows_private = False
    where = ["--source-url", f"{site.url}/feed.xml", "--engine", "websub"]
    rows = user.submit("feed.xml", *where, "--ignore-findings")

    expected = f"{hub.url}/: 127.0.0.1 is a private address; allow this with --allow-private"
    assert [("unreachable", expected)] == [(row["state"], row["reason"]) for row in rows]
    assert [(0, 1)] == [(row["sent"], row["left"]) for row in rows]
    assert [] == hub.asked
    assert [] == site.asked


def test_feed_without_hub_is_reported(user: User, site: Site) -> None:
    site.files["/feed.xml"] = FEED.format(site=site.url, links="")
    rows = user.submit(f"{site.url}/feed.xml", "--allow-private", "--engine", "websub")

    assert ["feed has no hub link"] == [row["reason"] for row in rows]


def test_sitemap_without_public_url_is_left(submit_to: Any, user: User, google: Google) -> None:
    user.write(dict.fromkeys(URLS, "2026-01-01"))
    options = ["--engine", "google", "--endpoint", f"google={google.url}", "--force"]
    (row,) = user.submit("sitemap.xml", *options)
    (user.folder / "sitemapx.toml").write_text(f'site = "{HOST}"\nroot = "."\n')
    (found,) = user.submit("sitemap.xml", *options)

    assert ("left", "its public URL is unknown") == (row["state"], row["reason"])
    assert "accepted" == found["state"]
    assert [SITEMAP] == google.taken


def test_engines_command_imports_nothing_for_sending(sitemapx: Run) -> None:
    done = sitemapx("engines")
    code = (
        "import sys; from sitemapx.cli import main; main(['engines']);"
        "print({'requests', 'lxml', 'rich', 'google.auth'} & set(sys.modules))"
    )
    lean = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert 11 == len(done.stdout.splitlines())
    assert "set()" == lean.stdout.splitlines()[-1]


def test_unselected_engines_get_what_they_accept(user: User, engines: Engines, site: Site) -> None:
    engine: Bing = engines(Bing)
    engine.site = site.url
    for name in ("INDEXNOW_KEY", "YANDEX_OAUTH_TOKEN", "BAIDU_TOKEN"):
        del user.environment[name]
    (user.folder / "feed.xml").write_text(FEED.format(site=site.url, links=""))
    done = user("submit", "feed.xml", "--endpoint", f"bing={engine.url}")

    assert 0 == done.returncode
    assert [f"{site.url}/a"] == engine.taken
    assert b"bing: feed.xml not submitted: its public URL is unknown" in done.stderr
    assert b"websub" not in done.stdout + done.stderr
