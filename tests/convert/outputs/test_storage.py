"""Sets in storage, where sending fails half-way."""

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
    """Give storage in memory, which is empty before and after."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()


def _write(tmp_path: Any, word: str, number: int) -> None:
    source = tmp_path / "urls.txt"
    source.write_text("".join(f"https://e.example/{word}/{n}\n" for n in range(number)))
    target = target_of(SITEMAP, format=None, base_url="https://e.example/", max_urls=10)
    convert([str(source)], target)


def _stored(storage: MemoryFileSystem) -> dict[str, bytes]:
    return {path: storage.cat_file(path) for path in sorted(storage.find("/site"))}


@pytest.mark.parametrize("failing", [1, 2, 3, 4])
@pytest.mark.parametrize("before", [0, 15, 35])
def test_failure_while_sending(
    storage: MemoryFileSystem,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    failing: int,
    before: int,
) -> None:
    """What was stored before a set could not be sent is stored afterwards."""
    if before:
        _write(tmp_path, "old", before)
    old = _stored(storage)
    put, calls = MemoryFileSystem.put_file, count(1)

    def failing_put(self: MemoryFileSystem, *arguments: Any, **options: Any) -> None:
        if next(calls) == failing:
            raise OSError("the connection was closed")
        put(self, *arguments, **options)

    monkeypatch.setattr(MemoryFileSystem, "put_file", failing_put)
    with pytest.raises(OutputError, match="the connection was closed"):
        _write(tmp_path, "new", 25)
    assert old == _stored(storage)


def test_failure_of_putting_back(
    storage: MemoryFileSystem, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that could not be put back are named."""
    _write(tmp_path, "old", 25)
    put, calls = MemoryFileSystem.put_file, count(1)

    def failing_put(self: MemoryFileSystem, *arguments: Any, **options: Any) -> None:
        if next(calls) >= 2:
            raise OSError("the connection was closed")
        put(self, *arguments, **options)

    monkeypatch.setattr(MemoryFileSystem, "put_file", failing_put)
    with pytest.raises(OutputError, match=r"could not restore sitemap-1\.xml"):
        _write(tmp_path, "new", 25)
