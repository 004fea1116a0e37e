"""`sitemapx submit retry`."""

from contextlib import closing
from typing import Any

import click

from sitemapx.cli.commands.submit.options import sending_options
from sitemapx.cli.commands.submit.resources import SubmitResources
from sitemapx.cli.options.fetching import asking_options
from sitemapx.cli.options.safeguards import safeguard_options
from sitemapx.cli.options.types import console_options
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.submit.journal.listing import Listing

__all__ = ["command"]


@click.command("retry", cls=GroupedCommand)
@sending_options
@safeguard_options(["--ignore-interval", "--no-wait"])
@asking_options
@console_options
def command(**options: Any) -> int:
    """
    Resend URLs that were refused or got no response, and send those that are still due.

    URLs that were refused, or got an unreadable response, less than 5 minutes ago are left to a
    later run.

    A URL stays due until a search engine accepts it or refuses it for good, even if its feed no
    longer lists it or it came from `submit --urls`; `submit forget` drops it. Removals follow from
    what the sitemaps listed when they were last submitted.
    """
    with closing(SubmitResources(options, Console.of(options))) as resources, resources.turn():
        run = resources.prepare(Listing(resources.journal))
        return resources.send(run.retry)
