"""What sitemaps are to be complete against: the built site, and a list of required URLs."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from sitemapx.cli.terminal.groups import Command, add_options, grouped
from sitemapx.convert.sources.source import local_path
from sitemapx.convert.sources.urlmap import UrlMap, folder_address
from sitemapx.convert.values.words import counted
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.check.completeness.pages import BuiltSummary
    from sitemapx.check.completeness.required import Required
    from sitemapx.check.completeness.site import BuiltSite

__all__ = ["built_of", "completeness_options", "required_of", "summary_line"]

_complete = grouped("Completeness")


def completeness_options(command: Command) -> Command:
    """Add these options."""
    return add_options(
        command,
        _complete(
            "--root",
            metavar="DIR",
            type=click.Path(exists=True, file_okay=False),
            help="Compare with the built site in DIR, published at the root of the host, or where "
            "--source-url or --map says.",
        ),
        _complete(
            "--require",
            metavar="FILE",
            type=click.Path(dir_okay=False, allow_dash=True),
            help="Report each line of FILE (a URL, or a pattern such as '/blog/*' or re:REGEX) "
            "that no listed URL matches; - reads standard input.",
        ),
    )


def required_of(options: dict[str, Any], sources: Sequence[str]) -> "Required | None":
    """
    Read the list of required URLs, if there is one.

    Raises:
        InputError: If it cannot be read.
        UsageError: If it has an invalid pattern, or is a source, too.

    """
    name = options["require"]
    if name is None:
        return None
    if name == "-" and "-" in sources:
        raise UsageError("standard input can be read only once: pass a file to --require")
    from sitemapx.check.completeness.required import Required

    return Required(name)


def built_of(options: dict[str, Any], sources: Sequence[str]) -> "BuiltSite | None":
    """Make of those options which site the sources are compared with; None for none."""
    if options["root"] is None:
        return None
    from sitemapx.check.completeness.site import BuiltSite

    return BuiltSite(options["root"], _url_of(options["root"], options, sources))


def _url_of(folder: str, options: dict[str, Any], sources: Sequence[str]) -> str | None:
    """Return where a directory is published, as a mapping or the URL of a source says."""
    root, url = Path(os.path.realpath(folder)), str(options["source_url"] or "")
    for prefix, mapped in options["maps"]:
        if os.path.realpath(mapped) == str(root):
            return UrlMap.of(prefix, mapped).url
    if not url:
        return None
    for path in filter(None, map(local_path, sources)):
        if (file := Path(os.path.realpath(path))).is_relative_to(root):
            end = quote(os.fsencode(file.relative_to(root).as_posix()))
            if url.endswith(f"/{end}"):
                return url.removesuffix(end)
    try:
        return folder_address(url)
    except UsageError:  # the URL of a file: it lies in the directory itself
        return f"{url.rpartition('/')[0]}/"


def summary_line(summary: "BuiltSummary") -> str:
    """Put into words what was compared with the built site, and what was not."""
    line = f"{counted(summary.compared, 'URL')} compared with {summary.folder}"
    if summary.outside:
        where = f"not below {summary.url}" if summary.url else "without a valid host"
        line += f"; {counted(summary.outside, 'URL')} {where} not compared"
    return line
