"""Failing requests of `submit`: no URL is lost, and the printed table is correct."""

import json
import random
import signal
import subprocess
import time

import pytest

from tests.effort import slow
from tests.engines import KEY, IndexNow
from tests.loopback import Engines, Fault, Site
from tests.submit.conftest import User, pages, site, user
from tests.waiting import wait_until

__all__ = ["site", "user"]  # fixtures

RETRY = {"Retry-After": "1"}


@pytest.fixture
def engine(engines: Engines, user: User) -> IndexNow:
    found: IndexNow = engines(IndexNow)
    (user.folder / "sitemapx.toml").write_text(
        f'journal = "j.db"\n[engines.indexnow]\nendpoint = "{found.url}"\nbatch = 2\n'
    )
    return found


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=429, headers=RETRY),
        pytest.param(
            Fault(status=503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}), marks=slow
        ),
        pytest.param(Fault(status=500), marks=slow),
        pytest.param(Fault(is_reset=True), marks=slow),
        pytest.param(Fault(is_reset=True, after=True), marks=slow),
    ],
    ids=["429", "503-clock-skew", "500", "reset", "reset-after"],
)
def test_temporary_failure_is_retried(
    user: User, engine: IndexNow, site: Site, fault: Fault
) -> None:
    engine.faults = [fault]
    user.write(pages(site, "abc"))
    started = time.monotonic()
    rows = user.submit("sitemap.xml")

    assert ["accepted", "accepted"] == [row["state"] for row in rows]
    assert set(pages(site, "abc")) == set(engine.taken)
    assert 3 == len(engine.posts())
    if fault.headers == RETRY:
        assert time.monotonic() - started >= 1
    assert [] == user.submit("sitemap.xml")


@pytest.mark.parametrize(
    ("fault", "state", "word"),
    [
        (Fault(status=400), "refused", "malformed"),
        (Fault(status=403), "refused", "key"),
        (Fault(status=422, body="Invalid key"), "refused", "host"),
        (Fault(status=429, headers={"Retry-After": "9999"}), "refused", "too many"),
        (Fault(status=302, headers={"Location": "http://127.0.0.1:9/"}), "refused", "redirected"),
        (
            Fault(status=307, headers={"Location": "http://[x/"}),
            "refused",
            "redirected to http://[",
        ),
        (Fault(status=308, headers={"Location": "//:x"}), "refused", "redirected to //:x"),
        (Fault(status=407), "refused", "proxy requires authentication"),
    ],
)
def test_permanent_failure_is_not_retried(
    user: User, engine: IndexNow, site: Site, fault: Fault, state: str, word: str
) -> None:
    engine.faults = [fault]
    user.write(pages(site, "abc"))
    rows = user.submit("sitemap.xml")
    assert 1 == len(engine.posts())
    user.submit("sitemap.xml", "--force")

    assert [(state, 2, 0), ("left", 0, 1)] == [(r["state"], r["sent"], r["left"]) for r in rows]
    assert word in rows[0]["reason"]
    assert rows[0]["action"]
    assert [*pages(site, "abc")] == engine.taken


def test_success_status_counts_without_a_body(user: User, engine: IndexNow, site: Site) -> None:
    garbage = Fault(after=True, body='{"truncated', headers={"Content-Type": "application/json"})
    engine.faults = [garbage, Fault(after=True, body="x", cut=9), Fault(after=True, status=202)]
    user.write(pages(site, "abcdef"))
    rows = user.submit("sitemap.xml")

    assert ["accepted"] * 3 == [row["state"] for row in rows]
    assert ["", "", "key validation is pending"] == [row["reason"] for row in rows]
    assert [*pages(site, "abcdef")] == engine.taken
    assert [] == user.submit("sitemap.xml")


def test_control_characters_are_replaced(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=403, body="\x1b[2Jgone\x07 \u202eflow")]
    user.write(pages(site, "a"))
    done = user("submit", "sitemap.xml", "--report", "json")
    history = user("submit", "history")

    assert json.loads(done.stdout)["reason"].endswith(": \ufffd[2Jgone\ufffd \ufffdflow")
    assert b"\x1b" not in history.stdout


def test_refused_batch_is_sent_again(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(after=True, status=202), Fault(status=403)]
    user.write(pages(site, "abcd"))
    rows = user.submit("sitemap.xml")
    user.submit("sitemap.xml")

    assert [("accepted", 2), ("refused", 0)] == [(r["state"], r["accepted"]) for r in rows]
    assert [*pages(site, "abcd")] == engine.taken


def test_hanging_body_obeys_the_timeout(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=500, cut=9, hang=3.0)]
    user.write(pages(site, "a"))
    started = time.monotonic()
    rows = user.submit("sitemap.xml", "--timeout", "0.5", "--retries", "0")

    assert ["refused"] == [row["state"] for row in rows]
    assert time.monotonic() - started < 3


