"""The engines other than IndexNow: the exact requests, and answers in words."""

import json
import re
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
def told(user: User) -> Any:
    """Give a function that submits three pages of www.example.com to an engine."""

    def tell(name: str, engine: Engine, *options: str) -> list[dict[str, Any]]:
        user.write(dict.fromkeys(URLS, "2026-01-01"))
        endpoint = f"{name}={engine.url}{engine.path.rstrip('/')}"
        where = ["--engine", name, "--endpoint", endpoint, "--source-url", SITEMAP]
        # The robots.txt of www.example.com is not asked in tests.
        return user.submit("sitemap.xml", *where, "--force", "--retries", "0", *options)

    return tell


def _states(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["kind"], row["state"], row["status"], row["accepted"]) for row in rows]


def test_bing(told: Any, engines: Engines) -> None:
    """Bing is told of the sitemap, and of the URLs that its quota allows."""
    engine: Bing = engines(Bing)
    engine.quota = 2
    rows = told("bing", engine)

    assert [SITEMAP, *URLS[:2]] == engine.taken
    expected = [("sitemaps", "accepted", 200, 1), ("urls", "accepted", 200, 2)]
    assert [*expected, ("urls", "left", None, 0)] == _states(rows)
    assert 1 == rows[2]["left"]
    engine.quota = 10
    assert [("urls", "accepted", 200, 1)] == _states(told("bing", engine))
    assert [SITEMAP, *URLS] == engine.taken


def test_bing_says_no(told: Any, engines: Engines, user: User) -> None:
    """An error of Bing is a code, which is put into words; nothing further is tried."""
    engine: Bing = engines(Bing)
    user.environment["BING_API_KEY"] = "wrong"
    rows = told("bing", engine)

    assert ["InvalidApiKey: ERROR!!! InvalidApiKey"] == [
        rows[0]["reason"]
    ] or "InvalidApiKey" in rows[0]["reason"]
    assert ["refused", "left"] == [row["state"] for row in rows]
    assert 2 == len(engine.asked)


@pytest.mark.parametrize("body", ["<html>", '{"d":'])
def test_bing_says_nonsense(told: Any, engines: Engines, body: str) -> None:
    """An answer that cannot be read says nothing: that is told, and offered again."""
    engine: Bing = engines(Bing)
    engine.faults = [Fault(body=body, after=True), Fault(body=body, cut=5, after=True)]
    rows = told("bing", engine)
    again = told("bing", engine)

    assert ["unknown", "unknown"] == [row["state"] for row in rows]
    assert "cannot be parsed" in rows[0]["reason"]
    assert ["accepted", "accepted"] == [row["state"] for row in again]


def test_bing_breaks_off(told: Any, engines: Engines) -> None:
    """Who does not end its answer in time has said nothing; that is offered again."""
    engine: Bing = engines(Bing)
    engine.faults = [Fault(body='{"d":', cut=5, hang=3.0, after=True)]
    rows = told("bing", engine, "--timeout", "0.5")
    again = told("bing", engine)

    assert ["unknown", "accepted"] == [row["state"] for row in rows]
    assert "response cannot be parsed: " in rows[0]["reason"]
    assert [("sitemaps", "accepted", 200, 1)] == _states(again)


class Portal(Yandex):
    """A login page in the place of an engine."""

    def answer(self, asked: Asked) -> Answered:
        return Answered(200, "<html>login</html>")


def test_yandex_says_nonsense(told: Any, engines: Engines) -> None:
    """What cannot be read before anything was sent does not make that doubtful."""
    (*_, row) = told("yandex", engines(Portal))

    assert ("left", 0, "run again later") == (row["state"], row["sent"], row["action"])


def test_yandex_token_runs_out(told: Any, engines: Engines) -> None:
    """A token that runs out half-way ends the run; what it did not say is said the next time."""
    engine: Yandex = engines(Yandex)
    gone = json.dumps({"error_code": "INVALID_OAUTH_TOKEN", "error_message": "expired"})
    engine.faults = [Fault(after=True, status=201, body="{}"), Fault(status=401, body=gone)]
    rows = told("yandex", engine)
    again = told("yandex", engine)

    assert ["accepted", "refused", "left"] == [row["state"] for row in rows]
    assert ("token is invalid or expired: expired", 2) == (
        rows[1]["reason"],
        rows[2]["left"],
    )
    assert 3 * [("urls", "accepted", 202, 1)] == _states(again)
    assert [SITEMAP, *URLS] == engine.taken


