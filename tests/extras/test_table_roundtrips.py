"""Tables keep every field of every entry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import Entry
from tests.effort import examples
from tests.property.strategies import any_entries
from tests.property.test_roundtrips import read_exactly, write_exactly


@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_entries_are_the_same_after_a_round_trip(name: str) -> None:
    @given(st.lists(any_entries(), max_size=4))
    @examples(30)
    def check(entries: list[Entry]) -> None:
        assert entries == read_exactly(write_exactly(entries, name), name)

    check()
