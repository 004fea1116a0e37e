"""The table of outcomes that `submit` prints to standard output."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

import click
from msgspec import json
from msgspec.structs import replace

from sitemapx.cli.terminal.tables import print_table
from sitemapx.convert.values.words import shorten_list
from sitemapx.submit.engines.engine import ItemKind
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.run import amount

_HEAD = (
    "ENGINE",
    "TYPE",
    "HOST",
    "STATE",
    "SENT",
    "ACCEPTED",
    "REFUSED",
    "SKIPPED",
    "REASON",
    "ACTION",
)
#: Verb of a dry run for items that would be sent.
_SENT = "would be sent"


def print_outcomes(outcomes: Iterable[Outcome], *, as_json: bool, is_quiet: bool) -> bool:
    """
    Print outcomes as a table at the end of the run; return whether all batches succeeded.

    Args:
        as_json: Whether to print each outcome at once, as a JSON object on a line.
        is_quiet: Whether to omit batches that were accepted from the table.

    """
    is_well = True
    rows: list[Outcome] = []
    try:
        for outcome in outcomes:
            is_well = is_well and outcome.is_well
            if as_json:
                click.echo(json.encode(outcome))
                sys.stdout.flush()
            elif is_quiet and outcome.is_well:
                continue
            elif rows and _is_like(rows[-1], outcome):
                rows[-1] = _sum(rows[-1], outcome)
            else:
                rows.append(outcome)
    finally:  # items that were sent are reported even if the run is interrupted
        if rows:
            print_table(_HEAD, list(map(_cells, rows)), details=2)
    return is_well


def _is_like(outcome: Outcome, other: Outcome) -> bool:
    """Return whether the outcome `other`, of a single item, fits into the row of `outcome`."""
    same = {"sent": 1, "accepted": 1, "refused": 0, "left": 0, "urls": ()}
    first, second = (replace(row, reason=_bare_reason(row), **same) for row in (outcome, other))
    return other.sent == 1 and first == second


def _sum(outcome: Outcome, other: Outcome) -> Outcome:
    names = ("sent", "accepted", "refused", "urls")
    total = {name: getattr(outcome, name) + getattr(other, name) for name in names}
    urls = f"{shorten_list(total['urls'])}: " if total["urls"] else ""
    return replace(outcome, reason=f"{urls}{_bare_reason(outcome)}", **total)


def _bare_reason(row: Outcome) -> str:
    return row.reason.removeprefix(f"{shorten_list(row.urls)}: ")


def _cells(row: Outcome) -> tuple[str, ...]:
    name = "skipped" if row.state == "left" else row.state
    state = f"{name} {row.status}" if row.status else name
    counts = (f"{count:,}" for count in _counts(row))
    return row.engine, row.kind, row.host, state, *counts, row.reason or "-", row.action or "-"


def _counts(row: Outcome) -> tuple[int, int, int, int]:
    """
    Return the numbers of sent, accepted, refused and skipped items, for the table.

    Items of an unreachable engine count as skipped, and items with an unknown result only as sent.
    In JSON, both count as refused.
    """
    if row.state == "unreachable":
        return row.sent - row.refused, row.accepted, 0, row.left + row.refused
    refused = 0 if row.state == "unknown" else row.refused
    return row.sent, row.accepted, refused, row.left


def dry_run_lines(engine: str, outcomes: Iterable[Outcome]) -> Iterator[tuple[str, bool]]:
    """Yield a line for each host and result, and whether the items in this line would be sent."""
    counts: Counter[tuple[ItemKind, str, str]] = Counter()
    for outcome in outcomes:
        action = f"; {outcome.action}" if outcome.action else ""
        verb = _SENT if outcome.sent else f"would not be sent: {outcome.reason}{action}"
        counts[outcome.kind, outcome.host, verb] += outcome.sent or outcome.left
    for (kind, host, verb), count in counts.items():
        yield f"{engine}: {amount(count, kind)} for {host} {verb}", verb == _SENT
