"""Options for fetching URLs, for all commands that fetch."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

import click

from sitemapx.cli.options.types import SIZE, ParsedText, Seconds, WholeNumber
from sitemapx.cli.terminal.groups import Command, add_options, option_group
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.errors import UsageError

_fetching = option_group("Fetching")


def _parse_header(text: str) -> tuple[str, str]:
    """Parse a header `NAME:VALUE`; the error message omits the value, which may be secret."""
    m = re.fullmatch(r"([\w!#$%&'*+.^`|~-]+):\s*([ -~\t]*)", text, re.ASCII)
    if m is None:
        raise ValueError("invalid header: expected NAME:VALUE in ASCII")
    return m[1], m[2].strip()


def _parse_user_agent(text: str) -> str:
    if not re.fullmatch(r"[!-~]([ -~\t]*[!-~])?", text):
        raise ValueError(f"invalid value {text!r}: expected one line of ASCII text")
    return text


_USER_AGENT = {"type": ParsedText("text", _parse_user_agent)}
_SECONDS = {"type": Seconds(0, min_open=True), "metavar": "SECONDS"}
_DELAY = {"type": Seconds(0), "metavar": "SECONDS"}
_COUNT = {"type": WholeNumber(0), "metavar": "N"}
_FOLDER = {"type": click.Path(file_okay=False), "metavar": "DIR"}
#: Settings of `Fetcher`: name, attributes of the option, help with a placeholder for the default.
_OPTIONS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("user_agent", _USER_AGENT, "User-Agent header. [sitemapx/VERSION (+URL)]"),
    ("timeout", _SECONDS, "Connect and read timeout. [{}]"),
    ("max_time", _SECONDS, "Maximum total time per file. [{}]"),
    ("max_size", {"type": SIZE}, "Maximum download size per file. [1 GiB]"),
    ("max_total", {"type": SIZE}, "Maximum total download size. [16 GiB]"),
    ("retries", _COUNT, "Retries after a failed attempt. [{}]"),
    ("delay", _DELAY, "Delay between requests to the same host. [as its robots.txt asks]"),
    ("cache", _FOLDER, "Cache downloads in DIR, and download again only what changed."),
    ("allow_private", {"is_flag": True}, "Allow requests to private and loopback addresses."),
)
_REQUEST_OPTIONS = ("user_agent", "timeout", "retries", "allow_private")


def http_options(command: Command, names: Collection[str] = _REQUEST_OPTIONS) -> Command:
    """Add some options for requests, by default those that also apply to submissions."""
    return add_options(command, *(_setting(*row) for row in _OPTIONS if row[0] in names))


def _setting(name: str, attributes: dict[str, Any], about: str) -> Callable[[Command], Command]:
    default = getattr(Fetcher, name)
    option = f"--{name.replace('_', '-')}"
    return _fetching(option, name, default=default, help=about.format(default), **attributes)


def fetching_options(command: Command) -> Command:
    return _fetching(
        "--header",
        "headers",
        type=ParsedText("header", _parse_header),
        multiple=True,
        metavar="NAME:VALUE",
        help="Send this header, but only to the hosts of the sources. Repeatable.",
    )(http_options(command, [name for name, *_ in _OPTIONS]))


def build_fetcher(
    options: dict[str, Any], say: Callable[[str], object], sources: Iterable[str] = ()
) -> Fetcher:
    """
    Create a fetcher, which sends custom headers only to the origins of the sources.

    Raises:
        UsageError: If there are headers, but no source is a URL or a host.

    """
    given = {name: options[name] for name, *_ in _OPTIONS}
    return Fetcher(**given, headers=_group_by_origin(dict(options["headers"]), sources), say=say)


def _group_by_origin(headers: dict[str, str], sources: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the headers for each origin of the sources; hosts without a scheme use https."""
    if not headers:
        return {}
    from sitemapx.convert.sources.discovery import site_of
    from sitemapx.convert.values import urls

    addresses = [source if urls.is_absolute(source) else site_of(source) for source in sources]
    if not any(addresses):
        raise UsageError("--header requires a source that is a URL or a host")
    return {urls.origin(address): headers for address in addresses if address}
