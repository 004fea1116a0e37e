"""The options that say how to fetch URLs, for all commands that do."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

import click

from sitemapx.cli.options.types import SIZE
from sitemapx.cli.terminal.groups import Command, add_options, grouped
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.errors import UsageError

__all__ = ["asking_options", "fetcher_of", "fetching_options"]

_fetching = grouped("Fetching")
#: Three of them; systems refuse to wait for very much more.
_YEARS = 1e8


class _Seconds(click.FloatRange):
    """Seconds, of which there is an end."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not seconds <= _YEARS:  # which is true of no-number, too
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        return seconds


class _HeaderType(click.ParamType[tuple[str, str]]):
    """NAME:VALUE; what is wrong is told without the value, which may be secret."""

    name = "header"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        m = re.fullmatch(r"([\w!#$%&'*+.^`|~-]+):\s*([ -~\t]*)", str(value), re.ASCII)
        if m is None:
            self.fail("what was given is not of the form NAME:VALUE, in ASCII", param, ctx)
        return m[1], m[2].strip()


class _UserAgentType(click.ParamType[str]):
    """The type of a user agent: a text that a header can hold."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"[!-~]([ -~\t]*[!-~])?", str(value)):
            self.fail(f"{value!r} is not text in ASCII on one line", param, ctx)
        return str(value)


_SECONDS = {"type": _Seconds(0, min_open=True), "metavar": "SECONDS"}
_DELAY = {"type": _Seconds(0), "metavar": "SECONDS"}
_COUNT = {"type": click.IntRange(0), "metavar": "N"}
_FOLDER = {"type": click.Path(file_okay=False), "metavar": "DIR"}
#: Settings of `Fetcher`, what kind of option each is, and its help, with a place for the default.
_OPTIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("user_agent", {"type": _UserAgentType()}, "Who asks. [sitemapx/VERSION (+URL)]"),
    ("timeout", _SECONDS, "To connect, and to wait for more. [{}]"),
    ("max_time", _SECONDS, "For all of one file. [{}]"),
    ("max_size", {"type": SIZE}, "Of one file, as it is sent. [1 GiB]"),
    ("max_total", {"type": SIZE}, "Of all files. [16 GiB]"),
    ("retries", _COUNT, "Attempts after the first. [{}]"),
    ("delay", _DELAY, "Between requests to a host. [as its robots.txt asks]"),
    ("cache", _FOLDER, "Keep what is fetched, and fetch it again only if it changed."),
    ("allow_private", {"is_flag": True}, "Fetch from private and loopback addresses, too."),
)
#: Those that are of use where nothing is read.
_ASKING = ("user_agent", "timeout", "retries", "allow_private")


def asking_options(command: Command, names: Collection[str] = _ASKING) -> Command:
    """Add the options that say how to ask a server anything, or those that have these names."""
    return add_options(command, *(_asking(*one) for one in _OPTIONS if one[0] in names))


def _asking(name: str, kind: dict[str, Any], about: str) -> Callable[[Command], Command]:
    default = getattr(Fetcher, name)
    option = f"--{name.replace('_', '-')}"
    return _fetching(option, name, default=default, help=about.format(default), **kind)


def fetching_options(command: Command) -> Command:
    """Add the options that say how to fetch."""
    return _fetching(
        "--header",
        "headers",
        type=_HeaderType(),
        multiple=True,
        metavar="NAME:VALUE",
        help="Sent to the hosts of the sources, and nowhere else. Repeatable.",
    )(asking_options(command, [name for name, *_ in _OPTIONS]))


def fetcher_of(
    options: dict[str, Any], say: Callable[[str], object], sources: Iterable[str] = ()
) -> Fetcher:
    """
    Make of those options what fetches.

    Args:
        say: Is told what is found on the web, and what takes time.
        sources: What is to be fetched from: headers are sent to their origins only.

    Raises:
        UsageError: If there are headers, and no source to send them to.

    """
    given = {name: options[name] for name, *_ in _OPTIONS}
    return Fetcher(**given, headers=_by_origin(dict(options["headers"]), sources), say=say)


def _by_origin(headers: dict[str, str], sources: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return headers by the origins that they are sent to: by https where the source names none."""
    if not headers:
        return {}
    from sitemapx.convert.sources.discovery import site_of
    from sitemapx.convert.values import urls

    addresses = [source if urls.is_absolute(source) else site_of(source) for source in sources]
    if not any(addresses):
        raise UsageError("--header is sent to the hosts of sources, and none is a URL")
    return {urls.origin(address): headers for address in addresses if address}
