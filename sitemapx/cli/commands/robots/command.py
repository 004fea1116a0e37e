"""
The command group `sitemapx robots`, and the commands that edit.

Commands that fetch import more, and have their own modules.
"""

from typing import Any

import click

from sitemapx.cli.commands.robots.edits import edit
from sitemapx.cli.options.types import debug_option
from sitemapx.cli.terminal.groups import Command, GroupedCommand, LazyGroup, add_options

#: `readable` is off, as the commands report errors of files, URLs and `-` in one form.
_robots_file = click.argument(
    "path", metavar="FILE", type=click.Path(allow_dash=True, readable=False)
)

_COMMANDS = {
    "list": (
        "sitemapx.cli.commands.robots.list",
        "Print the Sitemap URLs in FILE, one per line, in order.",
    ),
    "check": (
        "sitemapx.cli.commands.robots.check",
        "Find lines that crawlers misread, and disallowed pages of a SITEMAP.",
    ),
    "agents": (
        "sitemapx.cli.commands.robots.agents",
        "List which search and AI crawlers may fetch a page.",
    ),
}
_URLS = click.argument("urls", metavar="URL...", nargs=-1, required=True)


@click.group(
    "robots",
    cls=LazyGroup,
    lazy=_COMMANDS,
    epilog="""\b
Examples:
  sitemapx robots list example.com
  sitemapx robots add public/robots.txt https://example.com/sitemap.xml
  sitemapx robots sync robots.txt https://example.com/a.xml https://example.com/b.xml --dry-run
  curl -s https://example.com/robots.txt | sitemapx robots add - https://example.com/s.xml
  sitemapx robots check robots.txt sitemap.xml --agent Googlebot
  sitemapx robots agents robots.txt --path /blog/

Exit status: 0 success; 1 the file cannot be read or written, it would change (--check),
or `check` found something; 2 usage error or no such file.""",
)
def command() -> None:
    """Edit the Sitemap lines of robots.txt and nothing else, and check the file."""


def _edit_options(function: Command) -> Command:
    return add_options(
        function,
        debug_option,
        click.option("-q", "--quiet", is_flag=True, help="Report errors only."),
        click.option("--backup", is_flag=True, help="Keep the previous version as FILE.bak."),
        click.option(
            "--check", is_flag=True, help="Write nothing; exit with status 1 if FILE would change."
        ),
        click.option("--dry-run", is_flag=True, help="Print a diff, and change nothing."),
    )


@command.command("add", cls=GroupedCommand)
@_robots_file
@_URLS
@_edit_options
def add(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Add a Sitemap line for each URL that has none; create FILE if it is missing."""
    return edit("add", path, urls, **options)


@command.command("remove", cls=GroupedCommand)
@_robots_file
@_URLS
@_edit_options
def remove(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Remove the Sitemap lines with these URLs."""
    return edit("remove", path, urls, **options)


@command.command("replace", cls=GroupedCommand)
@_robots_file
@click.argument("old")
@click.argument("new")
@_edit_options
def replace(path: str, old: str, new: str, **options: Any) -> int:
    """Replace OLD with NEW, on the same line."""
    return edit("replace", path, [old, new], **options)


@command.command("sync", cls=GroupedCommand)
@_robots_file
@_URLS
@_edit_options
def sync(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Make the Sitemap lines of FILE exactly these, with minimal edits."""
    return edit("sync", path, urls, **options)
