"""`sitemapx convert`."""

from typing import Any

import click

from sitemapx.cli.console import Console
from sitemapx.cli.groups import GroupedCommand, grouped
from sitemapx.cli.options import URL, console_options
from sitemapx.cli.sources import (
    adding_options,
    dates_of,
    opener_of,
    reading_options,
    sources_argument,
    total_size,
)
from sitemapx.cli.steps import step_options, steps_of
from sitemapx.cli.targets import places, removals, target_from, writing_options
from sitemapx.convert.conversion import Summary, convert
from sitemapx.convert.document import Head

__all__ = ["command"]

_output = grouped("Output")
_head = grouped("Head of a feed")

#: The options that say what a feed says of itself.
_HEAD = ("title", "link", "description", "language", "self_link", "hub")


@click.command(
    "convert",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx convert sitemap.xml --to text
  sitemapx convert example.com https://example.org/feed.xml --to jsonl
  sitemapx convert urls.txt -o public/sitemap.xml --base-url https://example.com/
  sitemapx convert a.xml b.xml.gz list.txt --to jsonl | jq -r .loc
  sitemapx convert sitemap_index.xml --to csv -o all.csv --map https://example.com/=public
  zcat urls.txt.gz | sitemapx convert - --to sitemap --gzip > sitemap.xml.gz

\b
Exit status: 0 done; 1 a source was damaged, a problem under --strict, or the run
could not be finished; 2 wrong usage. Unless a run is finished, what stood at OUTPUT
stays as it was. `sitemapx formats` lists the formats.""",
)
@sources_argument("SOURCE...")
@reading_options
@adding_options
@writing_options
@step_options
@_head("--title", help="Title of the feed to write.  [default: that of the source]")
@_head("--link", type=URL, help="Its web site.")
@_head("--description", help="Its description.")
@_head("--language", help="Its language, such as en or pt-BR.")
@_head("--self-link", type=URL, help="Where the feed itself will be.")
@_head("--hub", type=URL, help="Its WebSub hub.")
@_output("--strict", is_flag=True, help="Write nothing if there is any problem; status 1.")
@console_options
def command(sources: tuple[str, ...], **options: Any) -> int:
    """
    Read every SOURCE and write all entries to one OUTPUT.

    A SOURCE is a file, a folder of HTML, a URL, a host (its robots.txt names its sitemaps), or
    - for standard input. An index stands for the sitemaps that it lists.

    gzip is known by its bytes and the format by the contents. What is more than one file may
    hold becomes a set of files with an index. Whatever is lost on the way is told on stderr.
    """
    console = Console.of(options)
    target = target_from(options)
    total = total_size(sources)
    try:
        summary = convert(
            sources,
            target,
            opener=opener_of(options, console.say),
            head=Head(**{name: options[name] for name in _HEAD}),
            steps=[*dates_of(sources, options), *steps_of(options, target.format)],
            strict=options["strict"],
            report=console.problem,
            progress=lambda entries, size: console.progress(entries, size, total),
        )
    finally:
        console.close()
    for line in _told(summary):
        console.say(line)
    return 1 if summary.failure or summary.has_errors else 0


def _told(summary: Summary) -> list[str]:
    """Put the summary into words."""
    entries = "entry" if summary.read == 1 else "entries"
    lines = [f"{summary.read:,} {entries} read, {summary.written:,} written{places(summary)}"]
    lines += removals(summary)
    if left_out := +summary.left_out:
        counts = (f"{name} {count:,}" for name, count in left_out.items())
        lines.append(f"left out: {', '.join(counts)}")
    if summary.problems:
        counts = (f"{code} {count:,}" for code, count in summary.problems.most_common())
        lines.append(f"problems: {', '.join(counts)}")
    if summary.failure:
        lines.append(f"nothing was written: {summary.failure}")
    return lines
