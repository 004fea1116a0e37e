"""Reports of search engines, and withdrawals: `submit status --ask`, `--inspect`, `withdraw`."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.effort import slow
from tests.engines import BING_KEY, YANDEX_TOKEN, Bing, Google, IndexNow, Yandex
from tests.loopback import Engine, Engines, Fault
from tests.submit.conftest import User

HOST = "https://www.example.com"
SITEMAP = f"{HOST}/sitemap.xml"
PAGES = [f"{HOST}/{name}" for name in ("a", "b", "new")]
_KINDS = {"bing": Bing, "google": Google, "yandex": Yandex}


class Endpoint:
    """A search engine, and the commands of a user that connect to it."""

    def __init__(self, user: User, name: str, engine: Engine) -> None:
        self.engine = engine
        self._user = user
        self._options = ["--engine", name, "--retries", "0", "--allow-private"]
        self._options += ["--endpoint", f"{name}={engine.url}{engine.path.rstrip('/')}"]

    def __call__(self, *args: str) -> subprocess.CompletedProcess[bytes]:
        done = self._user("submit", *args, *self._options)
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        for secret in (BING_KEY, YANDEX_TOKEN, "ya29.google"):
            assert secret.encode() not in done.stdout + done.stderr
        return done

    def json(self, *args: str) -> list[dict[str, Any]]:
        """Run a command, and return its rows."""
        return [json.loads(line) for line in self(*args, "--report", "json").stdout.splitlines()]

    def submit(self) -> None:
        """Submit a sitemap of three pages."""
        self._user.write(dict.fromkeys(PAGES, "2026-01-01"))
        self("sitemap.xml", "--source-url", SITEMAP, "--force")


@pytest.fixture(params=_KINDS)
def endpoint(request: pytest.FixtureRequest, engines: Engines, user: User) -> Endpoint:
    name: str = request.param
    is_google = name == "google"
    engine = request.getfixturevalue("google") if is_google else engines(_KINDS[name])
    return Endpoint(user, name, engine)


@pytest.fixture
def search_console(google: Google, user: User) -> Endpoint:
    return Endpoint(user, "google", google)


def test_documented_commands_work(search_console: Endpoint, google: Google, user: User) -> None:
    page = (ROOT / "docs" / "submit.md").read_text()
    (block,) = re.findall(r"```sh\n(sitemapx submit status --ask.*?)```", page, re.DOTALL)
    google.properties |= {"https://example.com/": "siteOwner"}
    search_console.submit()
    google.taken.append("https://example.com/old-sitemap.xml")
    commands = [shlex.split(line, comments=True)[2:] for line in block.splitlines()]
    done = [search_console(*command) for command in commands]

    assert [0, 0, 0, 0] == [one.returncode for one in done], done
    assert "Submitted and indexed" in (user.folder / "status.html").read_text()
    assert "https://example.com/old-sitemap.xml" not in google.taken


_REPORTS: dict[str, dict[str, Any]] = {
    "bing": {
        "kind": "Sitemap",
        "submitted": "2024-10-29T03:51:27Z",
        "downloaded": None,
        "urls": 1200,
        "status": "Success",
    },
    "google": {
        "kind": "sitemap",
        "submitted": "2026-02-01T09:00:00Z",
        "downloaded": "2026-02-02T10:11:12Z",
        "errors": 0,
        "warnings": 3,
        "urls": 1200,
    },
    "yandex": {"submitted": "2026-02-01T09:00:00Z", "downloaded": None, "is_pending": True},
}


def test_status_lists_the_submitted_sitemap(endpoint: Endpoint) -> None:
    endpoint.submit()
    (row,) = [row for row in endpoint.json("status", HOST, "--ask") if "site" in row]

    assert (HOST, SITEMAP) == (row["site"], row["url"])
    expected = _REPORTS[row["engine"]]
    assert expected == {name: row[name] for name in expected}


def test_status_is_also_table_and_page(endpoint: Endpoint, user: User) -> None:
    endpoint.submit()
    table = endpoint("status", HOST, "--ask").stdout.decode()
    written = endpoint("status", HOST, "--ask", "-o", "status.html")
    page = (user.folder / "status.html").read_text()

    assert "LAST ACCEPTED" in table
    assert SITEMAP in table
    assert b"wrote status.html" in written.stderr
    assert b"" == written.stdout
    assert f'class="url">{SITEMAP}<' in page
    assert [] == re.findall(r'class="url">(?!http)([^<]*)', page)
    assert "<h1>Submission status</h1>" in page


def test_site_of_the_journal_is_the_default(endpoint: Endpoint) -> None:
    unknown = endpoint("status", "--ask")
    endpoint.submit()
    rows = endpoint.json("status", "--ask")

    assert 2 == unknown.returncode
    assert b"missing URL: pass one of the site, or set site in sitemapx.toml" in unknown.stderr
    assert [SITEMAP] == [row["url"] for row in rows if "site" in row]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=500, body="<html>oops"),
        Fault(status=429, body="{}"),
        Fault(body="{", cut=5),
        pytest.param(Fault(status=403, body="{}"), marks=slow),
        pytest.param(Fault(body="[]"), marks=slow),
        pytest.param(Fault(is_reset=True), marks=slow),
    ],
)
def test_failing_report_ends_with_one_line(endpoint: Endpoint, fault: Fault) -> None:
    endpoint.submit()
    endpoint.engine.read_faults = [fault] * 2
    done = endpoint("status", HOST, "--ask")
    endpoint.engine.read_faults = []
    (line,) = done.stderr.decode().splitlines()

    assert 1 == done.returncode
    assert f": {HOST}: " in line
    assert b"LAST ACCEPTED" in done.stdout


def test_withdrawn_sitemap_is_gone_until_resubmitted(endpoint: Endpoint, user: User) -> None:
    endpoint.submit()
    sent = endpoint.engine.taken.count(SITEMAP)
    dry = endpoint("withdraw", SITEMAP, "--dry-run")
    kept = endpoint.engine.taken.count(SITEMAP)
    (row,) = endpoint.json("withdraw", SITEMAP)
    known = user("submit", "status", SITEMAP).stderr
    gone = endpoint.engine.taken.count(SITEMAP)
    endpoint.submit()

    assert (1, 1, 0, 1) == (sent, kept, gone, endpoint.engine.taken.count(SITEMAP))
    assert 0 == dry.returncode, dry.stderr
    assert ("sitemaps", "accepted", 1) == (row["kind"], row["state"], row["accepted"])
    assert b"not accepted by any search engine" in known


def test_unlisted_sitemap_counts_as_withdrawn(endpoint: Endpoint) -> None:
    endpoint.submit()
    endpoint("withdraw", SITEMAP)
    (row,) = endpoint.json("withdraw", SITEMAP)

    assert "accepted" == row["state"]
    assert row["reason"].startswith("not ")


@pytest.mark.parametrize("code", [3, 7, 8, 11, 14])
def test_bing_error_does_not_count_as_withdrawal(user: User, engines: Engines, code: int) -> None:
    endpoint = Endpoint(user, "bing", engines(Bing))
    endpoint.submit()
    fault = Fault(status=400, body=json.dumps({"ErrorCode": code, "Message": "no"}))
    endpoint.engine.faults = [fault]
    listed = endpoint.json("withdraw", SITEMAP)
    endpoint.engine.taken.clear()
    endpoint.engine.faults, endpoint.engine.read_faults = [fault], [fault]
    unknown = endpoint.json("withdraw", SITEMAP)

    assert ["refused", "refused"] == [row["state"] for row in (*listed, *unknown)]


@pytest.mark.parametrize("status", [403, 429, 503])
def test_refused_withdrawal_stays_accepted(endpoint: Endpoint, user: User, status: int) -> None:
    endpoint.submit()
    endpoint.engine.faults = [Fault(status=status, body="{}")] * 2
    done = endpoint("withdraw", SITEMAP)

    assert 1 == done.returncode
    assert b"withdrawn" not in user("submit", "history").stdout
    assert SITEMAP.encode() in user("submit", "status", SITEMAP).stdout


def test_withdrawal_names_robots_txt_that_lists_the_sitemap(endpoint: Endpoint, user: User) -> None:
    (user.folder / "robots.txt").write_text(f"Sitemap: {SITEMAP}\n")
    (user.folder / "sitemapx.toml").write_text('robots = "robots.txt"\n')
    endpoint.submit()
    done = endpoint("withdraw", SITEMAP)

    assert f"run `sitemapx robots remove robots.txt {SITEMAP}`".encode() in done.stderr


@pytest.mark.parametrize("command", [["status", HOST, "--ask"], ["withdraw", SITEMAP]])
def test_pause_advice_names_no_missing_option(endpoint: Endpoint, command: list[str]) -> None:
    endpoint.submit()
    pause = Fault(status=429, headers={"Retry-After": "3600"})
    endpoint.engine.faults, endpoint.engine.read_faults = [pause] * 9, [pause] * 9
    done = [endpoint(*command) for _ in "ab"]

    for one in done:
        output = (one.stdout + one.stderr).decode()
        assert 1 == one.returncode
        assert "run again in 60 minutes" in output
        assert "--no-wait" not in output


def test_yandex_lists_are_read_page_by_page(engines: Engines, user: User) -> None:
    yandex: Yandex = engines(Yandex)
    endpoint = Endpoint(user, "yandex", yandex)
    yandex.found = [f"{HOST}/found-{number}.xml" for number in range(230)]
    yandex.taken = [f"{HOST}/added-{number}.xml" for number in range(210)]
    rows = endpoint.json("status", HOST, "--ask")
    endpoint("withdraw", yandex.taken[205])

    assert 440 == len(rows)
    assert {"2025-12-31T21:00:00Z", None} == {row["downloaded"] for row in rows}
    assert 209 == len(yandex.taken)
    assert f"{HOST}/added-205.xml" not in yandex.taken


@pytest.mark.parametrize("command", [["status", "--ask"], ["withdraw", SITEMAP]])
def test_engine_without_the_feature_is_rejected(
    user: User, engines: Engines, command: list[str]
) -> None:
    done = Endpoint(user, "indexnow", engines(IndexNow))(*command)

    assert 2 == done.returncode
    assert b"indexnow cannot " in done.stderr
    assert b"search engines that can: google, bing, yandex" in done.stderr


def test_sitemap_pages_are_inspected_once_a_day(search_console: Endpoint, user: User) -> None:
    search_console.submit()
    rows = search_console.json("status", "--inspect", "2")
    rest = search_console.json("status", "--inspect", "2")
    none = search_console("status", "--inspect", "2")
    totals = [row for row in search_console.json("status", "--ask") if "pages" in row]

    inspected = [row for row in rows + rest if "crawled" in row]
    assert PAGES == [row["url"] for row in inspected]
    assert ["PASS", "PASS", "NEUTRAL"] == [row["verdict"] for row in inspected]
    assert ["2026-02-03T04:05:06Z", None] == [row["crawled"] for row in inspected[1:]]
    assert b"no pages to inspect" in none.stderr
    assert [("PASS", 2), ("NEUTRAL", 1)] == [(row["verdict"], row["pages"]) for row in totals]


def test_named_pages_are_inspected_without_a_sitemap(search_console: Endpoint) -> None:
    found = search_console.json("status", *PAGES[1:], "--inspect", "5")
    other = search_console("status", PAGES[0], "https://other.example/", "--inspect", "5")

    assert PAGES[1:] == [row["url"] for row in found if "crawled" in row]
    assert 1 == other.returncode
    assert b"no Search Console property" in other.stderr
    assert PAGES[0].encode() in other.stdout


def test_named_pages_are_inspected_once_a_day(
    search_console: Endpoint, google: Google, user: User
) -> None:
    first = search_console.json("status", *PAGES, PAGES[0], "--inspect", "2")
    again = search_console("status", *PAGES, "--inspect", "1")
    counts = user.query("SELECT count(*) FROM inspections", _journal(user))
    user.query("UPDATE inspections SET asked_at = asked_at - 86401", _journal(user))
    search_console.json("status", PAGES[0], "--inspect", "1")

    assert PAGES[:2] == [row["url"] for row in first if "crawled" in row]
    assert all(page.encode() in again.stdout for page in PAGES)
    assert f"{PAGES[1]}: inspected less than a day ago" in again.stderr.decode()
    assert [(3,)] == counts
    assert 2000 - 4 == google.inspections


def test_used_up_inspection_quota_ends_the_command(
    search_console: Endpoint, google: Google, user: User
) -> None:
    def inspect() -> tuple[subprocess.CompletedProcess[bytes], int]:
        before = len(google.posts())
        done = search_console("status", *PAGES, "--inspect", "3")
        return done, len([one for one in google.posts()[before:] if "inspect" in one.path])

    google.inspections = 1
    answered, asked = inspect()
    google.inspections = 10
    paused, asked_again = inspect()
    user.query("DELETE FROM pauses", _journal(user))
    user.query(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        "INSERT INTO inspections SELECT 'google', i, 'https://www.example.com/', "
        "strftime('%s', 'now'), '{}' FROM n",
        _journal(user),
    )
    recorded, asked_last = inspect()

    assert [1, 1, 1] == [done.returncode for done in (answered, paused, recorded)]
    assert (2, 0, 0) == (asked, asked_again, asked_last)
    assert PAGES[0].encode() in answered.stdout
    assert b"Quota exceeded" in answered.stderr
    assert b"today's quota is used up" in paused.stderr
    assert b"daily quota of 2,000 inspections is used up" in recorded.stderr


def test_bing_reports_crawls_and_issues_of_pages(user: User, engines: Engines) -> None:
    bing: Bing = engines(Bing)
    endpoint = Endpoint(user, "bing", bing)
    rows = endpoint.json("status", *PAGES, "--inspect", "5")
    again = endpoint("status", PAGES[0], "--inspect", "5")
    asked = [one.place.rpartition("/")[2] for one in bing.asked]

    found = [
        [row[name] for name in ("verdict", "fetch", "robots", "coverage")] for row in rows[-3:]
    ]
    assert ["DISCOVERED", "", "", ""] == found[0]
    issues = "Code4xx, ImportantUrlBlockedByRobotsTxt"
    assert ["CRAWLED", "HTTP 404", "BLOCKED", issues] == found[1]
    assert ["UNKNOWN", "", "", ""] == found[2]
    assert [None, "2024-10-29T03:51:27Z", None] == [row["crawled"] for row in rows[-3:]]
    assert ["GetCrawlIssues", *["GetUrlInfo"] * 3] == asked
    assert b"inspected less than a day ago" in again.stderr


@pytest.mark.parametrize("code", [4, 14])
def test_bing_error_ends_the_inspection(user: User, engines: Engines, code: int) -> None:
    endpoint = Endpoint(user, "bing", engines(Bing))
    fault = Fault(status=400, body=json.dumps({"ErrorCode": code, "Message": "no"}))
    endpoint.engine.read_faults = [fault] * 2
    done = endpoint("status", *PAGES, "--inspect", "5")

    assert 1 == done.returncode
    assert f"bing: {PAGES[0]}: ".encode() in done.stderr
    assert 1 == len(endpoint.engine.asked)


def _journal(user: User) -> str:
    (path,) = Path(user.folder / "state").rglob("*.sqlite3")
    return str(path)
