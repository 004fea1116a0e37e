"""Engines that ask to be left alone, and how long a run may take."""

import json
import re
import subprocess
import sys
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
    """Give an engine that takes two URLs a request, and a user whose settings name it."""
    found: IndexNow = engines(IndexNow)
    (user.folder / "sitemapx.toml").write_text(
        f'journal = "j.db"\n[engines.indexnow]\nendpoint = "{found.url}"\nbatch = 2\n'
    )
    return found


@pytest.mark.parametrize("status", [429, 503])
def test_all_runs_obey(user: User, engine: IndexNow, site: Site, status: int) -> None:
    """After Retry-After nothing goes to the engine in this run, the next one, or `retry`."""
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
    """`retry` resends nothing that was refused, or got an unreadable response, just before."""
    engine.faults = [fault]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml", "--retries", "0")
    soon = user("submit", "retry", "--no-wait")
    count = len(engine.posts())
    user.query("UPDATE entries SET tried_at = tried_at - 301")
    later = user.submit("retry", "--no-wait")

    assert (0, 1) == (soon.returncode, count)
    assert b"1 URL postponed: sent less than 5 minutes ago; pass --ignore-interval" in soon.stderr
    assert ["accepted"] == [row["state"] for row in later]
    assert [] == user.submit("retry")


@pytest.mark.parametrize("is_removed", [False, True])
def test_retry_after_a_kill(user: User, engine: IndexNow, site: Site, *, is_removed: bool) -> None:
    """What was on its way when a run was killed may have arrived: `retry` waits for a while."""
    user.write(pages(site, "ab"))
    if is_removed:
        user.submit("sitemap.xml")
        user.write(pages(site, "b"))
    answer = threading.Event()
    engine.faults = [Fault(when=answer)]
    before = len(engine.posts())
    command = [sys.executable, "-m", "sitemapx", "submit", "sitemap.xml", "--allow-private"]
    run = subprocess.Popen(command, cwd=user.folder, env=user.environment)
    wait_until(lambda: engine.posts()[before:], run)
    run.kill()
    run.wait()
    answer.set()
    user.submit("retry")
    sent = len(engine.posts())
    user.query("UPDATE entries SET tried_at = tried_at - 301")
    user.submit("retry")

    assert (before + 1, before + 2) == (sent, len(engine.posts()))


@slow
def test_runs_at_once_obey(user: User, engine: IndexNow, site: Site) -> None:
    """A run that waited for its turn knows of the pause that the run before was asked for."""
    engine.faults = [Fault(status=429, headers=HOUR, when=(answer := threading.Event()))]
    user.write(pages(site, "ab"))
    command = [sys.executable, "-m", "sitemapx", "submit", "sitemap.xml", "--allow-private", "-q"]
    quiet = subprocess.DEVNULL
    first = subprocess.Popen(command, cwd=user.folder, env=user.environment, stdout=quiet)
    wait_until(engine.posts, first)
    others = [
        subprocess.Popen(command, cwd=user.folder, env=user.environment, stdout=quiet)
        for _ in range(2)
    ]
    answer.set()

    assert [1, 1, 1] == [run.wait(PATIENCE) for run in (first, *others)]
    assert 1 == len(engine.posts())
    assert [] == engine.taken


def test_told_until_when(user: User, engine: IndexNow, site: Site) -> None:
    """A dry run, a probe and a run during a pause say when it ends."""
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    (row,) = user.submit("sitemap.xml")
    dry = user("submit", "sitemap.xml", "--dry-run")
    user.query(f"UPDATE pauses SET server = '{site.host}'")
    probed = user("submit", "sitemap.xml", "--probe", "1")
    user.query("UPDATE pauses SET since = since - 3601")

    said = "server asked for a pause because of too many requests or overload; nothing is sent"
    assert re.fullmatch(rf"{said} until 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["reason"])
    assert 1 == dry.returncode
    assert f"would not be sent: {said} until 20" in dry.stderr.decode()
    assert b"POST" not in dry.stdout
    assert 1 == probed.returncode
    assert f"{site.url}/a: {said} until 20" in probed.stderr.decode()
    assert 0 == user("submit", "sitemap.xml", "--dry-run").returncode


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 429, "headers": HOUR},
        {"status": 400, "body": '{"ErrorCode":4,"Message":"ERROR!!! ThrottleUser"}'},
        {"status": 400, "body": '{"ErrorCode":5,"Message":"ERROR!!! ThrottleHost"}'},
    ],
)
def test_all_kinds_obey(user: User, engines: Engines, answer: dict[str, Any]) -> None:
    """After a 429 for sitemaps, or what Bing says in its place, URLs are not sent, either."""
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


def test_other_hubs_are_told(user: User, engines: Engines, site: Site) -> None:
    """It is the server that asked for a pause that gets one."""
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


def test_killed_while_it_waits(user: User, engine: IndexNow, site: Site) -> None:
    """A pause is known from the moment it was asked for."""
    engine.faults = [Fault(status=503, headers={"Retry-After": "60"})]
    user.write(pages(site, "a"))
    command = [sys.executable, "-m", "sitemapx", "submit", "sitemap.xml", "--allow-private"]
    pipe = subprocess.PIPE
    run = subprocess.Popen(command, cwd=user.folder, env=user.environment, stderr=pipe)
    assert run.stderr is not None
    said = next(line for line in run.stderr if b"trying again" in line)
    run.kill()
    run.communicate()
    (row,) = user.submit("sitemap.xml")

    assert b"503; trying again in 60.0 s" in said
    assert "left" == row["state"]
    assert 1 == len(engine.posts())


