"""
Jobs with several kinds of files (shapes), of which the slowest counts.

The files of a job have about the same size: files with larger entries have fewer of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from bench.checks import any_output, prints_entries, prints_objects, prints_urls
from bench.comparisons import Comparison, Row
from bench.measure import Command, Run
from bench.peers import XMLLINT, Peers
from bench.rows.commands import convert, lxml_loop, to_text
from bench.samples.curves import KINDS, ODD
from bench.samples.data import Sample
from bench.samples.generators import GENERATORS, WITH_EXTENSIONS

__all__ = ["feed_shape_rows", "shape_rows"]


class _Job(NamedTuple):
    """
    A job that is measured with files of several shapes.

    Attributes:
        name: Name in the report.
        ours: Creates our command for a sample.
        peer: Creates the command to compare with.
        goal: Maximum acceptable value for each shape.
        kinds: The shapes.
        later: Goal for future versions; None if it is the same.

    """

    name: str
    ours: Callable[[Peers, Sample], Command]
    peer: Callable[[Peers, Sample], Command]
    goal: float | None
    kinds: Sequence[str]
    later: float | None = None

    def rows(
        self, peers: Peers, count: int, unit: str = "URLs", larger: Sequence[str] = ()
    ) -> list[Row]:
        """
        Create a row for each shape, with this number of entries.

        Args:
            larger: Shapes whose entries are three times as large as others.

        """
        samples = [Sample(kind, count // 3 if kind in larger else count) for kind in self.kinds]
        return [
            Row(
                f"{self.name}, {sample.kind}, {sample.count:,} {unit}",
                self.ours(peers, sample),
                self.peer(peers, sample),
                goal=self.goal,
                later=self.later,
                job=self.name,
                reads=(sample,),
            )
            for sample in samples
        ]


def _to_jsonl(peers: Peers, sample: Sample) -> Command:
    return convert(peers, prints_entries(sample.entries), sample.path, "--to", "jsonl")


def _lxml_text(peers: Peers, sample: Sample) -> Command:
    """Return the command of the lxml loop over all fields, with nested ones if there are any."""
    loop = "lxml-text-nested" if sample.kind in _RICH else "lxml-text"
    return lxml_loop(peers, prints_urls(sample.entries), loop, sample.path)


def _lxml_loc(peers: Peers, sample: Sample) -> Command:
    return lxml_loop(peers, prints_urls(sample.entries), "lxml-loc", sample.path)


def _lxml_json(peers: Peers, sample: Sample) -> Command:
    return lxml_loop(peers, prints_objects(sample.entries), "lxml-json-nested", sample.path)


def _xmllint(peers: Peers, sample: Sample) -> Command:
    argv = (peers.xmllint, "--huge", "--stream", "--noout", str(sample.path))
    return Command(XMLLINT, argv, any_output, needs=XMLLINT)


def _feed_text(peers: Peers, sample: Sample) -> Command:
    name = "fastfeedparser"
    return Command(name, peers.loop(name, sample.path), prints_urls(sample.entries), needs=name)


def _feed_json(peers: Peers, sample: Sample) -> Command:
    argv = peers.loop("fastfeedparser-json", sample.path)
    check = prints_objects(sample.entries, "link")
    return Command("fastfeedparser with JSON", argv, check, needs="fastfeedparser")


#: Shapes with the largest entries.
_LARGEST = ("rich", "varied rich", *KINDS)
_RICH = (*_LARGEST, *WITH_EXTENSIONS)
_PLAIN = (
    *("plain", "varied", "varied CRLF"),
    *(kind for kind in GENERATORS if kind not in WITH_EXTENSIONS),
)


def shape_rows(urls: int, peers: Peers) -> list[Row]:
    """Return the rows of sitemaps, for files with about this number of URLs."""
    to_urls = partial(_Job, ours=to_text, peer=_lxml_text)
    floor = _Job("floor of XML → text", to_text, _xmllint, None, ("plain", "varied"))
    rich = _Job("rich → JSONL", _to_jsonl, _lxml_json, 0.8, _RICH, later=0.45)
    rich_urls = _Job("rich → text", to_text, _lxml_loc, 0.9, _RICH)
    few = min(urls, 50_000)
    fewer = max(urls // 10, few)
    return [
        *to_urls("XML → text", goal=0.33, later=0.2, kinds=_PLAIN).rows(peers, urls),
        *floor.rows(peers, urls),
        *to_urls("one line → text", goal=0.33, later=0.22, kinds=["varied one line"]).rows(
            peers, urls
        ),
        *to_urls("gz → text", goal=0.33, later=0.25, kinds=["varied gz"]).rows(peers, urls),
        *to_urls("messy → text", goal=0.5, kinds=("messy", "varied messy")).rows(peers, urls),
        *rich.rows(peers, 3 * fewer, larger=_LARGEST),
        *to_urls("rich → text", goal=0.6, later=0.3, kinds=_RICH).rows(
            peers, 3 * few, larger=_LARGEST
        ),
        *rich_urls.rows(peers, 3 * few, larger=_LARGEST),
        *_curve("kinds of entries", KINDS, fewer, peers),
        *_curve("odd entries", ODD, fewer, peers),
    ]


def feed_shape_rows(items: int, peers: Peers) -> list[Row]:
    """Return the rows of feeds, for files with this number of items."""
    feeds = (
        ("RSS", ("feed", "varied feed")),
        ("Media RSS", ("mrss", "varied mrss")),
        ("Atom", ("varied atom",)),
    )
    return [
        row
        for name, kinds in feeds
        for job in (
            _Job(f"{name} → text", to_text, _feed_text, 0.8, kinds, later=0.6),
            _Job(f"{name} → JSONL", _feed_to_jsonl, _feed_json, 1.2, kinds, later=1.0),
        )
        for row in job.rows(peers, items, "items")
    ]


def _feed_to_jsonl(peers: Peers, sample: Sample) -> Command:
    # The entries of the regular feeds have the fields of pages.
    check = prints_entries if sample.kind.startswith("varied") else prints_objects
    return convert(peers, check(sample.entries), sample.path, "--to", "jsonl")


def _curve(name: str, kinds: Sequence[str], urls: int, peers: Peers) -> list[Row]:
    """Return rows that compare the time per byte of each shape with that of the first shape."""
    first = Sample(kinds[0], urls)
    beside = replace(_to_jsonl(peers, first), name=f"sitemapx, {first.kind}")
    return [
        Row(
            f"{name} → JSONL, {kind}, {urls:,} URLs",
            _to_jsonl(peers, Sample(kind, urls)),
            beside,
            goal=1.3,
            job=f"{name} → JSONL",
            compared=Comparison(partial(_by_byte, Sample(kind, urls), first)),
            reads=(Sample(kind, urls), first),
        )
        for kind in kinds[1:]
    ]


def _by_byte(sample: Sample, first: Sample, ours: Run, peer: Run) -> float:
    sizes = sample.path.stat().st_size / first.path.stat().st_size
    return ours.wall / peer.wall / sizes
