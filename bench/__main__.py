"""`python -m bench`."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.comparisons import Row
from bench.measure import CommandError, run_alternately
from bench.outcomes import Outcome
from bench.peers import Peers, find_peers
from bench.report import collect_facts, format_json, format_markdown, format_text
from bench.rows.table import rows
from bench.samples.data import DATA
from bench.web import serve_data


@dataclass(frozen=True)
class Options:
    urls: int
    rounds: int
    rows: Sequence[str]
    json: Path | None
    markdown: Path | None
    peers_python: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the report; return 1 if sitemapx failed or missed a goal, else 0."""
    options = _parse(arguments)
    peers = find_peers(options.peers_python)
    about = collect_facts(peers, options.rounds)
    with serve_data() as web:
        outcomes = _measure_all(rows(options.urls, peers, web), peers, options)
    print(format_text(outcomes), end="")
    if options.json:
        options.json.write_text(format_json(outcomes, about), encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(format_markdown(outcomes, about), encoding="utf-8")
    return int(any(outcome.is_bad for outcome in outcomes))


def _measure_all(all_rows: Sequence[Row], peers: Peers, options: Options) -> list[Outcome]:
    chosen = [
        row for row in all_rows if _has_any(f"{row.name} beside {row.peer.name}", options.rows)
    ]
    outcomes = []
    for number, row in enumerate(chosen, start=1):
        print(f"{number}/{len(chosen)}: {row.name} beside {row.peer.name}", file=sys.stderr)
        outcomes.append(_measure(row, peers, options.rounds))
    return outcomes


def _has_any(text: str, parts: Sequence[str]) -> bool:
    return any(part.lower() in text.lower() for part in parts)


def _measure(row: Row, peers: Peers, rounds: int) -> Outcome:
    if not peers.has(row.ours.needs):
        return Outcome(row, note=f"skipped: sitemapx cannot read {row.ours.needs} yet")
    if not peers.has(row.peer.needs):
        return Outcome(row, note=f"skipped: {row.peer.needs} is not installed")
    for sample in row.reads:
        sample.make()
    with TemporaryDirectory(dir=DATA) as scratch:
        try:
            return Outcome(
                row, run_alternately(row.ours, row.peer, 0 if row.once else rounds, Path(scratch))
            )
        except CommandError as failure:
            return Outcome(row, note=f"failed: {failure}", is_ours=failure.command is row.ours)


def _parse(arguments: Sequence[str] | None) -> Options:
    parser = argparse.ArgumentParser(prog="python -m bench", description=main.__doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="100,000 URLs and 3 rounds, to see that all works")
    add("--urls", type=int, metavar="N", help="URLs in the files [1,000,000]")
    add("--rounds", type=int, metavar="N", help="how often each command runs, at least [5]")
    only = "only rows with this in them, or with one of several"
    add("--rows", action="append", metavar="SUBSTRING", help=only)
    add("--json", type=Path, metavar="FILE", help="write everything there, each run included")
    add("--markdown", type=Path, metavar="FILE", help="write the table there")
    add(
        "--peers-python",
        type=os.path.abspath,
        default=sys.executable,
        metavar="PATH",
        help="Python that has the peers",
    )
    given = parser.parse_args(arguments)
    urls, rounds = (100_000, 3) if given.quick else (1_000_000, 5)
    return Options(
        given.urls or urls,
        given.rounds or rounds,
        given.rows or [""],
        given.json,
        given.markdown,
        given.peers_python,
    )


sys.exit(main())
