"""`sitemapx convert`."""

import os
from typing import Any

import click

from sitemapx.cli.console import Console
from sitemapx.cli.groups import GroupedCommand, grouped
from sitemapx.cli.options import FORMAT, SIZE, URL
from sitemapx.cli.sources import SOURCES, dates_of, opener_of, reading_options, total_size
from sitemapx.cli.steps import step_options, steps_of
from sitemapx.convert.conversion import Summary, convert
from sitemapx.convert.document import Head
from sitemapx.convert.sources import is_storage
from sitemapx.convert.targets import target_of

__all__ = ["command"]

#: So many names of files are shown.
_SHOWN = 5
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
@SOURCES
@reading_options
@_output("--to", "to", type=FORMAT, help="Format to write. [default: by the name of OUTPUT]")
@_output(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    default="-",
    help="File to write, or folder (with --to); - is standard output.  [default: -]",
)
@_output("--base-url", type=URL, help="Where OUTPUT will be served; an index needs it.")
@_output("--max-urls", type=click.IntRange(1), metavar="N", help="URLs in one file. [50,000]")
@_output("--max-bytes", type=SIZE, help="Bytes in one file, uncompressed. [52,428,800]")
@_output(
    "--group-by",
    metavar="GROUP",
    help="A file for each host, path:N (of N folders) or year: a new page changes one file.",
)
@_output("--gzip", is_flag=True, help="Compress; also if OUTPUT ends in .gz.")
@step_options
@_head("--title", help="Title of the feed to write.  [default: that of the source]")
@_head("--link", type=URL, help="Its web site.")
@_head("--description", help="Its description.")
@_head("--language", help="Its language, such as en or pt-BR.")
@_head("--self-link", type=URL, help="Where the feed itself will be.")
@_head("--hub", type=URL, help="Its WebSub hub.")
@_output("--strict", is_flag=True, help="Write nothing if there is any problem; status 1.")
@click.option(
    "--report",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Problems on stderr as text, or as a JSON object a line.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress, summary or warnings.")
@click.option("--debug", is_flag=True, hidden=True)
def command(sources: tuple[str, ...], **options: Any) -> int:
    """
    Read every SOURCE and write all entries to one OUTPUT.

    A SOURCE is a file, a folder of HTML, a URL, a host (its robots.txt names its sitemaps), or
    - for standard input. An index stands for the sitemaps that it lists.

    gzip is known by its bytes and the format by the contents. What is more than one file may
    hold becomes a set of files with an index. Whatever is lost on the way is told on stderr.
    """
    console = Console(as_json=options["report"] == "json", quiet=options["quiet"])
    target = target_of(
        options["output"],
        format=options["to"],
        base_url=options["base_url"],
        max_urls=options["max_urls"],
        max_bytes=options["max_bytes"],
        compress=options["gzip"],
        group_by=options["group_by"],
    )
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
    lines = [f"{summary.read:,} {entries} read, {summary.written:,} written{_places(summary)}"]
    if stale := [_shown(one.path) for one in summary.files if one.state == "removed"]:
        lines.append(f"removed, since nothing lists them any more: {_some(stale)}")
    if left_out := +summary.left_out:
        counts = (f"{name} {count:,}" for name, count in left_out.items())
        lines.append(f"left out: {', '.join(counts)}")
    if summary.problems:
        counts = (f"{code} {count:,}" for code, count in summary.problems.most_common())
        lines.append(f"problems: {', '.join(counts)}")
    if summary.failure:
        lines.append(f"nothing was written: {summary.failure}")
    return lines


def _some(names: list[str]) -> str:
    """List names; of many, only the first."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _shown(path: str) -> str:
    """Name a file as seen from here."""
    return path if is_storage(path) else os.path.relpath(path)


def _places(summary: Summary) -> str:
    indexes = [_shown(one.path) for one in summary.files if one.is_index]
    files = [one.path for one in summary.files if not one.is_index and one.state != "removed"]
    if files in ([], ["-"]):
        return ""
    unchanged = sum(one.state == "unchanged" for one in summary.files)
    if not indexes:
        return f" to {_shown(files[0])}{' (unchanged)' if unchanged else ''}"
    kept = f" ({unchanged:,} of them unchanged)" if unchanged else ""
    return f" to {len(files):,} files listed in {', '.join(sorted(indexes, key=len))}{kept}"
