"""What an output has is replaced by less only as far as that is allowed, whatever its format."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import Document, Entry, Safeguards, Summary, Target, target_of, write
from tests.effort import examples

BASE = "https://e.example/"


def _written(target: Target, count: int, **options: Any) -> Summary:
    entries = [Entry(loc=f"{BASE}{n}", id=str(n), title=f"a\nb {n}") for n in range(count)]
    return write(Document.of(entries), target, safeguards=Safeguards(**options))


def _state(folder: Path) -> dict[str, bytes]:
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
def test_loss(tmp_path: Path, name: str, limits: dict[str, Any]) -> None:
    """Too great a loss leaves all as it was; one of more than half is reported."""
    folder = tmp_path / "out"
    folder.mkdir()
    target = target_of(str(folder / name), **limits)

    @given(st.integers(0, 12), st.integers(0, 12), st.sampled_from([None, 0, 10, 50, 90, 100]))
    @examples(40)
    def check(before: int, after: int, most: float | None) -> None:
        _written(target, before, allow_empty=True)
        old = _state(folder)
        summary = _written(target, after, max_loss=most)
        lost = 100 * (before - after) / before if before else 0
        is_refused = lost > (100 if most is None else most) or bool(before and not after)

        assert bool(summary.failure) == is_refused
        assert (_state(folder) == old) or not is_refused
        assert ("shrunk" in summary.problems) == (lost >= 50 and after > 0 and not is_refused)

    check()


@pytest.mark.parametrize("name", ["sitemap.xml", "urls.txt.gz", "map.html"])
def test_loss_in_storage(name: str) -> None:
    """What is stored elsewhere is kept by the same rules."""
    fsspec = pytest.importorskip("fsspec")
    storage = fsspec.filesystem("memory")
    target = target_of(f"memory://bucket/{name}", base_url=BASE, max_urls=2)
    assert not _written(target, 5).failure
    before = storage.find("/bucket")

    assert (
        "the output has 5 entries; pass `safeguards=Safeguards(allow_empty=True)`"
        in _written(target, 0).failure
    )
    assert "would be lost (40%, limit 39%)" in _written(target, 3, max_loss=39).failure
    assert before == storage.find("/bucket")
    assert 1 == _written(target, 2).problems["shrunk"]
    assert not _written(target, 0, allow_empty=True).failure
    storage.rm("/bucket", recursive=True)


def test_what_is_no_new_version(tmp_path: Path) -> None:
    """A list of changes may become shorter, or empty."""
    target = target_of(str(tmp_path / "changed.txt"))
    _written(target, 5)

    assert {} == _written(target, 0, watches_loss=False).problems
    assert b"" == (tmp_path / "changed.txt").read_bytes()


def _array(count: int) -> str:
    objects = [f'{{"loc": "{BASE}{n}"}}' for n in range(count)]
    return f"\ufeff [{','.join(objects[:5])},\n{','.join(objects[5:])}]\n"


def _capitals(count: int) -> str:
    items = "".join(f"<ITEM><LINK>{BASE}{n}</LINK></ITEM>" for n in range(count))
    return f'<rss version="2.0"><channel>{items}</channel></rss>'


@pytest.mark.parametrize(("name", "written"), [("a.jsonl", _array), ("a.rss", _capitals)])
def test_what_others_wrote(name: str, written: Callable[[int], str], tmp_path: Path) -> None:
    """Entries are counted, too, where others write more of them in a line, or otherwise."""
    (tmp_path / name).write_text(written(10))
    target = target_of(str(tmp_path / name))

    assert "would be lost (40%, limit 39%)" in _written(target, 6, max_loss=39).failure


def test_what_is_no_sitemap(tmp_path: Path) -> None:
    """What is no sitemap at all, or an index of others, has entries as far as it can be read."""
    target = target_of(str(tmp_path / "sitemap.xml"))
    (tmp_path / "sitemap.xml").write_text("<html>")
    assert not _written(target, 0).failure
    listed = "".join(f"<sitemap><loc>{BASE}{name}.xml</loc></sitemap>" for name in "ab")
    (tmp_path / "sitemap.xml").write_text(f"<sitemapindex>{listed}</sitemapindex>")

    assert "the output has 2 entries" in _written(target, 0).failure


def test_strict_and_partial(tmp_path: Path) -> None:
    """A strict run lets no output shrink; a partial one empties it, unless a limit is named."""
    target = target_of(str(tmp_path / "sitemap.xml"))
    _written(target, 9)

    assert "Safeguards(strict=True)" in _written(target, 2, strict=True).failure
    assert (
        "would be lost (100%, limit 50%)" in _written(target, 0, partial=True, max_loss=50).failure
    )
    assert not _written(target, 0, partial=True).failure
