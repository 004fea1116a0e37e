"""The robots.txt that `robots list`, `check` and `agents` read."""

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sitemapx.cli.terminal.groups import Command


def _robots_url(source: str) -> str:
    """Return the URL of robots.txt for a host; any other source, such as a file, unchanged."""
    if os.path.exists(source):
        return source
    from sitemapx.convert.sources.discovery import site_of

    site = site_of(source)
    return f"{site}robots.txt" if site else source


def robots_source(command: "Command") -> "Command":
    """Add the argument FILE: a path, a URL, a host, or `-`."""
    return click.argument(
        "path",
        metavar="FILE",
        type=click.Path(allow_dash=True, readable=False),
        callback=lambda ctx, param, value: _robots_url(value),
    )(command)
