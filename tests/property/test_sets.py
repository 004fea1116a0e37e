"""Sets of files: nothing lost or moved, no file above the limits, all as the schemas want it."""

import gzip
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import (
    Document,
    Entry,
    Opener,
    UrlMap,
    Written,
    convert,
    read,
    target_of,
    write,
)
from tests.conftest import PATIENCE
from tests.effort import examples
from tests.property.strategies import sitemap_entries
from tests.property.test_roundtrips import in_uris
from tests.property.values import iris, optional, schema_dates

BASE = "https://cdn.example/maps/"
_SMALL = st.builds(
    Entry, loc=iris, lastmod=optional(schema_dates), mobile=optional(st.just(True))
)  # at most 1,000 bytes each
_NAMES = {"sitemap.xml": _SMALL, "a b.xml.gz": _SMALL, "urls.txt": st.builds(Entry, loc=iris)}


def _size(path: str) -> int:
    """Count the bytes of a file, unpacked, as the protocol does."""
    data = Path(path).read_bytes()
    return len(gzip.decompress(data) if path.endswith(".gz") else data)


def _written(entries: list[Entry], path: Path, **limits: int) -> tuple[list[Written], list[str]]:
    """Write a set; return its files, and what its index lists."""
    target = target_of(str(path), base_url=BASE, **limits)  # type: ignore[arg-type]
    files = write(Document.of(entries), target).files
    indexes = [one.path for one in files if one.is_index]
    rows = [row.loc or "" for index in indexes for row in read(index)]
    return [one for one in files if not one.is_index], rows


def _through_the_index(path: Path) -> list[Entry]:
    """Read a set back: its index, and through it the files that it lists."""
    lines = path.with_name("back.jsonl")
    index = path if path.suffix != ".txt" else path.with_suffix(".xml")
    opener = Opener(mappings=[UrlMap.of(BASE, str(path.parent))])
    convert([index], target_of(str(lines)), opener=opener)
    return list(read(lines))


@pytest.mark.parametrize("name", _NAMES)
def test_limit_of_urls(name: str) -> None:
    """Files that may hold so many URLs hold all entries in order (sitemaps.org, limits)."""

    @given(st.lists(_NAMES[name], min_size=4, max_size=8), st.integers(1, 7))
    @examples(20)
    def check(some: list[Entry], most: int) -> None:
        entries = some * 2
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            pages, rows = _written(entries, path, max_urls=most)
            counts = [one.entries for one in pages]
            assert max(counts) <= most
            assert sum(counts) == len(entries)
            assert [len(list(read(one.path))) for one in pages] == counts
            names = [Path(one.path).name.replace(" ", "%20") for one in pages]
            assert rows == [BASE + each for each in names]
            assert _through_the_index(path) == in_uris(entries, "sitemap")

    check()


@pytest.mark.parametrize("name", _NAMES)
def test_limit_of_bytes(name: str) -> None:
    """Files that may be so large are not larger, and hold all entries in order (A1)."""

    @given(st.lists(_NAMES[name], min_size=1, max_size=8), st.integers(1500, 4000))
    @examples(20)
    def check(some: list[Entry], most: int) -> None:
        entries = some * (200 // len(some))  # more than any of the files may hold
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            pages, rows = _written(entries, path, max_bytes=most)
            assert max(_size(one.path) for one in pages) <= most
            assert sum(one.entries for one in pages) == len(entries)
            assert len(rows) == len(pages)
            assert _through_the_index(path) == in_uris(entries, "sitemap")

    check()


def _chosen(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Choose values of a strategy, to be looked at all together."""
    chosen: list[Any] = []

    @given(strategy)
    @examples(count)
    def choose(value: Any) -> None:
        chosen.append(value)

    choose()
    return chosen


def _complaints(schema: Path, path: Path) -> str:
    """Let xmllint validate a file; return what it has against it."""
    xmllint = shutil.which("xmllint")
    if xmllint is None:
        pytest.skip("xmllint is not installed")
    command = [xmllint, "--noout", "--nonet", "--schema", str(schema), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    return "" if done.returncode == 0 else done.stderr


def test_sitemaps_are_valid(shared: Path, tmp_path: Path) -> None:
    """Whatever is in the entries, what is written is valid by the official schemas (A3)."""
    strategy = sitemap_entries(with_extras=False).filter(lambda entry: len(entry.loc or "") >= 12)
    path = tmp_path / "sitemap.xml"
    entries = _chosen(strategy, 300)
    assert write(Document.of(entries), target_of(str(path))).written == len(entries)
    assert _complaints(shared / "schemas" / "all-local.xsd", path) == ""


def test_indexes_are_valid(shared: Path, tmp_path: Path) -> None:
    """Indexes, written as such or made for a set, are valid by the official schema (A3)."""
    strategy = st.builds(Entry, loc=iris, lastmod=optional(schema_dates)).filter(
        lambda entry: len(entry.loc or "") >= 12
    )
    entries = _chosen(strategy, 100)
    schema = shared / "schemas" / "siteindex.xsd"
    one, many = tmp_path / "index.xml", tmp_path / "sitemap.xml"
    write(Document.of(entries), target_of(str(one), format="sitemapindex"))
    write(Document.of(entries), target_of(str(many), base_url=BASE, max_urls=2))
    assert (_complaints(schema, one), _complaints(schema, many)) == ("", "")
