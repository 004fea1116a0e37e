"""A batch that is rejected because of some URLs is divided until these are found."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from math import ceil, log2
from typing import Any

import pytest

from tests.effort import slow
from tests.engines import Baidu, Bing, IndexNow, Yandex
from tests.loopback import Answered, Asked, Engines, Fault, Site
from tests.submit.conftest import User

Submit = Callable[..., list[dict[str, Any]]]


class Picky(IndexNow):
    """
    IndexNow that rejects batches with a bad URL.

    Attributes:
        bad: The bad URLs.
        body: Body of the rejection; `{}` becomes the first bad URL of the batch.
        limit: Number of requests after which all requests get status 429.
        alone: Responses to batches of a single URL, by URL.

    """

    def __init__(self) -> None:
        super().__init__()
        self.bad: set[str] = set()
        self.body = ""
        self.limit = 1000
        self.alone: dict[str, Answered] = {}

    def answer(self, asked: Asked) -> Answered:
        if len(self.asked) > self.limit:
            return Answered(429)
        urls = json.loads(asked.body)["urlList"]
        if len(urls) == 1 and urls[0] in self.alone:
            return self.alone[urls[0]]
        if found := sorted(self.bad.intersection(urls)):
            return Answered(422, self.body.replace("{}", found[0]))
        return super().answer(asked)


@pytest.fixture
def engine(engines: Engines) -> Picky:
    found: Picky = engines(Picky)
    return found


@pytest.fixture
def submit(user: User, engine: Picky) -> Submit:
    def run(urls: list[str], *options: str) -> list[dict[str, Any]]:
        (user.folder / "urls.txt").write_text("\n".join(urls))
        return user.submit("--urls", "urls.txt", *_where(engine), *options)

    return run


def _counts(row: dict[str, Any]) -> tuple[int, ...]:
    return tuple(row[name] for name in ("sent", "accepted", "refused", "left"))


def _states(user: User) -> Counter[str]:
    """Count the URLs in the journal by state; each has to be recorded once."""
    (path,) = user.folder.rglob("journal.sqlite3")
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT url FROM entries WHERE due IS NULL AND refused IS NULL"
        accepted = [url for (url,) in connection.execute(query)]
    done = user(
        "submit",
        "retry",
        "--ignore-interval",
        "--engine",
        "indexnow",
        "--dry-run",
        "-v",
        "--no-wait",
    )
    bodies = [line for line in done.stdout.decode().splitlines() if line.startswith("{")]
    due = [url for body in bodies for url in json.loads(body)["urlList"]]
    assert not set(accepted) & set(due)
    assert len({*accepted, *due}) == len(accepted) + len(due)
    return Counter(accepted=len(accepted), due=len(due))


def test_one_bad_url_takes_two_log_requests(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    urls = [f"{site.url}/{n}" for n in range(10_000)]
    engine.bad = {urls[7_777]}
    (row,) = submit(urls)

    assert (10_000, 9_999, 1, 0) == _counts(row)
    assert ("accepted", True) == (row["state"], row["reason"].startswith(f"{urls[7_777]}: "))
    assert len(engine.asked) <= 2 * ceil(log2(10_000)) + 1
    assert sorted(set(urls) - engine.bad) == sorted(engine.taken)
    assert {"accepted": 9_999, "due": 1} == _states(user)


@pytest.mark.parametrize(
    "body",
    ["Invalid url: {}.", '{"errors":[{"url":"{}"}]}', '{"message":"bad \\"{}\\""}'],
)
def test_named_url_is_sent_alone(
    submit: Submit, engine: Picky, user: User, site: Site, body: str
) -> None:
    urls = [f"{site.url}/{n}" for n in range(100)]
    engine.bad, engine.body = {urls[9]}, body
    (row,) = submit(urls)

    assert (100, 99, 1, 0) == _counts(row)
    assert 3 == len(engine.asked)
    assert {"accepted": 99, "due": 1} == _states(user)


def test_bisection_ends_if_nothing_is_accepted(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    urls = [f"{site.url}/{n}" for n in range(10_500)]
    engine.bad = set(urls)
    rows = submit(urls)

    assert [(10_000, 0, 10_000, 0), (0, 0, 0, 500)] == [_counts(row) for row in rows]
    assert len(engine.asked) < 150
    assert 10_500 == _states(user)["due"]


def test_rejected_key_is_not_bisected(submit: Submit, engine: Picky, site: Site) -> None:
    engine.bad, engine.body = {f"{site.url}/1"}, '{"message":"Invalid key location"}'
    (row,) = submit([f"{site.url}/{n}" for n in range(9)])

    assert ("refused", (9, 0, 9, 0)) == (row["state"], _counts(row))
    assert 1 == len(engine.asked)


def test_status_429_ends_the_bisection(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    urls = [f"{site.url}/{n:03}" for n in range(64)]
    engine.bad, engine.limit = {urls[-1]}, 4
    rows = submit(urls)

    assert 5 == len(engine.asked)
    assert 64 == sum(row["accepted"] + row["refused"] + row["left"] for row in rows)
    assert {"accepted": 48, "due": 16} == _states(user)


def test_parts_do_not_count_toward_the_limit(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    urls = [f"{site.url}/{n}" for n in range(9)]
    engine.bad = {urls[2]}
    (row,) = submit(urls, "--limit", "4")

    assert (4, 3, 1, 0) == _counts(row)
    assert {"accepted": 3, "due": 6} == _states(user)


@slow
def test_budget_ends_the_bisection(submit: Submit, engine: Picky, user: User, site: Site) -> None:
    urls = [f"{site.url}/{n}" for n in range(8)]
    engine.faults = [Fault(status=422, delay=6)]
    rows = submit(urls, "--budget", "5")

    assert [(0, 0, 0, 8)] == [_counts(row) for row in rows]
    assert 1 == len(engine.asked)
    assert {"accepted": 0, "due": 8} == _states(user)


def _refused(user: User) -> list[str]:
    (path,) = user.folder.rglob("journal.sqlite3")
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT url FROM entries WHERE refused NOTNULL ORDER BY url"
        return [url for (url,) in connection.execute(query)]


@pytest.mark.parametrize("status", [400, 403, 429, 500, 503])
def test_only_a_verdict_refuses_a_single_url(
    submit: Submit, engine: Picky, user: User, site: Site, status: int
) -> None:
    urls = [f"{site.url}/{name}" for name in "abcd"]
    engine.bad, engine.alone = {urls[2]}, {urls[3]: Answered(status)}
    submit(urls)

    assert urls[2:3] == _refused(user)
    assert {"accepted": 2, "due": 2} == _states(user)


def test_url_with_another_answer_than_its_batch_is_not_refused(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    urls = [f"{site.url}/{name}" for name in "ab"]
    engine.bad, engine.alone = set(urls), {urls[0]: Answered(429)}
    submit(urls)

    assert [] == _refused(user)


@pytest.mark.parametrize("quota", [0, 1])
def test_exceeded_quota_refuses_no_url(user: User, engines: Engines, quota: int) -> None:
    engine: Baidu = engines(Baidu)
    engine.quota = quota
    urls = [f"http://{engine.site}/{name}" for name in "abc"]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    where = ["--engine", "baidu", "--endpoint", f"baidu={engine.url}", "--no-wait"]
    for _ in "ab":
        assert 1 == user("submit", "--urls", "urls.txt", *where, "--retries", "0").returncode
    assert [] == _refused(user)
    engine.quota = 9
    user("submit", "retry", "--ignore-interval", *where)

    assert urls == sorted(engine.taken)


def test_mentioned_good_url_is_accepted(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    urls = [f"{site.url}/{name}" for name in ["", *range(9)]]
    engine.bad, engine.body = {urls[4]}, f"a URL is not under the site {site.url}/"
    (row,) = submit(urls)

    assert (10, 9, 1, 0) == _counts(row)
    assert urls[4:5] == _refused(user)


def _let_time_pass(user: User) -> None:
    """Move the journal an hour into the past, which exceeds the interval of every engine."""
    (path,) = user.folder.rglob("journal.sqlite3")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET submitted_at = submitted_at - 3600")


@pytest.mark.parametrize("body", ["", "invalid: {}"])
@pytest.mark.parametrize(
    "bad",
    [
        range(0, 200, 3),
        pytest.param(range(70), marks=slow),
        pytest.param(range(100, 200), marks=slow),
    ],
)
def test_many_bad_urls_are_found_over_several_runs(
    submit: Submit, engine: Picky, user: User, site: Site, bad: range, body: str
) -> None:
    urls = [f"{site.url}/{n:03}" for n in range(200)]
    engine.bad, engine.body = {urls[n] for n in bad}, body
    submit(urls)
    for _ in range(6):
        before = len(set(engine.taken)) + len(_refused(user))
        if before == 200:
            break
        _let_time_pass(user)
        submit(urls[:1])
        assert before < len(set(engine.taken)) + len(_refused(user))

    assert sorted(set(urls) - engine.bad) == sorted(set(engine.taken))
    assert sorted(engine.bad) == _refused(user)


def test_number_of_divisions_is_limited(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    urls = [f"{site.url}/{n:03}" for n in range(400)]
    engine.bad = {urls[n] for n in range(0, 400, 4)}
    (row,) = submit(urls)

    assert all(_counts(row))
    assert 400 == row["accepted"] + row["refused"] + row["left"]
    assert "run again to identify more of them" == row["action"]


class ChoosyYandex(Yandex):
    """
    Yandex that rejects certain URLs as invalid.

    Attributes:
        bad: The rejected URLs.

    """

    def __init__(self) -> None:
        super().__init__()
        self.bad: set[str] = set()

    def answer(self, asked: Asked) -> Answered:
        if asked.method == "POST" and json.loads(asked.body)["url"] in self.bad:
            return Answered(400, '{"error_code":"INVALID_URL","error_message":"no"}')
        return super().answer(asked)


class ChoosyBing(Bing):
    """Bing that rejects batches with a URL in `bad`, without naming the URL."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: set[str] = set()

    def answer(self, asked: Asked) -> Answered:
        said = json.loads(asked.body) if asked.method == "POST" else {}
        if self.bad.intersection(said.get("urlList", ())):
            return Answered(400, '{"ErrorCode":7,"Message":"ERROR!!! InvalidUrl"}')
        return super().answer(asked)


