"""The official schemas, and what sitemapx makes of its own tables, refuse the same files."""

import copy
import gzip
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from lxml import etree

from sitemapx.check.checker import check
from sitemapx.check.findings import Finding
from sitemapx.check.schema.xsd import schema_of
from sitemapx.convert import Opener
from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, NEWS, VIDEO, Element
from sitemapx.convert.xml.namespaces import NAMESPACES, SITEMAP
from tests.conftest import SHARED
from tests.effort import slow

needs_schemas = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not there")


def _official(root: str) -> etree.XMLSchema:
    name = "all-local.xsd" if root == "urlset" else "siteindex.xsd"
    return etree.XMLSchema(etree.parse(SHARED / "schemas" / name))


OFFICIAL = {root: _official(root) for root in ("urlset", "sitemapindex")} if SHARED.is_dir() else {}

#: Texts that some kind of value takes, or just does not.
TEXTS = [
    *("", " ", "x", "x" * 101, "x" * 257, "x" * 2049, "https://e.example/a", "/a", "ü", "a b"),
    *("https://e.example/[a]", "https://e.example/%zz", "https://e.example/#a#b", "http://e.x"),
    *(
        "2026",
        "2026-01",
        "2026-01-31",
        " 2026-01-31 ",
        "2026-02-30",
        "2026-01-31Z",
        "0000-01-01",
    ),
    *(
        "2026-01-31T10:20Z",
        "2026-01-31T10:20:30",
        "2026-01-31T10:20:30.5+01:00",
        "2026-01-31T24:00:00Z",
    ),
    *("2026-01-31T10:20:60Z", "2026-01-31T10:20:30+14:30", "yesterday"),
    *(
        "0",
        "1",
        "1.0",
        ".5",
        "0.50",
        "+1",
        "-0",
        "5e-1",
        "1.1",
        "5",
        "5.1",
        "28800",
        "28801",
        "1,0",
    ),
    *("always", "Weekly", " weekly ", "never", "yes", "YES", "yEs", "no", "true"),
    *(
        "allow",
        "deny",
        "Allow",
        "web",
        "web tv",
        "web  tv",
        "GB",
        "GB IE",
        "GB  IE",
        "gb",
        "GB,IE",
    ),
    *("en", "eng", "zh-cn", "EN", "Blog", "Blog, Satire", "Blog,Blog", "blog", "Subscription"),
    *(
        "NASDAQ:A",
        "A:B, C:D",
        "A:B,C:D,E:F,G:H,I:J,K:L",
        "EUR",
        "eur",
        "rent",
        "RENT",
        "hd",
        "HD",
    ),
    *("full", "url", "tms:series"),
]


#: A text for each element and attribute that is right.
RIGHT = {
    "loc": "https://e.example/page",
    "lastmod": "2026-01-31",
    "changefreq": "weekly",
    "priority": "0.5",
    "duration": "60",
    "rating": "4.5",
    "view_count": "7",
    "expiration_date": "2027-01-31",
    "publication_date": "2026-01-31",
    "premier_date": "2026-01-31",
    "restriction": "GB IE",
    "platform": "web tv",
    "relationship": "allow",
    "currency": "EUR",
    "resolution": "hd",
    "video_type": "full",
    "season_number": "1",
    "episode_number": "2",
    "language": "en",
    "access": "Subscription",
    "genres": "Blog, Satire",
    "stock_tickers": "NASDAQ:A",
    **dict.fromkeys(("family_friendly", "requires_subscription", "live", "allow_embed"), "yes"),
    **dict.fromkeys(("content_loc", "player_loc", "gallery_loc", "info"), "https://e.example/x"),
}


def _make_element(element: Element, prefix: str) -> etree._Element:
    """Make an element with all that it may have."""
    made = etree.Element(f"{{{NAMESPACES[prefix]}}}{element.name}")
    for attribute in element.attributes:
        kinds_of_type = {"price": "rent", "id": "url"}
        right = RIGHT.get(attribute.name, kinds_of_type.get(element.name, "x"))
        made.set(attribute.name, right)
    if element.kind is not None:
        made.text = RIGHT.get(element.name, "x")
    made.extend(_make_element(child, prefix) for child in element.children)
    return made


