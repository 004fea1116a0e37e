"""Rows for HTTP: fetching and submitting."""

import sys
from functools import partial
from tempfile import gettempdir

from bench.checks import Check, any_output, prints_urls
from bench.comparisons import MEGABYTES, Row, seconds_each
from bench.measure import Command
from bench.peers import Peers
from bench.samples.data import FOLDER, Sample
from bench.web import KEY

__all__ = ["web_rows"]

#: `sitemapx convert`, including its exit, with one request at a time.
_ONE_AT_A_TIME = """
import atexit, gc, sys
from sitemapx.convert import Fetcher, Opener, convert, target_of

opener = Opener(fetcher=Fetcher(allow_private=True, at_once=1))
convert(sys.argv[1:], target_of("-", format="text"), opener=opener)
atexit.register(gc.freeze)
"""


def web_rows(urls: int, peers: Peers, web: str) -> list[Row]:
    """Return all comparisons over HTTP, for files with this number of URLs at the URL `web`."""
    return [*_fetching(peers, web), *_submitting(urls, peers, web)]


def _convert(peers: Peers, check: Check, *urls: str) -> Command:
    argv = (peers.sitemapx, "convert", *urls, "--to", "text", "--allow-private")
    return Command("sitemapx", argv, check)


def _fetching(peers: Peers, web: str) -> list[Row]:
    packed = Sample("packed set", 20_000)
    index = f"{web}/{packed.path.relative_to(FOLDER)}"

    def row(times: int, name: str, argv: tuple[str, ...], needs: str = "") -> Row:
        check, indexes = prints_urls(packed.entries, times), [index] * times
        return Row(
            f"{times * len(packed.children)} gz files over HTTP → text",
            _convert(peers, check, *indexes),
            Command(name, (*argv, *indexes), check, needs),
            goal=1 / 3.5 if times > 1 else 0.35,
            later=1 / 3.5,
            reads=(packed,),
        )

    one_at_a_time = ("sitemapx, one at a time", (sys.executable, "-c", _ONE_AT_A_TIME))
    usp = "ultimate-sitemap-parser"
    return [
        row(1, *one_at_a_time),
        row(3, *one_at_a_time),  # start-up counts for less here
        row(1, usp, peers.loop("usp-web"), usp),
    ]


def _submitting(urls: int, peers: Peers, web: str) -> list[Row]:
    in_files = Sample("set", urls)
    url = f"{web}/{in_files.path.relative_to(FOLDER)}"
    submit = (
        f"{peers.sitemapx} submit {url} --allow-private --journal $0 "
        f"--engine indexnow --endpoint indexnow={web}"
    )
    key = f"export INDEXNOW_KEY={KEY}"
    all_at_once = ("/bin/sh", "-c", f"{key}; rm -f $0*; {submit}", "all.journal")
    # Later runs find the state of the first.
    known = f"{key}; test -f $0 || {submit} > /dev/null; {submit}"
    nothing_new = ("/bin/sh", "-c", known, f"{gettempdir()}/{web[7:]}.journal")
    seconds = seconds_each(1_000_000 // urls, "s a million")
    row = partial(
        Row,
        peer=_convert(peers, any_output, url),
        reads=(in_files,),
    )
    return [
        row(
            f"submit, {urls:,} URLs",
            Command("sitemapx", all_at_once, any_output),
            goal=20.0,
            compared=seconds,
        ),
        row(
            f"submit with nothing new, {urls:,} URLs",
            Command("sitemapx", nothing_new, any_output),
            goal=5.0,
            compared=seconds,
        ),
        row(
            f"memory of submit with nothing new, {urls:,} URLs",
            Command("sitemapx", nothing_new, any_output),
            goal=120.0,
            compared=MEGABYTES,
        ),
    ]