def test_yandex(told: Any, engines: Engines) -> None:
    """Yandex is told of the sitemap once, and URL by URL until the quota is used up."""
    engine: Yandex = engines(Yandex)
    engine.quota = 2
    rows = told("yandex", engine)
    engine.quota = 5
    later = told("yandex", engine)
    again = told("yandex", engine, "--all", "--limit", "1")

    expected = [("sitemaps", "accepted", 201, 1), *2 * [("urls", "accepted", 202, 1)]]
    assert [*expected, ("urls", "left", None, 0)] == _states(rows)
    assert [("urls", "accepted", 202, 1)] == _states(later)
    assert [("sitemaps", "accepted", 409, 1), ("urls", "accepted", 202, 1)] == _states(again)
    assert [SITEMAP, *URLS, URLS[0]] == engine.taken


def test_refused_one_by_one(engines: Engines, user: User) -> None:
    """The table adds up what an engine refuses URL by URL."""
    engine: Yandex = engines(Yandex)
    said = json.dumps({"error_code": "INVALID_URL", "error_message": "no"})
    engine.faults = [Fault(status=400, body=said) for _ in range(10)]
    (user.folder / "urls.txt").write_text("\n".join(f"{HOST}/{n}" for n in range(10)))
    where = ["--engine", "yandex", "--endpoint", f"yandex={engine.url}", "--force"]
    done = user("submit", "--urls", "urls.txt", *where, "--retries", "0")
    (line,) = done.stdout.decode().splitlines()[1:]
    history = user("submit", "history").stdout.decode()
    (user.folder / "urls.txt").write_text(f"{HOST}/new")
    engine.faults = [Fault(status=400, body=said)]
    row, *_ = user.submit("--urls", "urls.txt", *where, "--retries", "0")

    expected = ["yandex", "urls", "www.example.com", "refused", "400", "10", "0", "10", "0"]
    assert expected == line.split()[:9]
    assert f"{HOST}/0, {HOST}/1, {HOST}/2, {HOST}/3, {HOST}/4 and 5 more: URL is invalid" in line
    assert all(f"{HOST}/{n}: URL is invalid" in history for n in range(10))
    assert ([f"{HOST}/0"], 0) == (row["urls"], row["reason"].index(f"{HOST}/0: URL is inv"))


def test_yandex_by_scheme(told: Any, engines: Engines, user: User) -> None:
    """http: and https: are two sites; that Yandex does not know one says nothing of the other."""
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
def test_yandex_without_the_site(told: Any, engines: Engines, verified: bool | None) -> None:
    """A site that is not there, or not verified, is not told of."""
    engine: Yandex = engines(Yandex)
    if verified is None:
        engine.host_id = "https:other.example:443"
    else:
        engine.verified = verified
    rows = told("yandex", engine)

    assert [] == engine.posts()
    assert ["left", "left"] == [row["state"] for row in rows]
    assert "verif" in rows[0]["action"]


def test_baidu(told: Any, engines: Engines, user: User) -> None:
    """Baidu lists what it does not take, and says what is left of the quota."""
    engine: Baidu = engines(Baidu)
    rows = told("baidu", engine)
    engine.quota = 0
    (user.folder / "new.txt").write_text(f"{HOST}/new")
    where = ["--engine", "baidu", "--endpoint", f"baidu={engine.url}", "--force"]
    over = user.submit("--urls", "new.txt", *where)

    assert [("urls", "accepted", 200, 3)] == _states(rows)
    assert URLS == engine.taken
    assert "\n".join(URLS) == engine.posts()[0].body
    assert "today's quota" in over[0]["reason"]


def test_baidu_is_not_sent_what_was_removed(engines: Engines, user: User) -> None:
    """So nothing holds back removals, however many there are."""
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


def test_baidu_takes_a_part(told: Any, engines: Engines) -> None:
    """Of a batch that was taken in part, what a quota left is offered again."""
    engine: Baidu = engines(Baidu)
    said = {"remain": 0, "success": 1, "not_valid": [URLS[0]]}
    engine.faults = [Fault(body=json.dumps(said))]
    (row,) = told("baidu", engine)
    engine.site = "other.example"
    (again,) = told("baidu", engine)

    assert ("accepted", 1, 1, 1) == tuple(
        row[name] for name in ("state", "accepted", "refused", "left")
    )
    assert f"{URLS[0]}: URL is not valid for Baidu; over today's quota" == row["reason"]
    assert ("refused", 1) == (again["state"], again["sent"])


