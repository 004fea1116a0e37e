"""`sitemapx submit` with IndexNow, as a user runs it: the requests and the output."""

import json
import subprocess
import threading
from pathlib import Path

import pytest

from tests.conftest import PATIENCE
from tests.engines import KEY, IndexNow
from tests.loopback import Engines, Fault, Site
from tests.submit.conftest import User, pages
from tests.waiting import wait_until


def test_only_changed_pages_are_sent(
    user: User, engines: Engines, site: Site, tmp_path: Path
) -> None:
    engine: IndexNow = engines(IndexNow)
    entries = pages(site, (f"page-{n}.html" for n in range(20)))
    user.write(entries, "public.xml")
    done = user("init", "--site", site.url, "--sitemap", "public.xml", "--engine", "indexnow")
    assert 0 == done.returncode, done.stderr
    with (user.folder / "sitemapx.toml").open("a") as file:
        file.write(f'endpoint = "{engine.url}"\n')
    rows = user.submit()
    first, engine.taken = engine.taken, []
    changed = list(entries)[3:6]
    user.write(entries | dict.fromkeys(changed, "2026-02-02"), "public.xml")
    again = user.submit()

    assert sorted(entries) == first
    assert [("accepted", 20, 200)] == [(r["state"], r["accepted"], r["status"]) for r in rows]
    assert sorted(changed) == sorted(engine.taken)
    assert [("accepted", 3, 200)] == [(r["state"], r["accepted"], r["status"]) for r in again]
    assert [] == user.submit()


def test_added_and_removed_urls_are_sent(user: User, engine: IndexNow, site: Site) -> None:
    entries = pages(site, "abc")
    user.write(entries)
    user.submit("sitemap.xml")
    engine.taken.clear()
    user.write(pages(site, "bcd"))
    user.submit("sitemap.xml")
    told, engine.taken = engine.taken, []
    user.write(entries)
    user.submit("sitemap.xml")

    assert [f"{site.url}/d", f"{site.url}/a"] == told
    assert [f"{site.url}/a", f"{site.url}/d"] == engine.taken


def test_truncated_sitemap_removes_nothing(user: User, engine: IndexNow, site: Site) -> None:
    name = user.write(pages(site, "abc"))
    user.submit(name)
    engine.taken.clear()
    text = (user.folder / name).read_text()
    (user.folder / name).write_text(text[: text.index("<url><loc>", 100)] + "<url><loc>ht")
    refused = user("submit", name)
    done = user("submit", name, "--force")

    assert (1, b"") == (refused.returncode, refused.stdout)
    assert b"the sitemap set has errors (truncated 1)" in refused.stderr
    assert 0 == done.returncode
    assert [] == engine.taken


def test_named_sitemap_does_not_remove_the_others(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"), "one.xml")
    user.write(pages(site, "cd"), "two.xml")
    path = user.folder / "sitemapx.toml"
    path.write_text(f'site = "{site.url}"\nsitemaps = ["one.xml", "two.xml"]\n{path.read_text()}')
    user.submit()
    user.submit("one.xml")
    user.submit()
    assert [*pages(site, "abcd")] == engine.taken
    user.write(pages(site, "c"), "two.xml")
    user.submit()

    assert f"{site.url}/d" == engine.taken[-1]


def test_equal_dates_in_other_formats_do_not_count_as_changes(
    user: User, engine: IndexNow, site: Site
) -> None:
    (url,) = pages(site, "a")
    user.submit(user.write({url: "2026-01-01T10:00:00+00:00"}))
    pub = "<pubDate>Thu, 01 Jan 2026 12:00:00 +0200</pubDate>"
    (user.folder / "feed.xml").write_text(
        f"<rss version='2.0'><channel><item><link>{url}</link>{pub}</item></channel></rss>"
    )
    user.submit("feed.xml", "--engine", "indexnow")
    (user.folder / "urls.txt").write_text(f"{url}\n")
    user.submit("urls.txt")

    assert [url] == engine.taken


def test_other_fields_count_without_a_date(user: User, engine: IndexNow, site: Site) -> None:
    for title in ("one", "one", "two"):
        (user.folder / "a.jsonl").write_text(json.dumps({"loc": f"{site.url}/a", "title": title}))
        user.submit("a.jsonl")

    assert 2 * [f"{site.url}/a"] == engine.taken


def test_batch_has_10000_urls_of_one_host(user: User, engine: IndexNow, site: Site) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    urls = [f"{site.url}/{n:05}" for n in range(10_001)] + [f"{other}/{n}" for n in range(3)]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    rows = user.submit("urls.txt")

    assert [10_000, 1, 3] == [len(json.loads(one.body)["urlList"]) for one in engine.posts()]
    assert [10_000, 1, 3] == [row["accepted"] for row in rows]
    assert sorted(urls) == sorted(engine.taken)


def test_since_and_limit_lose_nothing(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "abc", "2026-01-01") | pages(site, "de", "2026-05-05"))
    user.submit("sitemap.xml", "--since", "2026-03-01", "--limit", "1")
    user.submit("sitemap.xml", "--since", "2026-03-01")
    assert [*pages(site, "de")] == engine.taken
    user.submit("sitemap.xml")

    assert [*pages(site, "deabc")] == engine.taken


