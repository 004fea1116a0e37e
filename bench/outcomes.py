"""Results of comparisons; of a job with several kinds of input (shapes), the slowest counts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.comparisons import Row
from bench.measure import Run, Spread, summarize

__all__ = ["Outcome", "group_by_job", "group_by_shape"]


@dataclass(frozen=True)
class Outcome:
    """
    The result of a row.

    Attributes:
        row: The row.
        pairs: The runs of sitemapx and of the peer in each round.
        note: Why there are no runs; empty if there are.
        is_ours: Whether sitemapx failed.

    """

    row: Row
    pairs: Sequence[tuple[Run, Run]] = ()
    note: str = ""
    is_ours: bool = False

    @property
    def value(self) -> Spread | None:
        """The compared value; None if nothing was measured."""
        return (
            summarize([self.row.compared.of(*pair) for pair in self.pairs]) if self.pairs else None
        )

    @property
    def is_bad(self) -> bool:
        """Whether sitemapx failed, or missed the goal."""
        return self.is_ours or self.reaches(self.row.goal) is False

    def reaches(self, goal: float | None) -> bool | None:
        """Return whether the value reaches a goal; None without a value or a goal."""
        if self.value is None or goal is None:
            return None
        return self.value.median <= goal


#: Name of a job, and of the peer.
_Group = tuple[str, str]


def group_by_job(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return an outcome for each job: for several shapes, that of the worst."""
    shapes = _shapes(outcomes)
    return [
        _worst(shapes.pop(_group(outcome))) if _group(outcome) in shapes else outcome
        for outcome in outcomes
        if not outcome.row.job or _group(outcome) in shapes
    ]


def group_by_shape(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes of jobs with several shapes, by shape."""
    several = {group for group, found in _shapes(outcomes).items() if len(found) > 1}
    return [outcome for outcome in outcomes if _group(outcome) in several]


def _shapes(outcomes: Sequence[Outcome]) -> dict[_Group, list[Outcome]]:
    found: dict[_Group, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.row.job:
            found.setdefault(_group(outcome), []).append(outcome)
    return found


def _group(outcome: Outcome) -> _Group:
    return outcome.row.job, outcome.row.peer.name


def _worst(shapes: Sequence[Outcome]) -> Outcome:
    """Return the worst shape: one that failed, or the one with the highest value."""
    worst = max(shapes, key=_badness)
    if len(shapes) == 1:
        return worst
    shape = worst.row.name.removeprefix(f"{worst.row.job}, ")
    name = f"{worst.row.job}, worst of {len(shapes)} shapes: {shape}"
    return replace(worst, row=replace(worst.row, name=name))


def _badness(outcome: Outcome) -> tuple[bool, float]:
    return outcome.is_ours, outcome.value.median if outcome.value else -1.0
