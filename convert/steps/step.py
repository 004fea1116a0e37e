"""Steps: operations that select, sort or change entries between reader and writer."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.reporter import Reporter
from sitemapx.errors import UsageError


class Step(NamedTuple):
    """
    A step between reader and writer, which selects, sorts or changes entries.

    Attributes:
        name: Name of the step in `Summary.left_out`.
        run: Function that takes the batches and a `Reporter`, and returns the changed batches.
        needs: Names of the fields whose values the step uses; None if it needs whole entries. The
            fewer fields are needed, the faster a source is read.
        drops: Names of the fields that the step drops on purpose, or copies to others, so that they
            are not reported as lost.
        inherits: Names of the fields whose missing values are filled in from the head of the feed
            before the step.
        save: Function that stores data for the next run; called after the output was written, with
            whether all sources were read completely. None if the step stores nothing.
        why_empty: Function that returns why nothing is written if no entries remain; an empty text
            if that is normal.
        stops_early: Whether the step may stop before all entries are read.

    """

    name: str
    run: Callable[[Iterator[Batch], Reporter], Iterator[Batch]]
    needs: Collection[str] | None = None
    drops: Collection[str] = ()
    inherits: Collection[str] = ()
    save: Callable[[bool], object] | None = None
    why_empty: Callable[[], str] = str
    stops_early: bool = False


def each(name: str, change: Callable[[Batch], Batch], needs: Collection[str] | None) -> Step:
    """Create a step that applies `change` to each batch, and drops batches that become empty."""

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        return filter(len, map(change, batches))

    return Step(name, run, needs)


def require_steps(steps: Iterable[object]) -> None:
    for step in steps:
        if not isinstance(step, Step):
            name = getattr(step, "__name__", "unique")
            raise UsageError(f"{step!r} is not a Step: pass steps as a list, such as [{name}()]")


def used_fields(steps: Iterable[Step], held: Collection[str]) -> Collection[str]:
    """Return the names of the fields that are written (`held`) or listed in `needs` of a step."""
    return {*held, *chain.from_iterable(step.needs or () for step in steps)}


def save(steps: Sequence[Step], *, is_complete: bool) -> None:
    is_complete = is_complete and not any(step.stops_early for step in steps)
    for step in steps:
        if step.save:
            step.save(is_complete)
