"""`sitemapx convert`."""

import os
from typing import Any

import click

from sitemapx.cli.console import Console
from sitemapx.cli.options import FORMAT, MAPPING, SIZE, URL
from sitemapx.convert.conversion import Summary, convert, target_of
from sitemapx.convert.document import Head
from sitemapx.convert.following import Mapping
from sitemapx.convert.steps import Step, enclosures_as_media, newest

__all__ = ["command"]

#: The options that say what a feed says of itself.
_HEAD = ("title", "link", "description", "language", "self_link", "hub")


@click.command(
    "convert",
    epilog="""\b
Examples:
  sitemapx convert sitemap.xml --to text
  sitemapx convert urls.txt -o public/sitemap.xml --base-url https://example.com/
  sitemapx convert a.xml b.xml.gz list.txt --to jsonl | jq -r .loc
  sitemapx convert sitemap_index.xml --to csv -o all.csv --map https://example.com/=public
  zcat urls.txt.gz | sitemapx convert - --to sitemap --gzip > sitemap.xml.gz

\b
Exit status: 0 done; 1 a source was damaged, a problem under --strict, or the run
could not be finished; 2 wrong usage. Unless a run is finished, what stood at OUTPUT
stays as it was. `sitemapx formats` lists the formats.""",
)
@click.argument(
    "sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@click.option("--to", "to", type=FORMAT, help="Format to write. [default: by the name of OUTPUT]")
@click.option("--from", "from_", type=FORMAT, help="Format of the sources. [default: by content]")
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    default="-",
    help="File to write, or folder (with --to); - is standard output.  [default: -]",
)
@click.option(
    "--source-url", type=URL, help="Where the source is published: the base of relative URLs."
)
@click.option("--base-url", type=URL, help="Where OUTPUT will be served; an index needs it.")
@click.option("--no-follow", is_flag=True, help="List what an index lists, not the URLs behind it.")
@click.option(
    "--map",
    "maps",
    type=MAPPING,
    multiple=True,
    metavar="URL=DIR",
    help="Where the files of an index are on disk; repeatable.",
)
@click.option("--max-urls", type=click.IntRange(1), metavar="N", help="URLs in one file. [50,000]")
@click.option("--max-bytes", type=SIZE, help="Bytes in one file, uncompressed. [52,428,800]")
@click.option("--gzip", is_flag=True, help="Compress; also if OUTPUT ends in .gz.")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Only the N newest entries, newest first."
)
@click.option("--enclosures", is_flag=True, help="Make images and videos of a feed's enclosures.")
@click.option("--title", help="Title of the feed to write.  [default: that of the source]")
@click.option("--link", type=URL, help="Its web site.")
@click.option("--description", help="Its description.")
@click.option("--language", help="Its language, such as en or pt-BR.")
@click.option("--self-link", type=URL, help="Where the feed itself will be.")
@click.option("--hub", type=URL, help="Its WebSub hub.")
@click.option("--strict", is_flag=True, help="Write nothing if there is any problem; status 1.")
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
    Read every SOURCE (a file, or - for standard input) and write all entries to one OUTPUT.

    gzip is known by its bytes and the format by the contents. What is more than one file may
    hold becomes a set of files with an index. Whatever is lost on the way is told on stderr.
    """
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read only once")
    console = Console(as_json=options["report"] == "json", quiet=options["quiet"])
    target = target_of(
        options["output"],
        format=options["to"],
        base_url=options["base_url"],
        max_urls=options["max_urls"],
        max_bytes=options["max_bytes"],
        compress=options["gzip"],
    )
    total = _total_size(sources)
    try:
        summary = convert(
            sources,
            target,
            source_format=options["from_"],
            source_url=options["source_url"],
            follow_indexes=not options["no_follow"],
            mappings=[Mapping.of(url, folder) for url, folder in options["maps"]],
            head=Head(**{name: options[name] for name in _HEAD}),
            steps=_steps(options),
            strict=options["strict"],
            report=console.problem,
            progress=lambda entries, size: console.progress(entries, size, total),
        )
    finally:
        console.close()
    for line in _told(summary):
        console.say(line)
    return 1 if summary.failure or summary.has_errors else 0


def _steps(options: dict[str, Any]) -> list[Step]:
    """List what to do with the entries on the way."""
    steps: list[Step] = []
    if options["enclosures"]:
        steps.append(enclosures_as_media)
    if options["limit"]:
        steps.append(newest(options["limit"]))
    return steps


def _total_size(sources: tuple[str, ...]) -> int | None:
    """Add up the sizes of the sources, if they are files."""
    if not all(os.path.isfile(source) for source in sources):
        return None
    return sum(os.path.getsize(source) for source in sources)


def _told(summary: Summary) -> list[str]:
    """Put the summary into words."""
    entries = "entry" if summary.read == 1 else "entries"
    lines = [f"{summary.read:,} {entries} read, {summary.written:,} written{_places(summary)}"]
    if summary.problems:
        counts = (f"{code} {count:,}" for code, count in summary.problems.most_common())
        lines.append(f"problems: {', '.join(counts)}")
    if summary.failure:
        lines.append(f"nothing was written: {summary.failure}")
    return lines


def _places(summary: Summary) -> str:
    indexes = [os.path.relpath(one.path) for one in summary.files if one.is_index]
    files = [one.path for one in summary.files if not one.is_index]
    if files in ([], ["-"]):
        return ""
    unchanged = sum(not one.is_new for one in summary.files)
    if not indexes:
        return f" to {os.path.relpath(files[0])}{' (unchanged)' if unchanged else ''}"
    kept = f" ({unchanged:,} of them unchanged)" if unchanged else ""
    return f" to {len(files):,} files listed in {', '.join(sorted(indexes, key=len))}{kept}"
