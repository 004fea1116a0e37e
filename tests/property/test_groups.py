"""If the files of a set are groups, a new page changes only its file and the index."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import Document, Entry, Opener, UrlMap, target_of, write
from tests.effort import examples

BASE = "https://e.example/"
_SEGMENT = st.sampled_from(["a", "b-c", "B", "a-b", "c", "root", "index-2", "x.0", "é"])
_PATHS = st.lists(_SEGMENT, max_size=4).map("/".join)
_LOCS = st.lists(_PATHS.map(BASE.__add__), unique=True, min_size=1, max_size=30)


def _write(folder: Path, locs: list[str], group_by: str, most: int) -> dict[str, bytes]:
    """Write a set; return the contents of its files by name."""
    target = target_of(str(folder / "sitemap.xml"), base_url=BASE, group_by=group_by, max_urls=most)
    write(Document.from_entries([Entry(loc=loc) for loc in locs]), target)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _read(folder: Path) -> list[str | None]:
    opener = Opener(mappings=[UrlMap.create(BASE, str(folder))])
    inputs = opener.open([str(folder / "sitemap.xml")])
    return [entry.loc for source in inputs for batch in source.batches for entry in batch.entries]


@given(_LOCS, _PATHS, st.sampled_from(["path:1", "path:2", "host"]), st.integers(1, 5))
@examples(60)
def test_new_page_changes_only_its_file(
    locs: list[str], path: str, group_by: str, most: int
) -> None:
    new = BASE + path
    rest = [loc for loc in locs if loc != new]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = _write(folder, rest, group_by, most)
        after = _write(folder, [new, *rest], group_by, most)
        result = _read(folder)

    assert sorted([new, *rest]) == sorted(_unescape(result))
    changed = {name for name in after if before.get(name) != after[name]} - {"sitemap.xml"}
    if changed <= before.keys():
        assert 1 == len(changed)
    gone = before.keys() - after.keys()  # files of a group that was halved
    assert len(gone) <= 1


def _unescape(locs: list[str | None]) -> list[str]:
    return [(loc or "").replace("%C3%A9", "é") for loc in locs]
