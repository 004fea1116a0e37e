"""Site maps in HTML are accessible in a browser."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from sitemapx.convert import Alternate, Document, Entry, target_of, write
from sitemapx.convert.model.problems import ignore
from tests.conftest import Run
from tests.extras.browser import Scheme, assert_accessible


def _urls(count: int) -> Iterable[Entry]:
    """Yield entries of all kinds, the most unusual ones first."""
    long = f"https://e.example/long/{'x' * 2000}"
    versions = ("en", "de", "ar", "pt-BR")
    alternates = tuple(
        Alternate(hreflang=version, href=f"https://e.example/{version}/") for version in versions
    )
    yield Entry(loc="https://e.example/")
    yield Entry(loc="https://e.example/about", title="<script>alert(1)</script>", lastmod="2026")
    yield Entry(loc=long)
    yield Entry(loc=f"https://e.example/deep{'/a' * 30}", title="שלום \u202e world")
    for alternate in alternates:
        yield Entry(loc=alternate.href, title=f"Home {alternate.hreflang}", alternates=alternates)
    for number in range(count - 8):
        loc = f"https://e.example/shop/{number % 97}/{number}"
        yield Entry(loc=loc, lastmod="2026-05-08")


@pytest.fixture(scope="module", params=[10, 1_000, 120_000])
def site_map(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a site map and return the path of its first page."""
    path = tmp_path_factory.mktemp("site") / "map.html"
    write(Document.from_entries(_urls(request.param)), target_of(str(path)), report=ignore)
    return path


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1100), ("dark", 1100), ("light", 320), ("dark", 320)]
)
def test_page_is_accessible(site_map: Path, scheme: Scheme, width: int, browser: Browser) -> None:
    count = len(list(site_map.parent.iterdir())) - 1
    numbers = {1, 2, count // 2, count} & set(range(1, count + 1))
    pages = [site_map, *(site_map.with_stem(f"map-{number}") for number in sorted(numbers))]
    rules = {"rules": {"target-size": {"enabled": True}}}
    with browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800}) as page:
        for path in pages:
            page.goto(path.as_uri())
            assert_accessible(page, width, rules)
            assert 1 == page.locator("h1").count()


def test_page_needs_no_javascript_or_style(
    sitemapx: Run, browser: Browser, samples: Path, tmp_path: Path
) -> None:
    sitemapx("convert", samples / "feed.xml", "-o", "map.html")
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto((tmp_path / "map.html").as_uri())
        skip = page.get_by_text("Skip to content")
        page.keyboard.press("Tab")

        assert skip.evaluate("one => one === document.activeElement")
        assert skip.evaluate("one => one.getBoundingClientRect().left >= 0")
        page.keyboard.press("Enter")
        assert page.locator("main").evaluate("one => one === document.activeElement")
        page.emulate_media(media="print")
        assert not skip.is_visible()
        assert page.get_by_role("link").all()[-1].is_visible()
        assert [page.url.partition("#")[0]] == requests
