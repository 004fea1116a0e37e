"""Pauses that engines request, and the time budget of a run."""

import json
import re
import subprocess
import threading
from typing import Any

import pytest
from requests import Response

from sitemapx.convert.http.errors import retry_after
from tests.conftest import PATIENCE
from tests.effort import slow
from tests.engines import KEY, Baidu, Bing, Hub, IndexNow
from tests.loopback import Answered, Engines, Fault, Site
from tests.submit.conftest import User, pages
from tests.waiting import wait_until

HOUR = {"Retry-After": "3600"}


@pytest.fixture
def engine(engines: Engines, user: User) -> IndexNow:
    found: IndexNow = engines(IndexNow)
    (user.folder / "sitemapx.toml").write_text(
        f'journal = "j.db"\n[engines.indexnow]\nendpoint = "{found.url}"\nbatch = 2\n'
    )
    return found


@pytest.mark.parametrize("status", [429, 503])
def test_pause_holds_for_all_runs(user: User, engine: IndexNow, site: Site, status: int) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    engine.faults = [Fault(status=status, headers=HOUR)]
    user.write(pages(site, "abc") | {f"{other}/a": "2026-01-01"})
    ignored = ["--ignore-robots", "--ignore-findings"]
    rows = user.submit("sitemap.xml", *ignored, "--timeout", "5")
    later = [user.submit("sitemap.xml", *ignored), user.submit("retry")]
    before = len(engine.posts())
    user.query("UPDATE pauses SET since = since - 3601")
    user.submit("sitemap.xml", *ignored)

    assert "refused" == rows[0]["state"]
    assert "run again in 60 minutes, or pass --no-wait to send now" == rows[0]["action"]
    for found in later:
        assert {"left"} == {row["state"] for row in found}
        assert "run again in 60 minutes, or pass --no-wait to send now" == found[0]["action"]
    assert sorted([*pages(site, "abc"), f"{other}/a"]) == sorted(engine.taken)
    assert 1 == before


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=403),
        Fault(status=422),
        Fault(status=429),
        Fault(body="<html>", after=True),
    ],
    ids=["403", "422", "429", "unreadable"],
)
def test_retry_keeps_the_interval(user: User, engine: IndexNow, site: Site, fault: Fault) -> None:
    engine.faults = [fault]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml", "--retries", "0")
    soon = user("submit", "retry", "--no-wait")
    count = len(engine.posts())
    user.query("UPDATE entries SET tried_at = tried_at - 601")
    later = user.submit("retry", "--no-wait")

    assert (0, 1) == (soon.returncode, count)
    assert b"1 URL postponed: sent less than 10 minutes ago; pass --ignore-interval" in soon.stderr
    assert ["accepted"] == [row["state"] for row in later]
    assert [] == user.submit("retry")


@pytest.mark.parametrize("is_removed", [False, True])
def test_retry_waits_after_a_kill(
    user: User, engine: IndexNow, site: Site, *, is_removed: bool
) -> None:
    user.write(pages(site, "ab"))
    if is_removed:
        user.submit("sitemap.xml")
        user.write(pages(site, "b"))
    answer = threading.Event()
    engine.faults = [Fault(when=answer)]
    before = len(engine.posts())
    run = user.start()
    wait_until(lambda: engine.posts()[before:], run)
    run.kill()
    run.wait()
    answer.set()
    user.submit("retry")
    sent = len(engine.posts())
    user.query("UPDATE entries SET tried_at = tried_at - 601")
    user.submit("retry")

    assert (before + 1, before + 2) == (sent, len(engine.posts()))


@slow
def test_waiting_run_obeys_the_pause_of_the_first(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=429, headers=HOUR, when=(answer := threading.Event()))]
    user.write(pages(site, "ab"))
    quiet = subprocess.DEVNULL
    first = user.start("-q", stdout=quiet)
    wait_until(engine.posts, first)
    others = [user.start("-q", stdout=quiet) for _ in range(2)]
    answer.set()

    assert [1, 1, 1] == [run.wait(PATIENCE) for run in (first, *others)]
    assert 1 == len(engine.posts())
    assert [] == engine.taken


