"""Objections to submitting, and `--robots`."""

import gzip
import json
from collections import Counter

import pytest

from tests.engines import KEY, IndexNow
from tests.loopback import Site
from tests.submit.conftest import User, pages

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


@pytest.mark.parametrize(
    ("robots", "expected"),
    [
        ("User-agent: *\nDisallow: /\n", "disallows the whole site, as on a staging site"),
        ("User-agent: *\nDisallow: /*.xml\n", "disallows the sitemap"),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n", ""),
        ("User-agent: *\nDisallow: /private\n", ""),
        (None, ""),
    ],
)
def test_site_that_disallows_crawlers_is_not_submitted(
    user: User, engine: IndexNow, site: Site, robots: str | None, expected: str
) -> None:
    site.files.pop("/robots.txt")
    if robots is not None:
        site.files["/robots.txt"] = robots
    user.write(pages(site, "ab"))
    done = user("submit", "sitemap.xml", "--source-url", f"{site.url}/sitemap.xml")
    other = user("submit", "sitemap.xml", "--ignore-findings", "--ignore-probe", "--no-wait")
    forced = user("submit", "sitemap.xml", "--ignore-robots")

    if "whole" in expected:
        assert 1 == other.returncode
    assert (1 if expected else 0, 0) == (done.returncode, forced.returncode)
    if expected:
        assert f"nothing was sent: {site.url}/robots.txt {expected}" in done.stderr.decode()
        assert b"(pass --ignore-robots to send anyway)" in done.stderr
    assert [*pages(site, "ab")] == engine.taken


def test_failing_robots_txt_stops_the_run(
    user: User, engine: IndexNow, site: Site, nobody: str
) -> None:
    user.write(pages(site, "ab"))
    site.statuses["/robots.txt"] = 503
    done = user("submit", "sitemap.xml")
    (user.folder / "urls.txt").write_text(f"{nobody}/a\n")
    away = user("submit", "--urls", "urls.txt")

    assert (1, 1) == (done.returncode, away.returncode)
    assert b"/robots.txt returns 503" in done.stderr
    assert f"{nobody}/robots.txt was not checked: connection refused" in away.stderr.decode()


def test_one_fetched_page_is_enough_to_submit(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "abcd"))
    done = user("submit", "sitemap.xml", "--probe", "2")
    tried = [one.place for one in site.asked if len(one.place) == 2]
    site.files["/c"] = "<html>"
    well = user("submit", "sitemap.xml", "--probe", "2")
    site.files.pop("/c")
    ignored = user("submit", "sitemap.xml", "--all", "--probe", "2", "--ignore-probe")

    assert (1, 0, 0) == (done.returncode, well.returncode, ignored.returncode)
    assert b"(pass --ignore-probe to send anyway)" in done.stderr
    assert ["/a", "/c"] == tried
    assert b"none of the 2 probed pages can be fetched" in done.stderr


@pytest.mark.parametrize(
    ("url", "codes"),
    [
        ("<loc>{site}/b</loc><lastmod>yesterday</lastmod>", "bad-date 1"),
        ("<loc>{site}/b</loc><priority>7</priority>", "bad-priority 1"),
        ("<lastmod>2026-01-01</lastmod><loc>{site}/b</loc>", "wrong-order 1"),
        ("<loc>{other}/b</loc>", "other-host 1"),
        ("<loc>/b</loc>", "relative-loc 1"),
        ("<loc>{site}/b c</loc>", "loc-character 1"),
        ("<loc>ftp://e.example/b</loc></url><url><loc/>", "bad-loc 1, empty-element 1, no-loc 1"),
        ("<loc>{site}/a</loc>", ""),
        ("<loc>{site}/b#part</loc>", ""),
    ],
)
def test_sitemap_with_errors_is_not_submitted(
    user: User, engine: IndexNow, site: Site, url: str, codes: str
) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    (user.folder / "sitemap.xml").write_text(
        f"<urlset {SPACE}><url><loc>{site.url}/a</loc></url>"
        f"<url>{url.format(site=site.url, other=other)}</url></urlset>"
    )
    where = ["sitemap.xml", "--source-url", f"{site.url}/sitemap.xml"]
    done = user("submit", *where)
    dry = user("submit", *where, "--dry-run")
    checked = user("check", *where, "--format", "json", "--ignore", "loc-local")
    found = map(json.loads, checked.stdout.splitlines())
    errors = Counter(one["code"] for one in found if one.get("severity") == "error")

    assert codes == ", ".join(f"{code} {count}" for code, count in sorted(errors.items()))
    assert [1 if codes else 0] * 2 == [done.returncode, dry.returncode], done.stderr.decode()
    if codes:
        command = f"sitemapx check {' '.join(where)} --allow-private"
        expected = f"the sitemap set has errors ({codes}), see `{command}`"
        way_out = "(pass --ignore-findings to send anyway)"
        assert f"nothing was sent: {expected} {way_out}\n" in done.stderr.decode()
        assert f"nothing would be sent: {expected} {way_out}\n" in dry.stderr.decode()
        assert b"" == dry.stdout
        others = ["--ignore-robots", "--ignore-probe", "--ignore-interval", "--no-wait"]
        assert 1 == user("submit", *where, *others).returncode
        assert [] == engine.taken
        assert 0 == user("submit", *where, "--ignore-findings").returncode
    assert f"{site.url}/a" in engine.taken


