"""Steps that keep a certain number of entries, regardless of their contents."""

from collections.abc import Iterator
from itertools import repeat
from operator import itemgetter
from random import Random

from sitemapx.convert.model.batch import Batch, batched
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.steps.step import Step
from sitemapx.errors import UsageError


def head(count: int) -> Step:
    """
    Keep only the first entries, and stop reading then.

    Args:
        count: Number of entries to keep.

    Raises:
        UsageError: If the number is not at least 1.

    """
    _require_positive(count)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        left = count
        for batch in batches:
            kept = min(left, len(batch))
            left -= kept
            yield batch.select([*repeat(True, kept), *repeat(False, len(batch) - kept)])
            if not left:
                return

    return Step("head", run, (), stops_early=True)


def sample(count: int, *, seed: int = 0) -> Step:
    """
    Keep only a random sample of the entries, in their original order.

    All entries have the same probability. The same entries in the same order, with the same number
    and seed, result in the same sample.

    Args:
        count: Number of entries to keep, which are in memory until the last one is read.
        seed: Selects one of the possible samples.

    Raises:
        UsageError: If the number is not at least 1.

    """
    _require_positive(count)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        random = Random(seed).random  # noqa: S311 - `random` is the same in all versions of Python
        kept: list[tuple[int, Entry]] = []
        entries = (entry for batch in batches for entry in batch.entries)
        # Algorithm R: https://doi.org/10.1145/3147.3165
        for number, entry in enumerate(entries):
            if number < count:
                kept.append((number, entry))
            elif (place := int(random() * (number + 1))) < count:
                kept[place] = (number, entry)
        kept.sort(key=itemgetter(0))
        yield from batched(entry for _, entry in kept)

    return Step("sample", run)


def _require_positive(count: int) -> None:
    if count < 1:
        raise UsageError(f"invalid number {count}: expected 1 or more")
