"""A batch that is rejected because of some of its URLs is divided, and not given up."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from math import ceil, log2
from typing import Any

import pytest

from tests.engines import IndexNow
from tests.loopback import Answered, Asked, Engines, Fault, Site
from tests.submit.conftest import User

Submit = Callable[..., list[dict[str, Any]]]


class Picky(IndexNow):
    """
    An engine that rejects a batch with a bad URL in it.

    Attributes:
        bad: Its name and those of others like it.
        body: What it says then; `{}` is the first bad URL.
        limit: After so many requests it wants no more.

    """

    def __init__(self) -> None:
        super().__init__()
        self.bad: set[str] = set()
        self.body = ""
        self.limit = 1000

    def answer(self, asked: Asked) -> Answered:
        if len(self.asked) > self.limit:
            return Answered(429)
        urls = json.loads(asked.body)["urlList"]
        if found := sorted(self.bad.intersection(urls)):
            return Answered(422, self.body.replace("{}", found[0]))
        return super().answer(asked)


@pytest.fixture
def engine(engines: Engines) -> Picky:
    """Give an engine."""
    found: Picky = engines(Picky)
    return found


@pytest.fixture
def submit(user: User, engine: Picky) -> Submit:
    """Give a function that submits a list of URLs."""

    def run(urls: list[str], *options: str) -> list[dict[str, Any]]:
        (user.folder / "urls.txt").write_text("\n".join(urls))
        where = ["--engine", "indexnow", "--endpoint", f"indexnow={engine.url}"]
        return user.submit("--urls", "urls.txt", *where, "--retries", "0", *options)

    return run


def _counts(row: dict[str, Any]) -> tuple[int, ...]:
    return tuple(row[name] for name in ("sent", "accepted", "refused", "left"))


def _states(user: User) -> Counter[str]:
    """Count the URLs of the journal by what the engine knows: each has to be there once."""
    (path,) = user.folder.rglob("journal.sqlite3")
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT url FROM entries WHERE due IS NULL AND refused IS NULL"
        accepted = [url for (url,) in connection.execute(query)]
    done = user("submit", "retry", "--engine", "indexnow", "--dry-run", "--no-wait")
    bodies = [line for line in done.stdout.decode().splitlines() if line.startswith("{")]
    due = [url for body in bodies for url in json.loads(body)["urlList"]]
    assert not set(accepted) & set(due)
    assert len({*accepted, *due}) == len(accepted) + len(due)
    return Counter(accepted=len(accepted), due=len(due))


def test_one_of_many(submit: Submit, engine: Picky, user: User, site: Site) -> None:
    """One bad URL of 10,000 is found in about 2 log2 requests, and all others are accepted."""
    urls = [f"{site.url}/{n}" for n in range(10_000)]
    engine.bad = {urls[7_777]}
    (row,) = submit(urls)

    assert (10_000, 9_999, 1, 0) == _counts(row)
    assert ("accepted", True) == (row["state"], row["why"].startswith(f"{urls[7_777]}: "))
    assert len(engine.asked) <= 2 * ceil(log2(10_000)) + 1
    assert sorted(set(urls) - engine.bad) == sorted(engine.taken)
    assert {"accepted": 9_999, "due": 1} == _states(user)


@pytest.mark.parametrize(
    "body",
    ["Invalid url: {}.", '{"errors":[{"url":"{}"}]}', '{"message":"bad \\"{}\\""}'],
)
def test_named(submit: Submit, engine: Picky, user: User, site: Site, body: str) -> None:
    """If the engine says which URL is bad, the others are sent at once."""
    urls = [f"{site.url}/{n}" for n in range(100)]
    engine.bad, engine.body = {urls[9]}, body
    (row,) = submit(urls)

    assert (100, 99, 1, 0) == _counts(row)
    assert 2 == len(engine.asked)
    assert {"accepted": 99, "due": 1} == _states(user)


def test_all_bad(submit: Submit, engine: Picky, user: User, site: Site) -> None:
    """If no part is accepted, dividing comes to an end, and no further batch is sent."""
    urls = [f"{site.url}/{n}" for n in range(10_500)]
    engine.bad = set(urls)
    rows = submit(urls)

    assert [(10_000, 0, 10_000, 0), (0, 0, 0, 500)] == [_counts(row) for row in rows]
    assert len(engine.asked) < 150
    assert 10_500 == _states(user)["due"]


def test_about_the_key(submit: Submit, engine: Picky, site: Site) -> None:
    """What is wrong with the key is no matter of a URL."""
    engine.bad, engine.body = {f"{site.url}/1"}, '{"message":"Invalid key location"}'
    (row,) = submit([f"{site.url}/{n}" for n in range(9)])

    assert ("refused", (9, 0, 9, 0)) == (row["state"], _counts(row))
    assert 1 == len(engine.asked)


def test_too_many_requests(submit: Submit, engine: Picky, user: User, site: Site) -> None:
    """After 429 nothing more of the batch is sent; what was accepted counts, the rest stays due."""
    urls = [f"{site.url}/{n:03}" for n in range(64)]
    engine.bad, engine.limit = {urls[-1]}, 4
    rows = submit(urls)

    assert 5 == len(engine.asked)
    assert 64 == sum(row["accepted"] + row["refused"] + row["left"] for row in rows)
    assert {"accepted": 48, "due": 16} == _states(user)


def test_limit(submit: Submit, engine: Picky, user: User, site: Site) -> None:
    """The parts of a batch are not counted again."""
    urls = [f"{site.url}/{n}" for n in range(9)]
    engine.bad = {urls[2]}
    (row,) = submit(urls, "--limit", "4")

    assert (4, 3, 1, 0) == _counts(row)
    assert {"accepted": 3, "due": 6} == _states(user)


def test_time_is_up(submit: Submit, engine: Picky, user: User, site: Site) -> None:
    """The budget counts between the parts, too."""
    urls = [f"{site.url}/{n}" for n in range(8)]
    engine.faults = [Fault(status=422, delay=1.5)]
    rows = submit(urls, "--budget", "1")

    assert [(0, 0, 0, 8)] == [_counts(row) for row in rows]
    assert 1 == len(engine.asked)
    assert {"accepted": 0, "due": 8} == _states(user)
