"""Site maps in HTML: every URL is linked once, and every page is accessible in a browser."""

import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import html5lib
import pytest
from axe_playwright_python.sync_playwright import Axe
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from playwright.sync_api import Browser

from sitemapx.convert import Alternate, Document, Entry, target_of, write
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.values.uris import to_uri
from tests.conftest import Run

Scheme = Literal["light", "dark"]

_loc = st.from_regex(
    r"https?://(a|b|ü)\.example(/(en|de|x|ü b|%C3%BC|%ff|a-b)){0,4}/?(\?[xy]=[&'<\"])?",
    fullmatch=True,
)
_text = st.text("ab <>&\"'\0\x1b\u202eשñ漢\ud800\n", max_size=12)
_alternate = st.builds(
    Alternate,
    hreflang=st.sampled_from(["en", "de", "pt-BR", "x-default", "no language", None]),
    href=_loc | st.sampled_from(["javascript:alert(1)", "/relative", None]),
    title=st.none() | _text,
)
_entry = st.builds(
    Entry,
    loc=_loc,
    title=st.none() | _text,
    lastmod=st.sampled_from([None, "2026", "2026-05-08", "2026-05-08T10:00:00.123Z", "soon"]),
    language=st.sampled_from([None, "en", "pt_BR", "<b>"]),
    alternates=st.lists(_alternate, max_size=3).map(tuple),
)


def _clusters(entries: list[Entry], sizes: list[int]) -> list[Entry]:
    """Make some of the entries versions of one another, which name all of them."""
    made: list[Entry] = []
    left = iter(entries)
    for size in sizes:
        some = [one for _, one in zip(range(size), left, strict=False)]
        pairs = zip(("en", "de", "fr", "ja"), some, strict=False)
        alternates = tuple(Alternate(hreflang=code, href=one.loc) for code, one in pairs)
        made += [Entry(loc=one.loc, title=one.title, alternates=alternates) for one in some]
    return [*made, *left]


def _links(path: Path) -> list[str]:
    """List the URLs of all links of a page, which has no parse error and no other content."""
    parser = html5lib.HTMLParser(html5lib.getTreeBuilder("lxml"), strict=True)
    document: etree._ElementTree = parser.parse(path.read_bytes(), transport_encoding="utf-8")
    names = {str(etree.QName(one).localname) for one in document.iter("{*}*")}

    assert names <= {
        *("html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3"),
        *("main", "nav", "ul", "li", "bdi", "time", "small", "span"),
    }
    return [str(one) for one in document.xpath("//@href")]


@settings(max_examples=150, deadline=None)
@given(
    entries=st.lists(_entry, max_size=25),
    sizes=st.lists(st.integers(1, 4), max_size=4),
    most=st.integers(1, 12),
)
def test_every_url_is_linked_once(entries: list[Entry], sizes: list[int], most: int) -> None:
    """Over all pages, each URL has one link; pages lead to each other, and to nothing else."""
    entries = _clusters(entries, sizes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "map.html")
        summary = write(Document.of(entries), target_of(str(path), max_urls=most), report=ignore)
        pages = {one.name: _links(one) for one in Path(folder).iterdir()}
    found = Counter(link for links in pages.values() for link in links if link.startswith("http"))
    inner = {link for links in pages.values() for link in links} - found.keys() - {"#main"}
    known = {to_uri(one.href or "") for entry in entries for one in entry.alternates}
    expected = {uri for entry in entries if (uri := to_uri(entry.loc or ""))}

    assert dict.fromkeys(found, 1) == found
    assert expected <= found.keys() <= expected | known
    assert len(expected) == summary.written
    assert set(pages) == inner | {"map.html"}


def _urls(count: int) -> Iterable[Entry]:
    """Make pages of all kinds, the first of them the oddest."""
    long = f"https://e.example/long/{'x' * 2000}"
    versions = ("en", "de", "ar", "pt-BR")
    alternates = tuple(
        Alternate(hreflang=one, href=f"https://e.example/{one}/") for one in versions
    )
    yield Entry(loc="https://e.example/")
    yield Entry(loc="https://e.example/about", title="<script>alert(1)</script>", lastmod="2026")
    yield Entry(loc=long)
    yield Entry(loc=f"https://e.example/deep{'/a' * 30}", title="שלום \u202e world")
    for one in alternates:
        yield Entry(loc=one.href, title=f"Home {one.hreflang}", alternates=alternates)
    for number in range(count - 8):
        loc = f"https://e.example/shop/{number % 97}/{number}"
        yield Entry(loc=loc, lastmod="2026-05-08")


@pytest.fixture(scope="module", params=[10, 1_000, 120_000])
def site_map(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a site map of so many URLs, and give its first page."""
    path = tmp_path_factory.mktemp("site") / "map.html"
    write(Document.of(_urls(request.param)), target_of(str(path)), report=ignore)
    return path


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1100), ("dark", 1100), ("light", 320), ("dark", 320)]
)
def test_accessible(site_map: Path, scheme: Scheme, width: int, browser: Browser) -> None:
    """Nothing is against WCAG 2.2 AA, light and dark; on a telephone, nothing is wider than it."""
    count = len(list(site_map.parent.iterdir())) - 1
    numbers = {1, 2, count // 2, count} & set(range(1, count + 1))
    pages = [site_map, *(site_map.with_stem(f"map-{number}") for number in sorted(numbers))]
    rules = {"rules": {"target-size": {"enabled": True}}}
    with browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800}) as page:
        for path in pages:
            page.goto(path.as_uri())
            found = Axe().run(page, options=rules)

            assert [] == found.response["violations"], found.generate_report()
            assert width >= page.evaluate("document.documentElement.scrollWidth")
            assert 1 == page.locator("h1").count()


def test_without_javascript_and_style(
    sitemapx: Run, browser: Browser, samples: Path, tmp_path: Path
) -> None:
    """The page works without JavaScript and by the keyboard, asks for nothing, and prints all."""
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