def test_baidu_refuses_all_urls_of_a_batch(engines: Engines, user: User) -> None:
    """Invalid URLs are refused for good only if Baidu accepts another one in the same run."""
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
    """Bing with a URL that it does not like, and does not name."""

    bad = f"{HOST}/b"

    def answer(self, asked: Any) -> Any:
        if self.bad in asked.body and not asked.place.endswith("Feed"):
            return self._error(7, "InvalidUrl")
        return super().answer(asked)


def test_bing_with_a_bad_url(told: Any, engines: Engines, user: User) -> None:
    """A batch that is rejected because of one URL is divided until that one is found."""
    engine: _OneBadUrl = engines(_OneBadUrl)
    rows = told("bing", engine)
    pending = user("submit", "status", "--engine", "bing")

    assert [SITEMAP, f"{HOST}/a", f"{HOST}/c"] == sorted(engine.taken, key=len, reverse=True)
    assert ("accepted", 3, 2, 1, 0) == tuple(
        rows[1][name] for name in ("state", "sent", "accepted", "refused", "left")
    )
    assert f"{engine.bad}: InvalidUrl" in rows[1]["reason"]
    assert b"bing" in pending.stdout


def test_baidu_sends_what_the_quota_allows(told: Any, engines: Engines, user: User) -> None:
    """Of more URLs than the quota has, so many are sent; the rest goes out the next day."""
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
def test_every_status_has_an_action(told: Any, engines: Engines, status: int) -> None:
    """Whatever an engine answers, the row says why, and what to do."""
    for name, kind in (("yandex", Yandex), ("bing", Bing), ("baidu", Baidu)):
        engine = engines(kind)
        engine.faults = [Fault(status=status) for _ in range(9)]
        row = next(row for row in told(name, engine) if row["state"] == "refused")
        assert (status, True, True) == (row["status"], bool(row["reason"]), bool(row["action"]))


@pytest.mark.parametrize("status", [408, 425])
def test_request_is_repeated(told: Any, engines: Engines, status: int) -> None:
    """A request that the server did not process is sent again in the same run."""
    engine: Yandex = engines(Yandex)
    engine.faults = [Fault(status=status)]
    rows = told("yandex", engine, "--retries", "1")

    assert {"accepted"} == {row["state"] for row in rows}


def test_google_quota_of_a_day(user: User, google: Google) -> None:
    """200 URLs are sent in 24 hours, whatever Google says, and the next ones later."""
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


def test_baidu_without_quota(told: Any, engines: Engines) -> None:
    """If not even one URL is taken, no more is tried."""
    engine: Baidu = engines(Baidu)
    engine.quota = 0
    rows = told("baidu", engine)

    assert [(1, 1, 0), (0, 0, 2)] == [
        tuple(row[name] for name in ("sent", "refused", "left")) for row in rows
    ]
    assert 2 == len(engine.posts())


def test_google(told: Any, google: Google) -> None:
    """Google is told of the sitemap, as one of the property that it is in; then of nothing."""
    google.properties["sc-domain:example.com"] = "siteFullUser"
    rows = told("google", google)

    assert [("sitemaps", "accepted", 204, 1)] == _states(rows)
    assert [SITEMAP] == google.taken
    quoted = "https%3A%2F%2Fwww.example.com%2F"
    assert f"/webmasters/v3/sites/{quoted}/sitemaps/{quoted}sitemap.xml" == google.asked[-1].path
    assert [] == told("google", google)


def test_google_domain(told: Any, google: Google) -> None:
    """A domain property has the sitemap, too; one that may only be read has not."""
    google.properties = {"https://www.example.com/": "siteRestrictedUser"}
    refused = told("google", google)
    google.properties["sc-domain:example.com"] = "siteOwner"
    rows = told("google", google)

    assert ["refused"] == [row["state"] for row in refused]
    assert "Search Console" in refused[0]["action"]
    assert [("sitemaps", "accepted", 204, 1)] == _states(rows)
    assert "/sites/sc-domain%3Aexample.com/" in google.asked[-1].path


def test_google_token_runs_out(told: Any, google: Google) -> None:
    """A token that is refused is renewed once."""
    google.faults = [Fault(), Fault(status=401, body="{}")]
    google.faults[0] = _Token(google)
    rows = told("google", google)

    assert [("sitemaps", "accepted", 204, 1)] == _states(rows)
    assert 2 == google.tokens


