"""
The worst input: how long a check, a fix and a conversion take for each MB, and how much memory.

Each shape once made some part of sitemapx slower than its size explains. Time is that of the
processor beyond start-up, so that a small file tells as much as a large one.
"""

from functools import partial

from bench.checks import any_output
from bench.comparisons import MEGABYTES, Comparison, Row
from bench.measure import Command, Run
from bench.peers import Peers
from bench.samples.data import WORST, Sample

__all__ = ["worst_rows"]

#: Seconds for each MB, and MB at most.
_SECONDS, _MEMORY = 3.0, 300.0
_MB = 1_000_000
#: So much may start-up and what is done once take.
_SIZE = _MB
#: What takes more seconds of processor time is killed, and its row failed.
_TOO_LONG = 10
_COMMANDS = {
    "JSONL": ("convert", "{}", "--to", "jsonl", "--allow-empty"),
    "check": ("check", "{}", "--fail-on", "never"),
    "check --fix": ("check", "{}", "--fix", "--dry-run", "--fail-on", "never"),
}


def worst_rows(peers: Peers) -> list[Row]:
    """Give a row for each shape and command, and one for the memory of the hungriest."""
    rows: list[Row] = []
    start = Command("sitemapx --version", (peers.sitemapx, "--version"), any_output)
    for kind in WORST:
        sample = Sample(kind, WORST[kind](_SIZE))
        for name, options in _COMMANDS.items():
            given = (one.format(sample.path) for one in options)
            limited = ("/bin/sh", "-c", f'ulimit -t {_TOO_LONG}; "$@" || [ $? -le 2 ]', "sh")
            ours = Command("sitemapx", (*limited, peers.sitemapx, *given), any_output)
            row = partial(Row, ours=ours, peer=start, once=True)
            seconds = Comparison(partial(_seconds, sample), "s per MB")
            told = f"worst case, {kind} → {name}"
            rows.append(row(told, goal=_SECONDS, compared=seconds, reads=(sample,)))
        rows.append(row(f"memory of {told}", goal=_MEMORY, compared=MEGABYTES, reads=(sample,)))
    return rows


def _seconds(sample: Sample, ours: Run, peer: Run) -> float:
    return (ours.cpu - peer.cpu) / (sample.path.stat().st_size / _MB)
