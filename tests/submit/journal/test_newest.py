"""If not all URLs can be sent, the newest ones are sent first."""

import pytest

from tests.engines import Bing, IndexNow
from tests.loopback import Engines, Site
from tests.submit.conftest import User

DATES = {
    "a": "2026-01-01",
    "b": "2026-03-01T10:00:00Z",
    "c": "",
    "d": "2026-02-01",
    "e": "2026-03-01T11:00:00Z",
}
NEWEST = "ebdac"


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_limit_sends_newest_urls_first(
    limit: int, user: User, engines: Engines, site: Site
) -> None:
    engine: IndexNow = engines(IndexNow)
    user.write({f"{site.url}/{name}": date for name, date in DATES.items()})
    options = ["--engine", "indexnow", "--endpoint", f"indexnow={engine.url}", "--force"]
    options += ["--source-url", f"{site.url}/sitemap.xml", "--limit", str(limit)]
    for _ in range(5):
        user.submit("sitemap.xml", *options, "--journal", "j.db")
    runs = user.query("SELECT count(*) FROM batches")

    assert [f"{site.url}/{name}" for name in NEWEST] == engine.taken
    assert -(-len(DATES) // limit) == runs[0][0]


def test_quota_sends_newest_urls_first(user: User, engines: Engines) -> None:
    engine: Bing = engines(Bing)
    host = "https://www.example.com"
    user.write({f"{host}/{name}": date for name, date in DATES.items()})
    options = ["--engine", "bing", "--endpoint", f"bing={engine.url}{engine.path}", "--force"]
    user("submit", "sitemap.xml", *options, "--source-url", f"{host}/sitemap.xml")

    pages = [f"{host}/{name}" for name in NEWEST]
    assert pages == [url for url in engine.taken if url in pages]
