"""What a row of the table is: two commands, and what is made of their runs."""

from collections.abc import Callable
from dataclasses import dataclass

from bench.measure import Command, Run
from bench.samples.data import Sample
from bench.samples.pages import SamplePages

__all__ = ["ADDED_TIME", "MEGABYTES", "MEMORY", "TIME", "Comparison", "Row", "seconds_each"]


@dataclass(frozen=True)
class Comparison:
    """
    What is made of two runs, one beside the other.

    Attributes:
        of: Gives the value for our run and the peer's.
        unit: Of that value; empty for a ratio.
        digits: How many decimals are worth showing.

    """

    of: Callable[[Run, Run], float]
    unit: str = ""
    digits: int = 2


TIME = Comparison(lambda ours, peer: ours.wall / peer.wall)
MEGABYTES = Comparison(lambda ours, _peer: ours.memory / 1_000_000, "MB", digits=0)
MEMORY = Comparison(lambda ours, peer: ours.memory / peer.memory, digits=3)
ADDED_TIME = Comparison(lambda ours, peer: 1000 * (ours.wall - peer.wall), "ms more", digits=0)


@dataclass(frozen=True)
class Row:
    """
    One comparison.

    Attributes:
        name: What is done.
        ours: How sitemapx does it.
        peer: What that is compared with.
        goal: The greatest value that is good enough today; None if any is.
        later: The greatest value that will be good enough one day; None if that is the same.
        compared: What the value is.
        reads: The files that both commands read.
        job: What is done with files of several shapes, of which the worst one counts.
        once: Whether one round is enough, as where the time of a processor is compared.

    """

    name: str
    ours: Command
    peer: Command
    goal: float | None
    later: float | None = None
    compared: Comparison = TIME
    reads: tuple[Sample | SamplePages, ...] = ()
    job: str = ""
    once: bool = False


def seconds_each(count: int, unit: str) -> Comparison:
    """Make a comparison that gives our seconds for so many."""
    return Comparison(lambda ours, _peer: ours.wall * count, unit, digits=1)