def test_end_of_the_pause_is_reported(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    (row,) = user.submit("sitemap.xml")
    dry = user("submit", "sitemap.xml", "--dry-run")
    user.query(f"UPDATE pauses SET server = '{site.host}'")
    probed = user("submit", "sitemap.xml", "--probe", "1")
    user.query("UPDATE pauses SET since = since - 3601")

    expected = "server asked for a pause because of too many requests or overload; nothing is sent"
    assert re.fullmatch(rf"{expected} until 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["reason"])
    assert 1 == dry.returncode
    assert f"would not be sent: {expected} until 20" in dry.stderr.decode()
    assert b"POST" not in dry.stdout
    assert 1 == probed.returncode
    assert f"{site.url}/a: {expected} until 20" in probed.stderr.decode()
    assert 0 == user("submit", "sitemap.xml", "--dry-run").returncode


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 429, "headers": HOUR},
        {"status": 400, "body": '{"ErrorCode":4,"Message":"ERROR!!! ThrottleUser"}'},
        {"status": 400, "body": '{"ErrorCode":5,"Message":"ERROR!!! ThrottleHost"}'},
    ],
)
def test_pause_holds_for_all_kinds(user: User, engines: Engines, answer: dict[str, Any]) -> None:
    bing: Bing = engines(Bing)
    bing.faults = [Fault(**answer)]
    user.write({f"{bing.site}/a": "2026-01-01"})
    options = ["--source-url", f"{bing.site}/sitemap.xml", "--engine", "bing", "--journal", "j.db"]
    rows = user.submit("sitemap.xml", *options, "--endpoint", f"bing={bing.url}", "--probe", "0")

    assert ["sitemaps", "urls"] == [row["kind"] for row in rows]
    assert ["refused", "left"] == [row["state"] for row in rows]
    assert {"run again in 60 minutes, or pass --no-wait to send now"} == {
        row["action"] for row in rows
    }
    assert 1 == len(bing.asked)


def test_pause_of_one_hub_does_not_stop_others(user: User, engines: Engines, site: Site) -> None:
    hubs: list[Hub] = [engines(Hub), engines(Hub)]
    feed = (
        "<rss version='2.0' xmlns:a='http://www.w3.org/2005/Atom'><channel><title>t</title>"
        "<link>{0}/</link><description>d</description><a:link rel='hub' href='{1}/'/>"
        "<item><title>t</title><link>{0}/a</link></item></channel></rss>"
    )
    for name, hub in zip("ab", hubs, strict=True):
        site.files[f"/{name}.xml"] = feed.format(site.url, hub.url)
    hubs[0].faults = [Fault(status=503, headers=HOUR)]
    sources = [f"{site.url}/{name}.xml" for name in "ab"]
    options = ["--allow-private", "--engine", "websub", "--journal", "j.db"]
    rows = user.submit(*sources, *options)
    again = user.submit(*sources, *options)

    assert ["refused", "accepted"] == [row["state"] for row in rows]
    assert ["left"] == [row["state"] for row in again]
    assert [1, 1] == [len(hub.posts()) for hub in hubs]


def test_pause_survives_a_kill(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=503, headers={"Retry-After": "60"})]
    user.write(pages(site, "a"))
    pipe = subprocess.PIPE
    run = user.start(stderr=pipe)
    assert run.stderr is not None
    expected = next(line for line in run.stderr if b"trying again" in line)
    run.kill()
    run.communicate()
    (row,) = user.submit("sitemap.xml")

    assert b"503; trying again in 60.0 s" in expected
    assert "left" == row["state"]
    assert 1 == len(engine.posts())


@pytest.mark.parametrize("status", [429, 500, 503])
@pytest.mark.parametrize("name", ["sitemap.xml", "robots.txt", f"{KEY}.txt"])
def test_pause_of_the_site_holds_for_later_runs(
    user: User, engine: IndexNow, site: Site, name: str, status: int
) -> None:
    site.files["/sitemap.xml"] = (user.folder / user.write(pages(site, "a"))).read_text()
    site.busy = {f"/{name}": Answered(status, "", HOUR)}
    command = ["submit", f"{site.url}/sitemap.xml", "--retries", "0"]
    first = user(*command)
    site.busy.clear()
    count = len(site.asked)
    later = [user(*command), user(*command, "--ignore-robots"), user(*command, "--dry-run")]
    waited = len(site.asked)
    ignored = user(*command, "--no-wait", "--ignore-interval")

    assert [1, 1, 1, 1] == [done.returncode for done in (first, *later)]
    assert all(b"nothing is sent until" in done.stderr + done.stdout for done in later)
    advice = b"run again in 60 minutes, or pass --no-wait to send now"
    assert all(advice in done.stderr + done.stdout for done in later)
    assert (waited, 0) == (count, ignored.returncode), ignored.stderr
    assert [f"{site.url}/a"] == engine.taken


def test_pause_of_a_listed_sitemap_holds(user: User, engine: IndexNow, site: Site) -> None:
    space = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
    rows = "".join(f"<sitemap><loc>{site.url}/{n}.xml</loc></sitemap>" for n in "abc")
    site.files["/index.xml"] = f"<sitemapindex {space}>{rows}</sitemapindex>"
    site.busy = {f"/{n}.xml": Answered(503, "", HOUR) for n in "abc"}
    first = user("submit", f"{site.url}/index.xml", "--retries", "0")
    count = len(site.asked)
    again = user("submit", f"{site.url}/index.xml")

    assert (1, 1, count) == (first.returncode, again.returncode, len(site.asked))
    assert b"nothing is sent until" in again.stderr


def test_past_pause_holds_nothing_back(user: User, engine: IndexNow, site: Site) -> None:
    site.files["/sitemap.xml"] = (user.folder / user.write(pages(site, "a"))).read_text()
    site.read_faults = [Fault(status=503, headers={"Retry-After": "1"})]
    (row,) = user.submit(f"{site.url}/sitemap.xml")

    assert ("accepted", [f"{site.url}/a"]) == (row["state"], engine.taken)
    assert [] == user.query("SELECT * FROM pauses")


