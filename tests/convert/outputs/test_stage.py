"""The stage: an output is built beside its place, and put there as a whole."""

import io
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from sitemapx.convert import Target, convert, target_of
from sitemapx.convert.model.problems import ignore
from sitemapx.convert.outputs.stage import Stage
from sitemapx.errors import OutputError, UsageError


def _target(folder: Path) -> Target:
    return target_of(str(folder / "sitemap.xml"), base_url="https://e.example/", max_urls=2)


def _build(target: Target, count: int) -> list[str]:
    urls = b"\n".join(b"https://e.example/%d" % number for number in range(count))
    return [file.path for file in convert([io.BytesIO(urls)], target, report=ignore).files]


def _staged(stage: Stage, count: int) -> None:
    urls = b"\n".join(b"https://e.example/%d" % number for number in range(count))
    stage.publish(convert([io.BytesIO(urls)], stage.target, report=ignore).files)


def _names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize(("before", "after"), [(1, 5), (5, 1), (5, 3), (3, 3), (2, 1)])
def test_as_without(before: int, after: int, tmp_path: Path) -> None:
    """What comes from a stage is what the conversion writes by itself."""
    found = []
    for name in ("plain", "staged"):
        folder = tmp_path / name
        folder.mkdir()
        _build(_target(folder), before)
        if name == "plain":
            _build(_target(folder), after)
        else:
            with closing(Stage(_target(folder))) as stage:
                _staged(stage, after)
        files = {one: (folder / one).read_text() for one in _names(folder)}
        found.append({one: text.split("<lastmod>")[0] for one, text in files.items()})

    assert found[0] == found[1]


def test_link(tmp_path: Path) -> None:
    """What a link leads to is replaced."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "sitemap.xml").write_text("old")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "sitemap.xml").symlink_to(tmp_path / "a" / "sitemap.xml")
    with closing(Stage(_target(tmp_path / "b"))) as stage:
        _staged(stage, 1)

    assert (tmp_path / "b" / "sitemap.xml").is_symlink()
    assert "/0</loc>" in (tmp_path / "a" / "sitemap.xml").read_text()
    assert ["sitemap.xml"] == _names(tmp_path / "a") == _names(tmp_path / "b")


def test_changed_meanwhile(tmp_path: Path) -> None:
    """What another run published meanwhile stays."""
    with closing(Stage(_target(tmp_path))) as stage:
        _build(_target(tmp_path), 1)
        before = (tmp_path / "sitemap.xml").read_bytes()
        with pytest.raises(OutputError, match="changed during this run"):
            _staged(stage, 5)

    assert before == (tmp_path / "sitemap.xml").read_bytes()
    assert ["sitemap.xml"] == _names(tmp_path)


def test_foreign_file(tmp_path: Path) -> None:
    """A file of somebody else is not replaced, and nothing else then, either."""
    (tmp_path / "sitemap-2.xml").write_text("mine")
    with (
        closing(Stage(_target(tmp_path))) as stage,
        pytest.raises(OutputError, match="already exists"),
    ):
        _staged(stage, 5)

    assert ["sitemap-2.xml"] == _names(tmp_path)
    assert "mine" == (tmp_path / "sitemap-2.xml").read_text()


def test_other_stages(tmp_path: Path) -> None:
    """A stage that nobody uses any more is removed, and no other one."""
    (tmp_path / ".sitemapx-stage-old").mkdir()
    (tmp_path / ".sitemapx-stage-old" / "x").touch()
    target = _target(tmp_path)
    with closing(Stage(target)) as first, closing(Stage(target)) as second:
        assert 2 == len(_names(tmp_path))
        assert os.path.isdir(first.folder)
        assert os.path.isdir(second.folder)
    assert [] == _names(tmp_path)


def test_many_at_once(tmp_path: Path) -> None:
    """A stage that another run begins at the same time is not taken for one that nobody uses."""

    def use(number: int) -> bool:
        with closing(Stage(_target(tmp_path))) as stage:
            return os.path.isdir(stage.folder)

    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(use, range(200)))
    assert [] == _names(tmp_path)


def test_no_file() -> None:
    """Standard output cannot be staged."""
    with pytest.raises(UsageError, match="only a file"):
        Stage(target_of("-", format="text"))
