"""Search engines are sent only sitemaps in formats that they document."""

import json
from typing import Any

import pytest

from tests.engines import Bing, Google, IndexNow, Yandex
from tests.loopback import Engines, Site
from tests.submit.conftest import User

HOST = "https://www.example.com"
_SPACE = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
_LISTS = ("csv", "jsonl", "jsonfeed")
_FILES = {
    "sitemap": ("s.xml", f"<urlset {_SPACE}><url><loc>{HOST}/a</loc></url></urlset>"),
    "text": ("s.txt", f"{HOST}/a\n"),
    "rss": (
        "s.rss",
        (
            "<rss version='2.0'><channel><title>t</title><description>d</description>"
            f"<link>{HOST}/</link><item><title>t</title><link>{HOST}/a</link></item></channel></rss>"
        ),
    ),
    "atom": (
        "s.atom",
        (
            "<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title><id>urn:x:y</id>"
            "<updated>2026-01-01T00:00:00Z</updated><author><name>n</name></author>"
            f"<entry><title>t</title><id>{HOST}/a</id><link href='{HOST}/a'/>"
            "<updated>2026-01-01T00:00:00Z</updated></entry></feed>"
        ),
    ),
    "csv": ("s.csv", f"loc,lastmod\n{HOST}/a,2026-01-01\n"),
    "jsonl": ("s.jsonl", json.dumps({"loc": f"{HOST}/a"})),
    "jsonfeed": (
        "feed.json",
        json.dumps(
            {
                "version": "https://jsonfeed.org/version/1.1",
                "title": "t",
                "items": [{"id": f"{HOST}/a", "url": f"{HOST}/a", "content_text": "t"}],
            }
        ),
    ),
}
_REFUSED = {"bing": _LISTS, "google": _LISTS, "yandex": (*_LISTS, "rss", "atom")}


def _submit(user: User, engine: Any, name: str, *formats: str) -> list[dict[str, Any]]:
    """Submit files in these formats as sitemaps."""
    for format_name in formats:
        file, text = _FILES[format_name]
        (user.folder / file).write_text(text)
    (user.folder / "sitemapx.toml").write_text(
        f'[engines.{name}]\nendpoint = "{engine.url}{engine.path}"\nsend = "sitemaps"\n'
    )
    files = [_FILES[format_name][0] for format_name in formats]
    return user.submit(*files, "--map", f"{HOST}/=.", "--ignore-robots", "--retries", "0")


@pytest.mark.parametrize("format_name", _FILES)
@pytest.mark.parametrize("name", _REFUSED)
def test_undocumented_format_is_rejected_with_a_conversion(
    user: User, engines: Engines, google: Google, name: str, format_name: str
) -> None:
    engine = google if name == "google" else engines({"bing": Bing, "yandex": Yandex}[name])
    (row,) = _submit(user, engine, name, format_name)
    file = _FILES[format_name][0]

    if format_name not in _REFUSED[name]:
        assert ("accepted", [f"{HOST}/{file}"]) == (row["state"], engine.taken)
        return
    assert ("left", 1, []) == (row["state"], row["left"], engine.taken)
    assert f"{name} does not accept {format_name} files as sitemaps" == row["reason"]
    assert f"submit the output of `sitemapx convert {file} --to sitemap`" == row["action"]


def test_feed_next_to_a_sitemap_is_not_a_failure(user: User, engines: Engines) -> None:
    engine: Yandex = engines(Yandex)
    (row,) = _submit(user, engine, "yandex", "rss", "sitemap")

    assert ("accepted", [f"{HOST}/s.xml"]) == (row["state"], engine.taken)


def test_index_that_lists_a_feed_is_a_sitemap(user: User, engines: Engines) -> None:
    engine: Yandex = engines(Yandex)
    rss, urlset = _FILES["rss"][0], _FILES["sitemap"][0]
    rows = "".join(f"<sitemap><loc>{HOST}/{file}</loc></sitemap>" for file in (rss, urlset))
    for name in ("rss", "sitemap"):
        (user.folder / _FILES[name][0]).write_text(_FILES[name][1])
    (user.folder / "index.xml").write_text(f"<sitemapindex {_SPACE}>{rows}</sitemapindex>")
    where = ["--engine", "yandex", "--endpoint", f"yandex={engine.url}{engine.path}"]
    done = user("submit", "index.xml", *where, "--map", f"{HOST}/=.", "--force")

    assert 0 == done.returncode, done.stderr
    assert f"{HOST}/index.xml" in engine.taken


def test_only_common_formats_are_added_to_robots(user: User, engines: Engines) -> None:
    engine: Bing = engines(Bing)
    (user.folder / "robots.txt").write_text("")
    _submit(user, engine, "bing", "sitemap", "text", "rss", "csv", "jsonl")
    options = ["--robots", "robots.txt", "--map", f"{HOST}/=.", "--ignore-robots"]
    user("submit", "s.xml", "s.txt", "s.rss", "s.csv", "s.jsonl", *options)

    expected = f"Sitemap: {HOST}/s.xml\nSitemap: {HOST}/s.txt\n"
    assert expected == (user.folder / "robots.txt").read_text()


@pytest.mark.parametrize(
    ("names", "send", "from_bing"),
    [
        ("bing,indexnow", "", ["sitemap.xml"]),
        ("bing", "", ["sitemap.xml", "a"]),
        ("bing,indexnow", 'send = ["urls", "sitemaps"]\n', ["sitemap.xml", "a"]),
    ],
)
def test_bing_gets_urls_through_indexnow(
    user: User, engines: Engines, site: Site, names: str, send: str, from_bing: list[str]
) -> None:
    bing, indexnow = engines(Bing), engines(IndexNow)
    bing.site = site.url
    (user.folder / "sitemapx.toml").write_text(
        f'[engines.bing]\nendpoint = "{bing.url}{bing.path}"\n{send}'
        f'[engines.indexnow]\nendpoint = "{indexnow.url}"\n'
    )
    user.write({f"{site.url}/a": "2026-01-01"})
    user.submit("sitemap.xml", "--source-url", f"{site.url}/sitemap.xml", "--engine", names)

    assert [f"{site.url}/{name}" for name in from_bing] == bing.taken
    assert [f"{site.url}/a"] * ("indexnow" in names) == indexnow.taken
