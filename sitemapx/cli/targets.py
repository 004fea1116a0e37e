"""The options that say where entries are written to, for all commands that write some."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from sitemapx.cli.groups import grouped
from sitemapx.cli.options import FORMAT, SIZE, URL
from sitemapx.convert.conversion import Summary
from sitemapx.convert.sources import is_storage
from sitemapx.convert.targets import Target, target_of

__all__ = ["places", "removals", "target_from", "writing_options"]

#: So many names of files are shown.
_SHOWN = 5
_output = grouped("Output")
Command = TypeVar("Command", bound=Callable[..., Any])


def writing_options(command: Command) -> Command:
    """Add the options that say what is written, and where to."""
    for option in reversed(
        (
            _output("--to", type=FORMAT, help="Format to write. [default: by the name of OUTPUT]"),
            _output(
                "-o",
                "--output",
                type=click.Path(allow_dash=True),
                default="-",
                help="File to write, or folder (with --to); - is standard output.  [default: -]",
            ),
            _output("--base-url", type=URL, help="Where OUTPUT will be served; an index needs it."),
            _output(
                "--max-urls", type=click.IntRange(1), metavar="N", help="URLs in one file. [50,000]"
            ),
            _output("--max-bytes", type=SIZE, help="Bytes in one file, uncompressed. [52,428,800]"),
            _output(
                "--group-by",
                metavar="GROUP",
                help="A file for each host, path:N (of N folders) or year: a new page changes one "
                "file.",
            ),
            _output("--gzip", is_flag=True, help="Compress; also if OUTPUT ends in .gz."),
        )
    ):
        command = option(command)
    return command


def target_from(options: dict[str, Any]) -> Target:
    """
    Make of those options where to write to.

    Raises:
        UsageError: If the format is not said or not known, or a limit is above the format's.

    """
    return target_of(
        options["output"],
        format=options["to"],
        base_url=options["base_url"],
        max_urls=options["max_urls"],
        max_bytes=options["max_bytes"],
        compress=options["gzip"],
        group_by=options["group_by"],
    )


def places(summary: Summary) -> str:
    """Say where entries were written to; nothing of standard output."""
    indexes = [_shown(one.path) for one in summary.files if one.is_index]
    files = [one.path for one in summary.files if not one.is_index and one.state != "removed"]
    if files in ([], ["-"]):
        return ""
    unchanged = sum(one.state == "unchanged" for one in summary.files)
    if not indexes:
        return f" to {_shown(files[0])}{' (unchanged)' if unchanged else ''}"
    kept = f" ({unchanged:,} of them unchanged)" if unchanged else ""
    return f" to {len(files):,} files listed in {', '.join(sorted(indexes, key=len))}{kept}"


def removals(summary: Summary) -> list[str]:
    """Say which files were removed, in a line if there are any; of many, only the first."""
    names = [_shown(one.path) for one in summary.files if one.state == "removed"]
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    listed = ", ".join(names[:_SHOWN]) + more
    return [f"removed, since nothing lists them any more: {listed}"] if names else []


def _shown(path: str) -> str:
    """Name a file as seen from here."""
    return path if is_storage(path) else os.path.relpath(path)
