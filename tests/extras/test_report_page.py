"""The report of `--format html` in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from sitemapx.cli.commands.submit.records import Records, write_records
from tests.conftest import Run
from tests.extras.browser import Scheme, assert_accessible

#: A URL that breaks many rules, and would be a script if it were not escaped.
HOSTILE = (
    "https://e.example/<script>alert(1)</script><img src=https://e.example/x onerror=alert(1)>"
)


@pytest.fixture
def clean_page(sitemapx: Run, tmp_path: Path) -> str:
    """Return the URL of a report without findings."""
    (tmp_path / "list.txt").write_text("https://e.example/a\n")
    return _page(sitemapx, tmp_path, "list.txt")


@pytest.fixture
def broken_page(sitemapx: Run, samples: Path, tmp_path: Path) -> str:
    """Return the URL of a report with all kinds of findings, some of them hidden."""
    urls = [f"{HOSTILE}{'long' * n}\nno URL\nhttps://{'e.' * n}example/" for n in range(40)]
    (tmp_path / "list.txt").write_text("\n".join(urls))
    paths: list[str | Path] = [*sorted(samples.glob("*.xml")), "list.txt", "missing"]
    return _page(sitemapx, tmp_path, *paths, "--max-per-code", "12")


@pytest.fixture
def set_page(sitemapx: Run, tmp_path: Path) -> str:
    """Return the URL of a report about a set with long names and different sizes."""
    names = [f"{'sitemap-' * number}{number}.xml" for number in range(12)]
    for number, name in enumerate(names):
        date = f"<lastmod>{2020 + number // 6}-0{number % 6 + 1}-01</lastmod>"
        url = f"<url><loc>https://e.example/{number}/a</loc>{date}</url>"
        (tmp_path / name).write_text(_sitemap("urlset", url * (number + 1)))
    listed = (f"<sitemap><loc>https://e.example/{name}</loc></sitemap>" for name in names)
    (tmp_path / "index.xml").write_text(_sitemap("sitemapindex", "".join(listed)))
    return _page(sitemapx, tmp_path, "index.xml", "--map", "https://e.example/=.")


@pytest.fixture
def status_page(tmp_path: Path) -> str:
    """Return the URL of the report of `submit status`, with a wide table."""
    name = f"https://e.example/{'sitemap_' * 9}.xml"
    head = ("ENGINE", "SITEMAP", "TYPE", "SUBMITTED", "DOWNLOADED", "ERRORS", "URLS", "STATUS")
    date = "2026-11-01T09:00:00Z"
    cells = ("google", name, "sitemapindex", date, date, "0", "120,000", "-")
    columns = {heading: heading for heading in head}
    sitemap: dict[str, str] = dict(zip(head, cells, strict=True))
    records = [Records("Sitemaps", columns, [sitemap]), Records("Inspected pages", columns, [])]
    with (tmp_path / "status.html").open("w") as file:
        write_records(records, "html", file.write, is_narrow=False)
    return (tmp_path / "status.html").as_uri()


def _sitemap(root: str, items: str) -> str:
    return f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{items}</{root}>'


def _page(sitemapx: Run, folder: Path, *args: str | Path) -> str:
    sitemapx("check", *args, "--format", "html", "-o", "report.html")
    return (folder / "report.html").as_uri()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 320)])
@pytest.mark.parametrize("name", ["clean_page", "broken_page", "set_page", "status_page"])
def test_page_is_accessible(
    name: str, scheme: Scheme, width: int, browser: Browser, request: pytest.FixtureRequest
) -> None:
    address = request.getfixturevalue(name)
    with browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800}) as page:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert_accessible(page, width)


def test_page_needs_no_javascript(browser: Browser, broken_page: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(broken_page)
        places = page.locator("section section").filter(has_text="not-a-url")
        place = places.get_by_text("list.txt:2:1", exact=True)
        page.keyboard.press("Tab")
        skip = page.get_by_text("Skip to the content")

        assert skip.evaluate("one => one === document.activeElement")
        assert skip.evaluate("one => one.getBoundingClientRect().left >= 0")
        assert "40 places: the first 12" == places.locator("summary").inner_text()
        assert not place.is_visible()
        places.locator("summary").focus()
        page.keyboard.press("Enter")
        assert place.is_visible()


def test_page_makes_no_request_and_escapes_urls(browser: Browser, broken_page: str) -> None:
    with browser.new_page() as page:
        reported: list[str] = []
        page.on("request", lambda request: reported.append(request.url))
        page.on("console", lambda message: reported.append(message.text))
        page.on("dialog", lambda dialog: reported.append(dialog.message))
        page.goto(broken_page)

        assert [broken_page] == reported
        assert 0 == page.locator("script, img, iframe, object, embed, form, base").count()
        assert 1 == page.locator("link").count()
        assert page.get_by_text(HOSTILE, exact=True).count() > 0
