"""Missing return links across files, compared with a direct implementation of the rule."""

import io
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapx.check.checker import check
from sitemapx.check.findings import Finding
from sitemapx.check.rules import languages

PAGES = [f"https://e.example/{number}" for number in range(8)]
START = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">'
)
CODES = frozenset(languages.ReturnLinks.rules)


def _file(pages: dict[str, list[str]]) -> io.BytesIO:
    items = (
        f"<url><loc>{page}</loc>"
        + "".join(f'<xhtml:link rel="alternate" hreflang="de" href="{href}"/>' for href in hrefs)
        + "</url>"
        for page, hrefs in pages.items()
    )
    return io.BytesIO(f"{START}{''.join(items)}</urlset>".encode())


@st.composite
def _sets(draw: st.DrawFn) -> dict[str, list[str]]:
    """Return pages, each with the versions that it links; most pages share one set."""
    pages = draw(st.lists(st.sampled_from(PAGES), min_size=1, unique=True))
    group = draw(st.lists(st.sampled_from(PAGES), unique=True))
    some = st.lists(st.sampled_from(PAGES))
    return {page: group if draw(st.integers(0, 3)) else draw(some) for page in pages}


@settings(deadline=None)
@given(
    _sets(),
    st.integers(0, 8),
    st.sampled_from([(24 << 20, 500_000), (100, 500_000), (100, 1)]),
    st.booleans(),
)
def test_each_missing_return_link_is_found(
    links: dict[str, list[str]], cut: int, room: tuple[int, int], is_repeated: bool
) -> None:
    pages = list(links)
    parts = [{page: links[page] for page in some} for some in (pages[:cut], pages[cut:]) if some]
    findings: list[Finding] = []
    in_memory, most_open = room
    with mock.patch.multiple(languages, _IN_MEMORY=in_memory, _OPEN=most_open):
        check(map(_file, parts + parts[:1] * is_repeated), codes=CODES, report=findings.append)
    one_way = [(page, href) for page in pages for href in links[page] if page != href]
    expected = [(page, href) for page, href in one_way if page not in links.get(href, [page])]
    found = [
        (finding.loc, finding.message.split()[2])
        for finding in findings
        if finding.code == "hreflang-no-return"
    ]

    assert expected == found
    elsewhere = sum(href not in links for _, href in one_way)
    assert ([f"{elsewhere:,}"] if elsewhere else []) == [
        finding.message.split()[0] for finding in findings if finding.code == "hreflang-not-listed"
    ]
