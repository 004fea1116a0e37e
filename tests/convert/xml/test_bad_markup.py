"""Namespaces, prefixes, invalid values, and attacks that use XML."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from sitemapx.convert.xml.namespaces import NAMESPACES
from tests.convert.documents import SITEMAP, outcome, urlset

ITUNES = NAMESPACES["itunes"]

A, B, C = (f"https://e.example/{name}" for name in "abc")
_AROUND = (f"<url><loc>{A}</loc></url>", f"<url><loc>{B}</loc></url>")

#: Line 4 between two valid entries, the URL that is read there, and the problems.
_ENTRIES: dict[str, tuple[str, str | None, list[tuple[str, int | None]]]] = {
    "control character": (f"<loc>{C}\x01</loc>", C, [("illegal-character", 4)]),
    "reference to a control character": (f"<loc>{C}&#1;</loc>", C, [("illegal-character", 4)]),
    "reference to nothing": (f"<loc>{C}&#0;</loc>", C, [("illegal-character", 4)]),
    "non-character": (f"<loc>{C}\uffff</loc>", C, [("illegal-character", 4)]),
    "bare ampersand": (f"<loc>{C}?a&b=1</loc>", f"{C}?a&b=1", [("unescaped", 4)]),
    "space's entity": (f"<loc>{C}&nbsp;</loc>", f"{C}&nbsp;", [("malformed", 4)]),
    "letter's entity": (f"<loc>{C}&Acirc;d</loc>", f"{C}&Acirc;d", [("malformed", 4)]),
    "CDATA": (f"<loc><![CDATA[{C}?a&b]]></loc>", f"{C}?a&b", []),
    "escaped twice": (f"<loc>{C}?a&amp;amp;b</loc>", f"{C}?a&amp;b", []),
    "break within": ("<loc>https://e.example/\tc</loc>", C, [("repaired-loc", 4)]),
    "space around": (f"<loc>\t{C} </loc>", C, []),
    "odd spaces around": (f"<loc>\u00a0{C}\u2007\u202f</loc>", C, []),
    "empty loc": ("<loc/>", None, [("no-loc", 4)]),
    "blank loc": ("<loc> </loc>", None, [("no-loc", 4)]),
    "no loc": ("<lastmod>2024</lastmod>", None, [("no-loc", 4)]),
    "text in url": (C, C, [("repaired-loc", 4)]),
    "several loc": (f"<loc>{C}</loc><loc>{A}</loc>", C, [("repeated-element", 4)]),
    "unclosed loc": (f"<loc>{C}", C, [("malformed", 4)]),
    "unclosed loc before more": (f"<loc>{C}<lastmod>2024</lastmod>", C, [("malformed", 4)]),
    "relative loc": ("<loc>/c</loc>", None, [("relative-loc", 4)]),
    "loc without scheme": ("<loc>//e.example/c</loc>", None, [("relative-loc", 4)]),
    "unknown element": (f"<loc>{C}</loc><size>1</size>", C, [("unknown-element", 4)]),
    "undeclared prefix": (
        f"<loc>{C}</loc><foo:bar/>",
        C,
        [("namespace", 4), ("unknown-element", 4)],
    ),
}


@pytest.mark.parametrize("name", _ENTRIES)
def test_defect_costs_at_most_its_entry(name: str) -> None:
    inner, loc, places = _ENTRIES[name]
    result = outcome(urlset(_AROUND[0], f"<url>{inner}</url>", _AROUND[1]))
    assert result.locs == [url for url in (A, loc, B) if url]
    assert result.places == places


def test_incomplete_reference_counts_as_ampersand() -> None:
    locs = [*["https://e.example/?a&b"] * 1001, *["https://e.example/?a&#b"] * 3]
    result = outcome(urlset(*(f"<url><loc>{loc}</loc></url>" for loc in locs)))
    assert result.locs == locs
    assert {code for code, _ in result.places} == {"unescaped"}


@pytest.mark.parametrize("stray", ["hello", "<x/>", f"<loc>{C}</loc>"])
def test_content_between_entries_is_reported(stray: str) -> None:
    result = outcome(urlset(_AROUND[0], stray, _AROUND[1]))
    assert result.locs == [A, B]
    assert result.places == [("stray-content", 4)]


@pytest.mark.parametrize("stray", ["hello", "<x>y</x>", f"<loc>{C}</loc>", "</x>"])
@pytest.mark.parametrize("size", [1, 5000])
def test_content_around_entries_is_reported(stray: str, size: int) -> None:
    entries = f"{_AROUND[0]}\n" * size
    result = outcome(urlset(stray, entries, stray))
    assert len(result.locs) == size
    strays = [place for place in result.places if place[0] == "stray-content"]
    assert strays == [("stray-content", 3), ("stray-content", size + 5)]


@pytest.mark.parametrize("stray", ["</x>", "</url>"])
def test_stray_end_tag_does_not_lose_entries(stray: str) -> None:
    result = outcome(urlset(_AROUND[0], stray, _AROUND[1]))
    assert result.locs == [A, B]
    assert [line for code, line in result.places] == [4]


_NO_PRIORITIES = ["NaN", "1,0", "1.1", "-0.1", "inf", "1e400", "high"]
_NO_DATES = ["2024-05-08 08:53:11 AM", "0000-00-00", "1715158391", "08/05/2024", "8. Mai 2024"]
_VALUES = [
    *(("priority", text, None, ["bad-priority"]) for text in _NO_PRIORITIES),
    *(("changefreq", text, None, ["bad-changefreq"]) for text in ["sometimes", "0"]),
    *(("lastmod", text, None, ["bad-date"]) for text in [*_NO_DATES, "2024-02-30", "2024-13-01"]),
    ("priority", "", None, []),
    ("priority", " .5 ", 0.5, []),
    ("priority", "1", 1.0, []),
    ("changefreq", " Daily ", "daily", []),
    ("changefreq", "", None, []),
    ("lastmod", " 2024-05 ", "2024-05", []),
    ("lastmod", "", None, []),
    ("lastmod", "2024-05-08 08:53:11+0200", "2024-05-08T08:53:11+02:00", []),
]


@pytest.mark.parametrize(("field", "text", "value", "codes"), _VALUES)
def test_invalid_value_is_dropped(field: str, text: str, value: object, codes: list[str]) -> None:
    result = outcome(urlset(f"<url><loc>{A}</loc><{field}>{text}</{field}></url>"))
    assert [getattr(entry, field) for entry in result.entries] == [value]
    assert result.places == [(code, 3) for code in codes]


_OTHER_NAMESPACES = [
    "https://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.sitemaps.org/schemas/sitemap/0.9/",
    "http://sitemaps.org/schemas/sitemap/0.9",
    "//www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.84",
    "https://www.google.com/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.90",
    "http://WWW.Sitemaps.ORG/schemas/sitemap/0.9",
    "HTTP://www.sitemaps.org/schemas/sitemap/0.9",
    " http://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.sitemaps.org/schemas/sitemap/0.9\t",
    "http://www.sitemaps.org/ schemas/sitemap/0.9",
    "urn:not a URI",
    "{not a URI}",
    "::",
    "urn:example:other",
]


@pytest.mark.parametrize("namespace", _OTHER_NAMESPACES)
def test_misspelt_namespace_is_read(namespace: str) -> None:
    result = outcome(urlset(*_AROUND).replace(SITEMAP.encode(), namespace.encode(), 1))
    assert result.locs == [A, B]
    assert [code for code, _ in result.places] == ["namespace"] * len(result.places)
    assert {line for _, line in result.places} <= {2, 3}
    assert result.places


_PREFIXED = "<s:url><s:loc>{}</s:loc></s:url>"
_ROOTS: dict[str, tuple[str, list[tuple[str, int | None]]]] = {
    "no namespace": (f"<urlset>\n{_AROUND[0]}</urlset>", [("namespace", 1)]),
    "prefix": (f'<s:urlset xmlns:s="{SITEMAP}">{_PREFIXED.format(A)}</s:urlset>', []),
    "undeclared prefix": (
        f"<s:urlset>\n{_PREFIXED.format(A)}</s:urlset>",
        [("namespace", 1), ("namespace", 2)],
    ),
    "urlset in urlset": (f'<urlset xmlns="{SITEMAP}"><urlset>{_AROUND[0]}</urlset></urlset>', []),
}


@pytest.mark.parametrize("name", _ROOTS)
def test_entries_are_read_in_any_root(name: str) -> None:
    text, places = _ROOTS[name]
    result = outcome(text.encode())
    assert (result.locs, result.places) == ([A], places)


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "space": lambda uri: f" {uri}",
    "line end": lambda uri: f"{uri}\n",
    "slash": lambda uri: f"{uri}/",
    "https": lambda uri: uri.replace("http:", "https:"),
    "host": lambda uri: uri.replace(".com", ".COM").replace(".org", ".Org"),
    "no scheme": lambda uri: uri.replace("http:", ""),
}
_EXTENSIONS = {
    "image": (f"<image:loc>{B}</image:loc>", "images"),
    "video": (f"<video:content_loc>{B}</video:content_loc>", "videos"),
    "news": ("<news:title>T</news:title>", "news"),
    "mobile": ("", "mobile"),
}


@pytest.mark.parametrize("around", ["root", "item", "element", "default"])
@pytest.mark.parametrize("spelling", _SPELLINGS)
@pytest.mark.parametrize("name", _EXTENSIONS)
def test_misspelt_extension_namespace_is_read(name: str, spelling: str, around: str) -> None:
    inside, field = _EXTENSIONS[name]
    declared = f' xmlns:{name}="{_SPELLINGS[spelling](NAMESPACES[name])}"'
    element = f"<{name}:{name}>{inside}</{name}:{name}>"
    if around == "default":
        inside = inside.replace(f"{name}:", "")
        element = f"<{name}{declared.replace(f':{name}=', '=')}>{inside}</{name}>"
    root = f"<urlset xmlns='{SITEMAP}'{declared * (around == 'root')}>"
    item = f"<url{declared * (around == 'item')}><loc>{A}</loc>"
    if around == "element":
        element = element.replace(f"<{name}:{name}", f"<{name}:{name}{declared}", 1)
    result = outcome(f"{root}{item}{element}</url></urlset>".encode())
    assert [bool(getattr(entry, field)) for entry in result.entries] == [True]
    assert [entry.extras for entry in result.entries] == [()]
    assert [code for code, _ in result.places if code != "missing-element"] == ["namespace"]


_AROUND_EXTRA = {
    "sitemap": f'<urlset xmlns="{SITEMAP}"><url><loc>{A}</loc>{{}}</url></urlset>',
    "atom": f'<feed xmlns="{NAMESPACES["atom"]}"><entry><link href="{A}"/>{{}}</entry></feed>',
    "rss": f"<rss><channel><item><link>{A}</link>{{}}</item></channel></rss>",
}


@pytest.mark.parametrize("spelling", _SPELLINGS)
@pytest.mark.parametrize("form", _AROUND_EXTRA)
def test_misspelt_namespace_of_extra_is_corrected(form: str, spelling: str) -> None:
    wrong, right = (f'xmlns:i="{uri}"' for uri in (_SPELLINGS[spelling](ITUNES), ITUNES))
    result = outcome(_AROUND_EXTRA[form].format(f'<i:image {wrong} href="x"/>').encode())
    kept = [
        extra.replace("></i:image>", "/>") for entry in result.entries for extra in entry.extras
    ]
    assert kept == [f'<i:image {right} href="x"/>']
    assert [code for code, _ in result.places] == ["namespace"]


@pytest.mark.parametrize("spelling", _SPELLINGS)
def test_misspelt_namespaces_in_feed_are_read(spelling: str) -> None:
    names = ("media", "atom", "dc")
    uris = {name: _SPELLINGS[spelling](NAMESPACES[name]) for name in names}
    declared = "".join(f' xmlns:{name}="{uri}"' for name, uri in uris.items())
    head = f'<title>T</title><atom:link rel="self" href="{A}"/>'
    media = f'<media:content url="{B}" medium="image"/><dc:creator>N</dc:creator>'
    item = f"<item><title>t</title><link>{A}</link>{media}</item>"
    result = outcome(f"<rss{declared}><channel>{head}{item}</channel></rss>".encode())
    assert [(entry.authors, len(entry.images)) for entry in result.entries] == [(("N",), 1)]
    wrong = [name for name, uri in uris.items() if uri != NAMESPACES[name]]
    assert [code for code, _ in result.places] == ["namespace"] * len(wrong)


def test_misspelt_atom_namespace_is_read() -> None:
    item = f'<title>T</title><entry><link href="{A}"/></entry><entry><link href="{B}"/></entry>'
    result = outcome(f'<feed xmlns="https://www.w3.org/2005/Atom/">{item}</feed>'.encode())
    assert (result.locs, [code for code, _ in result.places]) == ([A, B], ["namespace"])


def _nest_entities() -> str:
    names = "abcdefghij"
    entities = [f'<!ENTITY {item} "{f"&{two};" * 10}">' for two, item in pairwise(names)]
    return f'<!ENTITY a "ha">{"".join(entities)}'


@pytest.mark.parametrize("external", [False, True])
def test_entities_are_never_expanded(external: bool, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    subset = f'<!ENTITY j SYSTEM "{secret.as_uri()}">' if external else _nest_entities()
    text = f'<!DOCTYPE urlset [{subset}]>\n<urlset xmlns="{SITEMAP}"><url><loc>{A}?&j;</loc></url>'
    result = outcome(f"{text}</urlset>".encode())
    assert result.locs == [f"{A}?&j;"]
    assert result.places == [("doctype", 1), ("malformed", 2)]


def test_xinclude_is_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    link = f'xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret.as_uri()}" parse="text"'
    result = outcome(urlset(f"<url><loc>{A}</loc><xi:include {link}/></url>"))
    assert result.locs == [A]
    assert [b">secret" in extra.encode() for entry in result.entries for extra in entry.extras] == [
        False
    ]
