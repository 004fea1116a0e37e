"""`--fix` fixes all fixable findings in one run, and changes nothing else."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sitemapx.check.checker import check
from sitemapx.check.edits import is_fixable_code
from sitemapx.check.findings import Finding
from sitemapx.check.fix.fixer import FixableFile, fix_file
from sitemapx.check.rules.registry import RULES
from sitemapx.convert import FORMATS, Entry, Opener, read
from sitemapx.convert.values import uris
from tests.check.test_mutations import (
    END,
    MUTATIONS,
    SITE,
    START,
    make_page,
    mutate_page,
    replacement,
)
from tests.effort import examples, slow

SITEMAP = next(form for form in FORMATS if form.name == "sitemap")
URL = f"{SITE}/sitemap.xml"


def _codes(path: Path, url: str | None = URL) -> set[str]:
    findings: list[Finding] = []
    check([path], opener=Opener(url=url, follows=False), report=findings.append)
    return {finding.code for finding in findings}


def _fix(path: Path, url: str | None = URL) -> str:
    """Fix all findings in a file; return why some were not fixed, or an empty string."""
    return fix_file(FixableFile(str(path), SITEMAP, url, frozenset(_codes(path, url)))).why_not


def _is_fixable(code: str) -> bool:
    return is_fixable_code(code, RULES[code], SITEMAP, URL)


@pytest.fixture(autouse=True)
def _fixed_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")


@pytest.mark.parametrize("code", MUTATIONS)
def test_each_fixable_mutation_is_fixed_once(code: str, tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_text(START + make_page(0) + mutate_page(code, 1) + make_page(2) + END)
    before, entries = path.read_bytes(), list(read(path, source_url=URL))
    assert "" == _fix(path)
    after = list(read(path, source_url=URL))

    assert [] == [one for one in _codes(path) if _is_fixable(one)]
    assert _is_fixable(code) == (before != path.read_bytes())
    assert [entries[0], entries[-1]] == [after[0], after[-1]]
    assert len(entries) == len(after)
    again = path.read_bytes()
    assert "" == _fix(path)
    assert again == path.read_bytes()


def test_all_fixable_mutations_are_fixed_together(tmp_path: Path) -> None:
    pages = [
        mutate_page(code, number) if _is_fixable(code) else make_page(number)
        for number, code in enumerate(MUTATIONS)
    ]
    path = tmp_path / "sitemap.xml"
    path.write_text(START + "".join(pages) + END)

    assert "" == _fix(path)
    # "schema" is for the alternates of the page with an invalid escape.
    assert set() == _codes(path) - {"hreflang-no-self", "hreflang-not-listed", "schema"}


def test_compressed_file_stays_compressed(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(
        gzip.compress(f"{START}{make_page(0).replace('weekly', 'WEEKLY')}{END}".encode())
    )

    assert "" == _fix(path, None)
    assert b"<changefreq>weekly<" in gzip.decompress(path.read_bytes())


@slow
def test_too_large_sitemap_becomes_a_set(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    pages = (f"<url><loc>{SITE}/{number}</loc></url>" for number in range(50_001))
    path.write_text(START + "".join(pages) + END)

    before = path.read_bytes()
    assert "" == _fix(path, None)
    assert before == path.read_bytes()
    assert "" == _fix(path)
    with read(path) as document:
        assert document.is_index
        assert 2 == len(list(document))
    assert set() == _codes(path)


def _fix_text(path: Path, text: str, url: str | None = None) -> str:
    """Fix a sitemap, and return the text between its root tags."""
    path.write_text(START + text + END)
    assert "" == _fix(path, url)
    return path.read_text().removeprefix(START).removesuffix(END)


IN_NEWS = make_page(1).replace("</news:news>", "{}</news:news>")
PLACED = make_page(1).replace(
    "<video:restriction relationship='allow'>GB</video:restriction>", "{}"
)


@pytest.mark.parametrize(
    "entry",
    [
        make_page(1).replace("2026-02-01", "2026"),
        make_page(1).replace("2026-02-01", "2026-03"),
        make_page(1).replace("2026-02-01", "2026-02-01T10:00:00"),
        PLACED.format('<video:restriction relationship="deny">USA</video:restriction>'),
        PLACED.format('<video:restriction relationship="deny">USA GB</video:restriction>'),
        PLACED.format('<video:restriction relationship="allow">alternate</video:restriction>'),
        PLACED.format('<video:restriction relationship="never">GB</video:restriction>'),
        PLACED.format('<video:platform relationship="deny">web mobil</video:platform>'),
        PLACED.format('<video:price currency="EUR" resolution="HD">1</video:price>'),
        IN_NEWS.format("<news:stock_tickers>A, N:B</news:stock_tickers>"),
        IN_NEWS.format("<news:genres>Blog, Blog2</news:genres>"),
    ],
)
def test_ambiguous_value_is_kept(entry: str, tmp_path: Path) -> None:
    wrong = "<!-- kept --><?kept too?>" + entry.replace("<priority>0.1", "<priority>7")
    right = wrong.replace("<priority>7</priority>", "")
    assert right == _fix_text(tmp_path / "a.xml", wrong)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (">gb, us<", ">GB US<"),
        ("> GB <", ">GB<"),
        (">GB  US<", ">GB  US<"),
    ],
)
def test_list_of_known_words_is_normalized(wrong: str, right: str, tmp_path: Path) -> None:
    before = make_page(1).replace(">GB<", wrong)
    assert make_page(1).replace(">GB<", right) == _fix_text(tmp_path / "a.xml", before)


def _url(more: str) -> str:
    return f"<url><loc>{SITE}/a</loc>{more}</url>\n"


@pytest.mark.parametrize(
    ("entries", "kept"),
    [
        (["", ""], [0]),
        (["<lastmod>2026-01-01</lastmod>", ""], [0]),
        (["", "<lastmod>2026-01-01</lastmod>"], [0, 1]),
        (["<lastmod>2026-01-01</lastmod>", "<lastmod>2026-01-02</lastmod>", ""], [0, 1]),
        (["", "<unknown>value</unknown>", ""], [0, 1]),
        (["", '<priority unknown="value">0.5</priority>'], [0, 1]),
    ],
)
def test_later_duplicate_without_more_fields_is_removed(
    entries: list[str], kept: list[int], tmp_path: Path
) -> None:
    urls = list(map(_url, entries))
    assert "".join(urls[n] for n in kept) == _fix_text(tmp_path / "a.xml", "".join(urls))


def test_markup_around_entries_is_kept(tmp_path: Path) -> None:
    start = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet type="text/xsl" href="/a.xsl"?>'
        '\n<!-- made by hand -->\n<urlset\n\txmlns="{}"\n>\n'
    )
    rest = (
        "\t<url>\n\t\t<loc>https://e.example/{}</loc> <!-- why -->\n\t</url>\n"
        "</urlset>\n<!-- end -->\n"
    )
    path = tmp_path / "a.xml"
    path.write_text(
        start.format("https://www.sitemaps.org/schemas/sitemap/0.9/") + rest.format("é")
    )

    assert "" == _fix(path, None)
    right = start.format("http://www.sitemaps.org/schemas/sitemap/0.9") + rest.format("%C3%A9")
    assert right == path.read_text()


def test_only_selected_codes_are_fixed(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    wrong = make_page(1).replace("weekly", "Weekly").replace("<priority>0.1", "<priority>7")
    path.write_text(START + wrong + wrong + END)
    file = FixableFile(str(path), SITEMAP, URL, frozenset({"bad-priority"}), {"bad-priority"})

    assert ("", [], Counter(), Counter({"bad-priority": 2})) == fix_file(file)
    right = wrong.replace("<priority>7</priority>", "")
    assert START + right + right + END == path.read_text()


@given(st.lists(st.lists(st.sampled_from(list(MUTATIONS)), max_size=3), min_size=1, max_size=6))
@examples(100)
def test_fix_keeps_the_meaning_of_entries(
    tmp_path_factory: pytest.TempPathFactory, chosen: list[list[str]]
) -> None:
    path = tmp_path_factory.mktemp("fixing") / "a.xml"
    pages = []
    for number, codes in enumerate(chosen):
        text = make_page(number)
        for code in codes:
            old, new = replacement(code, number)
            text = text.replace(old, new)
        pages.append(text)
    path.write_text(START + "\n".join(pages) + END)
    data, before = path.read_bytes(), list(map(_normalize, read(path, source_url=URL)))
    if why_not := _fix(path):
        assert why_not.startswith("the result would")
        assert data == path.read_bytes()
    assert before == list(map(_normalize, read(path, source_url=URL)))


def _normalize(entry: Entry) -> Entry:
    """Return an entry with dates and URLs in one spelling, as a fix may change the spelling."""
    date = entry.lastmod and entry.lastmod.replace("T10:00Z", "T10:00:00Z")
    links = tuple(
        replace(alternate, href=uris.to_uri(alternate.href or "")) for alternate in entry.alternates
    )
    videos = tuple(
        replace(video, content_loc=uris.to_uri(video.content_loc or "") or video.content_loc)
        for video in entry.videos
    )
    loc = uris.to_uri(entry.loc or "") or entry.loc
    return replace(entry, loc=loc, lastmod=date, alternates=links, videos=videos)
