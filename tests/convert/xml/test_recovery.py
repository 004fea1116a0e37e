"""Malformed entries are read exactly as written, or not at all."""

import io

import pytest

from sitemapx.convert import Entry, read
from sitemapx.convert.model.problems import Problem

_URL = "https://e.example/?a=1&b=2&lt;"
_WRITTEN = "https://e.example/?a=1&amp;b=2&amp;lt;"
_SPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)
_LOC = f"<loc>{_WRITTEN}</loc>"
_IMAGE = f"<image:image><image:loc>{_WRITTEN}</image:loc></image:image>"


def _read(text: str) -> tuple[list[Entry], list[Problem]]:
    problems: list[Problem] = []
    return list(read(io.BytesIO(text.encode()), report=problems.append)), problems


@pytest.mark.parametrize("item", ["url", "sitemap"])
@pytest.mark.parametrize(
    "error",
    [
        "<changefreq>always<</changefreq>",
        "<lastmod>2026-01-01</lastmd>",
        "<x a=1/>",
        '<x a="1" a="2"/>',
        "<x></y>",
        "1 < 2 ]]> 3",
    ],
)
@pytest.mark.parametrize("is_before", [True, False])
def test_references_mean_the_same_around_an_error(item: str, error: str, is_before: bool) -> None:
    root = {"url": "urlset", "sitemap": "sitemapindex"}[item]
    image = _IMAGE if item == "url" else ""
    content = f"{error}{_LOC}{image}" if is_before else f"{_LOC}{image}{error}"
    entries, problems = _read(f"<{root} {_SPACES}>\n<{item}>{content}</{item}>\n</{root}>")

    assert [_URL] == [entry.loc for entry in entries]
    assert ([_URL] if image else []) == [image.loc for image in entries[0].images]
    assert ("malformed", 2) in [(problem.code, problem.line) for problem in problems]


@pytest.mark.parametrize(
    "loc",
    [
        f"<loc>{_WRITTEN}<b</loc>",
        f"<loc>{_WRITTEN}<lastmod</loc>",
        f"<loc>{_WRITTEN}</b>c</loc>",
        f"{_LOC}<image:image><image:loc>{_WRITTEN}<b</image:loc></image:image>",
    ],
)
def test_entry_with_incomplete_text_is_skipped(loc: str) -> None:
    good = "<url><loc>https://e.example/good</loc></url>"
    entries, problems = _read(f"<urlset {_SPACES}>\n<url>{loc}</url>\n{good}</urlset>")

    assert ["https://e.example/good"] == [entry.loc for entry in entries]
    assert [("malformed", 2)] == [(problem.code, problem.line) for problem in problems]
    assert "skipped, as its text may be incomplete" in str(problems[0])


def test_broken_item_keeps_its_id() -> None:
    items = (
        f"<item><title>{title}</title><link>https://e.example/a</link>"
        '<guid isPermaLink="false">x&amp;y</guid></item>'
        for title in ("a", "a<", "a<b>")
    )
    entries, _ = _read(f'<rss version="2.0"><channel>{"".join(items)}</channel></rss>')

    assert ["x&y"] * 3 == [entry.id for entry in entries]


def test_entry_in_unclosed_title_is_recovered() -> None:
    entry = (
        '<entry><title>a</title><link href="https://e.example/a"/><id>urn:x</id>'
        "</title>a</summary></entry>"
    )
    entries, _ = _read(f'<feed xmlns="http://www.w3.org/2005/Atom"><title><summary>{entry}</feed>')

    assert [("https://e.example/a", "urn:x")] == [(entry.loc, entry.id) for entry in entries]