@pytest.mark.parametrize(
    ("text", "said"),
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
def test_google_credentials(told: Any, google: Google, user: User, text: str, said: str) -> None:
    """Credentials that are none are no matter of the network, and are not shown."""
    path = user.folder / "account.json"
    path.unlink()
    if text:
        path.write_text(text)
    (row,) = told("google", google)

    assert said in row["reason"]
    assert "hush" not in row["reason"]
    assert "fix the credentials, then run again" == row["action"]
    assert (0, 0, 1) == (row["sent"], row["refused"], row["left"])


def test_google_keeps_secrets(told: Any, google: Google, user: User) -> None:
    """A token that Google gives away is in no row and not in the journal."""
    google.faults = [_Token(google), Fault(status=418, body="I know ya29.google-token-1")]
    (row,) = told("google", google)
    kept = b"".join(path.read_bytes() for path in (user.folder / "state").rglob("*.sqlite3*"))

    assert "refused: I know ***" == row["reason"]
    assert b"ya29." not in kept
    assert b"I know ***" in kept


class _Token(Fault):
    """The first token, which is no fault."""

    def __init__(self, google: Google) -> None:
        said = {"access_token": "ya29.google-token-1", "expires_in": 3600}
        super().__init__(body=json.dumps(said), headers={"Content-Type": "application/json"})
        google.tokens = 1


@pytest.mark.parametrize(
    ("status", "reason", "said", "action"),
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
def test_google_limits(
    told: Any, google: Google, status: int, reason: str, said: str, action: str
) -> None:
    """A 403 of Google says by its reason whether it is about permissions."""
    error = {"code": status, "errors": [{"reason": reason}], "message": "slow down"}
    google.faults = [_Token(google), Fault(status=status, body=json.dumps({"error": error}))]
    (row,) = told("google", google)

    assert (said, status) == (row["reason"], row["status"])
    assert action in row["action"]


def test_long_location_is_cut(told: Any, engines: Engines) -> None:
    """A header of an answer is quoted in part, however long it is."""
    engine = engines(Bing)
    target = f"https://e.example/{'a' * 50_000}"
    engine.faults = [Fault(status=301, headers={"Location": target}) for _ in range(3)]
    rows = told("bing", engine)

    assert "redirected to https://e.example/aaa" in rows[0]["reason"]
    assert max(len(row["reason"]) for row in rows) < 1100


def test_google_slows_down(told: Any, google: Google) -> None:
    """After 403 rateLimitExceeded the request is tried again, and after quotaExceeded not."""
    bodies = [
        json.dumps({"error": {"errors": [{"reason": reason}], "message": "m"}})
        for reason in ("rateLimitExceeded", "quotaExceeded")
    ]
    google.faults = [_Token(google), *(Fault(status=403, body=body) for body in bodies)]
    (row,) = told("google", google, "--retries", "5")

    assert "quota exceeded: m" == row["reason"]
    assert 3 == len(google.posts())


def test_google_indexing(told: Any, google: Google, user: User) -> None:
    """The Indexing API is told of each page, and of those that are no more; with a warning."""
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
def test_google_indexing_says_no_json(google: Google, user: User, fault: Fault) -> None:
    """A success without its object of JSON counts as nothing: the page stays due."""
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
def test_indexnow_says_a_page(
    engines: Engines, user: User, site: Site, fault: Fault, status: int
) -> None:
    """A login page does not say that IndexNow took anything."""
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


def test_websub(user: User, engines: Engines, site: Site) -> None:
    """The hubs in the headers of a feed and in the feed are all told once of its news."""
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


def test_websub_all_hubs(user: User, engines: Engines, site: Site) -> None:
    """All hubs are told, also behind one that refuses, which alone is told again."""
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


def test_websub_by_hub(user: User, engines: Engines, site: Site) -> None:
    """Each hub is told of each state once, whatever the others say and however often."""
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


def test_websub_state_that_is_back(user: User, engines: Engines, site: Site) -> None:
    """A state that is back is told to those hubs only that know of another."""
    hubs = [engines(Hub) for _ in range(2)]
    source = [_feed_with_hubs(site, *hubs), "--engine", "websub"]
    user.submit(*source)
    before = site.files["/feed.xml"]
    hubs[1].faults = [Fault(status=400)]
    _change(site, "more")
    user.submit(*source)
    site.files["/feed.xml"] = before
    user.submit(*source)

    assert [3, 1] == [len(hub.taken) for hub in hubs]
    assert [] == user.submit(*source)


def test_websub_hub_that_is_gone(user: User, engines: Engines, site: Site) -> None:
    """Once a feed names only hubs that know its state, nothing is due."""
    hubs = [engines(Hub) for _ in range(2)]
    source = [_feed_with_hubs(site, *hubs), "--engine", "websub"]
    hubs[1].faults = [Fault(status=400)]
    user.submit(*source)
    _feed_with_hubs(site, hubs[0])
    user.submit(*source)

    assert [1, 0] == [len(hub.taken) for hub in hubs]
    assert [] == user.submit(*source)


@pytest.mark.parametrize("options", [[], ["--engine", "indexnow"], ["--force"]])
def test_websub_is_not_asked_for(
    user: User, engines: Engines, site: Site, options: list[str]
) -> None:
    """A hub that a feed names hears nothing, unless the user chose WebSub."""
    hub, engine = engines(Hub), engines(IndexNow)
    endpoint = ["--endpoint", f"indexnow={engine.url}"]
    for name in ("BING_API_KEY", "YANDEX_OAUTH_TOKEN", "BAIDU_TOKEN"):
        del user.environment[name]
    done = user("submit", _feed_with_hubs(site, hub), *options, *endpoint)

    assert [] == hub.asked
    assert [f"{site.url}/a"] == engine.taken
    assert b"a feed has a WebSub hub; pass --engine websub to notify it" in done.stderr


def test_websub_configured(user: User, engines: Engines, site: Site) -> None:
    """A hub of the settings is told, and not those of the feed; it may be a private address."""
    named, configured = engines(Hub), engines(Hub)
    text = f'[engines.websub]\nendpoint = "{configured.url}/"\n'
    (user.folder / "sitemapx.toml").write_text(text)
    (user.folder / "feed.xml").write_text(
        FEED.format(site=site.url, links=f'<atom:link rel="hub" href="{named.url}/"/>')
    )
    user.allows_private = False
    rows = user.submit("feed.xml", "--source-url", f"{site.url}/feed.xml")

    assert ["accepted"] == [row["state"] for row in rows]
    assert ([], [f"{site.url}/feed.xml"]) == (named.asked, configured.taken)


def test_websub_private(user: User, engines: Engines, site: Site) -> None:
    """A hub that a feed names has to be a public address, as that of the feed itself."""
    hub: Hub = engines(Hub)
    links = f'<atom:link rel="hub" href="{hub.url}/"/>'
    (user.folder / "feed.xml").write_text(FEED.format(site=site.url, links=links))
    user.allows_private = False
    where = ["--source-url", f"{site.url}/feed.xml", "--engine", "websub"]
    rows = user.submit("feed.xml", *where)

    said = f"{hub.url}/: 127.0.0.1 is a private address; allow this with --allow-private"
    assert [("unreachable", said)] == [(row["state"], row["reason"]) for row in rows]
    assert [(0, 1)] == [(row["sent"], row["left"]) for row in rows]
    assert [] == hub.asked
    assert [] == site.asked


def test_websub_without_a_hub(user: User, site: Site) -> None:
    """A feed that names no hub is told to nobody."""
    site.files["/feed.xml"] = FEED.format(site=site.url, links="")
    rows = user.submit(f"{site.url}/feed.xml", "--allow-private", "--engine", "websub")

    assert ["feed has no hub link"] == [row["reason"] for row in rows]


@pytest.mark.parametrize("name", ["google-ping", "bing-ping", "xmlrpc"])
def test_retired(user: User, name: str) -> None:
    """Who asks for what is no more is told what to use."""
    user.write({f"{HOST}/": "2026-01-01"})
    done = user("submit", "sitemap.xml", "--engine", name)

    assert 2 == done.returncode
    assert re.search(f"{name}: (retired on 20|discontinued by)", done.stderr.decode())
    assert b"; use " in done.stderr


def test_homeless(told: Any, user: User, google: Google) -> None:
    """A sitemap of which nobody knows where it is published is not told of."""
    user.write(dict.fromkeys(URLS, "2026-01-01"))
    options = ["--engine", "google", "--endpoint", f"google={google.url}", "--force"]
    (row,) = user.submit("sitemap.xml", *options)
    (user.folder / "sitemapx.toml").write_text(f'site = "{HOST}"\nroot = "."\n')
    (found,) = user.submit("sitemap.xml", *options)

    assert ("left", "its public URL is unknown") == (row["state"], row["reason"])
    assert "accepted" == found["state"]
    assert [SITEMAP] == google.taken


def test_listed(sitemapx: Run) -> None:
    """`sitemapx engines` lists them all, without what only sending needs."""
    done = sitemapx("engines")
    code = (
        "import sys; from sitemapx.cli import main; main(['engines']);"
        "print({'requests', 'lxml', 'rich', 'google.auth'} & set(sys.modules))"
    )
    lean = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert 11 == len(done.stdout.splitlines())
    assert "set()" == lean.stdout.splitlines()[-1]


def test_nobody_asked(user: User, engines: Engines, site: Site) -> None:
    """Engines that nobody named are told of what they can be told of, and the rest is said."""
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
