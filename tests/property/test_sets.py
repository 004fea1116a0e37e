"""Sets of files are complete, in order, within the limits, and valid according to the schemas."""

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
from tests.property.test_roundtrips import to_stored_form
from tests.property.values import iris, optional, schema_dates

BASE = "https://cdn.example/maps/"
_SMALL = st.builds(
    Entry, loc=iris, lastmod=optional(schema_dates), mobile=optional(st.just(True))
)  # at most 1,000 bytes each
_NAMES = {"sitemap.xml": _SMALL, "a b.xml.gz": _SMALL, "urls.txt": st.builds(Entry, loc=iris)}


def _size(path: str) -> int:
    """Return the uncompressed size, which the protocol limits."""
    data = Path(path).read_bytes()
    return len(gzip.decompress(data) if path.endswith(".gz") else data)


def _write(entries: list[Entry], path: Path, **limits: int) -> tuple[list[Written], list[str]]:
    """Write a set; return its files without the index, and the URLs in the index."""
    target = target_of(str(path), base_url=BASE, **limits)  # type: ignore[arg-type]
    files = write(Document.from_entries(entries), target).files
    indexes = [file.path for file in files if file.is_index]
    rows = [row.loc or "" for index in indexes for row in read(index)]
    return [file for file in files if not file.is_index], rows


def _read_index(path: Path) -> list[Entry]:
    """Read the entries of all files that the index of a set lists."""
    lines = path.with_name("back.jsonl")
    index = path if path.suffix != ".txt" else path.with_suffix(".xml")
    opener = Opener(mappings=[UrlMap.create(BASE, str(path.parent))])
    convert([index], target_of(str(lines)), opener=opener)
    return list(read(lines))


@pytest.mark.parametrize("limit", ["max_urls", "max_bytes"])
@pytest.mark.parametrize("name", _NAMES)
def test_files_respect_the_limits(name: str, limit: str) -> None:
    """The limits are those of https://www.sitemaps.org/faq.html#faq_sitemap_size."""
    limits = st.integers(1, 7) if limit == "max_urls" else st.integers(1500, 4000)
    count = 16 if limit == "max_urls" else 200  # more than one file holds

    @given(st.lists(_NAMES[name], min_size=4, max_size=8), limits)
    @examples(20)
    def check(some: list[Entry], most: int) -> None:
        entries = some * (count // len(some))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            pages, rows = _write(entries, path, **{limit: most})
            counts = [page.entries for page in pages]
            sizes = counts if limit == "max_urls" else [_size(page.path) for page in pages]
            assert max(sizes) <= most
            assert sum(counts) == len(entries)
            assert [len(list(read(page.path))) for page in pages] == counts
            names = [Path(page.path).name.replace(" ", "%20") for page in pages]
            assert rows == [BASE + each for each in names]
            assert _read_index(path) == to_stored_form(entries, "sitemap")

    check()


def _draw(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Draw `count` values of a strategy to use together."""
    chosen: list[Any] = []

    @given(strategy)
    @examples(count)
    def choose(value: Any) -> None:
        chosen.append(value)

    choose()
    return chosen


def _validate(schema: Path, path: Path) -> str:
    """Validate a file with xmllint; return its messages."""
    xmllint = shutil.which("xmllint")
    if xmllint is None:
        pytest.skip("xmllint is not installed")
    command = [xmllint, "--noout", "--nonet", "--schema", str(schema), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    return "" if done.returncode == 0 else done.stderr


def test_sitemaps_are_valid(shared: Path, tmp_path: Path) -> None:
    strategy = sitemap_entries(with_extras=False).filter(lambda entry: len(entry.loc or "") >= 12)
    path = tmp_path / "sitemap.xml"
    entries = _draw(strategy, 300)
    assert write(Document.from_entries(entries), target_of(str(path))).written == len(entries)
    assert _validate(shared / "schemas" / "all-local.xsd", path) == ""


def test_indexes_are_valid(shared: Path, tmp_path: Path) -> None:
    strategy = st.builds(Entry, loc=iris, lastmod=optional(schema_dates)).filter(
        lambda entry: len(entry.loc or "") >= 12
    )
    entries = _draw(strategy, 100)
    schema = shared / "schemas" / "siteindex.xsd"
    single, many = tmp_path / "index.xml", tmp_path / "sitemap.xml"
    write(Document.from_entries(entries), target_of(str(single), format="sitemapindex"))
    write(Document.from_entries(entries), target_of(str(many), base_url=BASE, max_urls=2))
    assert (_validate(schema, single), _validate(schema, many)) == ("", "")
