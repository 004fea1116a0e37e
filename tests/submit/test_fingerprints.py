"""Digests of all entries of a source."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.submit.fingerprints import Digest, fingerprints

#: A URL and a date, each of which may be missing.
_ENTRIES = st.builds(
    Entry,
    loc=st.sampled_from([None, "https://e.example/1", "https://e.example/2"]),
    lastmod=st.sampled_from([None, "2024-05-08", "2024-06-01"]),
)


def _digest(batches: Sequence[Sequence[Entry]]) -> str:
    digest = Digest()
    for batch in map(Batch, batches):
        digest.update(batch, fingerprints(batch), [False] * len(batch))
    return digest.all


_BATCHES = st.lists(st.lists(_ENTRIES, min_size=1, max_size=3), max_size=3)


@given(_BATCHES, _BATCHES)
def test_different_entries_have_different_digests(
    some: list[list[Entry]], others: list[list[Entry]]
) -> None:
    assert (_digest(some) == _digest(others)) == (some == others)


def test_digest_depends_on_batches() -> None:
    first, third = "https://e.example/1", "https://e.example/3"
    one = [[Entry(loc=first), Entry(lastmod="2024-06"), Entry(loc=third, lastmod="2024-05")]]
    other = [[Entry(loc=first)], [Entry(loc=third, lastmod="2024-06"), Entry(lastmod="2024-05")]]
    assert _digest(one) != _digest(other)
