"""The options that say how to fetch URLs, for all commands that do."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from sitemapx.cli.groups import grouped
from sitemapx.cli.options import SIZE
from sitemapx.convert.fetching import Fetcher

__all__ = ["fetcher_of", "fetching_options"]

_fetching = grouped("Fetching")
_SECONDS = {"type": click.FloatRange(0, min_open=True), "metavar": "SECONDS"}
_DELAY = {"type": click.FloatRange(0), "metavar": "SECONDS"}
_COUNT = {"type": click.IntRange(0), "metavar": "N"}
_FOLDER = {"type": click.Path(file_okay=False), "metavar": "DIR"}
Command = TypeVar("Command", bound=Callable[..., Any])

#: Settings of `Fetcher`, what kind of option each is, and its help, with a place for the default.
_OPTIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("user_agent", {}, "Who asks. [sitemapx/VERSION (+URL)]"),
    ("timeout", _SECONDS, "To connect, and to wait for more. [{}]"),
    ("max_time", _SECONDS, "To wait for all of one file. [{}]"),
    ("max_size", {"type": SIZE}, "Of one file, as it is sent. [1 GiB]"),
    ("max_total", {"type": SIZE}, "Of all files. [16 GiB]"),
    ("retries", _COUNT, "Attempts after the first. [{}]"),
    ("delay", _DELAY, "Between requests to a host. [as its robots.txt asks]"),
    ("cache", _FOLDER, "Keep what is fetched, and fetch it again only if it changed."),
    ("allow_private", {"is_flag": True}, "Fetch from private and loopback addresses, too."),
)


def fetching_options(command: Command) -> Command:
    """Add the options that say how to fetch."""
    for name, kind, about in reversed(_OPTIONS):
        default = getattr(Fetcher, name)
        option = _fetching(
            f"--{name.replace('_', '-')}",
            name,
            default=default,
            help=about.format(default),
            **kind,
        )
        command = option(command)
    return command


def fetcher_of(options: dict[str, Any], say: Callable[[str], object]) -> Fetcher:
    """
    Make of those options what fetches.

    Args:
        say: Is told what is found on the web, and what takes time.

    """
    return Fetcher(**{name: options[name] for name, *_ in _OPTIONS}, say=say)
