"""Rows for HTML: site maps for people, and directories of pages."""

from bench.checks import any_output, links_pages, prints_urls
from bench.comparisons import MEMORY, Row
from bench.measure import Command
from bench.peers import Peers
from bench.rows.commands import convert, lxml_loop
from bench.samples.data import Sample
from bench.samples.pages import SamplePages
from bench.samples.shapes import SITE

__all__ = ["html_rows"]

#: Links on a large site map.
_LINKS = 120_000
#: Pages of a built site.
_PAGES = 10_000


def html_rows(urls: int, peers: Peers) -> list[Row]:
    """Return rows for HTML site maps: time against a loop over URLs, and memory by size."""
    many, few = Sample("plain", min(urls, _LINKS)), Sample("plain", 10_000)
    loop = lxml_loop(peers, prints_urls(many.entries), "lxml-text", many.path)
    of_few = _to_html(peers, few, f"sitemapx, {few.count:,} URLs")
    name, ours = f"XML → HTML, {many.count:,} URLs", _to_html(peers, many)
    return [
        Row(name, ours, loop, goal=4.0, reads=(many,)),
        Row(f"memory of {name}", ours, of_few, goal=2.0, compared=MEMORY, reads=(many, few)),
        *_page_rows(SamplePages(min(urls, _PAGES)), peers),
    ]


def _page_rows(pages: SamplePages, peers: Peers) -> list[Row]:
    """Return rows for directories of pages, compared with loops over lxml.html."""
    name = f"{pages.count:,} pages → sitemap"
    check = prints_urls(pages.entries)
    options = [pages.path, "--source-url", SITE, "--to", "text"]
    dates = ["--lastmod", "content", "--dates", "dates.txt"]
    loop = Command("lxml.html loop", peers.loop("lxml-pages", pages.path), check, needs="lxml")
    digests = peers.loop("lxml-digests", pages.path)
    hashing = Command("lxml.html loop with digests", digests, any_output, needs="lxml")
    ours, dated = convert(peers, check, *options), convert(peers, check, *options, *dates)
    return [
        Row(name, ours, loop, goal=1.0, reads=(pages,)),
        Row(f"{name}, --lastmod content", dated, hashing, goal=None, reads=(pages,)),
    ]


def _to_html(peers: Peers, sample: Sample, name: str = "sitemapx") -> Command:
    check = links_pages(sample.entries, "map.html")
    return convert(peers, check, sample.path, "--output", "map.html", name=name)
