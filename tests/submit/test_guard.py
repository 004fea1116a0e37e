"""What speaks against submitting, and `--robots`."""

import pytest

from tests.engines import IndexNow
from tests.loopback import Engines, Site
from tests.submit.conftest import User, pages


@pytest.fixture
def engine(engines: Engines, user: User) -> IndexNow:
    """Give an engine, and a user whose settings name it."""
    found: IndexNow = engines(IndexNow)
    (user.folder / "sitemapx.toml").write_text(f'[engines.indexnow]\nendpoint = "{found.url}"\n')
    return found


@pytest.mark.parametrize(
    ("robots", "said"),
    [
        ("User-agent: *\nDisallow: /\n", "disallows the whole site, as those of staging sites do"),
        ("User-agent: *\nDisallow: /*.xml\n", "disallows the sitemap"),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n", ""),
        ("User-agent: *\nDisallow: /private\n", ""),
        (None, ""),
    ],
)
def test_robots(user: User, engine: IndexNow, site: Site, robots: str | None, said: str) -> None:
    """Nothing is sent from a site that keeps crawlers away, but by force."""
    site.files.pop("/robots.txt")
    if robots is not None:
        site.files["/robots.txt"] = robots
    user.write(pages(site, "ab"))
    done = user("submit", "sitemap.xml", "--source-url", f"{site.url}/sitemap.xml")
    forced = user("submit", "sitemap.xml", "--force")

    assert (1 if said else 0, 0) == (done.returncode, forced.returncode)
    if said:
        assert f"nothing was sent: {site.url}/robots.txt {said}" in done.stderr.decode()
        assert b"--force sends all the same" in done.stderr
    assert [*pages(site, "ab")] == engine.taken


def test_robots_in_trouble(user: User, engine: IndexNow, site: Site, nobody: str) -> None:
    """A robots.txt that fails keeps crawlers away; a site that does not answer is not judged."""
    user.write(pages(site, "ab"))
    site.statuses["/robots.txt"] = 503
    done = user("submit", "sitemap.xml")
    (user.folder / "urls.txt").write_text(f"{nobody}/a\n")
    away = user("submit", "--urls", "urls.txt")

    assert (1, 1) == (done.returncode, away.returncode)
    assert b"/robots.txt answers 503" in done.stderr
    assert f"{nobody}/robots.txt was not checked: connection refused" in away.stderr.decode()


def test_probe(user: User, engine: IndexNow, site: Site) -> None:
    """If no page answers, nothing is sent; one that does is enough."""
    user.write(pages(site, "abcd"))
    done = user("submit", "sitemap.xml", "--probe", "2")
    tried = [one.place for one in site.asked if len(one.place) == 2]
    site.files["/c"] = "<html>"
    well = user("submit", "sitemap.xml", "--probe", "2")

    assert (1, 0) == (done.returncode, well.returncode)
    assert ["/a", "/c"] == tried
    assert b"the 2 pages that were tried cannot be fetched" in done.stderr


def test_line_in_robots(user: User, engine: IndexNow, site: Site) -> None:
    """`--robots` puts the address of the sitemap into a robots.txt first, once."""
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
