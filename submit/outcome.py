"""Outcomes of batches: the rows of the table that `sitemapx submit` prints."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from sitemapx.convert.values.words import clipped
from sitemapx.optionnames import advice
from sitemapx.submit.engines.engine import ItemKind
from sitemapx.submit.engines.exchange import Answer, AnswerState
from sitemapx.submit.secrets.secret import Secret, masked

__all__ = ["Outcome", "readable", "summed"]

#: So many reasons are shown in a row.
_SHOWN = 5
#: So many characters of an answer are quoted.
_LONGEST = 1000


class Outcome(Struct, frozen=True, kw_only=True):
    """
    The outcome of a batch; a row of the table.

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
    state: AnswerState
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
    whys = list(dict.fromkeys(outcome.reason for outcome in outcomes if outcome.reason))
    more = f"; and {len(whys) - _SHOWN:,} more" if len(whys) > _SHOWN else ""
    return replace(
        next((outcome for outcome in outcomes if outcome.accepted), outcomes[-1]),
        sent=sum(outcome.sent for outcome in outcomes),
        accepted=sum(outcome.accepted for outcome in outcomes),
        refused=sum(outcome.refused for outcome in outcomes),
        left=sum(outcome.left for outcome in outcomes),
        reason="; ".join(whys[:_SHOWN]) + more,
        action=next((outcome.action for outcome in reversed(outcomes) if outcome.action), ""),
    )


def readable(answer: Answer, secrets: Sequence[Secret]) -> Answer:
    """Return an answer without secrets and control characters; it may quote any reply."""
    shown = (
        "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)
        for text in (answer.reason, advice(answer.action))
    )
    reason, action = (clipped(masked(text, secrets), _LONGEST) for text in shown)
    refused, postponed = (
        {url: masked(message, secrets) for url, message in items.items()}
        for items in (answer.refused, answer.postponed)
    )
    return answer._replace(reason=reason, action=action, refused=refused, postponed=postponed)