@pytest.mark.parametrize("kind", [ChoosyYandex, ChoosyBing])
def test_named_url_is_refused_once_another_is_accepted(
    user: User, engines: Engines, kind: Any
) -> None:
    engine = engines(kind)
    host = "https://www.example.com"
    name = kind.__bases__[0].__name__.lower()
    settings = f'[engines.{name}]\nendpoint = "{engine.url}"\nsend = "urls"\n'
    (user.folder / "sitemapx.toml").write_text(settings)

    def submit(*names: str) -> list[dict[str, Any]]:
        user.write({f"{host}/{one}": "2026-01-01" for one in names})
        where = ["--source-url", f"{host}/sitemap.xml", "--force", "--allow-removals"]
        return user.submit("sitemap.xml", *where)

    engine.bad = {f"{host}/{one}" for one in "abcd"}
    rows = submit("a", "b", "c")  # all are sent, and none is believed
    assert [3, 0, 3, 0] == [sum(counts) for counts in zip(*map(_counts, rows), strict=True)]
    assert [] == _refused(user)

    _let_time_pass(user)
    engine.bad = {f"{host}/a"}
    submit("a", "b", "c")
    assert [f"{host}/a"] == _refused(user)
    assert sorted([f"{host}/b", f"{host}/c"]) == sorted(engine.taken)
    assert [] == submit("a", "b", "c")

    _let_time_pass(user)
    engine.bad = {f"{host}/{one}" for one in "abcd"}
    down = submit("a", "b", "c", "d")  # a known one is rejected as well
    assert [f"{host}/a"] == _refused(user)
    assert any("accepted before, are rejected as well" in row["reason"] for row in down)

    _let_time_pass(user)
    engine.bad = {f"{host}/a", f"{host}/d"}
    rows = submit("a", "b", "c", "d")  # a known one is accepted again
    assert [f"{host}/a", f"{host}/d"] == _refused(user)
    assert any("`sitemapx submit retry`" in row["action"] for row in rows)


