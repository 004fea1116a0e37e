"""`sitemapx submit history`, `status`, `retry`, `forget` and `key`; `sitemapx init`."""

import json
import re
import stat
from typing import Any

import pytest

from tests.engines import IndexNow
from tests.loopback import Fault, Site
from tests.submit.conftest import User, pages


def _json(user: User, *args: str) -> list[dict[str, Any]]:
    done = user("submit", *args, "--report", "json")
    assert 0 == done.returncode, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_history_and_status_show_batches_and_urls(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "abc"))
    user.submit("sitemap.xml")
    engine.faults = [Fault(status=403)]
    user.write(pages(site, "bc") | {f"{site.url}/c": "2026-02-02"})
    user.submit("sitemap.xml")
    user.write(pages(site, "bc"))
    user.submit("sitemap.xml", "--limit", "1")
    batches = _json(user, "history")
    (total,) = _json(user, "status")
    (known,) = _json(user, "status", f"{site.url}/c")
    table = user("submit", "history", "--limit", "1").stdout.decode().splitlines()

    keys = ("engine", "kind", "sent", "accepted", "state", "status")
    assert ("indexnow", "urls", 3, 3, "accepted", 200) == tuple(batches[0][key] for key in keys)
    assert ("indexnow", "urls", 1, 0, "refused", 403) == tuple(batches[1][key] for key in keys)
    assert "its file is missing" in batches[1]["reason"]
    assert (2, 1) == (total["known"], total["removed"])
    assert "2026-01-01" == known["fingerprint"]
    assert [] == _json(user, "status", "https://unknown.example/")
    assert 2 == len(table)
    assert ["NO", "TIME"] == table[0].split()[:2]


def test_retry_sends_what_was_refused(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=403), Fault(status=503)]
    text = "\n".join(pages(site, "abc")).encode()
    user("submit", "--urls", "-", given=text)
    again = user("submit", "retry", "--ignore-interval", "--retries", "0")
    waiting = _json(user, "status")[0]["to_retry"]
    done = user("submit", "retry", "--ignore-interval")

    assert (1, 0) == (again.returncode, done.returncode)
    assert 3 == waiting
    assert 0 == _json(user, "status")[0]["to_retry"]
    assert [*pages(site, "abc")] == engine.taken


def test_retry_limit_leaves_the_rest_due(user: User, engine: IndexNow, site: Site) -> None:
    text = "\n".join(pages(site, "abc")).encode()
    engine.faults = [Fault(status=403), Fault(status=403)]
    for _ in "ab":
        user("submit", "--urls", "-", given=text)
    assert 3 == _json(user, "status")[0]["to_retry"]
    user("submit", "retry", "--ignore-interval", "--limit", "1")
    assert 2 == _json(user, "status")[0]["to_retry"]
    user("submit", "retry", "--ignore-interval")

    assert [*pages(site, "abc")] == engine.taken
    assert 0 == _json(user, "status")[0]["to_retry"]


