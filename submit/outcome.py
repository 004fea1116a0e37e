"""Outcomes of batches: the rows of the table that `sitemapx submit` prints."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from sitemapx.convert.values.words import shorten_list
from sitemapx.submit.engines.engine import ItemKind, SubmissionBatch
from sitemapx.submit.engines.exchange import Answer, AnswerState

#: Maximum number of reasons that are shown in a row of the table.
_SHOWN = 5


class Outcome(Struct, frozen=True, kw_only=True):
    """
    Outcome of a batch; a row of the table that `sitemapx submit` prints.

    Attributes:
        engine: Name of the search engine.
        kind: Kind of the items.
        host: Host of the items, or a source that cannot be submitted.
        state: Result of the batch; see `AnswerState`.
        sent: Number of items that were sent.
        accepted: Number of accepted items.
        refused: Number of items that were refused, or got no usable answer.
        left: Number of items that were not sent, or that may be accepted later.
        status: HTTP status code; None without a response.
        reason: Explanation of the state; may quote the search engine, or be empty.
        action: Advice on what to do next; empty if no action is needed.
        urls: URLs that were refused individually.

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
    urls: tuple[str, ...] = ()

    @classmethod
    def from_answer(
        cls,
        answer: Answer,
        engine: str,
        kind: ItemKind,
        host: str,
        urls: tuple[str, ...] = (),
        **counts: int,
    ) -> "Outcome":
        """Create an outcome from an answer; `counts` are values such as `sent` and `accepted`."""
        return cls(
            engine=engine,
            kind=kind,
            host=host,
            state=answer.state,
            status=answer.status,
            reason=answer.reason,
            action=answer.action,
            urls=urls,
            **counts,
        )

    @property
    def is_well(self) -> bool:
        """Whether all items were accepted."""
        return self.state == "accepted" and not self.refused and not self.left


def merge_outcomes(outcomes: Sequence[Outcome]) -> Outcome:
    """Merge the outcomes of parts of a batch; the state is that of an accepted part, if any."""
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
        urls=tuple(url for outcome in outcomes for url in outcome.urls),
        action=next((outcome.action for outcome in reversed(outcomes) if outcome.action), ""),
    )


def refused_urls(batch: SubmissionBatch, answer: Answer) -> tuple[str, ...]:
    if answer.blames_urls and not answer.parts:
        return tuple(url for url in batch.urls if url not in answer.postponed)
    return tuple(answer.refused)


def reason_with_urls(answer: Answer, refused: Sequence[str]) -> str:
    """Return the reason of an answer, else those of its URLs, with examples of refused URLs."""
    if answer.reason:
        return f"{shorten_list(refused)}: {answer.reason}" if refused else answer.reason
    urls: defaultdict[str, list[str]] = defaultdict(list)
    for url, reason in answer.refused.items():
        urls[reason].append(url)
    reasons = [f"{shorten_list(some)}: {reason}" for reason, some in urls.items()]
    return "; ".join([*reasons, *dict.fromkeys(answer.postponed.values())])
