"""A sitemap may list pages of another host if the robots.txt of that host names the sitemap."""

from pathlib import Path

from tests.conftest import Run
from tests.loopback import Engines, Site

SITEMAP = "https://maps.example/sitemap.xml"


def _codes(sitemapx: Run, *args: str | Path) -> list[str]:
    """Check a sitemap of another host, and return the codes of the findings."""
    run = sitemapx("check", *args, "--source-url", SITEMAP, "--format", "json", "--select", "*host")
    return [line.split('"')[3] for line in run.stdout.decode().splitlines()]


def test_robots_txt_of_the_pages_allows_a_foreign_sitemap(
    sitemapx: Run, engines: Engines, tmp_path: Path
) -> None:
    site = engines(Site)
    site.files["/robots.txt"] = f"Sitemap: {SITEMAP}\n"
    path = tmp_path / "urls.txt"
    path.write_text(f"{site.url}/a\n")
    text = tmp_path / "robots.txt"
    text.write_text(f"Sitemap: {SITEMAP}\n")

    assert ["other-host"] == _codes(sitemapx, path)
    assert ["other-host"] == _codes(sitemapx, path, "--robots", text)
    assert [] == _codes(sitemapx, path, "--robots", f"{site.url}/robots.txt")
