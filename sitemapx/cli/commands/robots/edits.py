"""The edits of `sitemapx robots add`, `remove`, `replace` and `sync`."""

import sys
from collections.abc import Sequence

from sitemapx.cli.terminal.console import Console
from sitemapx.submit.robots.file import RobotsFile

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from sitemapx.submit.robots.edit import Edited


class _Change:
    """
    Callable that makes the edits of a command in a robots.txt.

    Attributes:
        missing: URLs to remove or replace that the file does not list.
        has_failed: Whether the file lists neither the URL to replace nor its replacement.

    """

    def __init__(self, name: str, urls: Sequence[str]) -> None:
        self._name, self._urls = name, urls
        self.missing: list[str] = []
        self.has_failed = False

    def __call__(self, robots: RobotsFile) -> None:
        match self._name, self._urls:
            case "add", urls:
                for url in urls:
                    robots.add(url)
            case "remove", urls:
                self.missing = [url for url in urls if not robots.remove(url)]
            case "replace", (old, new):
                self.missing = [] if robots.lists(old) else [old]
                robots.replace(old, new)
                self.has_failed = not robots.lists(new)
            case "sync", urls:
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
    Edit a file, or filter standard input to output if the path is `-`; return the exit status.

    Args:
        name: `add`, `remove`, `replace` or `sync`.
        urls: Arguments of the edit; for `replace`, the old and the new URL.
        dry_run: Whether to print a diff instead of writing.
        check: Whether to return 1 instead of writing if the file would change.
        backup: Whether to keep the previous version as FILE.bak.

    """
    from sitemapx.submit.robots import edit

    console = Console(quiet=quiet)
    for url in urls:
        if "#" in url and name != "remove":
            console.say(f"Sitemap lines have no fragments: {url} becomes {url.partition('#')[0]}")
    change = _Change(name, urls)
    if path == "-":
        robots = edit.load_robots_file(path)
        before = bytes(robots)
        change(robots)
        edited = edit.Edited(before, bytes(robots))
        if not (dry_run or check):
            sys.stdout.buffer.write(edited.after)
    else:
        edited = edit.edit_robots_file(
            path,
            change,
            backup=backup,
            write=not (dry_run or check),
            may_be_missing=name in ("add", "sync"),
        )
    _report_missing(console, "<stdin>" if path == "-" else path, change, edited)
    if dry_run:
        print_diff(path, edited)
    elif path != "-" and (edited.has_changed or not change.missing):
        console.say(f"{path}: {edited.summary(is_dry=check)}")
    return 1 if change.has_failed or (check and edited.has_changed) else 0


def _report_missing(console: Console, file: str, change: _Change, edited: "Edited") -> None:
    rest = "" if edited.has_changed else "; unchanged"
    for url in change.missing:
        message = f"no Sitemap line for {url}{rest}"
        if change.has_failed:
            console.print_error(message, source=file)
        else:
            console.say(f"{file}: {message}")


def print_diff(path: str, edited: "Edited") -> None:
    from difflib import unified_diff

    import click

    from sitemapx.cli.terminal.console import has_colour

    colours = {"+": "green", "-": "red", "@": "cyan"}
    texts = edited.before, edited.after
    old, new = (text.decode("utf-8", "replace").splitlines() for text in texts)
    for line in unified_diff(old, new, path, path, lineterm=""):
        click.echo(click.style(line, fg=colours.get(line[:1])), color=has_colour(sys.stdout))
