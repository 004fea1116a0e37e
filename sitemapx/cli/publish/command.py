"""`sitemapx publish`."""

from contextlib import closing
from typing import Any

import click

from sitemapx.cli.commands.robots.edits import print_diff
from sitemapx.cli.options.types import console_options
from sitemapx.cli.publish.site import Site
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.errors import InputError

__all__ = ["command"]


@click.command(
    "publish",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx publish --dry-run
  sitemapx publish
  sitemapx publish --no-submit

\b
Exit status: 0 all is done; 1 a step failed, and messages tell which, or an engine
refused something; 2 wrong usage or settings.""",
)
@click.option("--dry-run", is_flag=True, help="Build, check, and show the rest; change nothing.")
@click.option("-v", "--verbose", is_flag=True, help="With --dry-run: print the whole requests.")
@click.option("--no-submit", is_flag=True, help="Notify no search engine.")
@console_options
def command(dry_run: bool, no_submit: bool, **options: Any) -> int:
    """
    Build, check, put in place and submit the sitemaps of a site.

    sitemapx.toml says how: [convert] how they are built, [check] which findings stop it, and the
    other settings where they are published, which robots.txt lists them, and which engines are
    notified.

    Nothing is changed before the new sitemaps are built and checked, and all that can be known
    of robots.txt and the engines is known. The first step that fails ends it.
    """
    console = Console.of(options)
    with closing(Site(options)) as site:
        if reason := _reason_against(site, is_dry=dry_run, submits=not no_submit):
            Console.current.failed(f"nothing was changed: {reason}")
            return 1
        if dry_run:
            console.say("dry run: nothing was changed")
            return 0
        site.put_in_place()
        if site.robots:
            before, after = site.edit_robots(write=True)
            verb = "changed" if before != after else "nothing to change"
            console.say(f"{site.robots}: {verb}")
        return 0 if no_submit else site.submit()


def _reason_against(site: Site, *, is_dry: bool, submits: bool) -> str:
    """Try every step, and return why the site is not published; empty if nothing speaks against."""
    if failure := site.build():
        return failure
    if site.check():
        return "the check found problems"
    if site.robots:
        before, after = site.edit_robots(write=False)
        if is_dry:
            print_diff(site.robots, before, after)
    if submits:
        try:
            site.rehearse(click.echo if is_dry else _ignore)
        except InputError as error:
            return f"{error}; --no-submit leaves this step out"
    return ""


def _ignore(request: str) -> None:
    pass
