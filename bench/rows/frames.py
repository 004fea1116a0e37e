"""Rows for data frames, compared with JSON Lines, and with a package that creates frames."""

import sys
from collections import deque
from pathlib import Path

from bench.checks import Check, OutputError, prints_entries, prints_urls
from bench.comparisons import MEMORY, Row
from bench.measure import Command
from bench.peers import Peers
from bench.rows.commands import convert
from bench.samples.data import Sample

__all__ = ["frame_rows"]

_PROGRAM = Path(__file__).parent.parent / "programs" / "frames.py"
#: Number of entries if each takes several times as long, or other packages hold all in memory.
_FEW = 50_000


def frame_rows(urls: int, peers: Peers) -> list[Row]:
    """Return rows for data frames: against JSON Lines, advertools, and a larger file (memory)."""
    # A tenth fills several batches, and the memory pool of pyarrow.
    plain, many, few = (Sample("plain", count) for count in (urls, 5 * urls, urls // 2))
    rich = [Sample(kind, min(urls, _FEW)) for kind in ("rich", "varied rich")]
    frame = Sample("plain", min(urls, _FEW))
    return [
        _beside_jsonl(peers, plain, "XML", 1.4),
        *(_beside_jsonl(peers, sample, "rich XML", 1.5) for sample in rich),
        Row(
            f"XML → pandas, {frame.count:,} URLs",
            _frame("pandas", frame, prints_urls(frame.entries)),
            Command(
                "advertools",
                peers.loop("advertools", frame.path),
                prints_urls(frame.entries),
                needs="advertools",
            ),
            goal=0.1,
            reads=(frame,),
        ),
        Row(
            f"memory of XML → stream of columns, {many.count:,} URLs",
            _frame("stream", many, _counts(many)),
            _frame("stream", few, _counts(few), f"sitemapx, {few.count:,} URLs"),
            goal=1.1,
            compared=MEMORY,
            reads=(many, few),
        ),
    ]


def _beside_jsonl(peers: Peers, sample: Sample, of: str, goal: float) -> Row:
    options = ("--to", "jsonl", "--jobs", "1")
    return Row(
        f"{of} → table, {sample.count:,} URLs",
        _frame("table", sample, _counts(sample)),
        convert(
            peers,
            prints_entries(sample.entries),
            sample.path,
            *options,
            name="sitemapx, XML → JSONL",
        ),
        goal=goal,
        reads=(sample,),
        job=f"{of} → table",
    )


def _frame(use: str, sample: Sample, check: Check, name: str = "sitemapx") -> Command:
    return Command(name, (sys.executable, str(_PROGRAM), use, str(sample.path)), check)


def _counts(sample: Sample) -> Check:
    """Return a check that expects the number of rows and the last URL."""

    def check(folder: Path) -> None:
        (last,) = deque(sample.entries(), maxlen=1)
        printed = (folder / "stdout").read_text().strip()
        if printed != f"{sample.count} {last['loc']}":
            raise OutputError(f"printed {printed!r}")

    return check
