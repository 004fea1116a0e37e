"""Rows for site maps in HTML."""

from bench.checks import links_pages, prints_urls
from bench.comparisons import MEMORY, Row
from bench.measure import Command
from bench.peers import Peers
from bench.rows.commands import convert, lxml_loop
from bench.samples.data import Sample

__all__ = ["html_rows"]

#: A large site map for people.
_LINKS = 120_000


def html_rows(urls: int, peers: Peers) -> list[Row]:
    """Compare pages of links with a loop that only prints the URLs; and many links with few."""
    many, few = Sample("plain", min(urls, _LINKS)), Sample("plain", 10_000)
    loop = lxml_loop(peers, prints_urls(many.entries), "lxml-text", many.path)
    of_few = _to_html(peers, few, f"sitemapx, {few.count:,} URLs")
    name, ours = f"XML → HTML, {many.count:,} URLs", _to_html(peers, many)
    return [
        Row(name, ours, loop, goal=4.0, reads=(many,)),
        Row(f"memory of {name}", ours, of_few, goal=2.0, compared=MEMORY, reads=(many, few)),
    ]


def _to_html(peers: Peers, sample: Sample, name: str = "sitemapx") -> Command:
    check = links_pages(sample.entries, "map.html")
    return convert(peers, check, sample.path, "--output", "map.html", name=name)
