"""
No byte string makes a reader raise anything but InputError.

Hostile input is normal: PROTOCOLS F1 to F5. `SITEMAPX_FUZZ=1000000` tries as many examples.
What was found is in `tests/convert/data/fuzz/` and tried every time.
"""

import gzip
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemapx.convert import Context, Document, Entry, Problem, read
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.model.problems import PROBLEMS, ProblemHandler
from sitemapx.errors import InputError, UsageError
from tests.convert.documents import Dribble
from tests.effort import examples
from tests.property.documents import DOCUMENTS, FORMATS

FOUND = sorted((Path(__file__).parent.parent / "convert" / "data" / "fuzz").iterdir())
assert FOUND, "no fixtures found"

# fmt: off
SNIPPETS = [
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?", b"?>", b"<?xml ", b"<!DOCTYPE ",
    b"<!DOCTYPE x [", b"&", b"&#0;", b"&#xFFFF;", b"&#99999999999;", b"&nbsp;", b"&x;", b"<",
    b">", b"/>", b"</", b"<url>", b"</url>", b"<url/>", b"<loc>", b"</loc>", b"<urlset>",
    b"</urlset>", b"<urlset/>", b"<sitemap>", b"</sitemap>", b"</sitemapindex>", b"<image:loc>",
    b"</image:image>", b"<a:b:c/>", b"<x:url>", b"</x:url>", b' xmlns="relative"',
    b' xmlns:x="y"', b' xmlns:x=""', b"<q:r/>", b"\0", b"\x01", b"\xff", b"\xef\xbb\xbf",
    b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\xed\xa0\x80", b"\xef\xbf\xbf", b"\xc2\xa0",
    b"\r", b"\n", b"\r\n", b"\t", b"\x1f\x8b\x08", b'"', b"'", b"{", b"}", b"[", b"]", b",",
    b";", b"\\ud800", b"1e999", b"null", b"=", b"%", b"//[", b'encoding="utf-7"',
    b'encoding="idna"', b'encoding="undefined"', b'encoding="hex"', b"PK\x03\x04",
    b"<item>", b"</item>", b"<link>", b"</link>", b"<entry>", b"</entry>", b"</channel>", b"</rss>",
    b"<link href=''/>", b"<media:content/>", b"<media:group>", b"</media:group>", b"&eacute;",
    b' xml:base="http://["', b"<title type='xhtml'><b>", b"<source>", b"<pubDate>", b"</pubDate>",
    b"<media:restriction>", b"<media:starRating average='nan'/>", b"1e400", b"-0001-01-01",
]
# fmt: on


@st.composite
def damaged_documents(draw: st.DrawFn) -> tuple[str, bytes]:
    """Draw a document, and flip, cut, repeat and insert bytes."""
    name, data = draw(st.sampled_from(DOCUMENTS))
    was_packed = data.startswith(b"\x1f\x8b") and draw(st.booleans())
    if was_packed:
        data = gzip.decompress(data)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(["flip", "cut", "end", "repeat", "insert", "insert", "insert"]))
        if kind == "flip" and at < len(data):
            changed = data[at] ^ 1 << draw(st.integers(0, 7))
            data = data[:at] + bytes([changed]) + data[at + 1 :]
        elif kind == "cut":
            data = data[:at] + data[at + draw(st.integers(1, 60)) :]
        elif kind == "end":
            data = data[:at]
        elif kind == "repeat":
            data = data[:at] + data[max(0, at - draw(st.integers(1, 300))) :]
        elif kind == "insert":
            data = data[:at] + draw(st.sampled_from(SNIPPETS)) + data[at:]
    return name, gzip.compress(data, mtime=0) if was_packed else data


def _read_all_ways(data: bytes, names: tuple[str, ...], most: int) -> None:
    """Read with detection, with each format, and in small pieces."""
    for name in (None, *names):
        _check(partial(_read_whole, data, name))
    for name in names:
        _check(partial(_read_dribbled, data, name, most))


def _read_whole(data: bytes, name: str | None, report: ProblemHandler) -> Document:
    url = "https://example.com/s/"
    return read(io.BytesIO(data), format=name, source_url=url, report=report)


def _read_dribbled(data: bytes, name: str, most: int, report: ProblemHandler) -> Document:
    return by_name(name).reader()(Dribble(data, most), Context(report))


def _check(opened: Callable[[ProblemHandler], Document]) -> None:
    """Read to the end or an error, and check lines, codes and entries."""
    reported: list[Problem] = []
    lines: list[int | None] = []
    entries: list[Entry] = []
    try:
        entries.extend(opened(reported.append))
    except InputError as error:
        lines.append(error.line)
    except UsageError as error:
        if "pyarrow is not installed" not in str(error):
            raise
    assert {problem.code for problem in reported} <= PROBLEMS.keys()
    assert all(problem.message for problem in reported)
    assert all(
        line is None or line >= 1 for line in (*lines, *(problem.line for problem in reported))
    )
    assert Entry() not in entries


@given(st.binary(max_size=2000), st.integers(1, 500))
@examples(200)
@example(b"", 1)
@example(b"PAR1", 1)
@example(b"ARROW1", 1)
def test_random_bytes_raise_only_input_errors(data: bytes, most: int) -> None:
    _read_all_ways(data, FORMATS, most)


@given(st.lists(st.sampled_from(SNIPPETS), max_size=40), st.integers(1, 500))
@examples(200)
def test_random_markup_raises_only_input_errors(parts: list[bytes], most: int) -> None:
    _read_all_ways(b"".join(parts), FORMATS, most)


@given(damaged_documents(), st.integers(1, 500))
@examples(500)
def test_damaged_documents_raise_only_input_errors(document: tuple[str, bytes], most: int) -> None:
    name, data = document
    _read_all_ways(data, (name,), most)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_former_failures_raise_only_input_errors(path: Path) -> None:
    data = path.read_bytes()
    for most in (7, 100, 100_000):
        _read_all_ways(data, FORMATS, most)