@pytest.mark.parametrize("status", [429, 500, 503])
@pytest.mark.parametrize("name", ["sitemap.xml", "robots.txt", f"{KEY}.txt"])
def test_pause_of_the_site(
    user: User, engine: IndexNow, site: Site, name: str, status: int
) -> None:
    """A site that asks for a pause is left alone by later runs, whatever was requested."""
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
    assert (waited, 0) == (count, ignored.returncode), ignored.stderr
    assert [f"{site.url}/a"] == engine.taken


def test_listed_sitemap_asks_for_a_pause(user: User, engine: IndexNow, site: Site) -> None:
    """The same holds for the sitemaps of an index, which several threads fetch."""
    space = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
    rows = "".join(f"<sitemap><loc>{site.url}/{n}.xml</loc></sitemap>" for n in "abc")
    site.files["/index.xml"] = f"<sitemapindex {space}>{rows}</sitemapindex>"
    site.busy = {f"/{n}.xml": Answered(503, "", HOUR) for n in "abc"}
    first = user("submit", f"{site.url}/index.xml", "--retries", "0")
    count = len(site.asked)
    again = user("submit", f"{site.url}/index.xml")

    assert (1, 1, count) == (first.returncode, again.returncode, len(site.asked))
    assert b"nothing is sent until" in again.stderr


def test_pause_that_is_over(user: User, engine: IndexNow, site: Site) -> None:
    """A short pause that the run has waited for holds nothing back afterwards."""
    site.files["/sitemap.xml"] = (user.folder / user.write(pages(site, "a"))).read_text()
    site.read_faults = [Fault(status=503, headers={"Retry-After": "1"})]
    (row,) = user.submit(f"{site.url}/sitemap.xml")

    assert ("accepted", [f"{site.url}/a"]) == (row["state"], engine.taken)
    assert [] == user.query("SELECT * FROM pauses")


def test_clock_that_was_ahead(user: User, engine: IndexNow, site: Site) -> None:
    """A pause that was recorded by a clock a year ahead ends when the server's clock says so."""
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.query("UPDATE pauses SET since = since + 365 * 86400")
    (row,) = user.submit("sitemap.xml")
    user.query("UPDATE pauses SET date = date - 3601")
    user.submit("sitemap.xml")

    assert "run again in 60 minutes, or pass --no-wait to send now" == row["action"]
    assert [f"{site.url}/a"] == engine.taken


def test_quota_of_the_day(user: User, engines: Engines) -> None:
    """A used-up quota is remembered for its site until its day ends; other sites go on."""
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


def test_clock_set_back(user: User, engine: IndexNow, site: Site) -> None:
    """A clock that was set back cancels no pause, and makes none longer."""
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.query("UPDATE pauses SET since = since + 86400")
    (row,) = user.submit("sitemap.xml")

    assert "run again in 60 minutes, or pass --no-wait to send now" == row["action"]
    assert 1 == len(engine.posts())


def test_accepted_ends_the_pause(user: User, engine: IndexNow, site: Site) -> None:
    """Once a request that did not wait was accepted, the next run need not wait, either."""
    engine.faults = [Fault(status=429, headers=HOUR)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.submit("sitemap.xml", "--no-wait")
    user.write(pages(site, "ab"))
    rows = user.submit("sitemap.xml")

    assert ["accepted"] == [row["state"] for row in rows]
    assert [*pages(site, "ab")] == engine.taken


def test_other_endpoint_is_not_told(user: User, engines: Engines, site: Site) -> None:
    """While an engine asks for a pause, none of its endpoints is told."""
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
    ("said", "date", "seconds"),
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
def test_clock_of_the_server(said: str, date: str, seconds: float) -> None:
    """A point in time counts by the clock of the server that names it."""
    response = Response()
    response.headers.update({"Retry-After": said} | ({"Date": date} if date else {}))

    assert seconds == retry_after(response)


@slow
def test_budget_is_for_sending(user: User, engine: IndexNow, site: Site) -> None:
    """Reading a slow source, or waiting for another run, takes nothing from the budget."""
    site.files["/sitemap.xml"] = (user.folder / user.write(pages(site, "a"))).read_text()
    engine.faults = [Fault(after=True, delay=6)]
    command = [
        sys.executable,
        "-m",
        "sitemapx",
        "submit",
        "sitemap.xml",
        "--allow-private",
        "--budget",
    ]
    user.write(pages(site, "b"), "other.xml")
    null = subprocess.DEVNULL
    run = subprocess.Popen([*command, "60"], cwd=user.folder, env=user.environment, stdout=null)
    wait_until(engine.posts, run)
    done = user("submit", "other.xml", "--budget", "5", "--report", "json")

    assert (0, 0) == (run.wait(PATIENCE), done.returncode)
    assert ["accepted"] == [json.loads(line)["state"] for line in done.stdout.splitlines()]
    assert [*pages(site, "ab")] == engine.taken


@slow
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_drips(user: User, engines: Engines, encoding: str) -> None:
    """A body that comes byte by byte takes no longer than the time-out."""
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