def test_pause_ends_by_the_clock_of_the_server(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.query("UPDATE pauses SET since = since + 365 * 86400")
    (row,) = user.submit("sitemap.xml")
    user.query("UPDATE pauses SET date = date - 3601")
    user.submit("sitemap.xml")

    assert "run again in 60 minutes, or pass --no-wait to send now" == row["action"]
    assert [f"{site.url}/a"] == engine.taken


def test_used_up_quota_pauses_its_site_for_the_day(user: User, engines: Engines) -> None:
    engine: Baidu = engines(Baidu)
    engine.quota = 2
    urls = [f"http://{engine.site}/{name}" for name in "abc"]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    options = ["--engine", "baidu", "--endpoint", f"baidu={engine.url}", "--journal", "j.db"]
    user.submit("--urls", "urls.txt", *options)
    count, engine.quota = len(engine.posts()), 100
    (row,) = user.submit("retry", *options, "--ignore-interval")
    waited = len(engine.posts())
    (user.folder / "others.txt").write_text("http://other.example/a\n")
    user.submit("--urls", "others.txt", *options)
    asked = len(engine.posts())
    user.query("UPDATE pauses SET since = since - 86400")
    user.submit("retry", *options, "--ignore-interval")

    assert row["reason"].startswith("today's quota is used up; nothing is sent until 20")
    assert re.match("run again in .*, or pass --no-wait to send now", row["action"])
    assert (count, count + 1) == (waited, asked)
    assert urls == sorted(engine.taken)


def test_clock_set_back_keeps_the_pause(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.query("UPDATE pauses SET since = since + 86400")
    (row,) = user.submit("sitemap.xml")

    assert "run again in 60 minutes, or pass --no-wait to send now" == row["action"]
    assert 1 == len(engine.posts())


def test_accepted_request_ends_the_pause(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.submit("sitemap.xml", "--no-wait")
    user.write(pages(site, "ab"))
    rows = user.submit("sitemap.xml")

    assert ["accepted"] == [row["state"] for row in rows]
    assert [*pages(site, "ab")] == engine.taken


def test_pause_holds_for_all_endpoints(user: User, engines: Engines, site: Site) -> None:
    first, second = engines(IndexNow), engines(IndexNow)
    first.faults = [Fault(status=429)]
    endpoints = [f"--endpoint=indexnow={one.url}" for one in (first, second)]
    options = ["sitemap.xml", "--engine", "indexnow", *endpoints]
    for names in ("a", "ab"):
        user.write(pages(site, names))
        user.submit(*options)

    assert 1 == len(first.posts())
    assert [] == second.posts()


@pytest.mark.parametrize(
    ("expected", "date", "seconds"),
    [
        ("120", "", 120),
        ("0", "", 0),
        ("-5", "", 0),
        ("1e9", "", 0),
        ("soon", "", 0),
        ("9" * 30, "", 365 * 86_400),
        ("Wed, 21 Oct 2015 07:30:00 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", 120),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:30:00 GMT", 0),
        ("Wed, 21 Oct 2099 07:30:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT", 120),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "", 0),
    ],
)
def test_retry_after_uses_the_clock_of_the_server(expected: str, date: str, seconds: float) -> None:
    response = Response()
    response.headers.update({"Retry-After": expected} | ({"Date": date} if date else {}))

    assert seconds == retry_after(response)


@slow
def test_budget_excludes_reading_and_waiting(user: User, engine: IndexNow, site: Site) -> None:
    site.files["/sitemap.xml"] = (user.folder / user.write(pages(site, "a"))).read_text()
    engine.faults = [Fault(after=True, delay=6)]
    user.write(pages(site, "b"), "other.xml")
    run = user.start("--budget", "60", stdout=subprocess.DEVNULL)
    wait_until(engine.posts, run)
    done = user("submit", "other.xml", "--budget", "5", "--report", "json")

    assert (0, 0) == (run.wait(PATIENCE), done.returncode)
    assert ["accepted"] == [json.loads(line)["state"] for line in done.stdout.splitlines()]
    assert [*pages(site, "ab")] == engine.taken


@slow
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_dripping_body_obeys_the_timeout(user: User, engines: Engines, encoding: str) -> None:
    engine: Bing = engines(Bing)
    headers = {"Content-Encoding": encoding}
    drips = Fault(body=" " * 60, headers=headers, drip=0.5, after=True)
    engine.faults = [drips, drips]
    user.write({f"{engine.site}/a": "2026-01-01"})
    options = ["--source-url", f"{engine.site}/sitemap.xml", "--engine", "bing", "--force"]
    where = ["--endpoint", f"bing={engine.url}", "--retries", "0", "--timeout", "2"]
    rows = user.submit("sitemap.xml", *options, *where, "--budget", "3")

    assert ["unknown"] == [row["state"] for row in rows if row["kind"] == "sitemaps"]
    assert "download took longer than 2 s" in rows[0]["reason"]
    assert drips.dripped < 20
