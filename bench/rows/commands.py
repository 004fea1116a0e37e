"""Commands of several rows: our conversions, and the lxml loop."""

from pathlib import Path

from bench.checks import Check, prints_urls
from bench.measure import Command
from bench.peers import Peers
from bench.samples.data import Sample

__all__ = ["convert", "lxml_loop", "to_text"]

#: Loop -> name in the report.
_LOOPS = {
    "lxml-text": "lxml loop",
    "lxml-text-nested": "lxml loop",
    "lxml-loc": "lxml loop over loc alone",
    "lxml-json": "lxml loop with JSON",
    "lxml-json-nested": "lxml loop with JSON",
}


def convert(peers: Peers, check: Check, *options: str | Path, name: str = "sitemapx") -> Command:
    """Return the command `sitemapx convert` with options."""
    return Command(name, (peers.sitemapx, "convert", *map(str, options)), check)


def to_text(peers: Peers, sample: Sample, name: str = "sitemapx") -> Command:
    """Return the command of sitemapx that prints the URLs of a sample."""
    return convert(peers, prints_urls(sample.entries), sample.path, "--to", "text", name=name)


def lxml_loop(peers: Peers, check: Check, loop: str, *files: Path) -> Command:
    """Return the command that runs a loop of `programs.loops`."""
    return Command(_LOOPS[loop], peers.loop(loop, *files), check, needs="lxml")