def _make_document(root: str = "urlset") -> etree._Element:
    """Make a sitemap or an index with all that the schema knows."""
    document = etree.Element(f"{{{SITEMAP}}}{root}", nsmap=_PREFIXES)
    entry = etree.SubElement(document, f"{{{SITEMAP}}}{'url' if root == 'urlset' else 'sitemap'}")
    names = ("loc", "lastmod", "changefreq", "priority")[: 4 if root == "urlset" else 2]
    for name in names:
        etree.SubElement(entry, f"{{{SITEMAP}}}{name}").text = RIGHT[name]
    if root == "urlset":
        entry.extend(
            [
                _make_element(IMAGE, "image"),
                _make_element(VIDEO, "video"),
                _make_element(NEWS, "news"),
            ]
        )
        link = etree.SubElement(entry, f"{{{NAMESPACES['xhtml']}}}link", rel="alternate")
        link.set("hreflang", "en")
        link.set("href", RIGHT["loc"])
        link.set("media", "screen")
        link.set("dir", "ltr")
        link.set("onclick", "x()")
        link.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    return document


_PREFIXES: dict[str | None, str] = {
    None: SITEMAP,
    **{prefix: NAMESPACES[prefix] for prefix in ("image", "video", "news", "xhtml")},
}


def _vary_texts(document: etree._Element) -> Iterator[str]:
    """Put each text into each element and attribute, and return a description of each change."""
    for element in list(document.iter("*")):
        if not len(element):
            right = element.text
            for text in TEXTS:
                element.text = text
                yield f"{element.tag!r}: {text!r}"
            element.text = right
        for name, right in element.items():
            for text in TEXTS:
                element.set(name, text)
                yield f"{element.tag!r}@{name}: {text!r}"
            element.set(name, right)


def _vary_structure(document: etree._Element) -> Iterator[str]:
    """Take each element out, double it, move it, and put something into it."""
    for element in list(document.iter("*"))[1:]:
        parent = element.getparent()
        assert parent is not None
        at = parent.index(element)
        parent.remove(element)
        yield f"{element.tag!r} taken out"
        parent.append(element)
        yield f"{element.tag!r} last"
        parent.insert(0, element)
        yield f"{element.tag!r} first"
        parent.remove(element)
        parent.insert(at, element)
        parent.insert(at, copy.deepcopy(element))
        yield f"{element.tag!r} doubled"
        parent.remove(parent[at])
        unknown = etree.SubElement(element, f"{{{etree.QName(element).namespace}}}colour")
        yield f"something in {element.tag!r}"
        element.remove(unknown)
        foreign = etree.SubElement(element, "{https://e.example/x}colour")
        yield f"something foreign in {element.tag!r}"
        element.remove(foreign)
        element.set("colour", "red")
        yield f"something at {element.tag!r}"
        del element.attrib["colour"]
        for name in element.keys():  # noqa: SIM118 - an element is not a mapping
            right = element.attrib.pop(name)
            yield f"{element.tag!r} without {name}"
            element.set(name, right)


ROOTS = ["urlset", "sitemapindex"]


def test_complete_document_is_valid() -> None:
    assert [True, True] == [schema_of(root).validate(_make_document(root)) for root in ROOTS]


@needs_schemas
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("change", [_vary_texts, _vary_structure])
def test_verdict_is_that_of_the_official_schema(
    root: str, change: Callable[[etree._Element], Iterator[str]]
) -> None:
    document, ours, verdicts = _make_document(root), schema_of(root), Counter[bool]()
    for description in change(document):
        official = OFFICIAL[root].validate(document)
        verdicts[official] += 1

        assert (description, official) == (description, ours.validate(document))
    assert min(verdicts[True], verdicts[False]) > 0
    assert OFFICIAL[root].validate(document)  # all was put back


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("change", [_vary_texts, _vary_structure])
@pytest.mark.parametrize("step", [17, pytest.param(1, marks=slow)])
def test_schema_errors_have_findings(
    root: str, change: Callable[[etree._Element], Iterator[str]], step: int
) -> None:
    document, schema = _make_document(root), schema_of(root)
    for description in islice(change(document), 0, None, step):
        data = etree.tostring(document, xml_declaration=True, encoding="utf-8")

        assert (description, schema.validate(etree.fromstring(data))) == (
            description,
            _is_accepted(data),
        )


