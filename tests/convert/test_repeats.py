"""Counting of repeated hashes, in memory and on disk."""

from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert.disk.spill import RepeatCounter
from sitemapx.errors import OutputError

_HASHES = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-20, 20))


@given(st.lists(st.lists(_HASHES, max_size=50), max_size=30), st.integers(1, 300))
def test_repeated_hashes_are_counted_beyond_the_memory(
    batches: list[list[int]], in_memory: int
) -> None:
    with closing(RepeatCounter(in_memory)) as repeats:
        for batch in batches:
            repeats.add_hashes(batch)
        hashes = [value for batch in batches for value in batch]
        assert len(hashes) - len(set(hashes)) == repeats.count()


def test_full_disk_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.TemporaryFile", lambda: open("/dev/full", "w+b"))
    with (
        closing(RepeatCounter(1)) as repeats,
        pytest.raises(OutputError, match="No space left on device"),
    ):
        repeats.add_hashes([1, 2])
