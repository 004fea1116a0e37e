"""`sitemapx submit retry`."""

from contextlib import closing
from typing import Any

import click

from sitemapx.cli.console import Console
from sitemapx.cli.fetching import asking_options
from sitemapx.cli.groups import GroupedCommand
from sitemapx.cli.options import console_options
from sitemapx.cli.safeguards import safeguard_options
from sitemapx.cli.sending import Sending, sending_options
from sitemapx.submit.listing import Listing

__all__ = ["command"]


@click.command("retry", cls=GroupedCommand)
@sending_options
@safeguard_options(["--no-wait"])
@asking_options
@console_options
def command(**options: Any) -> int:
    """
    Send again what was refused, or got no answer, and is not accepted since then.

    That is for what no sitemap lists, such as `submit --urls` and pages that were removed: another
    `submit` sends again what is in the sitemaps. What could not even be tried is not among it.
    """
    with closing(Sending(options, Console.of(options))) as sending, sending.turn():
        run = sending.run(Listing(sending.journal))
        return sending.print(run.retry)
