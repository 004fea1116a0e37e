"""Attributes of an HTML page: each alone, all together, and all missing."""

from typing import Any

import pytest

from sitemapx.convert.html.page import LanguageVersion, Page, parse_page

URL = "https://example.com/dir/page"

#: HTML in the head, and the attributes that it sets.
HEADS: list[tuple[str, dict[str, Any]]] = [
    ('<link rel=canonical href="../a?b#c">', {"canonical": "https://example.com/a?b"}),
    ('<meta name=robots content="noindex, nofollow">', {"bans": (("robots", "noindex"),)}),
    ('<meta name=googlebot content="none">', {"bans": (("googlebot", "noindex"),)}),
    (
        '<meta http-equiv=refresh content="0; url=/next">',
        {"leads_to": "https://example.com/next"},
    ),
    ("<title> A  &amp;\n B </title>", {"title": "A & B"}),
    ('<meta name=description content="What it is about">', {"description": "What it is about"}),
    (
        '<link rel=alternate hreflang=de href="/de">',
        {"alternates": (LanguageVersion("de", "https://example.com/de"),)},
    ),
    (
        '<meta property="article:modified_time" content="yesterday">',
        {"bad_dates": ("yesterday",)},
    ),
    (
        '<meta property="article:modified_time" content="2026-05-02T10:00:00Z">',
        {"modified": "2026-05-02T10:00:00Z"},
    ),
    (
        '<meta property="article:published_time" content="2026-05-01">',
        {"published": "2026-05-01"},
    ),
    ('<link rel=sitemap href="/sitemap.xml">', {"sitemaps": ("https://example.com/sitemap.xml",)}),
    (
        '<link rel=alternate type="application/rss+xml" href="feed.xml">',
        {"feeds": ("https://example.com/dir/feed.xml",)},
    ),
]
EMPTY = Page(canonical=None, bans=(), leads_to=None, images=())


@pytest.mark.parametrize(("head", "expected"), HEADS, ids=lambda value: str(value)[:40])
def test_element_sets_only_its_attribute(head: str, expected: dict[str, Any]) -> None:
    assert parse_page(f"<html><head>{head}</head>".encode(), URL) == EMPTY._replace(**expected)


def test_attributes_are_independent() -> None:
    heads = [item for item in HEADS if "googlebot" not in item[0]]
    text = "".join(head for head, _ in heads)
    body = "<img src=/i.png><h1>A <b>B</b></h1><a href=b#c>C</a>"
    page = parse_page(f"<html lang=en>{text}{body}".encode(), URL)
    expected = {name: value for _, attributes in heads for name, value in attributes.items()}
    expected |= {"images": ("https://example.com/i.png",), "language": "en", "heading": "A B"}
    expected |= {"links": ("https://example.com/dir/b",)}

    assert set(Page._fields) == set(expected)
    assert page == Page(**expected)


def test_links_of_anchors_areas_and_frames_are_found() -> None:
    body = (
        "<a href=' a '>A</a><a href=a#b>A</a><a name=c>C</a><a href=mailto:a@b.c>D</a>"
        "<map><area href=/e></map><iframe src=f></iframe><frameset><frame src=g></frameset>"
        "<!-- <a href=h> --><a data-href=i>I</a><a href='?j&amp;k=1'>J</a><abbr href=k>"
        "<A class='b'\nHREF = '/l'>L</A><link href=/m>"
    )
    paths = ("dir/a", "e", "dir/f", "dir/g", "dir/h", "dir/page?j&k=1", "l")

    page = parse_page(body.encode(), URL)
    assert tuple(f"https://example.com/{path}" for path in paths) == page.links
    assert () == parse_page(body.encode(), URL, wanted={"images"}).links


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("<p>A</p><H1 class=b>B &amp;\n<br>C</H1><h1>D</h1>", "B & C"),
        ("<h1><img src=a.png></h1><h1>B</h1>", None),
        ("<h1>A", None),
        ("<svg><h2/></svg><template><h1>A</h1></template><h2>B</h2>", None),
    ],
)
def test_heading_is_that_of_the_first_h1(body: str, heading: str | None) -> None:
    assert heading == parse_page(body.encode(), URL).heading


def test_empty_attributes_are_missing() -> None:
    empty = (
        "<html lang=''><title> </title><meta name=description content=' '>"
        "<link rel=canonical href=''><link rel=sitemap href=''><img src=''>"
        "<h1> </h1><a href=''></a>"
        "<meta property='article:modified_time' content=''><meta http-equiv=refresh content='0'>"
    )

    assert EMPTY == parse_page(b"<html><p>text", URL) == parse_page(empty.encode(), URL)


def test_end_tag_ends_svg_except_in_foreign_object() -> None:
    inside = b"<svg><foreignObject></p></foreignObject><title>a</title></svg><title>b</title>"
    directly = b"<svg></p><title>a</title></svg><title>b</title>"

    assert ["b", "a"] == [
        parse_page(page, "https://e.example/").title for page in (inside, directly)
    ]
