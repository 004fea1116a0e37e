"""Comparing: what is told is what makes the new out of the old, and nothing else."""

import io
import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sitemapx.convert import Comparison, Difference, Document, Entry, read
from sitemapx.convert.model.batch import FIELDS
from tests.effort import examples
from tests.property.strategies import any_entries, sitemap_entries
from tests.property.test_roundtrips import in_uris, written
from tests.property.values import optional, plain_urls

#: Few of everything, so that much is alike.
_SMALL = st.builds(
    Entry,
    loc=st.none() | st.sampled_from(["https://e.example/", "https://e.example/a", "https://é/"]),
    lastmod=optional(st.sampled_from(["2024", "2025"])),
    id=optional(st.sampled_from("12")),
    categories=st.sampled_from([(), ("a",), ("a", "b")]),
)
_lists = st.lists(_SMALL, max_size=12)


def compared(old: list[Entry], new: list[Entry], **options: Any) -> list[Difference]:
    """List the differences."""
    return list(Comparison(Document.of(old), Document.of(new), **options))


@given(_lists, _lists)
@examples(80)
def test_differences(old: list[Entry], new: list[Entry]) -> None:
    """The old, without what is gone and with what has come, is the new."""
    comparison = Comparison(Document.of(old), Document.of(new))
    found = list(comparison)
    gone = Counter(one.old for one in found if one.old)
    come = Counter(one.new for one in found if one.new)

    assert Counter(new) == Counter(old) - gone + come
    assert not gone.keys() & come.keys()
    assert gone <= Counter(old)
    assert len(old) == comparison.same + gone.total()
    assert len(old) + len(new) == comparison.read


@given(_lists, _lists)
@examples(60)
def test_what_a_difference_says(old: list[Entry], new: list[Entry]) -> None:
    """They come in the order of URLs; what changed is named, and is of the same URL."""
    found = compared(old, new)
    keys = [one.entry.loc or one.entry.id or "" for one in found]

    assert sorted(keys) == keys
    for one in found:
        assert bool(one.fields) == (one.change == "changed")
        if one.old and one.new:
            changes = {name: getattr(one.new, name) for name in one.fields}
            assert one.new == replace(one.old, **changes, loc=one.new.loc)
            assert all(getattr(one.old, name) != value for name, value in changes.items())
            assert (one.old.loc or one.old.id) == (one.new.loc or one.new.id)


@given(_lists, _lists, st.integers(0, 3000), st.randoms(use_true_random=False))
@examples(60)
def test_order_and_disk(
    old: list[Entry], new: list[Entry], in_memory: int, chance: random.Random
) -> None:
    """Neither the order of entries nor the room in memory changes what is told."""
    expected = compared(old, new)
    chance.shuffle(old)
    chance.shuffle(new)

    assert expected == compared(old, new)
    assert expected == compared(old, new, in_memory=in_memory)


@given(_lists, _lists)
@examples(40)
def test_other_way_round(old: list[Entry], new: list[Entry]) -> None:
    """What was added is removed the other way round, and what changed changes back."""
    there, back = compared(old, new), compared(new, old)

    assert Counter(there) == Counter(Difference(one.new, one.old, one.fields) for one in back)


@given(st.lists(any_entries(), max_size=4), st.randoms(use_true_random=False))
@examples(15)
def test_the_same(entries: list[Entry], chance: random.Random) -> None:
    """Whatever is in entries, they are the same as themselves, in any order."""
    others = chance.sample(entries, len(entries))

    assert [] == compared(entries, others)
    assert [] == compared(entries, others, in_memory=0)


@given(_lists, st.sampled_from(FIELDS[1:]))
@examples(40)
def test_fields(entries: list[Entry], name: str) -> None:
    """Fields that do not matter may differ, and where they alone matter, all others may."""
    others = [replace(entry, lastmod="2026", categories=("c",)) for entry in entries]
    rest = set(FIELDS) - {"lastmod", "categories"}

    only = compared(entries, others, fields={name})

    assert [] == compared(entries, others, fields=rest)
    assert {name} >= {each for one in only for each in one.fields}
    assert {one.old for one in only} - {None} <= set(entries)
    assert {one.new for one in only} - {None} <= set(others)


@given(st.lists(sitemap_entries(plain_urls), max_size=4, unique_by=lambda entry: entry.loc))
@examples(15)
def test_formats(entries: list[Entry]) -> None:
    """A field that one of the formats cannot hold is no difference."""
    entries = in_uris(entries, "sitemap")

    def document(name: str) -> Document:
        kept = {"text": ("loc",), "sitemapindex": ("loc", "lastmod")}.get(name, FIELDS)
        some = [Entry(**{field: getattr(one, field) for field in kept}) for one in entries]
        return read(io.BytesIO(written(some, name)), format=name)

    for name in ("text", "sitemapindex", "jsonl", "csv", "sitemap"):
        assert [] == list(Comparison(document("sitemap"), document(name)))
