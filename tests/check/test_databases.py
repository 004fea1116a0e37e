"""A check closes every database that it opened, even if it fails."""

import io
import sqlite3
from functools import partial

import pytest

from sitemapx.check.checker import check
from sitemapx.convert.disk import spill

_OPEN: set[int] = set()


class _Connection(sqlite3.Connection):
    """A connection that registers itself in `_OPEN` while it is open."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        _OPEN.add(id(self))

    def close(self) -> None:
        """Close the connection."""
        super().close()
        _OPEN.discard(id(self))


def _pages() -> io.BytesIO:
    return io.BytesIO(b"".join(b"https://e.example/%d\n" % number for number in range(3)))


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_each_database_is_closed(monkeypatch: pytest.MonkeyPatch, is_interrupted: bool) -> None:
    opened = []

    def connect(*arguments: object, **options: object) -> sqlite3.Connection:
        opened.append(_Connection(*arguments, **options))
        return opened[-1]

    def interrupt(finding: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sqlite3, "connect", connect)
    monkeypatch.setattr(spill, "_TEXTS_IN_MEMORY", 1)
    run = partial(check, [_pages(), _pages()], codes={"duplicate-loc", "listed-elsewhere"})
    if is_interrupted:
        with pytest.raises(KeyboardInterrupt):
            run(report=interrupt)
    else:
        run()

    assert opened
    assert set() == _OPEN
