"""Rows of the table: two commands, and how their runs are compared."""

from collections.abc import Callable
from dataclasses import dataclass

from bench.measure import Command, Run
from bench.samples.data import Sample
from bench.samples.pages import SamplePages

__all__ = ["ADDED_TIME", "MEGABYTES", "MEMORY", "TIME", "Comparison", "Row", "seconds_each"]


@dataclass(frozen=True)
class Comparison:
    """
    A value computed from a run of sitemapx and a run of the peer.

    Attributes:
        of: Function that computes the value from both runs.
        unit: Unit of the value; empty for a ratio.
        digits: Number of decimal places.

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
    A row of the table: two commands to compare.

    Attributes:
        name: Name of the job.
        ours: Command of sitemapx.
        peer: Command to compare with.
        goal: Maximum acceptable value; None for any.
        later: Goal for future versions; None if it is the same.
        compared: The value to compute from the runs.
        reads: Files that both commands read.
        job: Name of the job, if it has files of several shapes, of which the slowest counts.
        once: Whether one round is enough, for example because processor time is compared.

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
    """Return a comparison whose value is the seconds that sitemapx takes per item."""
    return Comparison(lambda ours, _peer: ours.wall * count, unit, digits=1)
