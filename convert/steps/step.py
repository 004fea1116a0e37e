"""The interface of steps."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter

__all__ = ["Step", "each"]


class Step(NamedTuple):
    """
    A change to the entries on their way from reader to writer.

    Attributes:
        name: Name of the step in `Summary.left_out`.
        run: Function that takes the batches and a `Reporter`, and returns the changed batches.
        needs: Names of the fields that the step looks at, if it only selects or changes entries;
            None if it needs whole entries. The fewer fields are needed, the faster a source is
            read.
        drops: Names of the fields that the step drops on purpose, so that they are not reported as
            lost.

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
