"""`sitemapx submit` of several sources of a site: URLs that are removed, changed and due."""

import json
from typing import Any

import pytest

from sitemapx.submit.journal.rebuild import rebuild_journal
from tests.engines import KEY, Bing, IndexNow
from tests.loopback import Engines, Fault, Site
from tests.submit.conftest import User, pages


def write_feed(user: User, entries: dict[str, str]) -> str:
    """Write a feed of URLs with their times."""
    items = "".join(
        f"<entry><title>t</title><id>{url}</id><link href='{url}'/>"
        f"<updated>{date}</updated></entry>"
        for url, date in entries.items()
    )
    (user.folder / "feed.xml").write_text(
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title><id>urn:x:y</id>"
        f"<updated>2026-01-01T00:00:00Z</updated><author><name>n</name></author>{items}</feed>"
    )
    return "feed.xml"


def write_news(user: User, urls: list[str]) -> str:
    """Write a news sitemap of today's articles."""
    publication = "<news:publication><news:name>N</news:name><news:language>en</news:language>"
    news = f"<news:news>{publication}</news:publication>"
    rows = "".join(
        f"<url><loc>{url}</loc>{news}<news:publication_date>2099-01-01</news:publication_date>"
        "<news:title>T</news:title></news:news></url>"
        for url in urls
    )
    spaces = (
        "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' "
        "xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'"
    )
    (user.folder / "news.xml").write_text(f"<urlset {spaces}>{rows}</urlset>")
    return "news.xml"


def _to_retry(user: User) -> int:
    done = user("submit", "status", "--report", "json")
    return sum(json.loads(line)["to_retry"] for line in done.stdout.splitlines())


# ---- removals


def test_url_in_another_sitemap_is_not_removed(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "abc"), "one.xml")
    user.write(pages(site, "cd"), "two.xml")
    user.submit("one.xml")
    user.submit("two.xml")
    engine.taken.clear()
    user.write(pages(site, "ab"), "one.xml")
    user.submit("one.xml")
    assert [] == engine.taken
    user.write(pages(site, "d"), "two.xml")
    user.submit("two.xml")
    assert [f"{site.url}/c"] == engine.taken
    user.submit("one.xml")
    user.submit("two.xml")

    assert [f"{site.url}/c"] == engine.taken


def test_unreadable_line_does_not_count_as_removal(
    user: User, engine: IndexNow, site: Site
) -> None:
    lines = [f'{{"loc":"{url}"}}\n' for url in pages(site, "abc")]
    path = user.folder / "urls.jsonl"
    path.write_text("".join(lines))
    user.submit("urls.jsonl")
    engine.taken.clear()
    path.write_text("".join([*lines[:2], lines[2].replace("}", "")]))
    done = user("submit", "urls.jsonl", "--ignore-findings")

    assert b"some sources could not be read, so nothing counts as removed" in done.stderr
    assert [] == engine.taken


