"""`sitemapx robots`."""

import difflib
import sys
from collections.abc import Callable
from typing import Any

import click

from sitemapx.cli.console import Console
from sitemapx.cli.fetching import fetcher_of, fetching_options
from sitemapx.cli.groups import GroupedCommand
from sitemapx.submit.robots import RobotsFile

__all__ = ["command"]

Change = Callable[[RobotsFile], object]


@click.group(
    "robots",
    epilog="""\b
Examples:
  sitemapx robots list https://example.com/robots.txt
  sitemapx robots add public/robots.txt https://example.com/sitemap.xml
  sitemapx robots sync robots.txt https://example.com/a.xml https://example.com/b.xml --dry-run
  curl -s https://example.com/robots.txt | sitemapx robots add - https://example.com/s.xml

\b
Exit status: 0 done; 1 the file cannot be read or written, or under --check something
would change; 2 wrong usage.""",
)
def command() -> None:
    """Keep the Sitemap lines of robots.txt right, and touch nothing else."""


def _editing(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options that all edits take."""
    for option in (
        click.option("--dry-run", is_flag=True, help="Show a diff and write nothing."),
        click.option("--check", is_flag=True, help="Write nothing; status 1 if it would change."),
        click.option("--backup", is_flag=True, help="Keep what was there before as FILE.bak."),
        click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors."),
        click.option("--debug", is_flag=True, hidden=True),
    ):
        function = option(function)
    return function


_FILE = click.argument("path", metavar="FILE", type=click.Path(allow_dash=True))
_URLS = click.argument("urls", metavar="URL...", nargs=-1, required=True)


@command.command("list", cls=GroupedCommand)
@_FILE
@fetching_options
@click.option(
    "--report",
    type=click.Choice(["text", "json"]),
    default="text",
    help="URLs, or a JSON object a line with the line numbers.",
)
@click.option("--debug", is_flag=True, hidden=True)
def list_(path: str, report: str, **options: Any) -> None:
    """Print the Sitemap URLs of FILE, which may be a URL, one a line, in order."""
    from msgspec.json import encode

    from sitemapx.submit.robotsio import load

    if path == "-":
        robots = RobotsFile(sys.stdin.buffer.read())
    else:
        robots = load(path, fetcher=fetcher_of(options, Console().say))
    for line in robots.sitemaps():
        text = encode({"line": line.number, "url": line.url}).decode()
        click.echo(text if report == "json" else line.url)


@command.command("add")
@_FILE
@_URLS
@_editing
def add(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Add a Sitemap line for each URL that has none; a missing FILE is created."""
    return _edit(path, lambda robots: [robots.add(url) for url in urls], options)


@command.command("remove")
@_FILE
@_URLS
@_editing
def remove(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Remove the Sitemap lines with these URLs."""
    return _edit(path, lambda robots: [robots.remove(url) for url in urls], options)


@command.command("replace")
@_FILE
@click.argument("old")
@click.argument("new")
@_editing
def replace(path: str, old: str, new: str, **options: Any) -> int:
    """Put NEW in place of OLD, in the same line."""
    return _edit(path, lambda robots: robots.replace(old, new), options)


@command.command("sync")
@_FILE
@_URLS
@_editing
def sync(path: str, urls: tuple[str, ...], **options: Any) -> int:
    """Make the Sitemap lines of FILE exactly these, with as few edits as can be."""
    return _edit(path, lambda robots: robots.sync(urls), options)


def _edit(path: str, change: Change, options: dict[str, Any]) -> int:
    """Edit a file in place, or filter standard input."""
    from sitemapx.submit.robotsio import edit

    console = Console(quiet=options["quiet"])
    is_told = options["dry_run"] or options["check"]
    if path == "-":
        robots = RobotsFile(sys.stdin.buffer.read())
        before = bytes(robots)
        change(robots)
        after = bytes(robots)
        if not is_told:
            sys.stdout.buffer.write(after)
    else:
        before, after = edit(path, change, backup=options["backup"], write=not is_told)
    if options["dry_run"]:
        _show_diff(path, before, after)
    elif path != "-":
        verb = "would change" if options["check"] else "changed"
        console.say(f"{path}: {verb if before != after else 'nothing to change'}")
    return 1 if options["check"] and before != after else 0


def _show_diff(path: str, before: bytes, after: bytes) -> None:
    """Print a unified diff, in colour on a terminal."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    for line in difflib.unified_diff(old, new, path, path, lineterm=""):
        click.echo(click.style(line, fg=colours.get(line[:1])))
