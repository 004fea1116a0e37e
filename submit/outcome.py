"""Outcomes of batches: the rows of the table that `sitemapx submit` prints."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from sitemapx.submit.engines.engine import ItemKind
from sitemapx.submit.engines.exchange import State

__all__ = ["Outcome", "summed"]

#: So many reasons are shown in a row.
_SHOWN = 5


class Outcome(Struct, frozen=True, kw_only=True):
    """
    What became of a batch; a row of the table.

    Attributes:
        sent: How many items went out.
        accepted: How many of them were taken.
        refused: How many of them were not, or nobody knows.
        left: How many were not sent since that would have been vain.
        reason: What the engine said, in words.
        action: What to do next.

    """

    engine: str
    kind: ItemKind
    host: str
    state: State
    sent: int = 0
    accepted: int = 0
    refused: int = 0
    left: int = 0
    status: int | None = None
    reason: str = ""
    action: str = ""

    @property
    def is_well(self) -> bool:
        """Whether there is nothing to do."""
        return self.state == "accepted" and not self.refused and not self.left


def summed(outcomes: Sequence[Outcome]) -> Outcome:
    """Make one outcome of those of the parts of a batch."""
    if len(outcomes) == 1:
        return outcomes[0]
    whys = list(dict.fromkeys(one.reason for one in outcomes if one.reason))
    more = f"; and {len(whys) - _SHOWN:,} more" if len(whys) > _SHOWN else ""
    return replace(
        next((one for one in outcomes if one.accepted), outcomes[-1]),
        sent=sum(one.sent for one in outcomes),
        accepted=sum(one.accepted for one in outcomes),
        refused=sum(one.refused for one in outcomes),
        left=sum(one.left for one in outcomes),
        reason="; ".join(whys[:_SHOWN]) + more,
        action=next((one.action for one in reversed(outcomes) if one.action), ""),
    )
