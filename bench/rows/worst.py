"""
Rows for the worst input: time of check, fix and conversion per MB, and memory.

Each shape is an input that once made sitemapx disproportionately slow. Times are processor time
beyond start-up, so that small files are as significant as large ones.
"""

from functools import partial

from bench.checks import any_output
from bench.comparisons import MEGABYTES, Comparison, Row
from bench.measure import Command, Run
from bench.peers import Peers
from bench.samples.data import WORST, Sample

__all__ = ["worst_rows"]

#: Maximum seconds per MB, and MB of memory.
_SECONDS, _MEMORY = 3.0, 300.0
_MB = 1_000_000
#: Size of each sample in bytes.
_SIZE = _MB
#: Processes that use more seconds of processor time are killed, and their rows fail.
_TOO_LONG = 10
_COMMANDS = {
    "JSONL": ("convert", "{}", "--to", "jsonl", "--allow-empty"),
    "check": ("check", "{}", "--fail-on", "never"),
    "check --fix": ("check", "{}", "--fix", "--dry-run", "--fail-on", "never"),
}


def worst_rows(peers: Peers) -> list[Row]:
    """Return a row for each shape and command, and one for the maximum memory."""
    rows: list[Row] = []
    start = Command("sitemapx --version", (peers.sitemapx, "--version"), any_output)
    for kind in WORST:
        sample = Sample(kind, WORST[kind](_SIZE))
        for name, options in _COMMANDS.items():
            given = (option.format(sample.path) for option in options)
            limited = ("/bin/sh", "-c", f'ulimit -t {_TOO_LONG}; "$@" || [ $? -le 2 ]', "sh")
            ours = Command("sitemapx", (*limited, peers.sitemapx, *given), any_output)
            row = partial(Row, ours=ours, peer=start, once=True)
            seconds = Comparison(partial(_seconds, sample), "s per MB")
            description = f"worst case, {kind} → {name}"
            rows.append(row(description, goal=_SECONDS, compared=seconds, reads=(sample,)))
        rows.append(
            row(f"memory of {description}", goal=_MEMORY, compared=MEGABYTES, reads=(sample,))
        )
    return rows


def _seconds(sample: Sample, ours: Run, peer: Run) -> float:
    return (ours.cpu - peer.cpu) / (sample.path.stat().st_size / _MB)