def test_submitting_with_urls_option_keeps_the_recorded_state(
    user: User, engine: IndexNow, site: Site
) -> None:
    entries = pages(site, "abc")
    user.write(entries)
    user.submit("sitemap.xml")
    engine.taken.clear()
    text = "\n".join([*pages(site, "ab"), "", "no url"]).encode()
    early = user("submit", "--urls", "-", given=text)
    done = user("submit", "--urls", "-", "--force", given=text)
    user.submit("sitemap.xml")

    assert (0, b"") == (early.returncode, early.stdout)
    assert (
        b"2 URLs postponed: sent less than 10 minutes ago; pass --ignore-interval to send anyway"
        in early.stderr
    )
    assert 0 == done.returncode
    assert b"not-a-url" in done.stderr
    assert [*pages(site, "ab")] == engine.taken


def test_all_respects_the_interval(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    assert [] == user.submit("sitemap.xml", "--all")
    user.query("UPDATE entries SET submitted_at = submitted_at - 601")
    user.submit("sitemap.xml", "--all")

    assert 2 * [*pages(site, "ab")] == engine.taken


def test_time_in_the_future_holds_nothing_back(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user.query("UPDATE entries SET submitted_at = submitted_at + 1e6")
    user.submit("sitemap.xml", "--all")
    user.write(pages(site, "a", "2026-02-02"))
    user.submit("sitemap.xml")

    assert 3 * [*pages(site, "a")] == engine.taken


def test_dry_run_prints_the_request_without_key(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    done = user("submit", "sitemap.xml", "--dry-run")
    assert [] == engine.asked
    assert [] == site.asked
    assert not (user.folder / "j.db").exists()
    user.submit("sitemap.xml")
    (sent,) = engine.posts()

    assert 0 == done.returncode
    shown = done.stdout.decode()
    assert f"GET {site.url}/{KEY}.txt\n" in shown
    assert f"POST {engine.url}/indexnow\n" in shown
    assert f"Content-Length: {sent.headers['content-length']}\n" in shown
    body = sent.body.replace(f'"{KEY}"', '"***"')
    assert f"\n\n{body}\n" in shown
    assert b"indexnow: 2 URLs for" in done.stderr


def test_table_has_a_row_per_batch(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    done = user("submit", "sitemap.xml")
    rows = [line.split() for line in done.stdout.decode().splitlines()]

    assert ["ENGINE", "TYPE", "HOST", "STATE", "SENT", "ACCEPTED"] == rows[0][:6]
    assert ["indexnow", "urls", site.host, "accepted", "200", "2", "2", "0", "0", "-", "-"] == rows[
        1
    ]


@pytest.mark.parametrize("content", [None, "", KEY[:-1], f"{KEY}x", "<html>"])
def test_missing_key_file_stops_the_run(
    user: User, engine: IndexNow, site: Site, content: str | None
) -> None:
    site.files.pop(f"/{KEY}.txt")
    if content is not None:
        site.files[f"/{KEY}.txt"] = content
    user.write(pages(site, "ab"))
    (row,) = user.submit("sitemap.xml")

    assert [] == engine.asked
    assert ("left", 0, 2) == (row["state"], row["sent"], row["left"])
    assert f"key file {site.url}/{KEY}.txt" in row["reason"]
    assert "submit key new" in row["action"]


@pytest.mark.parametrize(
    ("status", "reason", "action"),
    [
        (404, " not found: status 404", "publish the key file there"),
        (403, ": status 403", "make the file publicly accessible"),
        (407, ": proxy requires authentication", "put USER:PASSWORD@ into"),
        (503, ": status 503", "run again later"),
    ],
)
def test_status_of_the_key_file_determines_the_action(
    user: User, engine: IndexNow, site: Site, status: int, reason: str, action: str
) -> None:
    site.statuses[f"/{KEY}.txt"] = status
    user.write(pages(site, "ab"))
    (row,) = user.submit("sitemap.xml", "--retries", "0")

    assert f"{KEY}.txt{reason}" in row["reason"]
    assert row["action"].startswith(action)


def test_key_file_in_a_directory_limits_the_urls(user: User, engine: IndexNow, site: Site) -> None:
    site.files["/blog/key.txt"] = site.files.pop(f"/{KEY}.txt") + "\r\n"
    with (user.folder / "sitemapx.toml").open("a") as file:
        file.write(f'key-location = "{site.url}/blog/key.txt"\n')
    user.write(pages(site, ["a", "blog/a"]))
    (row,) = user.submit("sitemap.xml")

    assert [f"{site.url}/blog/a"] == engine.taken
    assert f"{site.url}/blog/key.txt" == json.loads(engine.posts()[0].body)["keyLocation"]
    assert (1, 1) == (row["accepted"], row["refused"])
    assert "outside /blog/" in row["reason"]


def test_key_location_applies_to_its_host(user: User, engine: IndexNow, site: Site) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    site.files["/keys/key.txt"] = KEY
    with (user.folder / "sitemapx.toml").open("a") as file:
        file.write(f'key-location = "{site.url}/keys/key.txt"\n')
    urls = [f"{site.url}/keys/a", f"{other}/a"]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    user.submit("--urls", "urls.txt")

    assert [f"{site.url}/keys/key.txt", f"{other}/{KEY}.txt"] == [
        json.loads(one.body)["keyLocation"] for one in engine.posts()
    ]
    assert urls == engine.taken


@pytest.mark.parametrize("name", ["key-location", "registry"])
@pytest.mark.parametrize("url", ["/key.txt", "http://[::1"])
def test_invalid_address_in_settings_is_reported(
    user: User, engine: IndexNow, site: Site, name: str, url: str
) -> None:
    with (user.folder / "sitemapx.toml").open("a") as file:
        file.write(f'{name} = "{url}"\n')
    user.write(pages(site, "a"))
    done = user("submit", "sitemap.xml")

    assert (2, []) == (done.returncode, engine.asked)
    assert f"indexnow: {name} is not an absolute http(s) URL: '{url}'" in done.stderr.decode()


def test_options_for_one_file_are_rejected_for_several(
    user: User, engine: IndexNow, site: Site
) -> None:
    names = [user.write(pages(site, name), f"{name}.xml") for name in "ab"]
    done = user("submit", *names, "--source-url", f"{site.url}/a.xml")
    both = user("submit", "a.xml", "--urls", "-")

    assert (2, 2) == (done.returncode, both.returncode)
    assert b"--urls cannot be combined with a SITEMAP; submit them in separate runs" in both.stderr
    assert b"--source-url applies to a single file; pass --map" in done.stderr


def test_second_run_waits_and_finds_nothing_to_send(
    user: User, engine: IndexNow, site: Site
) -> None:
    user.write(pages(site, range(50)))
    answer = threading.Event()
    engine.faults = [Fault(after=True, when=answer)]
    command = ["sitemapx", "submit", "sitemap.xml", "--allow-private"]

    def start() -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=user.folder, env=user.environment, stdout=pipe, stderr=pipe
        )

    with start() as first:
        wait_until(engine.posts, first)
        impatient = user("submit", "sitemap.xml", "--lock-timeout", "0.1")
        with start() as second:
            assert second.stderr
            waiting = second.stderr.readline()
            answer.set()
            out, _ = second.communicate(timeout=PATIENCE)
        first.communicate(timeout=PATIENCE)

    assert (0, 0, b"") == (first.returncode, second.returncode, out)
    assert 1 == impatient.returncode
    assert b"another run is still using the journal" in impatient.stderr
    assert b"waiting for another run to finish\n" == waiting
    assert sorted(pages(site, range(50))) == sorted(engine.taken)


def test_batch_has_urls_of_one_host(user: User, engine: IndexNow, site: Site) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    with (user.folder / "sitemapx.toml").open("a") as file:
        file.write("batch = 2\n")
    urls = [f"{site.url}/a", *(f"{other}/{n}" for n in range(3))]
    (user.folder / "urls.txt").write_text("\n".join(urls))
    user.submit("urls.txt")

    assert [urls[:1], urls[1:3], urls[3:]] == [
        json.loads(one.body)["urlList"] for one in engine.posts()
    ]


def test_next_endpoint_replaces_a_failing_one(
    user: User, engines: Engines, engine: IndexNow, site: Site
) -> None:
    second: IndexNow = engines(IndexNow)
    engine.faults = [Fault(status=503) for _ in range(5)]
    user.write(pages(site, "ab"))
    named = [f"indexnow={one.url}" for one in (engine, second)]
    endpoints = ["--endpoint", named[0], "--endpoint", named[1], "--retries", "0"]
    (row,) = user.submit("sitemap.xml", *endpoints)

    assert "accepted" == row["state"]
    assert [1, 1] == [len(engine.posts()), len(second.posts())]
    assert [*pages(site, "ab")] == second.taken


def test_registry_names_the_endpoints(
    user: User, engines: Engines, engine: IndexNow, site: Site
) -> None:
    left: IndexNow = engines(IndexNow)
    api = {"api": f"{engine.url}/indexnow"}
    metas = {name: f"{site.url}/{name}.json" for name in ("gone", "broken", "bad", "m")} | {
        "invalid": "http://[::1"
    }
    site.files["/searchengines.json"] = json.dumps(metas)
    site.files["/gone.json"] = json.dumps({"api": f"{left.url}/indexnow", "unsubscribe": True})
    site.files["/bad.json"] = json.dumps({"api": "http://[::1"})
    site.files["/m.json"] = json.dumps(api)
    (user.folder / "sitemapx.toml").write_text(
        f'journal = "j.db"\n[engines.indexnow]\nregistry = "{site.url}/searchengines.json"\n'
    )
    user.write(pages(site, "ab"))
    (row,) = user.submit("sitemap.xml")

    assert "accepted" == row["state"]
    assert [] == left.asked
    assert [*pages(site, "ab")] == engine.taken


def test_changed_text_of_html_pages_is_sent(user: User, engine: IndexNow, site: Site) -> None:
    (user.folder / "sitemapx.toml").write_text(
        f'site = "{site.url}"\nroot = "public"\nsitemaps = "public"\n'
        f'[engines.indexnow]\nendpoint = "{engine.url}"\n'
    )
    folder = user.folder / "public"
    folder.mkdir()
    for year, text in enumerate(("one", "one", "two"), 2024):
        for name in ("index", "a", "b"):
            shown = text if name == "a" else name
            (folder / f"{name}.html").write_text(f"<p>{shown}</p><footer>{year}</footer>")
        user.submit()

    assert [f"{site.url}/{name}" for name in ("", "a.html", "b.html", "a.html")] == engine.taken


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+02:00", "9999-12-31T23:59:59-05:00"])
def test_date_outside_utc_is_a_fingerprint(
    user: User, engine: IndexNow, site: Site, date: str
) -> None:
    user.write(pages(site, "a", date))
    rows = user.submit("sitemap.xml", "--force")

    assert ["accepted"] == [row["state"] for row in rows]
    assert [] == user.submit("sitemap.xml", "--force")
