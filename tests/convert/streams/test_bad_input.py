"""Whitespace, encodings, compression, and files that are not sitemaps."""

import gzip

import pytest

from sitemapx.errors import InputError
from tests.convert.documents import outcome, urlset

A, B = "https://e.example/a", "https://e.example/b"
U = "https://e.example/ü"
_XML = urlset(f"<url><loc>{A}</loc></url>", f"<url><loc>{B}</loc></url>")
_WIDE = _XML.decode().replace(B, U)
_MANY = urlset(*(f"<url><loc>{A}/{n * 7919 % 10007}</loc></url>" for n in range(5000)))
_PACKED = gzip.compress(_XML, mtime=0)
_BOM = b"\xef\xbb\xbf"
_HAN = "https://e.example/镕"


def _declare(encoding: str, text: str = _WIDE) -> str:
    return text.replace('encoding="UTF-8"', f'encoding="{encoding}"')


_READ: dict[str, tuple[bytes, list[str], list[tuple[str, int | None]]]] = {
    "white space first": (b" \n\t" + _XML, [A, B], []),
    "mark first": (_BOM + _XML, [A, B], []),
    "mark and line break first": (_BOM + b"\n" + _XML, [A, B], []),
    "line break and mark first": (b"\n" + _BOM + _XML, [A, B], []),
    "mark between entries": (_XML.replace(b"\n<url>", b"\n" + _BOM + b"<url>"), [A, B], []),
    "concatenated": (
        _XML + _BOM + urlset(f"<url><loc>{U}</loc></url>"),
        [A, B, U],
        [("stray-content", 7)],
    ),
    "gzip": (_PACKED, [A, B], []),
    "gzip twice": (gzip.compress(_PACKED), [A, B], [("gzip-twice", None)]),
    "gzip in members": (gzip.compress(_XML[:150]) + gzip.compress(_XML[150:]), [A, B], []),
    "gzip and padding": (_PACKED + bytes(50), [A, B], []),
    "gzip and garbage": (_PACKED + b"garbage", [A, B], [("bad-gzip", None)]),
    "gzip without its check": (_PACKED[:-8], [A, B], [("bad-gzip", None)]),
    "UTF-16": (_declare("UTF-16").encode("utf-16"), [A, U], []),
    "UTF-16 LE without mark": (_declare("UTF-16").encode("utf-16-le"), [A, U], []),
    "UTF-16 BE without mark": (_declare("UTF-16").encode("utf-16-be"), [A, U], []),
    "UTF-16 BE": (b"\xfe\xff" + _declare("UTF-16").encode("utf-16-be"), [A, U], []),
    "UTF-16 that says UTF-8": (_WIDE.encode("utf-16"), [A, U], []),
    "UTF-32": (_declare("UTF-32").encode("utf-32"), [A, U], []),
    "UTF-32 BE without mark": (_WIDE.encode("utf-32-be"), [A, U], []),
    "UTF-8 that says UTF-16": (_declare("UTF-16").encode(), [A, U], [("wrong-encoding", 1)]),
    "UTF-8 that says Latin-1": (_declare("ISO-8859-1").encode(), [A, U], [("wrong-encoding", 1)]),
    "Latin-1": (_declare("ISO-8859-1").encode("latin-1"), [A, U], []),
    "Latin-1 that says UTF-8": (_WIDE.encode("latin-1"), [A, U], [("wrong-encoding", 4)]),
    "unknown encoding": (_declare("x-klingon").encode(), [A, U], [("wrong-encoding", 1)]),
    "no encoding of characters": (_declare("base64").encode(), [A, U], [("wrong-encoding", 1)]),
    "GB 18030 that says GB 2312": (
        _declare("gb2312", _XML.decode().replace(B, _HAN)).encode("gb18030"),
        [A, _HAN],
        [("wrong-encoding", None)],
    ),
    "list with mark": (_BOM + f"{A}\n{B}\n".encode(), [A, B], []),
    "list with CR": (f"{A}\r{B}\r".encode(), [A, B], []),
    "list with CRLF": (f"{A}\r\n\r\n{B}\r\n".encode(), [A, B], []),
    "list with spaces": (f" {A} \t\n{B}\u00a0\u200b".encode(), [A, B], []),
    "list in UTF-16": (f"{A}\n{U}".encode("utf-16"), [A, U], []),
    "list in UTF-16 BE without mark": (f"{A}\n{U}".encode("utf-16-be"), [A, U], []),
    "list with more": (
        f"Our pages\n{A}\n/b\nwww.e.example\n{B}".encode(),
        [A, B],
        [("not-a-url", 1), ("not-a-url", 3), ("not-a-url", 4)],
    ),
}


