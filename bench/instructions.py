"""
Counts instructions: `python -m bench.instructions`, a check that is independent of the clock.

Valgrind counts the instructions of sitemapx and of the lxml loops for two sizes of the same file;
the difference is the cost of entries without start-up. It does not depend on other load.
The limits are slightly above the latest counts (RESULTS.md), so that regressions are noticed.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.peers import Peers, find_peers
from bench.samples.data import Sample

_FEW, _MANY = 1_000, 5_000


class HotPath(NamedTuple):
    """
    A conversion whose instructions are counted, and the loop to compare with.

    Attributes:
        name: Name of the job.
        ours: Kind of data, and output format.
        loop: Loop to compare with, and its kind of data.
        most: Maximum number of our instructions per instruction of the loop.

    """

    name: str
    ours: tuple[str, str]
    loop: tuple[str, str]
    most: float


HOT_PATHS = (
    HotPath("XML → text", ("plain", "text"), ("lxml-text", "plain"), 0.31),
    HotPath("XML → JSONL", ("plain", "jsonl"), ("lxml-json", "plain"), 0.34),
    HotPath("rich XML → JSONL", ("rich", "jsonl"), ("lxml-json-nested", "rich"), 0.88),
    HotPath("varied XML → text", ("varied", "text"), ("lxml-text", "varied"), 0.52),
    HotPath(
        *("varied rich XML → JSONL", ("varied rich", "jsonl")),
        *(("lxml-json-nested", "varied rich"), 0.93),
    ),
    HotPath("text → XML set", ("text", "sitemap"), ("lxml-text", "plain"), 0.12),
)


def main() -> int:
    """Count the instructions of all paths; return 1 if any exceeds its limit, else 0."""
    peers = find_peers(sys.executable)
    for kind in {kind for path in HOT_PATHS for kind in (path.ours[0], path.loop[1])}:
        for count in (_FEW, _MANY):
            Sample(kind, count).make()
    with ThreadPoolExecutor() as pool:
        counts = list(pool.map(lambda path: _count_instructions(path, peers), HOT_PATHS))
    is_worse = False
    for path, (ours, loop) in zip(HOT_PATHS, counts, strict=True):
        ratio = ours / loop
        is_bad = not 0 < ratio <= path.most
        is_worse |= is_bad
        verdict = "NOT IN 0 TO" if is_bad else "at most"
        print(
            f"{path.name:24}  {ours:7,.0f} : {loop:7,.0f} an entry = {ratio:.3f}, "
            f"{verdict} {path.most}"
        )
    return int(is_worse)


def _count_instructions(path: HotPath, peers: Peers) -> tuple[float, float]:
    """Return the instructions per entry of sitemapx and of the loop."""
    kind, to = path.ours
    options = (
        "--to",
        to,
        "--base-url",
        "https://www.example.com/",
        "-q",
        "--jobs",
        "1",
        "--output",
        "output.xml",
    )
    loop, loop_kind = path.loop
    return (
        _per_entry(kind, lambda file: (peers.sitemapx, "convert", str(file), *options)),
        _per_entry(loop_kind, lambda file: peers.loop(loop, file)),
    )


def _per_entry(kind: str, command: Callable[[Path], Sequence[str]]) -> float:
    few, many = (_instructions(command(Sample(kind, count).path)) for count in (_FEW, _MANY))
    return (many - few) / (_MANY - _FEW)


def _instructions(argv: Sequence[str]) -> int:
    tool = ("valgrind", "--tool=callgrind", "--callgrind-out-file=counts")
    command = (sys.executable, "-P", *argv[argv[0] == sys.executable :])
    _run(command)  # so that bytecode exists before counting
    done = _run((*tool, *command))
    # A process that swaps a set into place has its own small count.
    counts = re.findall(r"Collected : (\d+)", done.stderr)
    assert counts, done.stderr
    return max(map(int, counts))


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        return subprocess.run(
            command,
            cwd=folder,
            env={"PYTHONHASHSEED": "0", "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )


sys.exit(main())
