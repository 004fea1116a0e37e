"""The edits of `sitemapx robots add`, `remove`, `replace` and `sync`."""

import sys
from collections.abc import Sequence

from sitemapx.cli.terminal.console import Console
from sitemapx.submit.robots.file import RobotsFile

__all__ = ["edit", "print_diff"]


def _change(robots: RobotsFile, name: str, urls: Sequence[str]) -> None:
    match name:
        case "add":
            for url in urls:
                robots.add(url)
        case "remove":
            for url in urls:
                robots.remove(url)
        case "replace":
            robots.replace(*urls)
        case "sync":
            robots.sync(urls)


def edit(
    name: str,
    path: str,
    urls: Sequence[str],
    *,
    dry_run: bool = False,
    check: bool = False,
    backup: bool = False,
    quiet: bool = False,
) -> int:
    """
    Edit a file in place, or filter standard input.

    Args:
        name: What to do.
        path: The file; `-` for standard input, which goes to standard output.
        urls: What to do that with: for `replace` the old one and the new one.
        dry_run: Whether to show a diff, and write nothing.
        check: Whether to write nothing, and return 1 if it would change.
        backup: Whether to keep what was there before.
        quiet: Whether to say nothing but errors.

    """
    from sitemapx.submit.robots import edit

    console = Console(quiet=quiet)
    is_told = dry_run or check
    if path == "-":
        robots = edit.load(path)
        before = bytes(robots)
        _change(robots, name, urls)
        after = bytes(robots)
        if not is_told:
            sys.stdout.buffer.write(after)
    else:
        before, after = edit.edit(
            path, lambda robots: _change(robots, name, urls), backup=backup, write=not is_told
        )
    if dry_run:
        print_diff(path, before, after)
    elif path != "-":
        verb = "would change" if check else "changed"
        console.say(f"{path}: {verb if before != after else 'unchanged'}")
    return 1 if check and before != after else 0


def print_diff(path: str, before: bytes, after: bytes) -> None:
    """Print a unified diff, in colour on a terminal."""
    from difflib import unified_diff

    import click

    from sitemapx.cli.terminal.colour import has_colour

    colours = {"+": "green", "-": "red", "@": "cyan"}
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    for line in unified_diff(old, new, path, path, lineterm=""):
        click.echo(click.style(line, fg=colours.get(line[:1])), color=has_colour(sys.stdout))
