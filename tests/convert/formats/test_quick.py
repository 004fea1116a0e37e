"""The quick readers of sitemaps agree with the full reader on any markup."""

import html
import io
import json
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from sitemapx.convert import Context, Entry, Opener, Problem, convert, read, target_of
from sitemapx.convert.formats.registry import by_name, detect
from sitemapx.convert.formats.sitemap import plain
from sitemapx.convert.formats.sitemap.items import ItemReader
from sitemapx.convert.formats.sitemap.plain import PlainReader
from sitemapx.convert.formats.sitemap.quick import QuickReader
from sitemapx.convert.formats.urlreader import UrlReader
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.xml.namespaces import NAMESPACES
from sitemapx.errors import InputError
from tests.convert.documents import SITEMAP, Dribble, urlset
from tests.convert.formats.richmarkup import RICH_ITEMS, rich_urlset
from tests.effort import examples, slow

_HOLDS = by_name("sitemap").holds
_BLOCK = 1 << 18

# ---- markup: regular, nearly regular, and neither

# fmt: off
_LOCS = [
    "https://e.example/a", "http://e.example/?b=1&amp;c=2", "https://e.example/stra\u00dfe",
    "https://e.example/b", " https://e.example/c\n", "HTTPS://e.example/d", "https://", "/e", "",
    "//e.example/f", "https://e.example/g\u00a0", "\ufeffhttps://e.example/h",
    "https://e.example/\u200b", "https://e.example/i j", "https://e.example/k\tl",
    "https://e.example/&#38;", "https://e.example/&eacute;", "https://e.example/&amp;amp;",
    "https://e.example/&amp;lt;", "https://e.example/&", "https://e.example/]]>",
    "https://e.example/>", "https://e.example/\"'", "https://e.example/\x7f\x85\u2028",
    "https://\u00a0/", "https://e.example/\x01", "https://e.example/\uffff",
    "<![CDATA[https://e.example/m&n]]>", "mailto:a@e.example", "https://e.example/it&#146;s",
    "https://e.example/&#x0080;", "<url>https://e.example/n</url>", "<b>https://e.example/o</b>",
]
_DATES = [
    "2024-05-08", "2024", "2024-05-08T10:00:00Z", "2024-05-08T10:00:00", "2024-02-30", "", " ",
    "2023-02-29", " 2024-05-08", "0000-00-00", "2024-05-08 10:00:00", "\u0662024-05-08",
    "2024-05-08&#90;", "Wed, 08 May 2024 08:53:11 GMT",
    "Wed, 08 May 2024 08:53:11 IST", "2024-05-08 10:00:00 AEST",
]
_FREQUENCIES = [
    "daily", "never", "Daily", " daily", "", "often", "da&amp;ily",
]
_PRIORITIES = [
    "0.5", "1", "1.0", ".5", "0", " 0.5", "\n0.5", "", " ", "5", "-0.1", "NaN", "inf", "0,5",
    "1e-1", "+1", "0_1", "\uff11", "\u0661", "-0", "x",
]
_SNIPPETS = [
    "<!-- -->", "<!--</url>-->", "<?p?>", "<![CDATA[]]>", "<![CDATA[</url></item>]]>", "&", "&amp;",
    "&#0;", "\0", "\x0b", "<", ">", "</url>", "<url>", "</item>", "<item>", "<url/>", "<x/>",
    "<x:y/>", " ", "\n", "\r\n", "text", "]]>", "\ufffe", "<loc>", "</loc>", "<lastmod/>", "<loc/>",
    ' a="b"', "\ufeff", "</urlset>", "</channel>", "<link/>", '<url xmlns="">',
    "<Loc>https://e.example/x</Loc>", "x", "x:", "/",
]
# fmt: on
_SPACES = st.sampled_from(["", "", "", "\n", " ", "\r\n\t", "\u00a0", "\x0b"])


