"""Each format rejects an output that shrinks by more than the allowed share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import Document, Entry, Safeguards, Summary, Target, target_of, write
from tests.effort import examples

BASE = "https://e.example/"


def _write(target: Target, count: int, **options: Any) -> Summary:
    entries = [Entry(loc=f"{BASE}{n}", id=str(n), title=f"a\nb {n}") for n in range(count)]
    return write(Document.from_entries(entries), target, safeguards=Safeguards(**options))


def _read_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("limits", [{}, {"base_url": BASE, "max_urls": 3}], ids=["file", "set"])
@pytest.mark.parametrize(
    "name",
    [
        "a.xml",
        "a.xml.gz",
        "a.txt",
        "a.jsonl",
        "a.csv",
        "a.rss",
        "a.mrss",
        "a.atom",
        "a.html",
        "a.htm.gz",
    ],
)
def test_too_great_a_loss_changes_nothing(
    tmp_path: Path, name: str, limits: dict[str, Any]
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    target = target_of(str(folder / name), **limits)

    @given(st.integers(0, 12), st.integers(0, 12), st.sampled_from([None, 0, 10, 50, 90, 100]))
    @examples(40)
    def check(before: int, after: int, most: float | None) -> None:
        _write(target, before, allow_empty=True)
        old = _read_files(folder)
        summary = _write(target, after, max_loss=most)
        lost = 100 * (before - after) / before if before else 0
        is_refused = lost > (100 if most is None else most) or bool(before and not after)

        assert bool(summary.failure) == is_refused
        assert (_read_files(folder) == old) or not is_refused
        assert ("shrunken-output" in summary.problems) == (
            lost >= 50 and after > 0 and not is_refused
        )

    check()


@pytest.mark.parametrize("name", ["sitemap.xml", "urls.txt.gz", "map.html"])
def test_loss_in_storage_is_limited(name: str) -> None:
    fsspec = pytest.importorskip("fsspec")
    storage = fsspec.filesystem("memory")
    target = target_of(f"memory://bucket/{name}", base_url=BASE, max_urls=2)
    assert not _write(target, 5).failure
    before = storage.find("/bucket")

    assert (
        "the output has 5 entries; pass `safeguards=Safeguards(allow_empty=True)`"
        in _write(target, 0).failure
    )
    assert "would be lost (40%, limit 39%)" in _write(target, 3, max_loss=39).failure
    assert before == storage.find("/bucket")
    assert 1 == _write(target, 2).problems["shrunken-output"]
    assert not _write(target, 0, allow_empty=True).failure
    storage.rm("/bucket", recursive=True)


def test_unwatched_output_may_shrink(tmp_path: Path) -> None:
    target = target_of(str(tmp_path / "changed.txt"))
    _write(target, 5)

    assert {} == _write(target, 0, watches_loss=False).problems
    assert b"" == (tmp_path / "changed.txt").read_bytes()


def _format_array(count: int) -> str:
    objects = [f'{{"loc": "{BASE}{n}"}}' for n in range(count)]
    return f"\ufeff [{','.join(objects[:5])},\n{','.join(objects[5:])}]\n"


def _format_capitals(count: int) -> str:
    items = "".join(f"<ITEM><LINK>{BASE}{n}</LINK></ITEM>" for n in range(count))
    return f'<rss version="2.0"><channel>{items}</channel></rss>'


@pytest.mark.parametrize(
    ("name", "written"), [("a.jsonl", _format_array), ("a.rss", _format_capitals)]
)
def test_entries_of_foreign_files_are_counted(
    name: str, written: Callable[[int], str], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(written(10))
    target = target_of(str(tmp_path / name))

    assert "would be lost (40%, limit 39%)" in _write(target, 6, max_loss=39).failure


def test_entries_of_index_are_counted(tmp_path: Path) -> None:
    target = target_of(str(tmp_path / "sitemap.xml"))
    (tmp_path / "sitemap.xml").write_text("<unknown>")
    assert not _write(target, 0).failure
    listed = "".join(f"<sitemap><loc>{BASE}{name}.xml</loc></sitemap>" for name in "ab")
    (tmp_path / "sitemap.xml").write_text(f"<sitemapindex>{listed}</sitemapindex>")

    assert "the output has 2 entries" in _write(target, 0).failure


def test_strict_run_may_not_shrink_the_output(tmp_path: Path) -> None:
    target = target_of(str(tmp_path / "sitemap.xml"))
    _write(target, 9)

    assert "Safeguards(strict=True)" in _write(target, 2, strict=True).failure
    assert "would be lost (100%, limit 50%)" in _write(target, 0, partial=True, max_loss=50).failure
    assert not _write(target, 0, partial=True).failure
