"""Batches that are too large for a search engine are split, and the limit is remembered."""

import json

from tests.engines import Baidu, IndexNow
from tests.loopback import Answered, Asked, Engine, Engines, Site
from tests.submit.conftest import User

COUNT = 40


class SmallIndexNow(IndexNow):
    """IndexNow with a low limit of URLs per request, which its responses do not state."""

    most = 12

    def answer(self, asked: Asked) -> Answered:
        if asked.body and len(json.loads(asked.body)["urlList"]) > self.most:
            return Answered(413, "Payload Too Large")
        return super().answer(asked)


class SmallBaidu(Baidu):
    """Baidu with a lower limit of URLs per request than documented, stated in its responses."""

    most = 15

    def answer(self, asked: Asked) -> Answered:
        if len(asked.body.split("\n")) > self.most:
            return self._error(400, f"only {self.most} urls are allowed once")
        return super().answer(asked)


def _options(name: str, engine: Engine, site: str) -> list[str]:
    where = ["--engine", name, "--endpoint", f"{name}={engine.url}{engine.path}"]
    return [*where, "--force", "--source-url", f"{site}/sitemap.xml", "--journal", "j.db"]


def _sizes(user: User) -> list[int]:
    return [row[0] for row in user.query("SELECT sent FROM batches ORDER BY id")]


def test_rejected_batch_is_halved_and_the_accepted_size_remembered(
    user: User, engines: Engines, site: Site
) -> None:
    engine: SmallIndexNow = engines(SmallIndexNow)
    urls = [f"{site.url}/{number:02}" for number in range(COUNT)]
    user.write(dict.fromkeys(urls, "2026-01-01"))
    options = _options("indexnow", engine, site.url)
    rows = user.submit("sitemap.xml", *options)
    first = _sizes(user)
    user.submit("sitemap.xml", *options, "--all")

    assert sorted(urls * 2) == sorted(engine.taken)
    assert [(COUNT, COUNT, 0)] == [(row["sent"], row["accepted"], row["refused"]) for row in rows]
    assert [40, 20, 10, 10, 10, 10] == first
    assert [10, 10, 10, 10] == _sizes(user)[len(first) :]
    assert [(10,)] == user.query("SELECT most FROM sizes")


def test_size_named_by_the_engine_is_kept_for_a_month(user: User, engines: Engines) -> None:
    engine: SmallBaidu = engines(SmallBaidu)
    urls = [f"https://www.example.com/{number:02}" for number in range(COUNT)]
    user.write(dict.fromkeys(urls, "2026-01-01"))
    options = _options("baidu", engine, "https://www.example.com")
    rows = user.submit("sitemap.xml", *options)
    first = _sizes(user)
    user.query("UPDATE sizes SET learned_at = learned_at - 31 * 86400")
    user.submit("sitemap.xml", *options, "--all")

    assert [("accepted", COUNT)] == [(row["state"], row["accepted"]) for row in rows]
    assert [40, 15, 15, 10] == first
    assert [40, 15, 15, 10] == _sizes(user)[len(first) :]


def test_too_large_single_url_is_refused(user: User, engines: Engines, site: Site) -> None:
    engine: SmallIndexNow = engines(SmallIndexNow)
    engine.most = 0
    user.write({f"{site.url}/a": "2026-01-01"})
    options = _options("indexnow", engine, site.url)
    rows = user.submit("sitemap.xml", *options)

    assert ["refused"] == [row["state"] for row in rows]
    assert [] == user.query("SELECT most FROM sizes")


def test_server_that_rejects_everything_sets_no_size(
    user: User, engines: Engines, site: Site
) -> None:
    engine: SmallIndexNow = engines(SmallIndexNow)
    engine.most = 0
    urls = [f"{site.url}/{number:02}" for number in range(COUNT)]
    user.write(dict.fromkeys(urls, "2026-01-01"))
    options = _options("indexnow", engine, site.url)
    user.submit("sitemap.xml", *options)
    before = len(_sizes(user))
    engine.most = COUNT
    user.submit("sitemap.xml", *options, "--all")

    assert [] == user.query("SELECT most FROM sizes")
    assert [COUNT] == _sizes(user)[before:]
