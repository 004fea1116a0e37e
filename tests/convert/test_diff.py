"""Memory that comparisons use."""

import gc
import random
import tracemalloc

import pytest

from sitemapx.convert import Batch, Comparison, Document, Entry
from tests.effort import slow

COUNT = 30_000


def _document(numbers: list[int]) -> Document:
    return Document(
        Batch([Entry(loc=f"https://e.example/{n:08}", title=str(n)) for n in some])
        for some in (numbers[n : n + 100] for n in range(0, len(numbers), 100))
    )


def _peak(old: list[int], new: list[int], in_memory: int) -> int:
    """Compare two lists of numbered URLs; return the peak memory in bytes."""
    comparison = Comparison(_document(old), _document(new), in_memory=in_memory)
    gc.collect()
    gc.freeze()  # the more objects other tests have left, the later Python looks for garbage
    tracemalloc.start()
    result = sum(1 for _ in comparison)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    gc.unfreeze()

    assert len(set(old) ^ set(new)) == result
    return peak


def _shuffled() -> list[int]:
    return random.Random(1).sample(range(COUNT), COUNT)


_ALIKE = {
    "the same": (_shuffled(), _shuffled()),
    "some added": (_shuffled(), [-1, *_shuffled(), -2]),
    "sorted, with much added at the start": (
        list(range(COUNT, 2 * COUNT)),
        list(range(COUNT - 3000, 2 * COUNT)),
    ),
}


@slow
@pytest.mark.parametrize("name", _ALIKE)
def test_sources_in_similar_order_take_little_memory(name: str) -> None:
    """Matched entries are freed at once, regardless of the limit."""
    assert _peak(*_ALIKE[name], in_memory=1 << 40) < 2_300_000


@slow
def test_memory_is_limited_without_common_order() -> None:
    other = random.Random(2).sample(range(COUNT), COUNT)

    assert _peak(_shuffled(), other, in_memory=1 << 40) > 5_000_000
    assert _peak(_shuffled(), other, in_memory=2_000_000) < 3_000_000