def test_page_in_a_feed_is_not_removed(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml", write_feed(user, pages(site, "ab", "2026-01-01T08:00:00Z")))
    engine.taken.clear()
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    assert [] == engine.taken
    write_feed(user, pages(site, "a", "2026-01-01T08:00:00Z"))
    user.submit("feed.xml", "--engine", "indexnow")
    assert [] == engine.taken
    user.submit("sitemap.xml")

    assert [f"{site.url}/b"] == engine.taken


def test_expired_news_is_not_removed(user: User, engine: IndexNow, site: Site) -> None:
    for names in ("ab", "bc", "cd"):
        write_news(user, [*pages(site, names)])
        user.submit("news.xml", "--force")

    assert [*pages(site, "abcd")] == engine.taken


def test_dropped_source_removes_its_urls(user: User, engine: IndexNow, site: Site) -> None:
    path = user.folder / "sitemapx.toml"
    text = path.read_text()
    user.write(pages(site, "ab"), "one.xml")
    user.write(pages(site, "bc"), "two.xml")
    path.write_text(f'site = "{site.url}"\nsitemaps = ["one.xml", "two.xml"]\n{text}')
    user.submit()
    engine.taken.clear()
    path.write_text(f'site = "{site.url}"\nsitemaps = ["one.xml"]\n{text}')
    user.submit()
    user.submit()

    assert [f"{site.url}/c"] == engine.taken


def test_forgotten_source_lists_nothing(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"), "old.xml")
    user.submit("old.xml")
    user.write(pages(site, "ab"), "new.xml")
    user.submit("new.xml")
    user.write(pages(site, "a"), "new.xml")
    user.submit("new.xml")
    assert [*pages(site, "ab")] == engine.taken
    unknown = user("submit", "forget", "--source", "other.xml")
    done = user("submit", "forget", "--source", "old.xml")
    user.submit("new.xml")

    assert (2, 0, b"2 forgotten\n") == (unknown.returncode, done.returncode, done.stderr)
    assert b"unknown source 'other.xml'" in unknown.stderr
    assert [*pages(site, "ab"), f"{site.url}/b"] == engine.taken


def test_forgotten_source_removes_nothing(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"), "one.xml")
    user.write(pages(site, "cd"), "two.xml")
    for name in ("one.xml", "two.xml"):
        user.submit(name, "--source-url", f"{site.url}/{name}")
    done = user("submit", "forget", "--source", "two.xml")
    user.submit("one.xml", "--source-url", f"{site.url}/one.xml")
    retries = _to_retry(user)
    user.submit("retry", "--ignore-interval")

    assert (0, b"2 forgotten\n") == (done.returncode, done.stderr)
    assert 0 == retries
    assert [*pages(site, "abcd")] == engine.taken


def test_source_url_and_path_are_one_source(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    user.write(pages(site, "a"))
    user.submit("sitemap.xml", "--source-url", f"{site.url}/sitemap.xml")

    assert [*pages(site, "ab"), f"{site.url}/b"] == engine.taken


def test_expired_article_in_another_sitemap_is_not_resent(
    user: User, engine: IndexNow, site: Site
) -> None:
    user.write(pages(site, "ab"), "posts.xml")
    children = "".join(
        f"<sitemap><loc>{site.url}/{name}.xml</loc></sitemap>" for name in ("news", "posts")
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    site.files["/index.xml"] = f'<sitemapindex xmlns="{space}">{children}</sitemapindex>'
    site.files["/posts.xml"] = (user.folder / "posts.xml").read_text()
    for names in ("ab", "b"):
        write_news(user, [*pages(site, names)])
        site.files["/news.xml"] = (user.folder / "news.xml").read_text()
        user.submit(f"{site.url}/index.xml", "--allow-private", "--force")

    assert [*pages(site, "ab")] == engine.taken


def test_rebuilt_journal_waits_for_all_sources(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"), "one.xml")
    user.write(pages(site, "bc"), "two.xml")
    user.submit("one.xml", "two.xml")
    engine.taken.clear()
    path = user.folder / "j.db"
    (((page,),),) = [user.query("SELECT rootpage FROM sqlite_schema WHERE name = 'pauses'")]
    content = bytearray(path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"x" * 4096
    path.write_bytes(content)
    rebuild_journal(str(path))
    user.submit("one.xml")
    user.write(pages(site, "a"), "one.xml")
    user.submit("one.xml")
    user.submit("retry", "--ignore-interval")
    assert [] == engine.taken
    user.submit("two.xml")
    user.write(pages(site, "c"), "two.xml")
    user.submit("two.xml")

    assert [f"{site.url}/b"] == engine.taken


def test_standard_input_removes_nothing(user: User, engine: IndexNow, site: Site) -> None:
    for names in ("ab", "bc"):
        text = "\n".join(pages(site, names)).encode()
        assert 0 == user("submit", "-", given=text).returncode

    assert [*pages(site, "abc")] == engine.taken


def test_removal_is_not_retried_when_the_page_is_back(
    user: User, engine: IndexNow, site: Site
) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    engine.taken.clear()
    engine.faults = [Fault(status=400)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml", "--retries", "0")
    assert 1 == _to_retry(user)
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    retried = user("submit", "retry", "--ignore-interval")

    assert (0, b"") == (retried.returncode, retried.stdout)
    assert [] == engine.taken
    assert 0 == _to_retry(user)


@pytest.mark.parametrize("answer", [{"is_reset": True}, {"status": 504}])
def test_page_after_an_unconfirmed_removal_is_sent(
    user: User, engine: IndexNow, site: Site, answer: dict[str, Any]
) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    engine.faults = [Fault(**answer, after=True)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml", "--retries", "0")
    engine.taken.clear()
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    user.submit("sitemap.xml")

    assert [f"{site.url}/b"] == engine.taken


# ---- the brake


def test_too_many_removals_are_held_back(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, range(100, 200)))
    user.submit("sitemap.xml")
    engine.taken.clear()
    user.write(pages(site, range(100, 179)) | pages(site, ["new"]))
    rows = user.submit("sitemap.xml")
    assert [f"{site.url}/new"] == engine.taken
    again = user.submit("sitemap.xml")
    retried = user.submit("retry", "--ignore-interval")
    dry = user("submit", "sitemap.xml", "--dry-run")
    assert [f"{site.url}/new"] == engine.taken
    allowed = user.submit("sitemap.xml", "--allow-removals")

    assert [("accepted", 0), ("left", 21)] == [(row["state"], row["left"]) for row in rows]
    assert [21] == [row["left"] for row in again]
    assert again == retried
    assert (site.host, 1) == (rows[1]["host"], dry.returncode)
    assert f"21 URLs for {site.host} would not be sent: too many removals" in dry.stderr.decode()
    assert rows[1]["reason"].startswith(
        "too many removals at once: 21 of 100 URLs are missing (21%)"
    )
    assert (
        f" from {user.folder}/sitemap.xml, such as {site.url}/179, {site.url}/180, "
        in rows[1]["reason"]
    )
    assert "--allow-removals" in rows[1]["action"]
    assert [("accepted", 21)] == [(row["state"], row["accepted"]) for row in allowed]
    assert sorted(pages(site, ["new", *range(179, 200)])) == sorted(engine.taken)
    assert [] == user.submit("sitemap.xml")


def test_held_back_removals_are_counted_by_host(
    user: User, engine: IndexNow, site: Site, engines: Engines
) -> None:
    other: Site = engines(Site)
    other.files = dict(site.files)
    user.write(pages(site, range(100, 160)) | pages(other, range(100, 140)), "large.xml")
    user.write(pages(site, range(200, 210)), "small.xml")
    sources = ["large.xml", "small.xml", "--ignore-findings"]
    user.submit(*sources)
    engine.taken.clear()
    user.write(pages(site, range(100, 150)) | pages(other, range(100, 110)), "large.xml")
    user.write(pages(site, range(200, 207)), "small.xml")
    rows = user.submit(*sources)
    dry = user("submit", *sources, "--dry-run").stderr.decode()

    assert {(site.host, 13), (other.host, 30)} == {(row["host"], row["left"]) for row in rows}
    (reason,) = {row["reason"] for row in rows}
    assert "40 of 100 URLs are missing (40%) from" in reason
    assert f"13 URLs for {site.host} would not be sent: too many removals" in dry
    assert f"30 URLs for {other.host} would not be sent: too many removals" in dry
    assert [] == engine.taken


def test_returned_pages_are_not_resent(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, range(100, 200)))
    user.submit("sitemap.xml")
    engine.taken.clear()
    user.write(pages(site, [100]))
    assert ["left"] == [row["state"] for row in user.submit("sitemap.xml")]
    (user.folder / "sitemap.xml").write_text("<urlset")
    assert 1 == user("submit", "sitemap.xml").returncode
    user.write({})
    user("submit", "sitemap.xml", "--force")
    user.write(pages(site, range(100, 200)))

    assert [] == user.submit("sitemap.xml")
    assert [] == engine.taken


_SPACE = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
_EMPTY = {
    "rss": "<rss version='2.0'><channel><title>t</title></channel></rss>",
    "items without links": "<rss version='2.0'><channel><item><title>t</title></item>"
    "</channel></rss>",
    "atom": "<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title></feed>",
    "jsonfeed": '{"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": []}',
    "urlset": f"<urlset {_SPACE}/>",
    "index": f"<sitemapindex {_SPACE}/>",
    "csv": "loc,lastmod\n",
}


@pytest.mark.parametrize("kind", _EMPTY)
def test_empty_sitemap_removes_nothing(user: User, engine: IndexNow, site: Site, kind: str) -> None:
    rows = "".join(f"<sitemap><loc>{site.url}/{n}.xml</loc></sitemap>" for n in "ab")
    (user.folder / "index.xml").write_text(f"<sitemapindex {_SPACE}>{rows}</sitemapindex>")
    user.write(pages(site, "1"), "a.xml")
    user.write(pages(site, "234"), "b.xml")
    user.write(pages(site, "56"), "c.xml")
    command = ["index.xml", "c.xml", "--map", f"{site.url}/=.", "--ignore-findings"]
    user.submit(*command)
    engine.taken.clear()
    user.write(pages(site, "17"), "a.xml")
    (user.folder / "b.xml").write_text(_EMPTY[kind])
    user.write(pages(site, "5"), "c.xml")
    done = [user("submit", *command) for _ in "12"]
    sent, engine.taken = engine.taken, []
    user.write(pages(site, "24"), "b.xml")
    user.submit(*command)

    assert [0, 0] == [one.returncode for one in done]
    for one in done:
        assert f"{site.url}/b.xml: no URLs, so nothing counts as removed" in one.stderr.decode()
    assert [f"{site.url}/7", f"{site.url}/6"] == sent
    assert [f"{site.url}/3"] == engine.taken


@pytest.mark.parametrize(
    ("pages_before", "limit", "gone", "state"),
    [
        (100, "", 10, "accepted"),
        (100, "", 11, "left"),
        (100, "max-removed = 5", 5, "accepted"),
        (100, "max-removed = 5", 6, "left"),
        (100, "max-removed = '25%'", 25, "accepted"),
        (100, "max-removed = '25%'", 26, "left"),
        (100, "max-removed = '5%'", 5, "accepted"),
        (100, "max-removed = '5%'", 6, "left"),
        (20, "", 5, "accepted"),
        (20, "", 6, "left"),
        (20, "", 19, "left"),
        (20, "max-removed = '10%'", 2, "accepted"),
        (20, "max-removed = '10%'", 3, "left"),
        (20, "max-removed = '10%'", 19, "left"),
        (20, "max-removed = '0%'", 1, "left"),
        (20, "max-removed = '100%'", 19, "accepted"),
    ],
)
def test_removal_limit_is_a_number_or_percentage(
    user: User,
    engine: IndexNow,
    site: Site,
    pages_before: int,
    limit: str,
    gone: int,
    state: str,
) -> None:
    path = user.folder / "sitemapx.toml"
    path.write_text(f"{limit}\n{path.read_text()}")
    user.write(pages(site, range(100, 100 + pages_before)))
    user.submit("sitemap.xml")
    user.write(pages(site, range(100, 100 + pages_before - gone)))

    assert [state] == [row["state"] for row in user.submit("sitemap.xml")]


@pytest.mark.parametrize("value", ["-1", "'10'", "'x%'", "true", "1.5"])
def test_invalid_removal_limit_is_reported(user: User, engine: IndexNow, value: str) -> None:
    path = user.folder / "sitemapx.toml"
    path.write_text(f"max-removed = {value}\n{path.read_text()}")
    done = user("submit", "sitemap.xml")

    assert 2 == done.returncode
    assert (
        b"sitemapx.toml:1: invalid max-removed: expected a number of URLs, or a percentage"
        in done.stderr
    )


# ---- fingerprints by source


def test_days_and_times_do_not_undo_each_other(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    write_feed(user, pages(site, "ab", "2026-01-01T08:00:00Z"))

    def feed(a: str, b: str) -> None:
        dates = {f"{site.url}/a": f"2026-01-0{a}:00Z", f"{site.url}/b": f"2026-01-0{b}:00Z"}
        write_feed(user, dates)

    def both() -> list[str]:
        engine.taken.clear()
        user.submit("sitemap.xml")
        user.submit("feed.xml", "--engine", "indexnow")
        return engine.taken

    assert [*pages(site, "ab")] == both()
    assert [] == both()
    write_feed(
        user, pages(site, "a", "2026-01-01T09:00:00Z") | pages(site, "b", "2026-01-01T08:00Z")
    )
    assert [f"{site.url}/a"] == both()
    assert [] == both()
    user.write(pages(site, "a") | pages(site, "b", "2026-01-02"))
    assert [f"{site.url}/b"] == both()
    write_feed(
        user, pages(site, "a", "2026-01-01T09:00:00Z") | pages(site, "b", "2026-01-02T07:00Z")
    )
    assert [] == both()
    write_feed(
        user, pages(site, "a", "2026-01-01T09:00:00Z") | pages(site, "b", "2026-01-02T08:00Z")
    )
    assert [f"{site.url}/b"] == both()
    assert [] == both()


# ---- due stays due


def test_url_that_left_the_feed_unsent_is_sent(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=500)]
    write_feed(user, pages(site, "abc", "2026-01-01T08:00:00Z"))
    user.submit("feed.xml", "--engine", "indexnow", "--retries", "0")
    write_feed(user, pages(site, "cd", "2026-01-01T08:00:00Z"))
    assert 3 == _to_retry(user)
    user.submit("feed.xml", "--engine", "indexnow")

    assert [*pages(site, "abcd")] == engine.taken
    assert 0 == _to_retry(user)


def test_url_that_left_the_feed_beyond_the_limit_is_sent(
    user: User, engine: IndexNow, site: Site
) -> None:
    write_feed(user, pages(site, "abc", "2026-01-01T08:00:00Z"))
    user.submit("feed.xml", "--engine", "indexnow", "--limit", "1")
    write_feed(user, pages(site, "d", "2026-01-01T08:00:00Z"))
    user.submit("retry", "--ignore-interval")
    user.submit("feed.xml", "--engine", "indexnow")

    assert [*pages(site, "abcd")] == engine.taken


def test_listed_url_stays_due_until_forgotten(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=500), Fault(status=500)]
    for name in "ab":
        user("submit", "--urls", "-", "--retries", "0", given=f"{site.url}/{name}".encode())
    assert 2 == _to_retry(user)
    user("submit", "forget", f"{site.url}/a")
    assert 1 == _to_retry(user)
    user("submit", "--urls", "-", given=f"{site.url}/c".encode())

    assert [*pages(site, "bc")] == engine.taken


def test_listed_url_stays_due_when_a_sitemap_drops_it(
    user: User, engine: IndexNow, site: Site
) -> None:
    user.write(pages(site, "ab"))
    engine.faults = [Fault(status=500), Fault(status=500), Fault(status=500)]
    user.submit("sitemap.xml", "--retries", "0")
    user("submit", "--urls", "-", "--retries", "0", given=f"{site.url}/b".encode())
    user.write(pages(site, "a"))
    user.submit("sitemap.xml", "--retries", "0")
    user.submit("retry", "--ignore-interval")

    assert [*pages(site, "ab")] == engine.taken


def test_refused_url_is_resent_only_by_retry(user: User, engine: IndexNow, site: Site) -> None:
    site.files["/blog/key.txt"] = site.files["/0123456789abcdef.txt"]
    path = user.folder / "sitemapx.toml"
    text = path.read_text()
    path.write_text(f'{text}key-location = "{site.url}/blog/key.txt"\n')
    user.write(pages(site, ["a", "blog/a"]))
    (row,) = user.submit("sitemap.xml")
    assert 1 == row["refused"]
    assert [] == user.submit("sitemap.xml")
    assert 1 == _to_retry(user)
    path.write_text(text)
    user.submit("retry", "--ignore-interval")

    assert [*pages(site, ["blog/a", "a"])] == engine.taken


def test_refused_removal_is_resent_only_by_retry(user: User, engine: IndexNow, site: Site) -> None:
    site.files["/blog/key.txt"] = KEY
    path = user.folder / "sitemapx.toml"
    text = path.read_text()
    limited = f'{text}key-location = "{site.url}/blog/key.txt"\n'
    user.write(pages(site, ["a", "b", "blog/a"]))
    user.submit("sitemap.xml")
    engine.taken.clear()
    path.write_text(limited)
    user.write(pages(site, ["blog/a"]))
    (row,) = user.submit("sitemap.xml")
    assert (2, [], 2) == (row["refused"], user.submit("sitemap.xml"), _to_retry(user))
    user.write(pages(site, ["b", "blog/a"]))
    assert ([], 1) == (user.submit("sitemap.xml"), _to_retry(user))
    user.write(pages(site, ["blog/a"]))
    assert [1] == [row["refused"] for row in user.submit("sitemap.xml")]
    path.write_text(text)
    assert [] == user.submit("sitemap.xml")
    user.submit("retry", "--ignore-interval")

    assert [*pages(site, "ab")] == sorted(engine.taken)
    assert (0, []) == (_to_retry(user), user.submit("sitemap.xml"))


def test_refused_sitemap_is_retried(user: User, engines: Engines, site: Site) -> None:
    bing: Bing = engines(Bing)
    path = user.folder / "sitemapx.toml"
    path.write_text(
        f'journal = "j.db"\n[engines.bing]\nendpoint = "{bing.url}"\nsend = "sitemaps"\n'
    )
    user.write({"https://www.example.com/a": "2026-01-01"})
    url = "https://www.example.com/sitemap.xml"
    bing.faults = [Fault(status=500)]
    user.submit("sitemap.xml", "--source-url", url, "--force", "--retries", "0")
    assert 1 == _to_retry(user)
    user.submit("retry", "--ignore-interval")

    assert [url] == bing.taken
