"""The command `sitemapx submit withdraw`: withdraws sitemaps from search engines."""

import os.path
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import click

from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.commands.submit.options import request_options
from sitemapx.cli.commands.submit.outcomes import print_outcomes
from sitemapx.cli.options.fetching import http_options
from sitemapx.cli.options.types import URL, console_options
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import GroupedCommand
from sitemapx.convert.values.urls import without_user
from sitemapx.errors import UsageError
from sitemapx.submit.inquiry import Inquiry
from sitemapx.submit.outcome import Outcome


@click.command("withdraw", cls=GroupedCommand)
@click.argument("sitemaps", metavar="SITEMAP...", nargs=-1, type=URL)
@request_options("dry-run", "verbose", "lock-timeout")
@http_options
@console_options
def command(sitemaps: tuple[str, ...], **options: Any) -> int:
    """
    Withdraw sitemaps from the search engines that allow it: Search Console, Bing and Yandex.

    SITEMAP is the URL of a sitemap or feed that was submitted, by this program or otherwise. The
    journal forgets that it was accepted, so that the next `submit` of it sends it again. Its pages
    stay in the index; to have them removed, submit the sitemap without them.
    """
    if not sitemaps:
        raise UsageError("missing SITEMAP: pass the URL of each sitemap to withdraw")
    connections = Connections(options, Console.from_options(options))
    with closing(connections), connections.wait_for_turn():
        inquiries = connections.inquiries("withdraw", "withdraw sitemaps")
        connections.sender.start_budget()
        _warn_about_robots(connections, sitemaps)
        outcomes = _outcomes(inquiries, sitemaps)
        if connections.is_dry:
            return 0 if all(outcome.is_well for outcome in outcomes) else 1
        as_json, is_quiet = options["report"] == "json", options["quiet"]
        return 0 if print_outcomes(outcomes, as_json=as_json, is_quiet=is_quiet) else 1


def _outcomes(inquiries: Sequence[Inquiry], sitemaps: Sequence[str]) -> Iterator[Outcome]:
    for sitemap in dict.fromkeys(map(without_user, sitemaps)):
        for inquiry in inquiries:
            yield inquiry.withdrawal(sitemap)


def _warn_about_robots(connections: Connections, sitemaps: Sequence[str]) -> None:
    from sitemapx.submit.robots.edit import load_robots_file

    path = connections.settings.robots
    if not path or not os.path.isfile(path):
        return
    robots = load_robots_file(path)
    for sitemap in filter(robots.lists, sitemaps):
        connections.console.notice(
            f"{path} still lists {sitemap}, so search engines will find it again; "
            f"run `sitemapx robots remove {path} {sitemap}`"
        )
