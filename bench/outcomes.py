"""What became of rows, and which shape of a job was the worst."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.comparisons import Row
from bench.measure import Run, Spread, spread

__all__ = ["Outcome", "by_shape", "of_jobs"]


@dataclass(frozen=True)
class Outcome:
    """
    What became of a row.

    Attributes:
        row: The row.
        pairs: Our run and the peer's, by round.
        note: Why there are none.
        is_ours: Whether the reason is that sitemapx failed.

    """

    row: Row
    pairs: Sequence[tuple[Run, Run]] = ()
    note: str = ""
    is_ours: bool = False

    @property
    def value(self) -> Spread | None:
        """What was compared; None if nothing was measured."""
        return spread([self.row.compared.of(*pair) for pair in self.pairs]) if self.pairs else None

    @property
    def is_bad(self) -> bool:
        """Whether sitemapx failed, or did not reach the goal."""
        return self.is_ours or self.reaches(self.row.goal) is False

    def reaches(self, goal: float | None) -> bool | None:
        """Tell whether the value is good enough; None if there is no value or no goal."""
        if self.value is None or goal is None:
            return None
        return self.value.median <= goal


#: A job, and what it is compared with.
_Group = tuple[str, str]


def of_jobs(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Give an outcome for each job: of those with several shapes, that of the worst."""
    shapes = _shapes(outcomes)
    return [
        _worst(shapes.pop(_group(one))) if _group(one) in shapes else one
        for one in outcomes
        if not one.row.job or _group(one) in shapes
    ]


def by_shape(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Give the outcome of each shape of the jobs that have several."""
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
    """Name the worst shape: one that failed, else the one with the greatest value."""
    worst = max(shapes, key=_badness)
    if len(shapes) == 1:
        return worst
    shape = worst.row.name.removeprefix(f"{worst.row.job}, ")
    name = f"{worst.row.job}, worst of {len(shapes)} shapes: {shape}"
    return replace(worst, row=replace(worst.row, name=name))


def _badness(outcome: Outcome) -> tuple[bool, float]:
    return outcome.is_ours, outcome.value.median if outcome.value else -1.0
