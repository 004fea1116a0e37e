"""The robots.txt that `robots list`, `check` and `agents` read."""

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitemapx.cli.terminal.groups import Command


def _robots_url(source: str | None) -> str | None:
    """Return the URL of robots.txt for a host; any other source, such as a file, unchanged."""
    if source is None or os.path.exists(source):
        return source
    from sitemapx.convert.sources.discovery import site_of

    site = site_of(source)
    return f"{site}robots.txt" if site else source


def robots_source(*, required: bool = True) -> "Callable[[Command], Command]":
    """Return a decorator that adds FILE, passed as `path`: a host as the URL of its robots.txt."""
    return click.argument(
        "path",
        metavar="FILE" if required else "[FILE]",
        required=required,
        type=click.Path(allow_dash=True, readable=False),
        callback=lambda ctx, param, value: _robots_url(value),
    )
