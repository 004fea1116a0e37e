"""What is written can be read again, and is then written again to the byte."""

import io
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import (
    Alternate,
    Document,
    Entry,
    Opener,
    Problem,
    convert,
    read,
    target_of,
    write,
)
from sitemapx.convert.values.uris import to_uri
from tests.effort import examples
from tests.property.strategies import any_entries, sitemap_entries
from tests.property.values import iris, schema_dates

_entries = {
    "sitemap": sitemap_entries(),
    "sitemapindex": st.builds(Entry, loc=iris, lastmod=st.none() | schema_dates),
    "text": st.builds(Entry, loc=iris),
    "jsonl": any_entries(),
    "csv": any_entries(),
}


def written(entries: list[Entry], name: str) -> bytes:
    """Write entries, of which nothing may be lost."""
    problems: list[Problem] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "out")
        write(Document.of(entries), target_of(str(path), format=name), report=problems.append)
        assert problems == []
        return path.read_bytes()


def read_again(data: bytes, name: str | None) -> list[Entry]:
    """Read bytes, of which nothing may be lost."""
    problems: list[Problem] = []
    entries = list(read(io.BytesIO(data), format=name, report=problems.append))
    assert [problem for problem in problems if problem.code != "empty"] == []
    return entries


def uris_in(entry: Entry) -> Entry:
    """Write all addresses as RFC 3986 has them, as the writers for search engines do."""

    def changed(value: object) -> object:
        if isinstance(value, dict):
            return {
                key: to_uri(part) or part
                if key in keys and isinstance(part, str)
                else changed(part)
                for key, part in value.items()
            }
        return [changed(part) for part in value] if isinstance(value, list | tuple) else value

    keys = {"loc", "href", "license", "info", "gallery_loc"}
    keys |= {"thumbnail_loc", "content_loc", "player_loc"}
    return msgspec.convert(changed(msgspec.to_builtins(entry)), Entry)


def in_uris(entries: list[Entry], name: str) -> list[Entry]:
    """Say what a format keeps of entries that it can hold."""
    is_exact = name in ("jsonl", "csv")
    return entries if is_exact else [uris_in(entry) for entry in entries]


@pytest.mark.parametrize("name", list(_entries))
def test_read_after_write(name: str) -> None:
    """Reading what was written gives the same entries, in the same order (DESIGN 2)."""

    @given(st.lists(_entries[name], max_size=4))
    @examples(30)
    def check(entries: list[Entry]) -> None:
        assert read_again(written(entries, name), name) == in_uris(entries, name)

    check()


@pytest.mark.parametrize("name", ["sitemap", "sitemapindex", "text", "jsonl", "csv"])
def test_write_after_read(name: str) -> None:
    """Writing what was read from what was written changes no byte (STYLE 10)."""

    @given(st.lists(_entries[name], max_size=4))
    @examples(20)
    def check(entries: list[Entry]) -> None:
        once = written(entries, name)
        assert written(read_again(once, name), name) == once

    check()


@pytest.mark.parametrize("name", ["sitemap", "sitemapindex", "text", "jsonl", "csv"])
def test_detection(name: str) -> None:
    """The format of what was written is found by its contents (DESIGN, the contract)."""

    @given(st.lists(_entries[name], min_size=1, max_size=2))
    @examples(15)
    def check(entries: list[Entry]) -> None:
        data = written(entries, name)
        assert read_again(data, None) == read_again(data, name)

    check()


@given(st.lists(sitemap_entries(), max_size=4))
@examples(20)
def test_lossless_formats_hold_a_sitemap(entries: list[Entry]) -> None:
    """A sitemap is the same after a detour over JSON Lines and CSV (DESIGN, the contract)."""
    once = written(entries, "sitemap")
    for name in ("jsonl", "csv"):
        detour = written(read_again(once, "sitemap"), name)
        assert written(read_again(detour, name), "sitemap") == once


@given(st.lists(st.builds(Entry, loc=iris), max_size=5))
@examples(20)
def test_gzip(entries: list[Entry]) -> None:
    """A compressed output is read like the same one that is not (F1)."""
    with tempfile.TemporaryDirectory() as folder:
        plain, packed = (Path(folder, name) for name in ("a.xml", "a.xml.gz"))
        for path in (plain, packed):
            write(Document.of(entries), target_of(str(path)))
        assert packed.read_bytes()[:2] == b"\x1f\x8b"
        assert list(read(packed)) == list(read(plain))


def test_values_that_have_two_writings() -> None:
    """An alternate whose rel is said to be the usual one is the same as without."""
    entry = Entry(loc="https://example.com/", alternates=(Alternate(href="https://example.com/d"),))
    said = Entry(
        loc="https://example.com/",
        alternates=(Alternate(href="https://example.com/d", rel="alternate"),),
    )
    assert written([said], "sitemap") == written([entry], "sitemap")


@given(st.lists(any_entries(), max_size=3))
@examples(15)
def test_conversion_is_reading_and_writing(entries: list[Entry]) -> None:
    """`convert` does what `read` and `write` do one after the other (DESIGN, the flow)."""
    lines = written(entries, "jsonl")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "out.csv")
        convert([io.BytesIO(lines)], target_of(str(path)), opener=Opener(format="jsonl"))
        assert path.read_bytes() == written(read_again(lines, "jsonl"), "csv")
