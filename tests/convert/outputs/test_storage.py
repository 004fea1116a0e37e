"""Uploads of sets to cloud storage that fail."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from sitemapx.convert import convert, target_of
from sitemapx.errors import OutputError

SITEMAP = "memory://site/sitemap.xml"


@pytest.fixture
def storage() -> Iterator[MemoryFileSystem]:
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()


def _write(tmp_path: Any, word: str, number: int) -> None:
    source = tmp_path / "urls.txt"
    source.write_text("".join(f"https://e.example/{word}/{n}\n" for n in range(number)))
    target = target_of(SITEMAP, format=None, base_url="https://e.example/", max_urls=10)
    convert([str(source)], target)


def _read_storage(storage: MemoryFileSystem) -> dict[str, bytes]:
    return {path: storage.cat_file(path) for path in sorted(storage.find("/site"))}


@pytest.mark.parametrize("failing", [1, 2, 3, 4])
@pytest.mark.parametrize("before", [0, 15, 35])
def test_failed_upload_restores_the_old_set(
    storage: MemoryFileSystem,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    failing: int,
    before: int,
) -> None:
    if before:
        _write(tmp_path, "old", before)
    old = _read_storage(storage)
    put, calls = MemoryFileSystem.put_file, count(1)

    def failing_put(self: MemoryFileSystem, *arguments: Any, **options: Any) -> None:
        if next(calls) == failing:
            raise OSError("the connection was closed")
        put(self, *arguments, **options)

    monkeypatch.setattr(MemoryFileSystem, "put_file", failing_put)
    with pytest.raises(OutputError, match="the connection was closed"):
        _write(tmp_path, "new", 25)
    assert old == _read_storage(storage)


def test_files_that_cannot_be_restored_are_named(
    storage: MemoryFileSystem, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, "old", 25)
    put, calls = MemoryFileSystem.put_file, count(1)

    def failing_put(self: MemoryFileSystem, *arguments: Any, **options: Any) -> None:
        if next(calls) >= 2:
            raise OSError("the connection was closed")
        put(self, *arguments, **options)

    monkeypatch.setattr(MemoryFileSystem, "put_file", failing_put)
    with pytest.raises(OutputError, match=r"could not restore sitemap-1\.xml"):
        _write(tmp_path, "new", 25)
