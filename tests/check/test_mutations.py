"""A valid sitemap that is changed to break one rule has that finding, and only there."""

import io

import pytest

from sitemapx.check.checker import check
from sitemapx.check.findings import Finding
from sitemapx.convert import Opener

START = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
)
END = "</urlset>\n"
SITE = "https://e.example"


def make_page(number: int) -> str:
    """Return a valid entry with all extensions."""
    loc = f"{SITE}/page-{number}.html"
    return (
        f"<url><loc>{loc}</loc><lastmod>2026-0{1 + number % 9}-01</lastmod>"
        f"<changefreq>weekly</changefreq><priority>0.{number % 10}</priority>"
        f"<image:image><image:loc>{SITE}/{number}.jpg</image:loc></image:image>"
        f"<video:video><video:thumbnail_loc>{SITE}/{number}.png</video:thumbnail_loc>"
        "<video:title>A film</video:title><video:description>Of things</video:description>"
        f"<video:content_loc>{SITE}/{number}.mp4</video:content_loc>"
        "<video:duration>60</video:duration><video:rating>4.5</video:rating>"
        "<video:restriction relationship='allow'>GB</video:restriction></video:video>"
        "<news:news><news:publication><news:name>The e</news:name><news:language>en"
        "</news:language></news:publication><news:publication_date>2026-09-21</news:publication_date>"
        "<news:title>It happened</news:title></news:news>"
        f'<xhtml:link rel="alternate" hreflang="en" href="{loc}"/>'
        f'<xhtml:link rel="alternate" hreflang="x-default" href="{loc}"/></url>'
    )


#: Code -> text to replace in an entry, and its replacement.
MUTATIONS = {
    "no-loc": ("<loc>{loc}</loc>", ""),
    "relative-loc": ("<loc>https://e.example/", "<loc>/"),
    "bad-loc": ("<loc>https:", "<loc>ftp:"),
    "repaired-loc": ("/page-", "/\n page-"),
    "repeated-element": ("<priority>", "<priority>0.5</priority><priority>"),
    "unknown-element": ("<priority>", "<colour/><priority>"),
    "bad-date": ("-01</lastmod>", "-32</lastmod>"),
    "bad-priority": ("<priority>0", "<priority>7"),
    "bad-changefreq": ("weekly", "sometimes"),
    "bad-duration": (">60<", ">sixty<"),
    "bad-rating": (">4.5<", ">9<"),
    "unescaped": ("/page-", "/?a&b=page-"),
    "malformed": ("</changefreq>", ""),
    "namespace": (
        "<image:image>",
        '<image:image xmlns:image="https://www.google.com/schemas/sitemap-image/1.1">',
    ),
    "wrong-order": (
        "<changefreq>weekly</changefreq><priority>0.{digit}</priority>",
        "<priority>0.{digit}</priority><changefreq>weekly</changefreq>",
    ),
    "empty-element": ("weekly", ""),
    "value-format": ("weekly", "WEEKLY"),
    "date-format": ("-01</lastmod>", "-01T10:00Z</lastmod>"),
    "date-precision": ("-01</lastmod>", "</lastmod>"),
    "missing-element": ("<video:title>A film</video:title>", ""),
    "too-long": ("A film", "A film, " * 20),
    "loc-character": ("/page-", "/a page-"),
    "loc-non-ascii": ("/page-", "/pagé-"),
    "loc-escape": ("/page-", "/%page-"),
    "loc-fragment": (".html</loc>", ".html#top</loc>"),
    "loc-session": (".html</loc>", ".html?PHPSESSID=d41d8cd98f00b204</loc>"),
    "loc-user": ("<loc>https://", "<loc>https://me@"),
    "loc-unusual": ("<loc>https://e", "<loc>https://E"),
    "several-hosts": ("<loc>https://e", "<loc>https://other"),
    "date-in-future": ("<lastmod>2026", "<lastmod>2030"),
    "date-without-zone": ("-01</lastmod>", "-01T10:00:00</lastmod>"),
    "video-without-file": ("<video:content_loc>{site}/{number}.mp4</video:content_loc>", ""),
    "video-is-page": ("{site}/{number}.mp4", "{loc}"),
    "video-country": (">GB<", ">UK<"),
    "asset-url": ("<image:loc>{site}", "<image:loc>"),
    "news-too-old": ("2026-09-21<", "2026-09-01<"),
    "news-language": ("en</news:language>", "xx</news:language>"),
    "hreflang-code": ('hreflang="en"', 'hreflang="en_GB"'),
    "hreflang-no-self": ('href="{loc}"', 'href="{site}/other"'),
    "hreflang-twice": ('hreflang="x-default" href="{loc}"', 'hreflang="en" href="{site}/other"'),
}


def replacement(code: str, number: int) -> tuple[str, str]:
    """Return a text of an entry and the replacement that breaks the rule."""
    old, new = (
        text.format(loc=f"{SITE}/page-{number}.html", site=SITE, number=number, digit=number % 10)
        for text in MUTATIONS[code]
    )
    return old, new


def mutate_page(code: str, number: int) -> str:
    """Return the entry with this number, changed to break a rule."""
    old, new = replacement(code, number)
    return make_page(number).replace(old, new)


def _check(text: str) -> list[Finding]:
    findings: list[Finding] = []
    check([io.BytesIO(text.encode())], opener=Opener(follows=False), report=findings.append)
    return findings


@pytest.fixture(autouse=True)
def _fixed_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")


@pytest.fixture(scope="module", params=["\n", ""], ids=["lines", "one line"])
def between(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("code", MUTATIONS)
@pytest.mark.parametrize("count", [1, 3, 400])
def test_mutation_is_found_in_its_entry(code: str, count: int, between: str) -> None:
    number = count * 2 // 3
    pages = [make_page(n) for n in range(count)]
    broken = mutate_page(code, number)
    assert broken != pages[number]
    first = [make_page(count)] if code == "several-hosts" else []
    text = START + between.join([*first, *pages[:number], broken, *pages[number + 1 :]]) + END
    findings = [one for one in _check(text) if one.code == code]

    assert findings
    start = text.index(broken)
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    last = line + broken.count("\n")
    for finding in findings:
        assert finding.line is not None
        assert line <= finding.line <= last
        if finding.column is not None and finding.line == line:
            assert column <= finding.column < column + len(broken)


@pytest.mark.parametrize("count", [1, 9, 500])
def test_valid_sitemap_has_no_findings(count: int, between: str) -> None:
    assert [] == _check(START + between.join(map(make_page, range(count))) + END)
