"""The differences between two documents turn the old entries into the new ones."""

import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sitemapx.convert import Comparison, Difference, Document, Entry
from sitemapx.convert.model.batch import FIELDS
from tests.effort import examples
from tests.property.strategies import any_entries
from tests.property.values import optional

#: Few distinct values, so that many entries are equal.
_SMALL = st.builds(
    Entry,
    loc=st.none() | st.sampled_from(["https://e.example/", "https://e.example/a", "https://é/"]),
    lastmod=optional(st.sampled_from(["2024", "2025"])),
    id=optional(st.sampled_from("12")),
    categories=st.sampled_from([(), ("a",), ("a", "b")]),
)
_lists = st.lists(_SMALL, max_size=12)


def compare(old: list[Entry], new: list[Entry], **options: Any) -> list[Difference]:
    return list(Comparison(Document.from_entries(old), Document.from_entries(new), **options))


@given(_lists, _lists)
@examples(80)
def test_differences_turn_old_into_new(old: list[Entry], new: list[Entry]) -> None:
    comparison = Comparison(Document.from_entries(old), Document.from_entries(new))
    result = list(comparison)
    gone = Counter(item.old for item in result if item.old)
    come = Counter(item.new for item in result if item.new)

    assert Counter(new) == Counter(old) - gone + come
    assert not gone.keys() & come.keys()
    assert gone <= Counter(old)
    assert len(old) == comparison.same + gone.total()
    assert len(old) + len(new) == comparison.read


@given(_lists, _lists)
@examples(60)
def test_differences_are_sorted_and_name_changed_fields(old: list[Entry], new: list[Entry]) -> None:
    result = compare(old, new)
    keys = [item.entry.loc or item.entry.id or "" for item in result]

    assert sorted(keys) == keys
    for item in result:
        assert bool(item.fields) == (item.change == "changed")
        if item.old and item.new:
            changes = {name: getattr(item.new, name) for name in item.fields}
            assert item.new == replace(item.old, **changes, loc=item.new.loc)
            assert all(getattr(item.old, name) != value for name, value in changes.items())
            assert (item.old.loc or item.old.id) == (item.new.loc or item.new.id)


@given(_lists, _lists, st.integers(0, 3000), st.randoms(use_true_random=False))
@examples(60)
def test_order_and_memory_do_not_matter(
    old: list[Entry], new: list[Entry], in_memory: int, chance: random.Random
) -> None:
    expected = compare(old, new)
    chance.shuffle(old)
    chance.shuffle(new)

    assert expected == compare(old, new)
    assert expected == compare(old, new, in_memory=in_memory)


@given(_lists, _lists)
@examples(40)
def test_reversed_comparison_reverses_differences(old: list[Entry], new: list[Entry]) -> None:
    there, back = compare(old, new), compare(new, old)

    assert Counter(there) == Counter(Difference(item.new, item.old, item.fields) for item in back)


@given(st.lists(any_entries(), max_size=4), st.randoms(use_true_random=False))
@examples(15)
def test_entries_equal_themselves_in_any_order(entries: list[Entry], chance: random.Random) -> None:
    others = chance.sample(entries, len(entries))

    assert [] == compare(entries, others)
    assert [] == compare(entries, others, in_memory=0)


@given(_lists, st.sampled_from(FIELDS[1:]))
@examples(40)
def test_only_selected_fields_are_compared(entries: list[Entry], name: str) -> None:
    others = [replace(entry, lastmod="2026", categories=("c",)) for entry in entries]
    rest = set(FIELDS) - {"lastmod", "categories"}

    only = compare(entries, others, fields={name})

    assert [] == compare(entries, others, fields=rest)
    assert {name} >= {each for item in only for each in item.fields}
    assert {item.old for item in only} - {None} <= set(entries)
    assert {item.new for item in only} - {None} <= set(others)