@pytest.mark.parametrize(
    "rest",
    [
        *("<lastmod></lastmod>", "<lastmod>2026</lastmod>", "<lastmod>2026-01-01</lastmod>"),
        *(
            "<priority></priority>",
            "<priority>1</priority>",
            "<lastmod>2026-01-01T10:00Z</lastmod>",
        ),
        "<lastmod>2026-12-31T23:59:60Z</lastmod>",
    ],
)
@pytest.mark.parametrize(
    "loc",
    [
        "https://e.example/a",
        "https://e.example/[",
        *(pytest.param(loc, marks=slow) for loc in ("http://e.xx", "http://ü.example/")),
    ],
)
def test_unparsed_blocks_have_the_same_verdict(loc: str, rest: str) -> None:
    item = f"<url><loc>{loc}</loc>{rest}</url>\n"
    data = f'<urlset xmlns="{SITEMAP}">\n{item * 2}</urlset>'.encode()
    refused: list[bool] = []
    # Enough entries for a block before the last one, which is always parsed.
    for count in (2, 2000):
        many = data.replace(item.encode() * 2, item.encode() * count)
        refused.append(bool(check([io.BytesIO(many)]).refused))

    assert [not schema_of("urlset").validate(etree.fromstring(data))] * 2 == refused


def _is_accepted(data: bytes) -> bool:
    findings: list[Finding] = []
    opener = Opener(follows=False)
    checked = check([io.BytesIO(data)], opener=opener, report=findings.append)
    assert bool(checked.refused) == any(finding.schema for finding in findings)
    return not checked.refused


def _cases() -> list[dict[str, object]]:
    manifest = SHARED / "corpus" / "manifest.jsonl"
    lines = manifest.read_text().splitlines() if manifest.exists() else []
    return [case for case in map(json.loads, lines) if case["kind"] in ("sitemap", "index", "text")]


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["id"]))
def test_corpus_files_have_the_known_findings(case: dict[str, object], shared: Path) -> None:
    expect = case["expect"]
    assert isinstance(expect, dict)
    findings: list[Finding] = []
    path = shared / "corpus" / str(case["file"])
    checked = check([path], opener=Opener(follows=False), report=findings.append)
    codes = [finding.code for finding in findings]
    facts = expect.get("facts", {})

    if "xsd_valid" in expect:
        assert expect["xsd_valid"] == (not checked.refused)
    if expect.get("xsd_valid") and set(facts) <= {"hosts"}:
        assert 0 == checked.severities["error"]
    if expect.get("warnings") or expect.get("errors"):
        assert codes
    counted = {
        "duplicate_locs": ("duplicate-loc", "equivalent-loc"),
        "non_http_locs": ("relative-loc", "relative-listed-sitemap", "bad-loc"),
        "locs_with_space": ("loc-character",),
        "locs_non_ascii": ("loc-non-ascii",),
    }
    for fact, names in counted.items():
        if fact in facts:
            assert facts[fact] == sum(codes.count(name) for name in names)
    if facts.get("hosts", 0) > 1:
        assert facts["hosts"] == 1 + codes.count("several-hosts")
    data = path.read_bytes()
    try:
        tree = etree.fromstring(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (etree.XMLSyntaxError, OSError, EOFError):
        return
    if (
        root := etree.QName(tree).localname
    ) in OFFICIAL and tree.getroottree().docinfo.doctype == "":
        assert OFFICIAL[root].validate(tree) == (not checked.refused)


BLANKS = ("\u2028", "\u00a0", "\u3000", "\u0085", "&#8232;")
BLANK_FIELDS = ("loc", "hreflang", "href", "image", "license")


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("field", BLANK_FIELDS)
def test_blank_outside_xml_is_refused(tmp_path: Path, field: str, blank: str) -> None:
    values = dict.fromkeys(BLANK_FIELDS, "https://e.example/abc") | {"hreflang": "de"}
    path = tmp_path / "sitemap.xml"
    names = {"image": NAMESPACES["image"], "xhtml": NAMESPACES["xhtml"]}
    declared = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in names.items())

    def codes(values: dict[str, str]) -> set[str]:
        item = (
            '<url><loc>{loc}</loc><xhtml:link rel="alternate" hreflang="{hreflang}" href="{href}"/>'
            "<image:image><image:loc>{image}</image:loc><image:license>{license}</image:license>"
            "</image:image></url>"
        )
        text = f'<urlset xmlns="{SITEMAP}"{declared}>{item.format(**values)}</urlset>'
        path.write_text(text, encoding="utf-8")
        found: list[Finding] = []
        check([str(path)], report=found.append)
        return {finding.code for finding in found}

    assert (codes(values | {field: blank + values[field]}) - codes(values)) & {
        "schema",
        "value-format",
    }
