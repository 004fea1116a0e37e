"""The command `sitemapx publish`: builds, checks, publishes and submits a site's sitemaps."""

from contextlib import ExitStack, closing
from typing import Any

import click

from sitemapx.cli.commands.convert import command as convert
from sitemapx.cli.commands.robots.edits import print_diff
from sitemapx.cli.commands.submit.connections import DryRun
from sitemapx.cli.options.settings import config_option
from sitemapx.cli.options.types import console_options
from sitemapx.cli.publish.site import Site
from sitemapx.cli.publish.stagedsite import StagedSite
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.errors import InputError, UsageError
from sitemapx.settingsfile import FILE_NAME, SettingsFile


@click.command(
    "publish",
    cls=GroupedCommand,
    epilog="""\b
Examples:
  sitemapx publish --dry-run
  sitemapx publish
  sitemapx publish --no-submit

Exit status: 0 success; 1 a step failed, as its message says, or a search engine refused
something; 2 usage error, invalid settings, or no such source.""",
)
@click.option(
    "--dry-run", is_flag=True, help="Build, check, and show the other steps; change nothing."
)
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="List dropped elements one by one; with --dry-run, print requests in full.",
)
@click.option("--no-submit", is_flag=True, help="Do not notify search engines.")
@click.option(
    "--allow-removals",
    is_flag=True,
    help="Submit removals even if a large part of a sitemap is missing.",
)
@click.option(
    "--exit-zero",
    is_flag=True,
    help="Exit with status 0 even if a search engine refuses what is submitted; by then, the "
    "sitemaps are in place.",
)
@config_option
@console_options
def command(
    dry_run: bool, no_submit: bool, allow_removals: bool, exit_zero: bool, **options: Any
) -> int:
    """
    Build, check, publish and submit the sitemaps of a site.

    sitemapx.toml configures the steps: [convert] defines how sitemaps are built, [check] which
    findings stop the run, and the other settings define the site, its robots.txt and the search
    engines to notify. Without [convert], `sitemaps` names those that a site generator has built.

    If the output is not on disk, as in CI, sitemaps that have not changed keep the dates of the
    published index.

    Nothing is changed until the new sitemaps have been built and checked, and the edit of
    robots.txt and the submission have been rehearsed. The first step that fails ends the run.
    """
    console = Console.from_options(options)
    with ExitStack() as stack:
        try:
            site = stack.enter_context(closing(_site_of(options, allows_removals=allow_removals)))
            reason = _reason_against(site, is_dry=dry_run, submits=not no_submit)
        except Exception as error:
            error.add_note("nothing was changed")
            raise
        if reason:
            Console.current.print_error(f"nothing was changed: {reason}")
            return 1
        if dry_run:
            for line in site.planned_lines():
                console.notice(line)
            console.notice("dry run: nothing was changed")
            return 0
        site.put_in_place()
        if site.robots:
            edited = site.edit_robots(write=True)
            console.notice(f"{site.robots}: {edited.summary()}")
        status = 0 if no_submit else site.submit()
        return 0 if exit_zero else status


def _site_of(options: dict[str, Any], *, allows_removals: bool) -> Site:
    """
    Return the site described by the settings.

    Raises:
        UsageError: If the settings are missing, invalid or incomplete.

    """
    file = SettingsFile.load(options["config"])
    if file is None:
        raise UsageError(f"publish requires {FILE_NAME}; `sitemapx init` creates it")
    examples = {"sources": '["public"]', "output": '"public/sitemap.xml"'}
    for table, values in convert.tables(file):
        missing = [f"{name} = {value}" for name, value in examples.items() if not values.get(name)]
        if len(missing) == len(examples) and file.values.get("sitemaps"):
            return Site(file, options, allows_removals=allows_removals)
        if missing:
            raise UsageError(
                f"publish requires sitemaps, or [convert], which builds them, in {file.path}; "
                f"add for example {', '.join(missing)} to [{table}]"
            )
        if values["output"] == "-":
            message = "output must be a file; publish cannot write to standard output"
            raise file.error("output", message, table)
    return StagedSite(file, options, allows_removals=allows_removals)


def _reason_against(site: Site, *, is_dry: bool, submits: bool) -> str:
    """Run all steps without publishing; return why to stop, or an empty string."""
    if failure := site.build():
        return failure
    if site.check(is_dry=is_dry):
        return "the check found problems"
    if site.robots:
        edited = site.edit_robots(write=False)
        for line in site.unlisted_lines():
            Console.current.notice(line)
        if is_dry:
            print_diff(site.robots, edited)
    if submits:
        advice = "pass --no-submit to publish without submitting"
        dry_run = DryRun() if is_dry else DryRun(_ignore, contacts_site=True)
        try:
            if not site.rehearse(dry_run):
                return f"{'; '.join(dry_run.failures)}; {advice}"
        except InputError as error:
            return f"{error}; {advice}"
    return ""


def _ignore(request: str) -> None:
    pass
