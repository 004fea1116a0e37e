"""Results as plain text, Markdown and JSON."""

import json
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from bench.comparisons import Comparison
from bench.measure import Run, Spread, summarize
from bench.outcomes import Outcome, group_by_job, group_by_shape
from bench.peers import Peers

__all__ = ["collect_facts", "format_json", "format_markdown", "format_text"]

_HEADER = (
    *("what", "beside", "value", "goal", "", "later", ""),
    *("seconds", "CPU ratio", "peak memory"),
)
_LEGEND = (
    "Values are medians (least..greatest) of ours : the peer's, round by round; less is better. "
    "README.md says more."
)
_NONE = "-"


def collect_facts(peers: Peers, rounds: int) -> dict[str, str]:
    """Return date, number of rounds, and versions of everything involved."""
    versions = (f"{name} {version}" for name, version in peers.versions.items())
    return {
        "Date": datetime.now(UTC).date().isoformat(),
        "Processor": _processor(),
        "Rounds": f"{rounds}, and more of what is over soon",
        "Versions": ", ".join(versions),
    }


def _processor() -> str:
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.exists():
        for line in cpu_info.read_text(encoding="utf-8").split("\n"):
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def format_text(outcomes: Sequence[Outcome]) -> str:
    """Format the results as two tables in plain text: by job, and by shape."""
    tables = [_columns(group_by_job(outcomes))]
    if shapes := group_by_shape(outcomes):
        tables.append(_columns(shapes))
    return "\n".join(tables)


def _columns(outcomes: Sequence[Outcome]) -> str:
    table = [_HEADER, *map(_cells, outcomes)]
    widths = [max(len(cells[column]) for cells in table) for column in range(len(_HEADER))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        for cells in table
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def format_markdown(outcomes: Sequence[Outcome], about: dict[str, str]) -> str:
    """Format the results and the facts about the run as a Markdown page."""
    lines = [
        *("# Results", ""),
        *(f"- {name}: {value}" for name, value in about.items()),
        *("", _LEGEND, ""),
        *_markdown_table(group_by_job(outcomes)),
    ]
    if shapes := group_by_shape(outcomes):
        lines += ["", "## Each shape", "", *_markdown_table(shapes)]
    return "".join(f"{line}\n" for line in lines)


def _markdown_table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    table = [_HEADER, ("---",) * len(_HEADER), *map(_cells, outcomes)]
    return (f"| {' | '.join(cells)} |" for cells in table)


def format_json(outcomes: Sequence[Outcome], about: dict[str, str]) -> str:
    """Format the results as JSON, including each run."""
    rows = [
        {
            "what": outcome.row.name,
            "job": outcome.row.job,
            "beside": outcome.row.peer.name,
            "unit": outcome.row.compared.unit or "ratio",
            "value": outcome.value and asdict(outcome.value),
            "goal": outcome.row.goal,
            "goal_met": outcome.reaches(outcome.row.goal),
            "later": outcome.row.later,
            "later_met": outcome.reaches(outcome.row.later),
            "note": outcome.note,
            "runs": [[asdict(ours), asdict(peer)] for ours, peer in outcome.pairs],
        }
        for outcome in outcomes
    ]
    return json.dumps({**about, "rows": rows}, indent=2, ensure_ascii=False) + "\n"


def _cells(outcome: Outcome) -> tuple[str, ...]:
    row = outcome.row
    goals = (
        *(_limit(row.goal), _verdict(outcome.reaches(row.goal), "NOT MET")),
        *(_limit(row.later), _verdict(outcome.reaches(row.later), "not yet")),
    )
    if outcome.value is None:
        return (row.name, row.peer.name, outcome.note, *goals, _NONE, _NONE, _NONE)
    ours, peers = zip(*outcome.pairs, strict=True)
    cpu = summarize([one.cpu / other.cpu for one, other in outcome.pairs])
    return (
        row.name,
        row.peer.name,
        _value(outcome.value, row.compared),
        *goals,
        f"{_seconds(ours)} : {_seconds(peers)}",
        f"{cpu.median:.2f}",
        f"{_megabytes(ours)} : {_megabytes(peers)}",
    )


def _value(value: Spread, compared: Comparison) -> str:
    median, least, greatest = (
        f"{number:.{compared.digits}f}" for number in (value.median, value.least, value.greatest)
    )
    return f"{median} {compared.unit}".strip() + f" ({least}..{greatest})"


def _limit(goal: float | None) -> str:
    return _NONE if goal is None else f"≤ {goal:g}"


def _verdict(is_met: bool | None, otherwise: str) -> str:
    if is_met is None:
        return ""
    return "met" if is_met else otherwise


def _seconds(runs: Sequence[Run]) -> str:
    return f"{summarize([run.wall for run in runs]).median:.2f}"


def _megabytes(runs: Sequence[Run]) -> str:
    return f"{summarize([run.memory for run in runs]).median / 2**20:.0f} MiB"
