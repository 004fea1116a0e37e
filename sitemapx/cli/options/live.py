"""Options of `check --live`, and its summary."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from sitemapx.check.live.settings import WEEK, Live
from sitemapx.cli.options.types import AGE, WholeNumber
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import Command, add_options, find_given_options, option_group
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.check.live.pages import LiveSummary


_HEADING = "Pages"
_live = option_group(_HEADING)


def live_options(command: Command) -> Command:
    return add_options(
        command,
        _live("--live", is_flag=True, help="Fetch all listed pages, and check the responses."),
        _live(
            "--live-sample",
            type=WholeNumber(1),
            metavar="N",
            help="Fetch only N pages, evenly spread.",
        ),
        _live(
            "--live-state",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="Keep responses in FILE, so that an interrupted run can be resumed.",
        ),
        _live(
            "--live-max-age",
            metavar="AGE",
            type=AGE,
            help="Fetch pages again if their response in FILE is older, e.g. 12h.  [default: 7d]",
        ),
    )


def build_live(options: dict[str, Any], opener: Opener, console: Console) -> Live | None:
    """Return the settings of --live, or None; raise UsageError if a required option is missing."""
    if not options["live"]:
        if given := find_given_options(_HEADING):
            raise UsageError(f"{min(given)} requires --live")
        return None
    max_age, state = options["live_max_age"], options["live_state"]
    if max_age is not None and not state:
        raise UsageError("--live-max-age requires --live-state")
    return Live(
        fetcher=opener.fetcher or Fetcher(),
        state=state,
        max_age=WEEK if max_age is None else max_age,
        sample=options["live_sample"],
        progress=console.show_pages,
    )


def summary_lines(summary: "LiveSummary") -> Iterator[str]:
    known = f", {summary.known:,} known from an earlier run" if summary.known else ""
    yield f"fetched {summary.requested:,} of {pluralize(summary.pages, 'page')}{known}"
    if summary.is_interrupted:
        yield (
            "rerun the same command to fetch the remaining pages"
            if summary.has_state
            else "pass --live-state FILE to make an interrupted run resumable"
        )