def test_budget_leaves_the_rest(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=429, headers={"Retry-After": "30"}) for _ in range(9)]
    user.write(pages(site, "abc"))
    rows = user.submit("sitemap.xml", "--budget", "2")

    assert [("refused", 2, 0), ("left", 0, 1)] == [(r["state"], r["sent"], r["left"]) for r in rows]
    assert "30 s" in rows[0]["action"]
    engine.faults.clear()
    user.submit("sitemap.xml", "--force")
    assert [*pages(site, "abc")] == engine.taken


def test_status_429_pauses_for_ten_minutes(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=429)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml", "--retries", "0")
    (row,) = user.submit("sitemap.xml")
    before = len(engine.posts())
    user.query("UPDATE pauses SET since = since - 601")
    user.submit("sitemap.xml")

    assert 1 == before
    assert ("left", 1) == (row["state"], row["left"])
    assert row["reason"].startswith("server asked for a pause because of too many")
    assert "run again in 10 minutes, or pass --no-wait to send now" == row["action"]
    assert [f"{site.url}/a"] == engine.taken


@pytest.mark.parametrize(
    ("where", "reason"),
    [("http://no-such-host.invalid", "host not found"), (None, "connection refused")],
)
def test_unreachable_engine_is_reported(
    user: User, engine: IndexNow, site: Site, where: str | None, reason: str, nobody: str
) -> None:
    user.write(pages(site, "abc"))
    rows = user.submit("sitemap.xml", "--endpoint", f"indexnow={where or nobody}")
    user.submit("sitemap.xml")

    assert ["unreachable", "left"] == [row["state"] for row in rows]
    assert reason in rows[0]["reason"]
    assert [*pages(site, "abc")] == engine.taken


def test_missing_key_file_stops_the_next_run(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    key_file = site.files.pop(f"/{KEY}.txt")
    user.write(pages(site, "abc"))
    rows = user.submit("sitemap.xml")
    assert ["left"] == [row["state"] for row in rows]
    assert "not found: status 404" in rows[0]["reason"]
    site.files[f"/{KEY}.txt"] = key_file
    user.submit("sitemap.xml")

    assert [*pages(site, "abc")] == engine.taken


@pytest.mark.parametrize("most", [4, pytest.param(200, marks=slow)])
def test_kills_lose_and_invent_nothing(most: int, user: User, engine: IndexNow, site: Site) -> None:
    entries = pages(site, (f"{n:05}" for n in range(20 * most)))  # more than are sent until then
    user.write(entries)
    chance = random.Random(most)
    kills = 0
    for _ in range(most):
        run = user.start("-q", stdout=-3)
        before = len(engine.posts())
        while run.poll() is None and len(engine.posts()) < before + chance.randrange(1, 14):
            time.sleep(0.001)
        time.sleep(chance.random() / 200)
        run.kill()
        if run.wait() == 0:
            break
        kills += 1
        known = {url for (url,) in user.query("SELECT url FROM entries WHERE submitted_at NOTNULL")}
        assert known <= set(engine.taken)
    user.submit("sitemap.xml")
    done = user("submit", "history", "--report", "json", "--limit", "99999")
    states = [json.loads(line)["state"] for line in done.stdout.splitlines()]

    assert set(entries) == set(engine.taken)
    assert len(engine.taken) - len(entries) <= 2 * states.count("unknown")
    assert states.count("unknown") <= kills
    print(f"{kills} kills, {states.count('unknown')} batches without an answer")


def test_interrupted_run_prints_the_table(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "abc"))
    engine.faults = [Fault(after=True), Fault(after=True, delay=60)]
    pipe = subprocess.PIPE
    run = user.start(stdout=pipe, stderr=pipe)
    wait_until(lambda: len(engine.posts()) >= 2, run)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()

    assert (130, b"sitemapx: interrupted") == (run.returncode, err.strip())
    cells = out.decode().splitlines()[1].split()
    assert ["indexnow", "urls", site.host, "accepted", "200", "2"] == cells[:6]


def test_foreign_journal_stops_the_run(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    before = (user.folder / "sitemap.xml").read_bytes()
    user.query("CREATE TABLE t (x)", journal="other.db")
    foreign = user("submit", "sitemap.xml", "--journal", "other.db")
    text = user("submit", "sitemap.xml", "--journal", "sitemap.xml")
    nowhere = user("submit", "sitemap.xml", "--journal", "sitemap.xml/j.db")

    assert [1, 1, 1] == [done.returncode for done in (foreign, text, nowhere)]
    assert b"other.db: not a sitemapx journal" in foreign.stderr
    assert b"sitemap.xml: not a sitemapx journal" in text.stderr
    assert before == (user.folder / "sitemap.xml").read_bytes()
    assert b"cannot create the journal" in nowhere.stderr
    assert [] == engine.asked
