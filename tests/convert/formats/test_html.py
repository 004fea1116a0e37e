"""Site maps in HTML link every URL once."""

import tempfile
from collections import Counter
from pathlib import Path

import html5lib
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemapx.convert import Alternate, Document, Entry, target_of, write
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.values.uris import to_uri
from tests.effort import examples

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


def _cluster(entries: list[Entry], sizes: list[int]) -> list[Entry]:
    """Turn entries into groups of these sizes, whose members are versions of each other."""
    made: list[Entry] = []
    left = iter(entries)
    for size in sizes:
        some = [item for _, item in zip(range(size), left, strict=False)]
        pairs = zip(("en", "de", "fr", "ja"), some, strict=False)
        alternates = tuple(Alternate(hreflang=code, href=item.loc) for code, item in pairs)
        made += [Entry(loc=item.loc, title=item.title, alternates=alternates) for item in some]
    return [*made, *left]


def _extract_links(path: Path) -> list[str]:
    """Return the URLs of all links of a page; fail if its elements are not valid."""
    parser = html5lib.HTMLParser(html5lib.getTreeBuilder("lxml"), strict=True)
    document: etree._ElementTree = parser.parse(path.read_bytes(), transport_encoding="utf-8")
    names = {str(etree.QName(element).localname) for element in document.iter("{*}*")}

    assert names <= {
        *("html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3"),
        *("main", "nav", "ul", "li", "bdi", "time", "small", "span"),
    }
    return [str(item) for item in document.xpath("//@href")]


@examples(150)
@given(
    entries=st.lists(_entry, max_size=25),
    sizes=st.lists(st.integers(1, 4), max_size=4),
    most=st.integers(1, 12),
)
def test_every_url_is_linked_once(entries: list[Entry], sizes: list[int], most: int) -> None:
    entries = _cluster(entries, sizes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "map.html")
        summary = write(
            Document.from_entries(entries), target_of(str(path), max_urls=most), report=ignore
        )
        pages = {path.name: _extract_links(path) for path in Path(folder).iterdir()}
    result = Counter(link for links in pages.values() for link in links if link.startswith("http"))
    inner = {link for links in pages.values() for link in links} - result.keys() - {"#main"}
    known = {to_uri(alternate.href or "") for entry in entries for alternate in entry.alternates}
    expected = {uri for entry in entries if (uri := to_uri(entry.loc or ""))}

    assert dict.fromkeys(result, 1) == result
    assert expected <= result.keys() <= expected | known
    assert len(expected) == summary.written
    assert set(pages) == inner | {"map.html"}
