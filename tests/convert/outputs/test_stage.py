"""A staged output is built beside its target and published as a whole."""

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


def _publish_staged(stage: Stage, count: int) -> None:
    urls = b"\n".join(b"https://e.example/%d" % number for number in range(count))
    stage.publish(convert([io.BytesIO(urls)], stage.target, report=ignore).files)


def _list_names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize(("before", "after"), [(1, 5), (5, 1), (5, 3), (3, 3), (2, 1)])
def test_staged_set_equals_direct_output(before: int, after: int, tmp_path: Path) -> None:
    result = []
    for name in ("plain", "staged"):
        folder = tmp_path / name
        folder.mkdir()
        _build(_target(folder), before)
        if name == "plain":
            _build(_target(folder), after)
        else:
            with closing(Stage(_target(folder))) as stage:
                _publish_staged(stage, after)
        files = {item: (folder / item).read_text() for item in _list_names(folder)}
        result.append({item: text.split("<lastmod>")[0] for item, text in files.items()})

    assert result[0] == result[1]


def test_target_of_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "sitemap.xml").write_text("old")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "sitemap.xml").symlink_to(tmp_path / "a" / "sitemap.xml")
    with closing(Stage(_target(tmp_path / "b"))) as stage:
        _publish_staged(stage, 1)

    assert (tmp_path / "b" / "sitemap.xml").is_symlink()
    assert "/0</loc>" in (tmp_path / "a" / "sitemap.xml").read_text()
    assert ["sitemap.xml"] == _list_names(tmp_path / "a") == _list_names(tmp_path / "b")


def test_concurrent_change_is_not_overwritten(tmp_path: Path) -> None:
    with closing(Stage(_target(tmp_path))) as stage:
        _build(_target(tmp_path), 1)
        before = (tmp_path / "sitemap.xml").read_bytes()
        with pytest.raises(OutputError, match="changed during this run"):
            _publish_staged(stage, 5)

    assert before == (tmp_path / "sitemap.xml").read_bytes()
    assert ["sitemap.xml"] == _list_names(tmp_path)


def test_foreign_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "sitemap-2.xml").write_text("mine")
    with (
        closing(Stage(_target(tmp_path))) as stage,
        pytest.raises(OutputError, match="already exists"),
    ):
        _publish_staged(stage, 5)

    assert ["sitemap-2.xml"] == _list_names(tmp_path)
    assert "mine" == (tmp_path / "sitemap-2.xml").read_text()


def test_only_unused_stages_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".sitemapx-stage-old").mkdir()
    (tmp_path / ".sitemapx-stage-old" / "x").touch()
    target = _target(tmp_path)
    with closing(Stage(target)) as first, closing(Stage(target)) as second:
        assert 2 == len(_list_names(tmp_path))
        assert os.path.isdir(first.folder)
        assert os.path.isdir(second.folder)
    assert [] == _list_names(tmp_path)


def test_new_stages_are_not_removed(tmp_path: Path) -> None:
    def use(number: int) -> bool:
        with closing(Stage(_target(tmp_path))) as stage:
            return os.path.isdir(stage.folder)

    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(use, range(200)))
    assert [] == _list_names(tmp_path)


def test_standard_output_cannot_be_staged() -> None:
    with pytest.raises(UsageError, match="only a file"):
        Stage(target_of("-", format="text"))
