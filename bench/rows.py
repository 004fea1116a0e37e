"""The table of what is compared, and what ratio is to be reached."""

import sys
from collections.abc import Callable
from dataclasses import replace
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
from bench.data import SITE, Sample, entries, rich_entries
from bench.measure import Command
from bench.peers import SITEMAP_JS, Peers
from bench.webrows import web_rows
from bench.worst import worst_rows

__all__ = ["rows"]


def rows(urls: int, peers: Peers, web: str) -> list[Row]:
    """Give all comparisons, for files of so many URLs; `web` is where the data is served."""
    return [
        *_reading(urls, peers),
        *_other_reading(urls, peers),
        *_feeds(min(urls // 20, 50_000), peers),
        *_writing(urls, peers),
        *_steps(urls, peers),
        *_robots(urls, peers),
        *_checking(urls, peers),
        *_memory(urls, peers),
        *worst_rows(peers),
        *web_rows(urls, peers, web),
        *_start_up(peers),
    ]


def _convert(peers: Peers, check: Check, *options: str | Path, name: str = "sitemapx") -> Command:
    return Command(name, (peers.sitemapx, "convert", *map(str, options)), check)


def _to_text(peers: Peers, sample: Sample, name: str = "sitemapx") -> Command:
    check = prints_urls(sample.count)
    return _convert(peers, check, sample.path, "--to", "text", name=name)


def _lxml_loop(peers: Peers, check: Check, loop: str, *files: Path) -> Command:
    name = "lxml loop" if loop == "lxml-text" else "lxml loop with JSON"
    return Command(name, peers.loop(loop, *files), check, needs="lxml")


def _reading(urls: int, peers: Peers) -> list[Row]:
    plain = Sample("plain", urls)
    check = prints_urls(urls)
    row = partial(Row, f"XML → text, {urls:,} URLs", _to_text(peers, plain), reads=(plain,))

    def library(name: str, loop: str) -> Row:
        return row(Command(name, peers.loop(loop, plain.path), check, needs=name), goal=1.0)

    return [
        row(_lxml_loop(peers, check, "lxml-text", plain.path), goal=1.0, later=0.22),
        library("ultimate-sitemap-parser", "usp"),
        library("advertools", "advertools"),
        library("scrapy", "scrapy"),
        Row(
            f"XML → JSONL, {urls:,} URLs",
            _convert(peers, prints_entries(entries, urls), plain.path, "--to", "jsonl"),
            _lxml_loop(peers, prints_objects(urls), "lxml-json", plain.path),
            goal=1.0,
            later=0.45,
            reads=(plain,),
        ),
        _parsing_in_node(min(urls, 50_000), peers),
    ]


def _parsing_in_node(urls: int, peers: Peers) -> Row:
    # sitemap.js refuses to read more than 50,000 URLs.
    plain = Sample("plain", urls)
    parse = (peers.sitemap_js, "--parse", str(plain.path))
    return Row(
        f"XML → JSONL, {urls:,} URLs",
        _convert(peers, prints_entries(entries, urls), plain.path, "--to", "jsonl"),
        Command(SITEMAP_JS, parse, prints_objects(urls, "url"), needs=SITEMAP_JS),
        goal=1.0,
        reads=(plain,),
    )


def _other_reading(urls: int, peers: Peers) -> list[Row]:
    messy, in_files, rich = Sample("messy", urls), Sample("set", urls), Sample("rich", urls // 10)
    check = prints_urls(urls)
    at_hand = ("--map", f"{SITE}={in_files.path.parent}")
    return [
        Row(
            f"rich XML → JSONL, {rich.count:,} URLs",
            _convert(peers, prints_entries(rich_entries, rich.count), rich.path, "--to", "jsonl"),
            _lxml_loop(peers, prints_objects(rich.count), "lxml-json-nested", rich.path),
            goal=1.0,
            later=0.5,
            reads=(rich,),
        ),
        Row(
            f"messy XML → text, {urls:,} URLs",
            _to_text(peers, messy),
            _lxml_loop(peers, check, "lxml-text", messy.path),
            goal=1.0,
            reads=(messy,),
        ),
        Row(
            f"index of {len(in_files.children)} files → text, {urls:,} URLs",
            _convert(peers, check, in_files.path, "--to", "text", *at_hand),
            _lxml_loop(peers, check, "lxml-text", *in_files.children),
            goal=1.0,
            reads=(in_files,),
        ),
        *(
            Row(
                f"index of {len(in_files.children)} files → {form} with --jobs 2, {urls:,} URLs",
                _convert(peers, counts, in_files.path, "--to", form, *at_hand, "--jobs", "2"),
                _convert(
                    peers, counts, in_files.path, "--to", form, *at_hand, name="sitemapx --jobs 1"
                ),
                goal=1.0,
                later=1 / 1.8,
                reads=(in_files,),
            )
            for form, counts in (("text", check), ("jsonl", prints_entries(entries, urls)))
        ),
    ]


def _feeds(items: int, peers: Peers) -> list[Row]:
    check = writes_files(items, "sitemap.xml")
    return [
        Row(
            f"{title} → sitemap, {items:,} items",
            _convert(peers, check, feed.path, "--output", "sitemap.xml"),
            Command(name, peers.loop(name, feed.path), prints_urls(items), needs=name),
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
    return _convert(peers, writes_files(sample.count, output), sample.path, *options, name=name)


def _reading_loop(peers: Peers, plain: Sample) -> Command:
    return _lxml_loop(peers, prints_urls(plain.count), "lxml-text", plain.path)


def _writing(urls: int, peers: Peers) -> list[Row]:
    text, plain = Sample("text", urls), Sample("plain", urls)

    def in_node(*options: str) -> Command:
        to_set = ("--index", "--index-base-url", SITE, "--limit", "50000", *options)
        argv = (peers.sitemap_js, *to_set, str(text.path))
        return Command(SITEMAP_JS, argv, writes_files(urls, "stdout"), needs=SITEMAP_JS)

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
        ours = _convert(peers, check, plain.path, "--to", "text", *options)
        return row(f"XML → text with {options[0]}, {urls:,} URLs", ours, goal=goal)

    diff = (peers.sitemapx, "diff", str(plain.path), str(plain.path))
    return [
        with_step(0.6, prints_urls(urls), "--include", "https://*"),
        with_step(0.8, prints_urls(urls), "--unique"),
        with_step(1.5, any_output, "--sort", "loc"),
        row(f"diff of equal XML, {urls:,} URLs", Command("sitemapx", diff, any_output), goal=1.25),
    ]


def _robots(urls: int, peers: Peers) -> list[Row]:
    # Nearly 500 KiB, and what a site has.
    large, usual, plain = Sample("robots", 10_000), Sample("robots", 25), Sample("plain", urls)
    url = f"{SITE}new.xml"
    # Both begin with a copy, since the edit is made in place.
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


def _checking(urls: int, peers: Peers) -> list[Row]:
    plain, languages = Sample("plain", urls), Sample("set of languages", urls)
    at_hand = ("--map", f"{SITE}={languages.path.parent}")
    check = (peers.sitemapx, "check", str(languages.path), *at_hand)
    convert = _convert(peers, any_output, languages.path, "--to", "jsonl", *at_hand)
    files = len(languages.children) + 1
    counted = says(f"{files} files, {urls:,} entries checked: 0 errors, 0 warnings, 0 notes")
    alone = (peers.sitemapx, "check", str(plain.path))
    reading = _convert(peers, any_output, plain.path, "--to", "jsonl")
    return [
        Row(
            f"check of {len(languages.children)} files with hreflang, {urls:,} URLs",
            Command("sitemapx", check, counted),
            replace(convert, name="sitemapx, XML → JSONL"),
            goal=2.5,
            reads=(languages,),
        ),
        Row(
            f"check of XML, {urls:,} URLs",
            Command("sitemapx", (*alone, "--fail-on", "never"), any_output),
            replace(reading, name="sitemapx, XML → JSONL"),
            goal=2.5,
            reads=(plain,),
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

    return [row("XML → text", _to_text, "plain"), row("text → XML set", _to_xml, "text")]


def _start_up(peers: Peers) -> list[Row]:
    one = Sample("plain", 1)
    version = Command("sitemapx", (peers.sitemapx, "--version"), any_output)
    nothing = Command("python -c pass", (sys.executable, "-c", "pass"), any_output)
    row = partial(Row, peer=nothing, reads=(one,))
    convert = partial(row, ours=_to_text(peers, one))
    return [
        row("sitemapx --version", version, goal=40.0, compared=ADDED_TIME),
        convert("XML → text, 1 URL", goal=120.0, compared=ADDED_TIME),
        # 90 ms where Python itself takes 10: machines, and their hours, differ by more than that.
        convert("XML → text, 1 URL, in all", goal=9.0),
    ]
