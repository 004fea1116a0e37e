"""Options for the output, and lines of the summary about it."""

import os
from typing import Any

import click

from sitemapx.cli.options.types import (
    COLUMN_NAMES,
    FORMAT,
    PERCENT,
    SIZE,
    URL,
    CheckedText,
    WholeNumber,
    split_words,
)
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import Command, add_options, option_group
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import has
from sitemapx.convert.outputs.stream import is_special
from sitemapx.convert.outputs.target import Grouping, Target, target_of
from sitemapx.convert.sources.source import is_storage
from sitemapx.convert.summary import Summary
from sitemapx.convert.values.words import shorten_list
from sitemapx.errors import UsageError

_output = option_group("Output")
_page = option_group("HTML site map")
_head = option_group("Head of a feed")
#: Fields of `Head` and their options.
_HEAD = {
    "title": "--title",
    "link": "--link",
    "description": "--description",
    "language": "--language",
    "self_link": "--self-link",
    "hubs": "--hub",
}


def writing_options(command: Command) -> Command:
    return add_options(
        command,
        _output("--to", type=FORMAT, help="Output format. [default: by the extension of OUTPUT]"),
        _output(
            "-o",
            "--output",
            type=click.Path(allow_dash=True),
            default="-",
            help="Output file, or directory (with --to); - is standard output.  [default: -]",
        ),
        _output("--base-url", type=URL, help="Public URL of OUTPUT; required to write an index."),
        _output(
            "--max-urls",
            type=WholeNumber(1),
            metavar="N",
            help="Maximum URLs per file. [50,000; html: 1,000]",
        ),
        _output("--max-bytes", type=SIZE, help="Maximum uncompressed bytes per file. [52,428,800]"),
        _output(
            "--group-by",
            type=CheckedText(lambda rule: Grouping.parse([rule])),
            multiple=True,
            metavar="GROUP",
            help="Write one file per host, path:N (N directories), year, age (7 or 30 days), "
            "changefreq, language or kind (news, videos, images, pages), so that a new page "
            "changes only one file; or one for each NAME=PATTERN, a pattern as in --include. "
            "Repeatable.",
        ),
        _output("--index", is_flag=True, help="Write an index even for a single file."),
        _output(
            "--columns",
            multiple=True,
            type=COLUMN_NAMES,
            metavar="NAMES",
            help="Columns of csv, tsv, parquet, arrow and sqlite: fields, e.g. loc,title. For csv "
            "and tsv, also languages: a row per set of alternates, and a column per language.",
        ),
        _output(
            "--with-source",
            is_flag=True,
            help="Add the source of each entry (file or listed sitemap), for csv, tsv, json, "
            "jsonl, parquet, arrow and sqlite.",
        ),
        _output("--gzip", is_flag=True, help="Compress the output; implied if OUTPUT ends in .gz."),
        _output("--strict", is_flag=True, help="Write nothing if there is any problem."),
        _output(
            "--partial",
            is_flag=True,
            help="Replace OUTPUT even if a source is incomplete, or no entries remain.",
        ),
        _output(
            "--durable",
            is_flag=True,
            help="Flush all files to disk, so that they survive a power failure.",
        ),
        _page(
            "--template",
            type=click.Path(),
            metavar="FILE",
            help="Jinja2 template for each page. Requires sitemapx[html].",
        ),
        _page(
            "--fragment",
            is_flag=True,
            help="Write only headings and lists, to embed them in a page.",
        ),
        _head("--title", help="Title of the feed or site map.  [default: that of the source]"),
        _head("--link", type=URL, help="Website of the feed."),
        _head("--description", help="Description of the feed."),
        _head("--language", help="Language of the feed, site map or --news; e.g. en or pt-BR."),
        _head("--self-link", type=URL, help="Public URL of the feed itself."),
        _head("--hub", "hubs", type=URL, multiple=True, help="WebSub hub of the feed. Repeatable."),
    )


def replacing_options(command: Command) -> Command:
    """Add the options for replacing the output of an earlier build."""
    return add_options(
        command,
        _output(
            "--previous",
            type=click.Path(),
            metavar="INDEX",
            help="Index of the previous build, a file or URL: sitemaps that have not changed keep "
            "the dates that it lists.",
        ),
        _output("--allow-empty", is_flag=True, help="Replace OUTPUT even if no entries remain."),
        _output(
            "--max-loss",
            type=PERCENT,
            metavar="PERCENT",
            help="Write nothing if OUTPUT would lose more than PERCENT of its entries.",
        ),
    )


def build_target(options: dict[str, Any]) -> Target:
    """Create the output target; raise UsageError if options do not fit the format or each other."""
    return target_of(
        options["output"],
        format=options["to"],
        base_url=options["base_url"],
        max_urls=options["max_urls"],
        max_bytes=options["max_bytes"],
        compress=options["gzip"],
        group_by=options["group_by"],
        index=options["index"],
        previous=options.get("previous"),
        columns=split_words(options["columns"]),
        with_source=options["with_source"],
        durable=options["durable"],
        template=options["template"],
        fragment=options["fragment"],
    )


def build_head(options: dict[str, Any], target: Target) -> Head:
    """Create the head of a feed; raise UsageError if the format does not support a value."""
    for name, option in _HEAD.items():
        is_for_news = name == "language" and options.get("news")
        if has(options[name]) and name not in target.format.head and not is_for_news:
            raise UsageError(f"{option} is for feeds; {target.format.name} does not support it")
    return Head(**{name: options[name] for name in _HEAD})


def describe_outputs(summary: Summary) -> str:
    """Describe the output files, as the end of a sentence; empty for standard output or none."""
    indexes = [_relative_path(file.path) for file in summary.files if file.is_index]
    files = [file.path for file in summary.files if not file.is_index and file.state != "removed"]
    if files in ([], ["-"]):
        return ""
    unchanged = sum(file.state == "unchanged" and not file.is_index for file in summary.files)
    if not indexes:
        return f" to {_relative_path(files[0])}{' (unchanged)' if unchanged else ''}"
    kept = f" ({unchanged:,} of them unchanged)" if unchanged else ""
    noun = "file" if len(files) == 1 else "files"
    return f" to {len(files):,} {noun} listed in {', '.join(sorted(indexes, key=len))}{kept}"


def print_failure(console: Console, summary: Summary, output: str) -> None:
    """If nothing was written because of a failure, print the reason, even with `--quiet`."""
    if summary.failure:
        source = output if output != "-" else None
        console.print_error(f"nothing was written: {summary.failure}", source=source)


def summary_values(summary: Summary) -> dict[str, object]:
    return {
        "read": summary.read,
        "written": summary.written,
        "files": [file._asdict() for file in summary.files],
        "skipped": +summary.left_out,
        "problems": summary.problems,
    }


def leftover_lines(summary: Summary, target: Target, output: str) -> list[str]:
    """Return lines about removed files, and about an old uncompressed file with `--gzip`."""
    names = [_relative_path(file.path) for file in summary.files if file.state == "removed"]
    lines = [f"removed, as no longer listed: {shorten_list(names)}"] if names else []
    plain = target.path.removesuffix(".gz")
    if summary.files and os.path.exists(plain) and not output.endswith(".gz") and target.compress:
        lines.append(
            f"{_relative_path(plain)} was not replaced: --gzip writes {_relative_path(target.path)}"
        )
    return lines


def _relative_path(path: str) -> str:
    return path if is_storage(path) or is_special(path) else os.path.relpath(path)