@pytest.mark.parametrize("name", _READ)
def test_entries_are_read_from_unusual_bytes(name: str) -> None:
    data, locs, places = _READ[name]
    result = outcome(data)
    assert result.locs == locs
    assert result.places == places


_REFUSED: dict[str, tuple[bytes, str]] = {
    "gzip three times": (gzip.compress(gzip.compress(_PACKED)), "more than twice"),
    "white space": (b" \n", "file is empty"),
    "page without doctype": (f"\n<html><a href='{A}'>a</a></html>".encode(), "HTML page"),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_other_files_are_rejected(name: str) -> None:
    data, reason = _REFUSED[name]
    with pytest.raises(InputError, match=reason):
        outcome(data)


@pytest.mark.parametrize("name", ["sitemap", "sitemapindex", "rss", "mrss", "atom", None])
@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf"])
def test_empty_file_is_rejected_with_remedy(name: str | None, data: bytes) -> None:
    with pytest.raises(
        InputError, match="file is empty; for an empty list, pass `format=text`, csv or jsonl"
    ):
        outcome(data, format=name)


def test_page_named_as_text_is_rejected() -> None:
    with pytest.raises(InputError, match="HTML page"):
        outcome(f"<!DOCTYPE html><html>\n{A}\n".encode(), format="text")


def test_header_of_list_is_skipped() -> None:
    result = outcome(f"URL\n{A}\n".encode(), format="text")
    assert (result.locs, result.places) == ([A], [("not-a-url", 1)])


def test_truncated_gzip_is_read_to_its_end() -> None:
    packed = gzip.compress(_MANY, mtime=0)
    result, whole = outcome(packed[: len(packed) // 2]), outcome(_MANY)
    assert 1000 < len(result.locs) < 5000
    assert result.locs == whole.locs[: len(result.locs)]
    assert {code for code, line in result.places} == {"bad-gzip", "truncated"}


@pytest.mark.parametrize("name", ["text", "csv", "jsonl"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_truncated_packed_lines_yield_no_partial_url(name: str, end: str) -> None:
    urls = [f"https://e.example/{number}/page-{number * 7919}" for number in range(40)]
    lines = {
        "text": urls,
        "csv": ["title,loc", *(f"t,{url}" for url in urls)],
        "jsonl": [f'{{"loc":"{url}"}}' for url in urls],
    }
    packed = gzip.compress(f"{chr(10).join(lines[name])}{end}".encode(), 1, mtime=0)
    counts = set()
    for size in range(30, len(packed)):
        result = outcome(packed[:size], format=name)
        assert result.locs == urls[: len(result.locs)]
        assert "bad-gzip" in {code for code, line in result.places}
        counts.add(len(result.locs))

    assert len(counts) > 5
    assert urls == outcome(packed, format=name).locs


def test_damaged_gzip_is_read_up_to_the_damage() -> None:
    packed = gzip.compress(_MANY, mtime=0)
    middle = len(packed) // 2
    result, whole = outcome(packed[:middle] + bytes(64) + packed[middle + 64 :]), outcome(_MANY)
    assert result.locs[:2000] == whole.locs[:2000]
    assert "bad-gzip" in {code for code, line in result.places}


def test_truncated_sitemap_yields_complete_entries() -> None:
    ends = [_XML.index(loc.encode()) + len(f"{loc}</loc></url>") for loc in (A, B)]
    start = _XML.index(b"<urlset")
    for length in range(start + len("<urlset "), len(_XML) - len("</urlset>\n")):
        try:
            result = outcome(_XML[:length])
        except InputError:
            assert length < _XML.index(b"<url>")
            continue
        assert result.locs == [A, B][: sum(end <= length for end in ends)], length
        assert "truncated" in {code for code, line in result.places}, length
