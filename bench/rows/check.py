"""Rows of the results about `sitemapx check`, compared with conversions and other readers."""

from dataclasses import replace

from bench.checks import any_output, prints_objects, says
from bench.comparisons import MEGABYTES, Row
from bench.measure import Command
from bench.peers import Peers
from bench.rows.commands import convert, lxml_loop
from bench.samples.data import SITE, Sample

__all__ = ["check_rows"]

_TO_JSONL = ("--to", "jsonl", "--jobs", "1")
#: Maximum MB for 1,000,000 URLs with hreflang.
_MEMORY = 150.0


def check_rows(urls: int, peers: Peers) -> list[Row]:
    """Return all comparisons of `check`, for files with this number of URLs."""
    return [*_with_languages(urls, peers), *_alone(urls, peers)]


def _with_languages(urls: int, peers: Peers) -> list[Row]:
    languages = Sample("set of languages", urls)
    at_hand = ("--map", f"{SITE}={languages.path.parent}")
    files = len(languages.children) + 1
    counted = says(f"{files} files, {urls:,} entries checked: 0 errors, 0 warnings, 0 notes")
    argv = (peers.sitemapx, "check", str(languages.path), *at_hand)
    check = Command("sitemapx", argv, counted)
    alone = Command("sitemapx --jobs 1", (*argv, "--jobs", "1"), counted)
    reading = convert(peers, any_output, languages.path, *_TO_JSONL, *at_hand)
    beside = replace(reading, name="sitemapx, XML → JSONL")
    name = f"check of {len(languages.children)} files with hreflang"
    total = f"{name}, {urls:,} URLs"
    memory = f"memory of {total}"
    return [
        Row(total, alone, beside, goal=1.8, reads=(languages,)),
        Row(memory, check, beside, goal=_MEMORY, compared=MEGABYTES, reads=(languages,)),
        _two_jobs(f"{name} with --jobs 2, {urls:,} URLs", alone, languages),
    ]


def _alone(urls: int, peers: Peers) -> list[Row]:
    rows: list[Row] = []
    samples = [Sample("plain", urls), Sample("varied", urls), Sample("varied rich", urls // 20)]
    for sample, name in zip(samples, ("XML", "varied XML", "varied rich XML"), strict=True):
        argv = (peers.sitemapx, "check", str(sample.path), "--fail-on", "never")
        reading = convert(peers, any_output, sample.path, *_TO_JSONL)
        loop = lxml_loop(peers, prints_objects(sample.entries), "lxml-json-nested", sample.path)
        check = Command("sitemapx", (*argv, "--jobs", "1"), any_output)
        row = f"check of {name}, {sample.count:,} URLs"
        beside = replace(reading, name="sitemapx, XML → JSONL")
        rows.append(Row(row, check, beside, goal=1.8, reads=(sample,)))
        rows.append(Row(row, check, loop, goal=None, reads=(sample,)))
    return rows


def _two_jobs(name: str, alone: Command, sample: Sample) -> Row:
    """Return a row that compares two processes with one; the goal is 1.7 times the speed."""
    both = Command("sitemapx", (*alone.argv[:-1], "2"), alone.check)
    return Row(name, both, alone, goal=1 / 1.7, reads=(sample,))
