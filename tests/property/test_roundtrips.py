"""Written entries are read back, and then written identically."""

import io
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import Alternate, Document, Entry, Problem, read, target_of, write
from sitemapx.convert.values.uris import to_uri
from tests.effort import examples
from tests.property.strategies import any_entries, sitemap_entries
from tests.property.values import iris, schema_dates

_entries = {
    "sitemap": sitemap_entries(),
    "sitemapindex": st.builds(Entry, loc=iris, lastmod=st.none() | schema_dates),
    "text": st.builds(Entry, loc=iris),
    "jsonl": any_entries(),
    "json": any_entries(),
    "csv": any_entries(),
    "tsv": any_entries(),
}


def write_exactly(entries: list[Entry], name: str) -> bytes:
    """Write entries to bytes; fail if any problem is reported."""
    problems: list[Problem] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "out")
        write(
            Document.from_entries(entries),
            target_of(str(path), format=name),
            report=problems.append,
        )
        assert problems == []
        return path.read_bytes()


def read_exactly(data: bytes, name: str | None) -> list[Entry]:
    """Read entries from bytes; fail if any problem is reported."""
    problems: list[Problem] = []
    entries = list(read(io.BytesIO(data), format=name, report=problems.append))
    assert [problem for problem in problems if problem.code != "empty"] == []
    return entries


def to_uris(entry: Entry) -> Entry:
    """Escape all URLs as in RFC 3986, as writers for search engines do."""

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


def to_stored_form(entries: list[Entry], name: str) -> list[Entry]:
    """Return entries in the form in which they are read back from a format."""
    is_exact = name in ("jsonl", "json", "csv", "tsv")
    return entries if is_exact else [to_uris(entry) for entry in entries]


@pytest.mark.parametrize("name", list(_entries))
def test_entries_are_read_back(name: str) -> None:
    @given(st.lists(_entries[name], max_size=4))
    @examples(30)
    def check(entries: list[Entry]) -> None:
        assert read_exactly(write_exactly(entries, name), name) == to_stored_form(entries, name)

    check()


@pytest.mark.parametrize("name", list(_entries))
def test_second_writing_is_identical(name: str) -> None:
    @given(st.lists(_entries[name], max_size=4))
    @examples(20)
    def check(entries: list[Entry]) -> None:
        once = write_exactly(entries, name)
        assert write_exactly(read_exactly(once, name), name) == once

    check()


@pytest.mark.parametrize("name", list(_entries))
def test_format_is_detected(name: str) -> None:
    @given(st.lists(_entries[name], min_size=1, max_size=2))
    @examples(15)
    def check(entries: list[Entry]) -> None:
        data = write_exactly(entries, name)
        assert read_exactly(data, None) == read_exactly(data, name)

    check()


def test_default_rel_is_not_written() -> None:
    entry = Entry(loc="https://example.com/", alternates=(Alternate(href="https://example.com/d"),))
    explicit = Entry(
        loc="https://example.com/",
        alternates=(Alternate(href="https://example.com/d", rel="alternate"),),
    )
    assert write_exactly([explicit], "sitemap") == write_exactly([entry], "sitemap")