def test_retry_sends_only_the_last_state(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    engine.taken.clear()
    engine.faults = [Fault(status=400), Fault(status=400)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    user("submit", "--urls", "-", "--force", given=f"{site.url}/b".encode())
    user.submit("retry", "--ignore-interval")

    assert [f"{site.url}/b"] == engine.taken
    assert "2026-01-01" == _json(user, "status", f"{site.url}/b")[0]["fingerprint"]


def test_url_accepted_since_is_not_retried(user: User, engine: IndexNow, site: Site) -> None:
    engine.faults = [Fault(status=403)]
    text = "\n".join(pages(site, "ab")).encode()
    done = [user("submit", "--urls", "-", given=text).returncode for _ in "ab"]
    retried = user("submit", "retry", "--ignore-interval")

    assert [1, 0] == done
    assert (0, b"") == (retried.returncode, retried.stdout)
    assert b"no URLs to retry" in retried.stderr
    assert [*pages(site, "ab")] == engine.taken


def test_retry_sends_removals(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    engine.taken.clear()
    engine.faults = [Fault(status=400)]
    user.write(pages(site, "a"))
    user.submit("sitemap.xml")
    done = user("submit", "retry", "--ignore-interval")

    assert 0 == done.returncode
    assert [f"{site.url}/b"] == engine.taken
    assert "removed" == _json(user, "status", f"{site.url}/b")[0]["fingerprint"]
    assert [] == user.submit("sitemap.xml")


def test_forgotten_url_is_sent_again(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "abc"))
    user.submit("sitemap.xml")
    engine.taken.clear()
    one = user("submit", "forget", f"{site.url}/b")
    user.submit("sitemap.xml")
    everything = user("submit", "forget", "--all", "--engine", "indexnow")
    wrong = user("submit", "forget")

    assert (b"1 forgotten\n", b"3 forgotten\n") == (one.stderr, everything.stderr)
    assert [f"{site.url}/b"] == engine.taken
    assert 2 == wrong.returncode


def test_status_accepts_any_spelling_of_a_url(user: User, engine: IndexNow, site: Site) -> None:
    name, stored = f"{site.url}/käse", f"{site.url}/k%C3%A4se"
    user("submit", "--urls", "-", given=name.encode())
    found = _json(user, "status", name)
    unknown = user("submit", "status", f"{site.url}/b")
    forgotten = user("submit", "forget", name)

    assert [stored] == [one["url"] for one in found]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", found[0]["sent_at"])
    assert f"{site.url}/b: not accepted by any search engine\n" == unknown.stderr.decode()
    assert b"1 forgotten\n" == forgotten.stderr


def test_history_creates_no_journal(user: User) -> None:
    done = user("submit", "history")

    assert 0 == done.returncode
    assert b"nothing submitted yet (journal: " in done.stderr
    assert not (user.folder / "state").exists()


def test_journal_directory_is_private(user: User, engine: IndexNow, site: Site) -> None:
    settings = user.folder / "sitemapx.toml"
    settings.write_text(settings.read_text().replace('journal = "j.db"\n', ""))
    user.write(pages(site, "ab"))
    user.submit("sitemap.xml")
    path = user.folder / "state" / "sitemapx" / "journal.sqlite3"

    assert path.is_file()
    assert 0o700 == stat.S_IMODE(path.parent.stat().st_mode)


def test_key_verifies_once_its_file_is_served(user: User, site: Site) -> None:
    (user.folder / "public").mkdir()
    done = user("submit", "key", "new", "public")
    key = done.stdout.decode().strip()
    (file,) = (user.folder / "public").iterdir()
    user.environment["INDEXNOW_KEY"] = key
    missing = user("submit", "key", "verify", site.url)
    site.files[f"/{key}.txt"] = file.read_text()
    right = user("submit", "key", "verify", site.url)

    assert re.fullmatch(r"[0-9a-f]{32}", key)
    assert (f"{key}.txt", key) == (file.name, file.read_text())
    assert (
        f"wrote public/{key}.txt; publish it and set INDEXNOW_KEY to the key, "
        "then run `sitemapx submit key verify SITE`\n"
    ) == done.stderr.decode()
    assert (1, 0) == (missing.returncode, right.returncode)
    assert (
        f"{site.url}/{key}.txt not found: status 404; publish the key file there"
        in missing.stderr.decode()
    )
    assert f"key file OK: {site.url}/{key}.txt\n" == right.stderr.decode()


def test_key_file_is_private(user: User) -> None:
    (user.folder / "public").mkdir()
    done = user("submit", "key", "new", "public", "--secret", "key")
    path = user.folder / "key"

    assert b"" == done.stdout
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert path.read_text().strip() not in done.stderr.decode()
    assert b"wrote public/KEY.txt (KEY is the key in key); publish it, then run" in done.stderr
    assert 1 == user("submit", "key", "new", "public", "--secret", "key").returncode


def test_init_fails_without_terminal_or_over_a_file(user: User) -> None:
    alone = user("init")
    wrong = user("init", "--site", "example.com")
    user("init", "--site", "https://example.com")
    again = user("init", "--site", "https://example.org")

    assert [2, 2, 2] == [done.returncode for done in (alone, wrong, again)]
    assert b"pass --site" in alone.stderr
    assert b"expected an absolute http(s) URL" in wrong.stderr
    assert b"use --force to overwrite" in again.stderr


def test_init_writes_paths_relative_to_its_file(user: User) -> None:
    (user.folder / "conf").mkdir()
    where = ["--site", "https://example.com", "--root", "public", "--config", "conf/s.toml"]
    done = user("init", *where, "--robots", "/srv/robots.txt")
    text = (user.folder / "conf/s.toml").read_text()

    assert 0 == done.returncode
    assert 'root = "../public"' in text
    assert 'sitemaps = ["../public/sitemap.xml"]' in text
    assert 'robots = "/srv/robots.txt"' in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('sitmaps = "a"', ":1: unknown key 'sitmaps'. Did you mean 'sitemaps'?"),
        ('\n\nsite = "example.com"', ":3: invalid site: expected an absolute http(s) URL"),
        (
            "[engines.indexnow]\nbatch = 0",
            ":2: invalid batch: expected an integer from 1 to 1,000,000,000",
        ),
        (
            f"[engines.indexnow]\nbatch = {10**22}",
            ":2: invalid batch: expected an integer from 1 to",
        ),
        (
            f"max-removed = {10**22}",
            ":1: invalid max-removed: expected a number of URLs, or a percentage",
        ),
        ('robots = "a\\u0000b"', ":1: invalid robots: expected a path, as a non-empty string"),
        ('sitemaps = ["a\\u0000b"]', ":1: invalid sitemaps: expected a path or URL"),
        (f"a = {'[' * 5000}{']' * 5000}", ": "),
        ("[engines.indexnow]\nsecret = ''", ":2: invalid secret: expected a non-empty string"),
        (
            "[engines.indexnow]\nendpoint = []",
            ":2: invalid endpoint: expected an absolute http(s) URL",
        ),
        ("[engines.indexnow]\nsend = []", ":2: invalid send: expected a non-empty string"),
        ("[engines.indexnow]\nkey-location = ''", ":2: invalid key-location: expected a non-empty"),
        ("[engines.indexnow]\nkey = 'x'", ":2: unknown key 'key' in [engines.indexnow]"),
        ("[engines.indexnow]\nsend = 'feeds'", ":2: indexnow does not accept feeds: expected urls"),
        ("[engines.google-ping]", ":1: google-ping: deprecated on"),
        ("[engines.gogle]", ":1: unknown engine 'gogle'. Did you mean 'google'?"),
        ("engines = 1", ":1: expected a table for each search engine; write [engines.indexnow]"),
        ("site = ", ":1: invalid TOML: file ends where a value is expected"),
        (
            "site = 'http://me:pw@x.y/'",
            ":1: invalid site: expected an absolute http(s) URL without a",
        ),
        ("sitemaps = 1", ":1: invalid sitemaps: expected a path or URL"),
        (
            "[engines.bing]\nendpoint = 'x'",
            ":2: invalid endpoint: expected an absolute http(s) URL",
        ),
    ],
)
def test_invalid_settings_are_reported_with_line(user: User, text: str, expected: str) -> None:
    (user.folder / "sitemapx.toml").write_text(text)
    done = user("submit")

    assert 2 == done.returncode
    assert f"sitemapx.toml{expected}" in done.stderr.decode()