def _usually_first(values: list[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(values[0]), st.sampled_from(values[:3]), st.sampled_from(values))


@st.composite
def _items(draw: st.DrawFn, name: str, elements: dict[str, list[str]]) -> list[str]:
    """Draw items with some of the elements in any order, and rarely with other markup."""
    items = []
    first = next(iter(elements))
    for _ in range(draw(st.integers(1, 4))):
        tags = list(elements)
        if draw(st.booleans()):
            tags = [first, *draw(st.lists(st.sampled_from(tags), max_size=4))]
        if draw(st.integers(0, 9)) == 0:
            tags = draw(st.permutations(tags))
        inner = "".join(
            f"<{tag}>{draw(_usually_first(elements[tag]))}</{tag.split()[0]}>{draw(_SPACES)}"
            for tag in tags
        )
        item = f"<{name}>{draw(_SPACES)}{inner}</{name}>{draw(_SPACES)}"
        if draw(st.integers(0, 3)) == 0:
            at = draw(st.integers(0, len(item)))
            item = item[:at] + draw(st.sampled_from(_SNIPPETS)) + item[at:]
        items.append(item)
    return items


_URLS = _items(
    "url",
    {"loc": _LOCS, "lastmod": _DATES, "changefreq": _FREQUENCIES, "priority": _PRIORITIES},
)


def _sitemap(items: list[str]) -> bytes:
    return urlset(*items)


_MARKUP = {
    "sitemap": (_URLS, _sitemap),
    "rich": (RICH_ITEMS, rich_urlset),
}

_REGULAR = {
    "sitemap": "<url><loc>https://e.example/?a&amp;b</loc><lastmod>2024</lastmod></url>",
    "rich": "<url><loc>https://e.example/?a&amp;b</loc><xhtml:link rel='alternate' href=\"http://a/\"/></url>",
}

# ---- results of the readers


class _Result(NamedTuple):
    entries: list[Any]
    field_counts: Counter[str]
    problems: list[tuple[str, int | None, str]]
    error: str | None


@contextmanager
def only_full_reader() -> Iterator[None]:
    """Disable the quick readers while the context lasts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlainReader, "read", lambda self, block: None)
        patch.setattr(QuickReader, "entry", lambda self, item: None)
        patch.setattr(UrlReader, "_read", lambda self, item: None)
        yield


@contextmanager
def without_skips() -> Iterator[None]:
    """Try the plain reader on each block, even after blocks that are not plain."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "_MAX_SKIPS", 0)
        yield


def read_blocks(
    data: bytes, name: str, most: int, wanted: Collection[str] | None = None
) -> _Result:
    """Read blocks of at most `most` bytes; with `wanted`, keep only these fields."""
    problems: list[Problem] = []
    entries: list[Entry] = []
    field_counts: Counter[str] = Counter()
    error = None
    context = Context(problems.append, wanted=wanted)
    try:
        for batch in by_name("sitemap").reader()(Dribble(data, most), context).batches:
            field_counts.update(batch.field_counts())
            entries += batch.entries
    except InputError as raised:
        error = str(raised)
    shown: list[Any] = entries
    if wanted is not None:
        shown = [(entry.loc, "lastmod" in wanted and entry.lastmod) for entry in entries]
    count = len(problems)
    context.close()
    counted = sorted(problems[count:], key=lambda value: (value.code, value.message))
    reported = [(item.code, item.line, item.message) for item in [*problems[:count], *counted]]
    return _Result(shown, field_counts, reported, error)


_BLANK = "<url><loc>https://e.example/a</loc><priority> </priority></url>"
_EXAMPLES = {"sitemap": 200, "rich": 300}


@pytest.mark.parametrize("name", _MARKUP)
@pytest.mark.parametrize(
    "wanted",
    [None, pytest.param({"loc"}, marks=slow), pytest.param(_HOLDS, marks=slow)],
    ids=["all", "loc", "sitemap"],
)
def test_small_blocks_are_read_alike(name: str, wanted: Collection[str] | None) -> None:
    items, document = _MARKUP[name]

    @given(items, st.sampled_from([200, 1000, 3000]))
    @example([_REGULAR[name], _BLANK], 1000)
    @examples(_EXAMPLES[name])
    def check(some: list[str], most: int) -> None:
        data = document((some * 20)[:20])
        with only_full_reader():
            slow = read_blocks(data, name, most, wanted)
        assert read_blocks(data, name, most, wanted) == slow
        with without_skips():
            assert read_blocks(data, name, most, wanted) == slow

    check()


@slow
@pytest.mark.parametrize("name", _MARKUP)
def test_large_documents_are_converted_alike(name: str, tmp_path: Path) -> None:
    items, document = _MARKUP[name]
    out = tmp_path / "out.xml"

    def converted(data: bytes) -> tuple[bytes, object, list[tuple[str, int | None]]]:
        problems: list[Problem] = []
        target = target_of(str(out))
        summary = convert(
            [io.BytesIO(data)], target, opener=Opener(format="sitemap"), report=problems.append
        )
        places = [(problem.code, problem.line) for problem in problems]
        return out.read_bytes(), (summary.read, summary.problems, summary.not_held), places

    @given(items)
    @examples(5)
    def check(some: list[str]) -> None:
        regular = [_REGULAR[name]] * (_BLOCK // len(_REGULAR[name]))
        data = document([*some, *regular, *some, *regular])
        assert len(data) > _BLOCK
        fast = converted(data)
        with only_full_reader():
            assert fast == converted(data)

    check()


@pytest.mark.parametrize("loc", ["https://]]>e.example/", "https://&eacute;/", "https://\x7f/&#1;"])
def test_url_with_invalid_characters_is_reported(loc: str) -> None:
    data = urlset(_REGULAR["sitemap"], *[f"<url><loc>{loc}</loc></url>"] * 20)
    with only_full_reader():
        slow = read_blocks(data, "sitemap", 300, {"loc"})
    with without_skips():
        assert read_blocks(data, "sitemap", 300, {"loc"}) == slow


_USUAL = "<url><loc>https://e.example/{}</loc></url>\n"
_IMAGE = "<image:image><image:loc>https://e.example/i</image:loc></image:image>"
_NEWS = (
    "<news:news><news:publication><news:name>n</news:name><news:language>en</news:language>"
    "</news:publication><news:publication_date>2024-05-08</news:publication_date>"
    "<news:title>t</news:title></news:news>"
)
_SECOND = "<loc>https://e.example/2</loc>"
_INNER = _USUAL.format("inner")


@pytest.mark.parametrize(
    "odd",
    [
        f"<url>{_SECOND}<lastmod>yesterday</lastmod></url>",
        f"<url>{_SECOND}<!-- {_INNER} --></url>",
        f"<!-- {_INNER} <url>{_SECOND}</url> -->",
        f"<url>{_SECOND}<x><![CDATA[ {_INNER} ]]></x></url>",
        f"<url>{_SECOND}<x>{_INNER}</x></url>",
        f"<?p {_INNER} ?>",
        f"<url>{_SECOND}<?p </url> ?><priority>9</priority></url>",
        f"<url>{_SECOND}<!-- </url> --><priority>9</priority></url>",
        f"<url>{_SECOND}<image:image>{_IMAGE}</image:image></url>",
        f"<url>{_SECOND}{_IMAGE * 1001}</url>",
        f"<url>{_SECOND}{_SECOND}</url>",
        "<url><lastmod>2024</lastmod></url>",
        f"<url>{_SECOND}{_NEWS}</url>",
        f"<url>{_SECOND}{_NEWS}<!-- c --><priority>9</priority></url>",
        _NEWS,
        _IMAGE,
        "text",
    ],
)
def test_items_around_other_content_keep_their_lines(odd: str) -> None:
    usual = [_USUAL.format(number) for number in range(40)]
    data = rich_urlset([*usual[:20], odd, *usual[20:], odd, *usual])
    for most in (1000, 4000):  # the last block has more than items, and is parsed
        with only_full_reader():
            slow = read_blocks(data, "rich", most, {"loc"})
        with without_skips():
            assert read_blocks(data, "rich", most, {"loc"}) == slow


# fmt: off
_ROOT_PARTS = [
    "/", " ", '"', "'", "=", "x", "&", ":", "<", ' a="b"', " a=b", " a", ' xmlns:x="urn:x"',
    " xmlns:x=''", f' xmlns="{SITEMAP}"', f" xmlns='{SITEMAP}'", f' xmlns="{SITEMAP}/"',
    ' xmlns="x y"', f""" a=' xmlns="{SITEMAP}"'""",
]
# fmt: on


@given(
    st.lists(st.sampled_from(_ROOT_PARTS), max_size=5),
    _URLS,
    st.lists(st.sampled_from([200, 1000, 9000])),
)
@examples(300)
def test_root_tag_is_read_alike(parts: list[str], items: list[str], sizes: list[int]) -> None:
    root = f"<urlset{''.join(parts)}>"
    data = (root + "\n".join([_REGULAR["sitemap"], *items] * 8) + "</urlset>").encode()
    result = []
    for most in {200, *sizes}:
        result.append(read_blocks(data, "sitemap", most))
        with only_full_reader():
            assert result[-1] == read_blocks(data, "sitemap", most)
    assert all(
        (item.entries, item.error) == (result[0].entries, result[0].error) for item in result
    )


@pytest.mark.parametrize("root", ["<urlset/ {}>", "<urlset {}/>", "<urlset/{}>", "<urlset {} / >"])
@pytest.mark.parametrize("other", ["", "<url><loc>https://e.example/x</loc><x:y/></url>"])
def test_slash_in_root_tag_does_not_lose_entries(root: str, other: str) -> None:
    opening = root.format(f'xmlns="{SITEMAP}"')
    data = f"{opening}{_REGULAR['sitemap'] * 20}{other}</urlset>".encode()
    for most in (200, 100_000):
        result = read_blocks(data, "sitemap", most)
        assert len(result.entries) == 20 + bool(other)
        assert "malformed" in [code for code, *_ in result.problems]


_HIDDEN = ["<!--</url>-->", "<![CDATA[</url>]]>", "<?p </url>?>", "<!--<url>-->", "<!--><url>-->"]
_BROKEN = ["</url>", "<url>", "<<!-- -->url>", "<url><url>", "<![CDATA[", "<!--", "<?>", "&", "<x>"]
_BETWEEN = ["", "</url>", "<url/>", "<!-- -->", "</url><loc>https://e.example/z</loc>"]


@pytest.mark.parametrize("hidden", _HIDDEN)
@pytest.mark.parametrize("broken", _BROKEN)
@pytest.mark.parametrize(
    "between", [*_BETWEEN[:2], *(pytest.param(item, marks=slow) for item in _BETWEEN[2:])]
)
def test_tags_in_comments_do_not_lose_entries_next_to_broken_items(
    hidden: str, broken: str, between: str
) -> None:
    good = [f"<url>{hidden}<loc>https://e.example/{number}</loc></url>" for number in range(12)]
    bad = f"{between}{broken}<loc>https://e.example/b</loc></url>\n"
    data = urlset(*(f"{item}\n{bad}" for item in good))
    result = [read_blocks(data, "sitemap", most) for most in (200, 333, 1000, 9000)]
    assert all(item.entries == result[0].entries for item in result)
    with only_full_reader():
        assert read_blocks(data, "sitemap", 1000) == result[2]
    if not broken.startswith(("<!", "<?")):  # which hide the items that follow
        locs = [entry.loc for entry in result[0].entries]
        assert set(locs) >= {f"https://e.example/{number}" for number in range(12)}


def test_foreign_items_do_not_end_the_last_item() -> None:
    foreign = '<url xmlns="urn:x"></url>'
    data = urlset(*[_USUAL.format(1)] * 3, f"<url>{_SECOND}{foreign}{foreign}</url>")
    problems: list[Problem] = []
    entries = list(read(io.BytesIO(data), format="sitemap", report=problems.append))
    assert (len(entries), entries[-1].extras, problems) == (4, (foreign, foreign), [])


def test_foreign_items_do_not_end_a_block() -> None:
    inner = '<x xmlns="urn:x"><url>https://e.example/1</url> <url>https://e.example/2</url></x>'
    urls = [f"https://e.example/{number}" for number in range(30)]
    data = urlset(*(f"<url>{inner}<loc>{url}</loc></url>\n" for url in urls))
    for most in (*range(200, 300, 7), 100_000):
        result = read_blocks(data, "sitemap", most)
        assert [entry.loc for entry in result.entries] == urls
        assert {entry.extras for entry in result.entries} == {(inner,)}
        assert result.problems == []


@pytest.mark.parametrize("name", _REGULAR)
@pytest.mark.parametrize("longer", ["x", "x:y", "//x", " x", "-"])
def test_longer_end_tag_does_not_end_an_item(name: str, longer: str) -> None:
    regular = _REGULAR[name]
    data = _MARKUP[name][1]([regular, f"{regular[:-1]}{longer}>", *[regular] * 20])
    fast = read_blocks(data, name, 1000)
    assert fast.problems
    with only_full_reader():
        assert fast == read_blocks(data, name, 1000)


@pytest.mark.parametrize(
    "loc", ["<url>{}</url>", "\n<url>{}</url>\n", "<b>{}</b>", "<a h=''>{}</a>"]
)
@pytest.mark.parametrize("rest", ["", "<lastmod>2024</lastmod>"])
def test_markup_around_url_does_not_lose_entries(loc: str, rest: str) -> None:
    urls = [f"https://e.example/{number}" for number in range(30)]
    items = [f"<url><loc>{loc.format(url)}</loc>{rest}</url>\n" for url in urls]
    for broken in ("", "<url><loc>https://e.example/30</loc><x></url>"):
        data = urlset(*items, broken)
        for most in (*range(200, 300, 7), 100_000):
            result = read_blocks(data, "sitemap", most)
            assert [entry.loc for entry in result.entries][:30] == urls
            assert {entry.lastmod for entry in result.entries[:30]} == {"2024" if rest else None}
            assert [code for code, *_ in result.problems].count("malformed") >= 30


@pytest.mark.parametrize("number", range(0x80, 0xA0))
def test_windows_1252_references_are_resolved_as_in_html(number: int) -> None:
    character = html.unescape(f"&#{number};") or chr(number)
    for reference in (f"&#{number};", f"&#x{number:X};", f"&#0{number};"):
        items = [
            (
                f"<url><loc>https://e.example/{reference}x</loc><image:image><image:loc>https://e.example/i"
                f"</image:loc><image:title>{reference}</image:title></image:image><xhtml:link "
                f"rel='alternate' href='https://e.example/' hreflang='{reference}'/></url>"
            ),
            f"<url><loc>https://e.example/{reference}</loc></url>",
        ]
        data = rich_urlset(items * 20)
        fast = read_blocks(data, "rich", 3000)
        assert fast.entries[0].loc == f"https://e.example/{character}x".strip()
        assert fast.entries[0].images[0].title == (character.strip() or None)
        assert fast.entries[0].alternates[0].hreflang == (character.strip() or None)
        with only_full_reader():
            assert fast == read_blocks(data, "rich", 3000)


@pytest.mark.parametrize("markup", ["<!-- -->", "<![CDATA[x]]>", "<?p?>", "<b/>"])
def test_markup_in_attribute_is_reported(markup: str) -> None:
    regular = _REGULAR["rich"]
    data = rich_urlset([regular, regular.replace("a/", f"a/{markup}"), *[regular] * 20])
    fast = read_blocks(data, "rich", 1000)
    assert fast.problems
    with only_full_reader():
        assert fast == read_blocks(data, "rich", 1000)


_ODD = {
    "element": "<url><loc>https://e.example/b</loc><weight>3</weight></url>",
    "relative URL": "<url><loc>/b</loc></url>",
    "bad image": "<url><loc>https://e.example/b</loc><image:image><image:loc>c d</image:loc>"
    "</image:image></url>",
    "two of one": "<url><loc>https://e.example/b</loc><lastmod>2024</lastmod><lastmod>2025</lastmod></url>",
    "bad date": "<url><loc>https://e.example/b</loc><lastmod>2024-02-30</lastmod></url>",
    "no URL": "<url><lastmod>2024</lastmod></url>",
    "foreign": '<url><loc>https://e.example/b</loc><x xmlns="urn:x">&#233;</x></url>',
}


@pytest.mark.parametrize("odd", _ODD)
@pytest.mark.parametrize("wanted", [None, {"loc"}], ids=["all", "loc"])
def test_full_reader_reads_only_irregular_items(
    odd: str, wanted: Collection[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = rich_urlset([_REGULAR["rich"], _ODD[odd], *[_REGULAR["rich"]] * 9] * 10)
    with only_full_reader():
        slow = read_blocks(data, "rich", 1000, wanted)
    assert read_blocks(data, "rich", 1000, wanted) == slow
    irregular: list[etree._Element] = []
    read = ItemReader._fields

    def counting(self: ItemReader, element: etree._Element, offset: int) -> dict[str, Any]:
        irregular.append(element)
        return read(self, element, offset)

    monkeypatch.setattr(ItemReader, "_fields", counting)
    read_blocks(data, "rich", 1000, wanted)
    assert 0 < len(irregular) < 14


# fmt: off
_PIECES = [
    "", "x", "100%", "%s", " ", "\n", "\t", ">", "]]", "\u00e9", "\U0001f600", "\ue0000\ue001",
    "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#38;", "&#x3c;", "&#9;", "&#13;",
    "&amp;gt;", "&amp;#62;",
]
_FOREIGN_KINDS = [
    "<x:y>{text}</x:y>",
    "<x:y a=\"{value}\" b='{value}'/>",
    "<x:y b='{value}'>{text}<z/>{text}</x:y>",
    '<v xmlns="urn:%41" a="{value}">{text}<x:y xmlns:u="urn:u" u:a="{value}" a="{value}"/></v>',
    "<x:w/>",
]
# fmt: on
_VALUES = st.lists(st.sampled_from(_PIECES), max_size=4).map("".join)
_ONLY_IN_TEXTS = st.sampled_from(["<!-- c -->", "<![CDATA[&<>]]>", '"', "'"])
_TEXTS = st.lists(st.one_of(_VALUES, _ONLY_IN_TEXTS), max_size=3).map("".join)


@st.composite
def _foreign_elements(draw: st.DrawFn) -> str:
    element = draw(st.sampled_from(_FOREIGN_KINDS))
    for place, values in (("{value}", _VALUES), ("{text}", _TEXTS)):
        while place in element:
            element = element.replace(place, draw(values), 1)
    return element


@given(st.lists(st.lists(_foreign_elements(), max_size=3).map("".join), min_size=1, max_size=30))
@examples(400)
def test_foreign_elements_with_any_values_are_read_alike(items: list[str]) -> None:
    item = "<url><loc>https://e.example/</loc>{}</url>\n"
    data = urlset(*(item.format(element) for element in items * 4))
    data = data.replace(b"<urlset", b'<urlset xmlns:x="urn:x"', 1)
    with only_full_reader():
        slow = read_blocks(data, "sitemap", 2000)
    with without_skips():
        assert read_blocks(data, "sitemap", 2000) == slow


@pytest.mark.parametrize("wanted", [None, {"loc"}], ids=["all", "loc"])
def test_two_prefixes_of_a_namespace_are_read_alike(wanted: Collection[str] | None) -> None:
    image = _IMAGE.replace("image:", "i:")
    parts = [_IMAGE, image, _NEWS, _NEWS.replace("news:", "n:"), _IMAGE + image, image + _IMAGE]
    data = rich_urlset([f"<url><loc>https://e.example/</loc>{part}</url>\n" for part in parts * 20])
    declared = "".join(f' xmlns:{item[0]}="{NAMESPACES[item]}"' for item in ("image", "news"))
    data = data.replace(b"<urlset", f"<urlset{declared}".encode(), 1)
    with only_full_reader():
        slow = read_blocks(data, "rich", 3000, wanted)
    assert slow.field_counts == {"loc": 120, "images": 80, "news": 40}
    assert read_blocks(data, "rich", 3000, wanted) == slow


@pytest.mark.parametrize(
    "odd",
    [
        '<x:y a="1"><![CDATA[</url>]]></x:y>',
        '<x:y a="1"><!-- c -->2</x:y>',
        '<x:y a="&x;">3</x:y>',
        '<x:y a="<!-- -->">4</x:y>',
        '<x:y a="1">&</x:y>',
        "<x:y>5</x:y>",
        '<x:y a="1">]]></x:y>',
        '<x:y a="1">]]<!-- c -->></x:y>',
        '<x:y a="1">\x0b</x:y>',
        '<x:y a="1"><z/></x:y>',
        '<x:y a="\n">&#60;</x:y>',
        '</url><x:y a="1">6</x:y><url><loc>https://e.example/o</loc>',
    ],
)
@pytest.mark.parametrize("wanted", [None, {"loc"}], ids=["all", "loc"])
def test_malformed_foreign_elements_are_reported(odd: str, wanted: Collection[str] | None) -> None:
    item = "<url><loc>https://e.example/{}</loc>{}</url>\n"
    usual = [item.format(n, f'<x:y a="{n}">{n}</x:y>') for n in range(100)]
    data = rich_urlset([*usual, item.format("odd", odd), *usual])
    with only_full_reader():
        slow = read_blocks(data, "rich", 3000, wanted)
    with without_skips():
        assert read_blocks(data, "rich", 3000, wanted) == slow


def test_corpus_is_read_alike(shared: Path) -> None:
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("the corpus is not there")
    lines = (folder / "manifest.jsonl").read_text().splitlines()
    differing, count = [], 0
    for name in sorted({json.loads(line)["file"] for line in lines}):
        result, data = "", b""
        with suppress(InputError):
            start, stream = unpack(io.BytesIO((folder / name).read_bytes()), Context())
            result = detect(start).name
            data = stream.read()
        if result not in _MARKUP or len(data) > 1_000_000:
            continue
        count += 1
        fast = read_blocks(data, result, 4000)
        with only_full_reader():
            if fast != read_blocks(data, result, 4000):
                differing.append(name)
    assert count > 50
    assert differing == []