@pytest.mark.parametrize("body", ["", "invalid: {}"])
def test_single_url_is_refused_once_another_is_accepted(
    submit: Submit, engine: Picky, user: User, site: Site, body: str
) -> None:
    known, later, new = (f"{site.url}/{name}" for name in ("known", "later", "new"))
    submit([known])
    engine.bad, engine.body = {known, later, new}, body
    (early,) = submit([new])
    _let_time_pass(user)
    (down,) = submit([new])

    assert ([known], []) == (engine.taken, _refused(user))
    assert [(1, 0, 1, 0)] * 2 == [_counts(early), _counts(down)]
    assert f"run `sitemapx submit key verify {site.url}`" == early["action"] == down["action"]
    assert "accepted before, are rejected as well" in down["reason"]
    assert [[known], [new], [new], [known]] == [
        json.loads(asked.body)["urlList"] for asked in engine.asked
    ]

    engine.bad = {new}
    (row,) = submit([later])  # which sends both
    assert ([known, later], [new]) == (engine.taken, _refused(user))
    assert "`sitemapx submit retry`" in row["action"]

    engine.bad = set()
    assert ["accepted"] == [
        row["state"] for row in user.submit("retry", "--ignore-interval", *_where(engine))
    ]
    assert ([known, later, new], []) == (engine.taken, _refused(user))


def test_single_url_is_refused_once_a_known_one_is_accepted(
    submit: Submit, engine: Picky, user: User, site: Site
) -> None:
    known, new = (f"{site.url}/{name}" for name in ("known", "new"))
    submit([known])
    _let_time_pass(user)
    engine.bad = {new}
    (row,) = submit([new])

    assert ([known, known], [new]) == (engine.taken, _refused(user))
    assert (1, 0, 1, 0) == _counts(row)
    assert row["action"] == "correct or remove the URL; `sitemapx submit retry` resends it"
    assert {"accepted": 1, "due": 1} == _states(user)


def _where(engine: Picky) -> list[str]:
    return ["--engine", "indexnow", "--endpoint", f"indexnow={engine.url}", "--retries", "0"]