def test_each_file_of_a_set_is_fetched_once(user: User, engine: IndexNow, site: Site) -> None:
    page = "<url><loc>{0}/{1}</loc><changefreq>{2}</changefreq></url>"
    names = {"one": "daily", "two": "sometimes"}
    for name, word in names.items():
        text = page.format(site.url, name, word)
        site.files[f"/{name}.xml"] = f"<urlset {SPACE}>{text}</urlset>"
    listed = "".join(f"<sitemap><loc>{site.url}/{name}.xml</loc></sitemap>" for name in names)
    site.files["/index.xml"] = f"<sitemapindex {SPACE}>{listed}</sitemapindex>"
    site.files["/robots.txt"] = "User-agent: *\nDisallow: /one\nDisallow: /x\n"
    done = user("submit", f"{site.url}/index.xml", "--allow-private")
    fetched = [one.place for one in site.asked if one.place.endswith(".xml")]

    assert ["/index.xml", "/one.xml", "/two.xml"] == sorted(fetched)
    assert 1 == done.returncode
    assert f"{site.url}/two.xml:1" in done.stderr.decode()
    command = f"`sitemapx check {site.url}/index.xml --allow-private`"
    assert f"the sitemap set has errors (bad-changefreq 1), see {command}" in done.stderr.decode()


def test_suggested_command_finds_mapped_files(user: User, engine: IndexNow, site: Site) -> None:
    with (user.folder / "sitemapx.toml").open() as file:
        rest = file.read()
    (user.folder / "sitemapx.toml").write_text(
        f'site = "{site.url}"\nroot = "public"\nsitemaps = "public/index.xml"\n{rest}'
    )
    (user.folder / "public").mkdir()
    child = f"<sitemap><loc>{site.url}/a.xml</loc></sitemap>"
    (user.folder / "public/index.xml").write_text(f"<sitemapindex {SPACE}>{child}</sitemapindex>")
    (user.folder / "public/a.xml").write_text(f"<urlset {SPACE}><url><loc>/a</loc></url></urlset>")
    done = user("submit")
    command = done.stderr.decode().partition("see `sitemapx ")[2].partition("`")[0]
    checked = user(*command.split(), "--format", "json", "--ignore", "loc-local")

    assert (1, 1) == (done.returncode, checked.returncode)
    rest = f"public/index.xml --map {site.url}/=public --allow-private"
    assert f"check {rest}" == command
    assert ["relative-loc"] == [json.loads(line)["code"] for line in checked.stdout.splitlines()]


def test_list_is_not_checked_as_a_sitemap(user: User, engine: IndexNow, site: Site) -> None:
    urls = "\n".join(f"{site.url}/{n}" for n in range(50_001)) + "\nno url\n"
    (user.folder / "urls.txt").write_text(urls)
    done = user("submit", "--urls", "urls.txt", "--limit", "1")
    packed = gzip.compress(urls.encode())
    (user.folder / "urls.txt").write_bytes(packed[: len(packed) // 2])
    damaged = user("submit", "--urls", "urls.txt", "--limit", "1")

    assert (0, 1) == (done.returncode, damaged.returncode)
    assert b"the sitemap set has errors (bad-gzip 1, truncated 1)" in damaged.stderr
    assert [f"{site.url}/0"] == engine.taken


def test_sitemap_is_added_to_robots_txt_once(user: User, engine: IndexNow, site: Site) -> None:
    user.write(pages(site, "ab"))
    (user.folder / "robots.txt").write_text("User-agent: *\nDisallow:\n")
    options = ["--source-url", f"{site.url}/sitemap.xml", "--robots", "robots.txt"]
    dry = user("submit", "sitemap.xml", *options, "--dry-run")
    before = (user.folder / "robots.txt").read_text()
    done = [user("submit", "sitemap.xml", *options) for _ in "ab"]

    assert "Sitemap" not in before
    assert b"robots.txt: would change" in dry.stderr
    assert [0, 0] == [one.returncode for one in done]
    text = (user.folder / "robots.txt").read_text()
    assert f"User-agent: *\nDisallow:\n\nSitemap: {site.url}/sitemap.xml\n" == text


def test_private_addresses_need_permission(user: User, engine: IndexNow, site: Site) -> None:
    user.allows_private = False
    user.write(pages(site, "a"))
    done = user("submit", "sitemap.xml", "--probe", "1", "--ignore-findings")
    forced = user("submit", "sitemap.xml", "--ignore-probe", "--ignore-findings")
    verified = user("submit", "key", "verify", site.url)
    allowed = user("submit", "key", "verify", site.url, "--allow-private")

    expected = "127.0.0.1 is a private address; allow this with --allow-private"
    key_file = f"{site.url}/{KEY}.txt"
    assert (1, 1, 1, 0) == tuple(one.returncode for one in (done, forced, verified, allowed))
    assert f"robots.txt was not checked: {expected}" in done.stderr.decode()
    assert f"cannot be fetched ({site.url}/a: {expected})" in done.stderr.decode()
    assert f"cannot fetch the key file {key_file}: {expected}" in "".join(
        forced.stdout.decode().split("\n")
    )
    assert 1 == "".join(forced.stdout.decode().split("\n")).count("--allow-private")
    assert "publish it" not in forced.stdout.decode()
    assert f"cannot fetch the key file {key_file}: {expected}" in verified.stderr.decode()
    assert f"key file OK: {key_file}" in allowed.stderr.decode()
    assert [f"/{KEY}.txt"] == [one.place for one in site.asked]
    assert [] == engine.asked
