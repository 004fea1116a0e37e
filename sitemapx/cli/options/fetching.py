"""The options that say how to fetch URLs, for all commands that do."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

import click

from sitemapx.cli.options.types import SIZE, Seconds, WholeNumber
from sitemapx.cli.terminal.groups import Command, add_options, grouped
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.errors import UsageError

_fetching = grouped("Fetching")


class _HeaderType(click.ParamType[tuple[str, str]]):
    """NAME:VALUE; what is wrong is told without the value, which may be secret."""

    name = "header"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        m = re.fullmatch(r"([\w!#$%&'*+.^`|~-]+):\s*([ -~\t]*)", str(value), re.ASCII)
        if m is None:
            self.fail("invalid header: expected NAME:VALUE in ASCII", param, ctx)
        return m[1], m[2].strip()


class _UserAgentType(click.ParamType[str]):
    """The type of a user agent: a text that a header can hold."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"[!-~]([ -~\t]*[!-~])?", str(value)):
            self.fail(f"invalid value {value!r}: expected one line of ASCII text", param, ctx)
        return str(value)


_SECONDS = {"type": Seconds(0, min_open=True), "metavar": "SECONDS"}
_DELAY = {"type": Seconds(0), "metavar": "SECONDS"}
_COUNT = {"type": WholeNumber(0), "metavar": "N"}
_FOLDER = {"type": click.Path(file_okay=False), "metavar": "DIR"}
#: Settings of `Fetcher`, what kind of option each is, and its help, with a place for the default.
_OPTIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("user_agent", {"type": _UserAgentType()}, "User-Agent header. [sitemapx/VERSION (+URL)]"),
    ("timeout", _SECONDS, "Connect and read timeout. [{}]"),
    ("max_time", _SECONDS, "Maximum total time per file. [{}]"),
    ("max_size", {"type": SIZE}, "Maximum download size per file. [1 GiB]"),
    ("max_total", {"type": SIZE}, "Maximum total download size. [16 GiB]"),
    ("retries", _COUNT, "Retries after a failed attempt. [{}]"),
    ("delay", _DELAY, "Delay between requests to the same host. [as its robots.txt asks]"),
    ("cache", _FOLDER, "Cache downloads in DIR, and download again only what changed."),
    ("allow_private", {"is_flag": True}, "Allow requests to private and loopback addresses."),
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
        help="Send this header, but only to the hosts of the sources. Repeatable.",
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
        raise UsageError("--header requires a source that is a URL or a host")
    return {urls.origin(address): headers for address in addresses if address}
