"""`sitemapx submit --wait`: waits until the site serves the built files."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from sitemapx.cli.commands.submit.connections import Connections
from sitemapx.cli.options.fetching import build_fetcher
from sitemapx.cli.options.types import DURATION, URL
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.groups import Command, add_options, option_group
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.source import local_path
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.streams.stream import read_start
from sitemapx.convert.values import urls
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import (
    FetchError,
    InputError,
    PrivateAddressError,
    ProxyError,
    UsageError,
)
from sitemapx.submit.engines.indexnow import IndexNow
from sitemapx.submit.secrets.secret import Secret, mask_secrets
from sitemapx.submit.selection import SelectedEngine
from sitemapx.submit.transport.transport import Transport, run_steps
from sitemapx.submit.urlset import PublishedSource

_waiting = option_group("Deployment")

#: Pauses between requests for the same file, in seconds: first pause, growth factor, maximum.
_FIRST, _GROWTH, _LONGEST = 1.0, 1.5, 30.0
#: Maximum number of seconds to wait for a silent server before the next attempt.
_QUICK = 10.0
#: Default of `--wait` in seconds if only `--after` is passed.
_USUAL = 600.0
_LIMIT = 64 * 1024 * 1024


class Delay(NamedTuple):
    """Reason why a URL is not live yet, and the seconds to wait that its server requests, or 0."""

    reason: str
    retry_after: float = 0.0


#: Function that returns why a URL is not live yet, or None.
Awaited = Callable[[], Delay | None]


def _check_page(url: str, new_fetcher: Callable[[], Fetcher], path: str = "") -> Delay | None:
    """
    Return why a URL does not respond or differs from a file; None if the URL is live.

    Each request needs a new fetcher, since a fetcher gives up on a host after some failures.

    Args:
        path: The file to compare with; empty to require only a response.

    Raises:
        InputError: If waiting cannot help: the URL is private, or the proxy cannot be used.

    """
    try:
        with closing(new_fetcher()) as fetcher:
            served = fetcher.get_bytes(url, _LIMIT)
    except (PrivateAddressError, ProxyError) as error:
        raise InputError(f"nothing was sent: {url}: {error.message}") from error
    except InputError as error:
        wait = error.retry_after if isinstance(error, FetchError) else None
        return Delay(f"{url}: {error.message}", wait or 0.0)
    is_other = path and served != _read_decompressed(path)
    return Delay(f"{url} differs from {path}") if is_other else None


def _read_decompressed(path: str) -> bytes:
    with open(path, "rb") as file:
        return read_start(unpack(file, Reporter())[1], _LIMIT)


def _check_key_file(
    engine: IndexNow, site: str, secrets: Sequence[Secret], sender: Transport
) -> Delay | None:
    reason = run_steps(engine.check_key(site), sender, secrets)
    return Delay(mask_secrets(reason, secrets)) if reason else None


class BuiltFiles(NamedTuple):
    """The sources of a submission, and the directories that contain the files of published URLs."""

    published: Sequence[PublishedSource]
    mappings: Sequence[UrlMap]

    @property
    def sources(self) -> list[str]:
        """The known public URLs of the sources."""
        return [source.address for source in self.published if source.address]

    def awaited(self, new_fetcher: Callable[[], Fetcher]) -> Iterator[Awaited]:
        """Yield a function for each local file, which checks whether its URL serves the file."""
        paths: dict[str, str] = {}
        for sitemap in self.published:
            maps, path = list(self.mappings), local_path(sitemap.source)
            if path and sitemap.address and os.path.isfile(path):
                paths[sitemap.address] = path
                folder = os.path.dirname(path) or os.curdir
                maps.append(UrlMap(sitemap.address.rpartition("/")[0] + "/", folder))
            for name in filter(urls.is_absolute, sitemap.parts):
                found = (mapping.path_of(name) for mapping in maps)
                if built := next((file for file in found if file and os.path.isfile(file)), None):
                    paths[name] = built
        yield from (partial(_check_page, url, new_fetcher, path) for url, path in paths.items())

    def keys(self, engines: Iterable[SelectedEngine], sender: Transport) -> Iterator[Awaited]:
        """Yield a function for each site, which checks its key file, if IndexNow is selected."""
        sites = dict.fromkeys(
            urls.site(source.address) for source in self.published if source.address
        )
        for selected in engines:
            if isinstance(selected.engine, IndexNow):
                for site in sites:
                    yield partial(_check_key_file, selected.engine, site, selected.secrets, sender)


def waiting_options(command: Command) -> Command:
    return add_options(
        command,
        _waiting(
            "--wait",
            type=DURATION,
            metavar="TIME",
            help="Wait up to TIME, such as 10m, until the site serves the built files and the "
            "key file.",
        ),
        _waiting(
            "--after",
            type=URL,
            multiple=True,
            metavar="URL",
            help="Wait until this page responds; at most 10 minutes, or --wait. Repeatable.",
        ),
    )


def wait_for_deployment(
    options: Mapping[str, Any],
    files: BuiltFiles,
    connections: Connections,
) -> None:
    """
    Wait for the deployment as `--wait` and `--after` specify; in a dry run, only announce the wait.

    Raises:
        InputError: If the time is up, or waiting cannot help.
        UsageError: If there is nothing to compare.

    """
    if not (options["wait"] or options["after"]):
        return
    seconds = options["wait"] or _USUAL
    quick = min(options["timeout"], seconds, _QUICK)
    given = dict(options) | {"retries": 0, "cache": None, "timeout": quick, "max_time": seconds}

    def new_fetcher() -> Fetcher:
        return connections.obey_pauses(build_fetcher(given, _ignore, files.sources))

    awaited: list[Awaited] = [partial(_check_page, url, new_fetcher) for url in options["after"]]
    if options["wait"]:
        awaited += files.awaited(new_fetcher)
        if not awaited and not options["lists"]:
            raise UsageError(
                "--wait compares built files with what the site serves: pass the files, and "
                "where they are published with --source-url or --map; or pass --after URL"
            )
        awaited += files.keys(connections.engines, connections.sender)
    if awaited and options["dry_run"]:
        count = pluralize(len(awaited), "URL serves", "URLs serve")
        message = f"would wait at most {seconds:,.0f} s until {count} what was built"
        connections.console.notice(message)
    else:
        _poll_until_live(awaited, seconds, connections.console)


def _poll_until_live(awaited: list[Awaited], seconds: float, console: Console) -> None:
    """Repeat each check until it succeeds; raise `InputError` after `seconds`."""
    end, pause, is_told = time.monotonic() + seconds, _FIRST, False
    while awaited:
        if not (delay := awaited[0]()):
            del awaited[0]
            continue
        left = end - time.monotonic()
        if left <= 0:
            raise InputError(
                f"nothing was sent: {delay.reason} (waited {seconds:,.0f} s); "
                "check the deployment, or wait longer (--wait)"
            )
        if not is_told:
            console.notice(f"waiting for the deployment: {delay.reason}")
            is_told = True
        time.sleep(min(max(pause, delay.retry_after), left))
        pause = min(pause * _GROWTH, _LONGEST)


def _ignore(message: str) -> None:
    pass
