"""`sitemapx robots` and its edits; what also fetches is apart, for it imports much more."""

from typing import Any

import click

from sitemapx.cli.commands.robots.edits import edit
from sitemapx.cli.options.types import debug_option
from sitemapx.cli.terminal.groups import Command, GroupedCommand, LazyGroup, add_options

__all__ = ["command"]

COMMANDS = {
    "list": (
        "sitemapx.cli.commands.robots.list",
        "Print the Sitemap URLs of FILE, one a line, in order.",
    ),
    "check": (
        "sitemapx.cli.commands.robots.check",
        "Find what crawlers misread in FILE, and pages of a SITEMAP that it disallows.",
    ),
}


@click.group(
    "robots",
    cls=LazyGroup,
    lazy=COMMANDS,
    epilog="""\b
Examples:
  sitemapx robots list https://example.com/robots.txt
  sitemapx robots add public/robots.txt https://example.com/sitemap.xml
  sitemapx robots sync robots.txt https://example.com/a.xml https://example.com/b.xml --dry-run
  curl -s https://example.com/robots.txt | sitemapx robots add - https://example.com/s.xml
  sitemapx robots check robots.txt sitemap.xml --agent Googlebot

\b
Exit status: 0 done; 1 the file cannot be read or written, under --check something
would change, or `check` found something; 2 wrong usage.""",
)
def command() -> None:
    """Keep the Sitemap lines of robots.txt right, touch nothing else, and check it."""


def _editing(function: Command) -> Command:
    """Add the options that all edits take."""
    return add_options(
        function,
        debug_option,
        click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors."),
        click.option("--backup", is_flag=True, help="Keep what was there before as FILE.bak."),
        click.option("--check", is_flag=True, help="Write nothing; status 1 if it would change."),
        click.option("--dry-run", is_flag=True, help="Show a diff and write nothing."),
    )


_FILE = click.argument("path", metavar="FILE", type=click.Path(allow_dash=True))
_URLS = click.argument("urls", metavar="URL...", nargs=-1, required=True)


@command.command("add", cls=GroupedCommand)
@_FILE
@_URLS
@_editing
def add(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Add a Sitemap line for each URL that has none; a missing FILE is created."""
    return edit("add", path, urls, **options)


@command.command("remove", cls=GroupedCommand)
@_FILE
@_URLS
@_editing
def remove(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Remove the Sitemap lines with these URLs."""
    return edit("remove", path, urls, **options)


@command.command("replace", cls=GroupedCommand)
@_FILE
@click.argument("old")
@click.argument("new")
@_editing
def replace(path: str, old: str, new: str, **options: Any) -> int:
    """Put NEW in place of OLD, in the same line."""
    return edit("replace", path, [old, new], **options)


@command.command("sync", cls=GroupedCommand)
@_FILE
@_URLS
@_editing
def sync(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Make the Sitemap lines of FILE exactly these, with as few edits as can be."""
    return edit("sync", path, urls, **options)
