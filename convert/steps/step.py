"""The interface of steps."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter

__all__ = ["Step", "each"]


class Step(NamedTuple):
    """
    A step: a change of entries on their way from reader to writer.

    Attributes:
        name: What the summary calls it, where it leaves entries out.
        run: Takes the entries in batches, and whom to tell of problems; gives others.
        needs: The fields that it looks at, and no others; None if it passes on whole entries of
            its own making. Readers are quick where few fields are needed.
        drops: The fields that it leaves out: nobody misses them in the output.

    """

    name: str
    run: Callable[[Iterator[Batch], Reporter], Iterator[Batch]]
    needs: Collection[str] | None = None
    drops: Collection[str] = ()


def each(name: str, change: Callable[[Batch], Batch], needs: Collection[str] | None) -> Step:
    """Make a step that changes one batch after the other."""

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        return filter(len, map(change, batches))

    return Step(name, run, needs)
