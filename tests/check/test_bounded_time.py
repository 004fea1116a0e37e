"""The work of checks, fixes and conversions grows linearly with the input."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemapx.check.checker import check
from sitemapx.check.findings import Finding
from sitemapx.check.fix.fixer import FixableFile, fix_file
from sitemapx.check.positions import MarkupPositions
from sitemapx.check.schema import validator as schema
from sitemapx.check.schema.errors import Finder
from sitemapx.convert import read
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.model.problems import Problem
from sitemapx.convert.values.uris import to_uri
from sitemapx.convert.xml import frame
from sitemapx.convert.xml.repair.markup import fix_characters
from sitemapx.errors import InputError
from sitemapx.submit.robots.file import RobotsFile

_START = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
_URL = "<url><loc>https://e.example/{}</loc>{}</url>"


def _items(item: str, count: int) -> str:
    return _START + "".join(item.format(number, number) for number in range(count)) + "</urlset>"


SHAPES: dict[str, Callable[[int], str]] = {
    "ampersands": lambda n: f"{_START}{_URL.format('&' * n, '')}</urlset>",
    "apart": lambda n: f"{_START}{_URL.format('& ' * n, '')}</urlset>",
    "names": lambda n: _items(_URL.format("{}", "<e{}/>"), n),
    "namespaces": lambda n: _items(_URL.format("{}", "<x:e xmlns:x='urn:{}'/>"), n),
    "prefixes": lambda n: _items(_URL.format("{}", "<x{}:e/>"), n),
    "elements": lambda n: f"{_START}{_URL.format('', '<e/>' * n)}</urlset>",
    "bare": lambda n: f"{_START}{'<url>' * n}</urlset>",
    "empty": lambda n: f"{_START}{'<url/>' * n}</urlset>",
    "unclosed": lambda n: f"{_START}{'<url><loc>' * n}</urlset>",
    "relative": lambda n: _items("<url><loc>/{}</loc></url>\n", n),
    "line": lambda n: _items(_URL.format("{}?a&b", ""), n),
    "warnings": lambda n: _items(_URL.format("{}", "<lastmod>2026-01-01T10:00Z</lastmod>"), n),
    "csv": lambda n: "loc\n" + "/page\n" * n,
    "quote": lambda n: 'loc,title\n"' + "https://e.example/a,b\n" * n,
}


def _calls(work: Callable[[], object]) -> int:
    """Run `work`, and return the number of function calls, in Python and C."""
    count = 0

    def see(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def _assert_linear(work: Callable[[int], object]) -> None:
    work(10)  # what is imported and remembered once
    small, large = _calls(lambda: work(200)), _calls(lambda: work(800))
    assert large < 5 * small


@pytest.mark.parametrize("shape", SHAPES)
def test_calls_of_check_grow_linearly(shape: str) -> None:
    _assert_linear(lambda n: check([io.BytesIO(SHAPES[shape](n).encode())]))


_IN_ITEM = (
    "<rss version='2.0'><channel><title>T</title><item>{}<title>A</title></item></channel></rss>"
)
FEED_SHAPES: dict[str, Callable[[int], str]] = {
    "elements": lambda n: _IN_ITEM.format("<e/>" * n),
    "enclosures": lambda n: _IN_ITEM.format("<enclosure/>" * n),
    "html": lambda n: _IN_ITEM.format(f"<description>{'&lt;p onclick=x>' * n}</description>"),
}


@pytest.mark.parametrize("shape", FEED_SHAPES)
def test_calls_of_check_of_feeds_grow_linearly(shape: str) -> None:
    _assert_linear(lambda n: check([io.BytesIO(FEED_SHAPES[shape](n).encode())]))


def test_patterns_of_feeds_take_linear_time() -> None:
    author = f"<author>a@{'a.' * 150_000} </author>"
    svg = f"<description>{'&lt;svg>&lt;x>' * 150_000}</description>"
    result = check([io.BytesIO(_IN_ITEM.format(author + svg).encode())])
    assert "bad-email" in {finding.code for finding in result.findings}


@pytest.mark.parametrize("shape", [one for one in SHAPES if one not in ("csv", "quote")])
def test_calls_of_fix_grow_linearly(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"

    def fix(n: int) -> None:
        path.write_text(SHAPES[shape](n))
        codes = frozenset({"unescaped", "date-format", "namespace", "loc-character"})
        fix_file(FixableFile(str(path), by_name("sitemap"), None, codes))

    _assert_linear(fix)


def test_feedparser_reads_a_limited_number_of_items() -> None:
    items = "".join(f"<item><title>a & b <br>{n}</title></item>" for n in range(6000))
    data = f'<rss version="2.0"><channel><title>t</title>{items}</channel></rss>'
    messages: list[str] = []
    entries = list(
        read(io.BytesIO(data.encode()), report=lambda problem: messages.append(problem.message))
    )
    assert 6000 == len(entries)
    with_feedparser = sum("as far as possible" in message for message in messages)
    assert 300 < with_feedparser < 2000
    assert 6000 == with_feedparser + sum("only roughly" in message for message in messages)


def test_each_line_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []
    found: list[Finding] = []
    search = MarkupPositions._of_line

    def counted(self: MarkupPositions, line: int) -> object:
        searched.append(line)
        return search(self, line)

    monkeypatch.setattr(MarkupPositions, "_of_line", counted)
    check([io.BytesIO(SHAPES["line"](500).encode())], report=found.append)
    assert 500 <= sum(finding.code == "unescaped" for finding in found)
    assert len(searched) < 10


def test_many_findings_of_one_entry_are_summed() -> None:
    found: list[Finding] = []
    check([io.BytesIO(SHAPES["elements"](20_000).encode())], report=found.append)
    told = [finding for finding in found if finding.code == "unknown-element"]
    assert len(told) < 6000
    assert "15,000 more like this" in told[-1].message


def test_bare_ampersands_of_a_line_are_fixed_at_once() -> None:
    small = _calls(lambda: fix_characters(b"& " * 20_000, Context(), 1))
    large = _calls(lambda: fix_characters(b"& " * 80_000, Context(), 1))
    assert large < small + 100


def test_too_long_url_is_not_escaped() -> None:
    to_uri("https://e.example/ ")  # which compiles patterns
    assert _calls(lambda: to_uri("https://e.example/" + " " * 20_000)) < 100


def test_many_invalid_items_are_validated_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    class Counting(Finder):
        def __init__(self, root: etree._Element) -> None:
            sizes.append(len(root))
            super().__init__(root)

    monkeypatch.setattr(schema, "Finder", Counting)
    root = etree.fromstring(f"{_START}{'<url><loc>x</loc><e/></url>' * 2500}</urlset>".encode())
    validator = schema.DocumentValidator("urlset")
    validator.validate(root)
    assert sizes == [1000, 1000, 500]
    assert {one.getroottree().getroot() for one in validator._left} == {root}
    assert len(validator._left) >= 2500


def test_parts_declare_only_needed_prefixes(monkeypatch: pytest.MonkeyPatch) -> None:
    declared: list[dict[str | None, str]] = []

    class Counting(Finder):
        def __init__(self, root: etree._Element) -> None:
            declared.append(dict(root.nsmap))
            super().__init__(root)

    monkeypatch.setattr(schema, "Finder", Counting)
    prefixes = " ".join(f'xmlns:p{n}="urn:{n}"' for n in range(1500))
    items = "".join(f"<url><loc>x</loc><p{n}:e/></url>" for n in range(1500))
    root = etree.fromstring(f"{_START[:-1]} {prefixes}>{items}</urlset>".encode())
    validator = schema.DocumentValidator("urlset")
    validator.validate(root)
    assert [len(one) for one in declared] == [1, 1]
    assert len(validator._left) >= 1500


class _Unlisted(dict[etree._Element, tuple[str, str]]):
    """A dictionary that may not be iterated over."""

    def __iter__(self) -> Any:
        raise AssertionError("all schema errors were gone through")


def test_schema_errors_are_found_by_their_parent() -> None:
    root = etree.fromstring(f"{_START}{'<url><lastmod/></url>' * 10}</urlset>".encode())
    validator = schema.DocumentValidator("urlset")
    validator.validate(root)
    validator._left = _Unlisted(validator._left)
    assert all(validator.take_error(item, "no-loc") for item in root)
    assert not validator._left


def test_items_without_end_tags_are_parsed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    parse = frame.parse_as_html

    def counted(data: bytes, *, recover: bool = False) -> etree._Element | None:
        parsed.append(len(data))
        return parse(data, recover=recover)

    monkeypatch.setattr(frame, "parse_as_html", counted)
    items = "".join(f"<url><loc>https://e.example/{n}</loc>\n" for n in range(2000))
    messages: list[str] = []
    entries = list(
        read(
            io.BytesIO(f"{_START}{items}</urlset>".encode()),
            report=lambda problem: messages.append(str(problem)),
        )
    )
    assert 2000 == len(entries)
    assert len(parsed) < 10
    assert "<stream>:1: warning: </url> is missing [malformed]" == messages[0]
    assert "<stream>:1000: warning: </url> is missing [malformed]" == messages[999]
    more = "<stream>:2000: warning: </url> is missing; 1,000 more like this [malformed]"
    assert [more] == messages[1000:]


CROWDS = {
    "more than 50,000 tags in a <url>": f"<url>{'<e/>' * 50_000}</url>",
    "more than 50,000 tags between entries": "<e/>" * 50_001,
    "a tag with more than 1,000 attributes in a <url>": "<url{}><loc>x</loc></url>".format(
        "".join(f" a{n}=''" for n in range(1001))
    ),
    "a tag with more than 1,000 attributes between entries": "<e{}/>".format(
        "".join(f" a{n}=''" for n in range(1001))
    ),
}


@pytest.mark.parametrize("crowd", CROWDS)
def test_entry_with_too_many_tags_is_skipped(crowd: str) -> None:
    data = f"{_START}\n{_URL.format(1, '')}\n{CROWDS[crowd]}\n{_URL.format(2, '')}\n</urlset>"
    problems: list[Problem] = []
    entries = list(read(io.BytesIO(data.encode()), report=problems.append))
    assert ["https://e.example/1", "https://e.example/2"] == [entry.loc for entry in entries]
    told = [(problem.code, problem.message) for problem in problems]
    assert [("entry-too-large", f"{crowd}; skipped")] == told


def test_tags_in_text_are_not_counted() -> None:
    tags = f"<![CDATA[{'<b>' * 60_000}]]>"
    signs = "a=b " * 5_000
    items = "".join(
        f"<item><link>https://e.example/</link><description>{text}</description></item>"
        for text in (tags, signs)
    )
    data = f'<rss version="2.0"><channel><title>t</title>{items}</channel></rss>'
    assert 2 == len(list(read(io.BytesIO(data.encode()))))


@pytest.mark.parametrize("crowd", ["attributes", "tags"])
def test_document_with_too_large_start_is_rejected(crowd: str) -> None:
    tag = "<urlset{}>".format("".join(f" a{n}=''" for n in range(1001)))
    data = tag if crowd == "attributes" else _START + "<e/>" * 50_001
    with pytest.raises(InputError, match=f"{crowd} before the first <url>"):
        list(read(io.BytesIO(f"{data}{_URL}</urlset>".encode())))


class _Counted(bytes):
    """Bytes that count how many of them are copied or searched."""

    work = 0

    def replace(self, *arguments: Any) -> "_Counted":
        return _Counted(super().replace(*arguments))

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        _Counted.work += len(part) if isinstance(part, bytes) else 1
        return part

    def count(self, sub: Any, start: Any = 0, end: Any = None) -> int:
        _Counted.work += (len(self) if end is None else end) - start
        return super().count(sub, start, end)


def test_lines_of_robots_txt_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    line = b"Sitemap: https://e.example/sitemap.xml\r\n"
    robots = RobotsFile()
    monkeypatch.setattr(robots, "_data", _Counted(line * 1000))
    monkeypatch.setattr(_Counted, "work", 0)
    assert [one.number for one in robots.sitemaps()] == list(range(1, 1001))
    assert _Counted.work < 2 * 1000 * len(line)
