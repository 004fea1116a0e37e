"""The table of comparisons and their goals."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.checks import (
    Check,
    adds_sitemap,
    any_output,
    prints_entries,
    prints_objects,
    prints_urls,
    says,
    writes_files,
)
from bench.comparisons import ADDED_TIME, MEMORY, Row
from bench.measure import Command
from bench.peers import SITEMAP_JS, Peers
from bench.rows.check import check_rows
from bench.rows.commands import convert, lxml_loop, to_text
from bench.rows.frames import frame_rows
from bench.rows.html import html_rows
from bench.rows.shapes import feed_shape_rows, shape_rows
from bench.rows.web import web_rows
from bench.rows.worst import worst_rows
from bench.samples.data import SITE, Sample

__all__ = ["rows"]


def rows(urls: int, peers: Peers, web: str) -> list[Row]:
    """Return all rows, for files with this number of URLs; `web` is the URL of the server."""
    return [
        *_reading(urls, peers),
        *shape_rows(urls, peers),
        *_in_files(urls, peers),
        *_feeds(min(urls // 20, 50_000), peers),
        *feed_shape_rows(min(urls, 50_000), peers),
        *_writing(urls, peers),
        *html_rows(urls, peers),
        *frame_rows(urls, peers),
        *_steps(urls, peers),
        *_robots(urls, peers),
        *check_rows(urls, peers),
        *_memory(urls, peers),
        *worst_rows(peers),
        *web_rows(urls, peers, web),
        *_start_up(peers),
    ]


def _reading(urls: int, peers: Peers) -> list[Row]:
    plain = Sample("plain", urls)
    check = prints_urls(plain.entries)
    row = partial(Row, f"XML → text, {urls:,} URLs", to_text(peers, plain), reads=(plain,))

    def library(name: str, loop: str) -> Row:
        return row(Command(name, peers.loop(loop, plain.path), check, needs=name), goal=1.0)

    return [
        library("ultimate-sitemap-parser", "usp"),
        library("advertools", "advertools"),
        library("scrapy", "scrapy"),
        Row(
            f"XML → JSONL, {urls:,} URLs",
            convert(peers, prints_entries(plain.entries), plain.path, "--to", "jsonl"),
            lxml_loop(peers, prints_objects(plain.entries), "lxml-json", plain.path),
            goal=1.0,
            later=0.45,
            reads=(plain,),
        ),
        _parsing_in_node(min(urls, 50_000), peers),
    ]


def _parsing_in_node(urls: int, peers: Peers) -> Row:
    # sitemap.js reads at most 50,000 URLs.
    plain = Sample("plain", urls)
    parse = (peers.sitemap_js, "--parse", str(plain.path))
    return Row(
        f"XML → JSONL, {urls:,} URLs",
        convert(peers, prints_entries(plain.entries), plain.path, "--to", "jsonl"),
        Command(SITEMAP_JS, parse, prints_objects(plain.entries, "url"), needs=SITEMAP_JS),
        goal=1.0,
        reads=(plain,),
    )


def _in_files(urls: int, peers: Peers) -> list[Row]:
    in_files, varied_files = Sample("set", urls), Sample("varied set", urls)
    check = prints_urls(in_files.entries)
    files = len(in_files.children)
    return [
        Row(
            f"index of {files} files → text, {urls:,} URLs",
            convert(peers, check, in_files.path, "--to", "text", *_mapping_options(in_files)),
            lxml_loop(peers, check, "lxml-text", *in_files.children),
            goal=1.0,
            reads=(in_files,),
        ),
        *(
            _two_jobs(f"index of {files} files → {form}", peers, in_files, form)
            for form in ("text", "jsonl")
        ),
        _two_jobs(f"index of {files} varied files → jsonl", peers, varied_files, "jsonl"),
    ]


def _mapping_options(sample: Sample) -> tuple[str, str]:
    """Return options that map the URLs of a set to its directory; other samples ignore them."""
    return "--map", f"{SITE}={sample.path.parent}"


def _two_jobs(name: str, peers: Peers, sample: Sample, form: str) -> Row:
    check = {"text": prints_urls, "jsonl": prints_entries}[form](sample.entries)
    argv: tuple[str | Path, ...] = (sample.path, "--to", form, *_mapping_options(sample))
    return Row(
        f"{name} with --jobs 2, {sample.count:,} URLs",
        convert(peers, check, *argv, "--jobs", "2"),
        convert(peers, check, *argv, "--jobs", "1", name="sitemapx --jobs 1"),
        goal=0.62,
        later=1 / 1.8,
        reads=(sample,),
    )


def _feeds(items: int, peers: Peers) -> list[Row]:
    return [
        Row(
            f"{title} → sitemap, {items:,} items",
            convert(
                *(peers, writes_files(feed.entries, "sitemap.xml")),
                *(feed.path, "--output", "sitemap.xml"),
            ),
            Command(name, peers.loop(name, feed.path), prints_urls(feed.entries), needs=name),
            goal=goal,
            later=later,
            reads=(feed,),
        )
        for title, feed in (("RSS", Sample("feed", items)), ("Media RSS", Sample("mrss", items)))
        for name, goal, later in (("feedparser", 1 / 15, None), ("fastfeedparser", 1.0, 0.7))
    ]


def _to_xml(
    peers: Peers, sample: Sample, name: str = "sitemapx", output: str = "sitemap.xml"
) -> Command:
    options = ("--output", output, "--base-url", SITE)
    return convert(peers, writes_files(sample.entries, output), sample.path, *options, name=name)


def _reading_loop(peers: Peers, plain: Sample) -> Command:
    return lxml_loop(peers, prints_urls(plain.entries), "lxml-text", plain.path)


def _writing(urls: int, peers: Peers) -> list[Row]:
    text, plain = Sample("text", urls), Sample("plain", urls)

    def in_node(*options: str) -> Command:
        to_set = ("--index", "--index-base-url", SITE, "--limit", "50000", *options)
        argv = (peers.sitemap_js, *to_set, str(text.path))
        return Command(SITEMAP_JS, argv, writes_files(text.entries, "stdout"), needs=SITEMAP_JS)

    row = partial(Row, f"text → XML set, {urls:,} URLs", _to_xml(peers, text))
    return [
        row(_reading_loop(peers, plain), goal=0.25, reads=(text, plain)),
        row(in_node(), goal=1.0, reads=(text,)),
        Row(
            f"text → XML set in gzip, {urls:,} URLs",
            _to_xml(peers, text, output="sitemap.xml.gz"),
            in_node("--gzip"),
            goal=1.0,
            reads=(text,),
        ),
    ]


def _steps(urls: int, peers: Peers) -> list[Row]:
    plain = Sample("plain", urls)
    row = partial(Row, peer=_reading_loop(peers, plain), reads=(plain,))

    def with_step(goal: float, check: Check, *options: str) -> Row:
        ours = convert(peers, check, plain.path, "--to", "text", *options)
        return row(f"XML → text with {options[0]}, {urls:,} URLs", ours, goal=goal)

    diff = (peers.sitemapx, "diff", str(plain.path), str(plain.path))
    stats = (peers.sitemapx, "stats", str(plain.path))
    to_jsonl = convert(peers, any_output, plain.path, "--to", "jsonl", name="sitemapx, XML → JSONL")
    return [
        with_step(0.6, prints_urls(plain.entries), "--include", "https://*"),
        with_step(0.8, prints_urls(plain.entries), "--unique"),
        with_step(1.5, any_output, "--sort", "loc"),
        row(f"diff of equal XML, {urls:,} URLs", Command("sitemapx", diff, any_output), goal=1.25),
        row(
            f"stats of XML, {urls:,} URLs",
            Command("sitemapx", stats, any_output),
            peer=to_jsonl,
            goal=1.3,
        ),
    ]


def _robots(urls: int, peers: Peers) -> list[Row]:
    # Nearly 500 KiB, and a typical size.
    large, usual, plain = Sample("robots", 10_000), Sample("robots", 25), Sample("plain", urls)
    url = f"{SITE}new.xml"
    # Both copy the file first, as it is edited in place.
    start = f"cp {large.path} robots.txt && {peers.sitemapx}"
    edit = ("/bin/sh", "-c", f"{start} robots add robots.txt {url}")
    reading = ("/bin/sh", "-c", f"{start} --version && cat robots.txt")
    check = (peers.sitemapx, "robots", "check", str(usual.path), str(plain.path))
    return [
        Row(
            "robots add, 500 KiB",
            Command("sitemapx", edit, adds_sitemap(large.path, url)),
            Command("sitemapx --version; cat", reading, any_output),
            goal=1.3,
            reads=(large,),
        ),
        Row(
            f"robots check, {urls:,} URLs",
            Command("sitemapx", check, says(f"{urls:,} URLs checked, 0 disallowed for *")),
            _reading_loop(peers, plain),
            goal=0.65,
            reads=(usual, plain),
        ),
    ]


def _memory(urls: int, peers: Peers) -> list[Row]:
    def row(name: str, of: Callable[[Peers, Sample, str], Command], kind: str) -> Row:
        many, few = Sample(kind, urls), Sample(kind, 10_000)
        return Row(
            f"memory of {name}, {urls:,} URLs",
            of(peers, many, "sitemapx"),
            of(peers, few, f"sitemapx, {few.count:,} URLs"),
            goal=1.1,
            compared=MEMORY,
            reads=(many, few),
        )

    return [
        row("XML → text", to_text, "plain"),
        row("one line → text", to_text, "varied one line"),
        row("text → XML set", _to_xml, "text"),
    ]


def _start_up(peers: Peers) -> list[Row]:
    one = Sample("plain", 1)
    version = Command("sitemapx", (peers.sitemapx, "--version"), any_output)
    nothing = Command("python -c pass", (sys.executable, "-c", "pass"), any_output)
    row = partial(Row, peer=nothing, reads=(one,))
    with_one = partial(row, ours=to_text(peers, one))
    return [
        row("sitemapx --version", version, goal=40.0, compared=ADDED_TIME),
        with_one("XML → text, 1 URL", goal=60.0, compared=ADDED_TIME),
        # 90 ms on a machine where Python itself takes 10; machines vary by more than that.
        with_one("XML → text, 1 URL, in all", goal=9.0),
    ]
