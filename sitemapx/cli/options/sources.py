"""The argument for sources, and the options for reading them."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from sitemapx.cli.options.fetching import build_fetcher, fetching_options
from sitemapx.cli.options.settings import ConfiguredCommand
from sitemapx.cli.options.types import (
    MAPPING,
    SOURCE_FORMAT,
    URL,
    CheckedText,
    WholeNumber,
)
from sitemapx.cli.terminal.groups import Command, add_options, option_group
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.sources.discovery import site_of
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import is_storage, local_path, require_source
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.values.clock import since_test
from sitemapx.convert.values.urls import matcher
from sitemapx.errors import InputError, UsageError
from sitemapx.settingsfile import FILE_NAME
from sitemapx.suggestions import suggest_file

_reading = option_group("Sources")
_default = Opener._field_defaults


def _check_sources(
    ctx: click.Context,
    param: click.Parameter,
    sources: tuple[str, ...],
    *,
    names: Sequence[str],
    required: bool,
) -> tuple[str, ...]:
    """Return the validated sources on the command line, or else in the settings."""
    sources = sources or tuple((ctx.default_map or {}).get(str(param.name), ()))
    if names and len(sources) != len(names):
        few, many = names[len(sources) :], sources[len(names) :]
        wrong = f"missing {few[0]}" if few else f"unexpected argument {many[0]!r}"
        raise click.UsageError(f"{wrong}: pass the sources {' and '.join(names)}")
    for source in sources:
        require_source(source)
    if required and not sources:
        where = f", or set sources in [{ctx.info_name}] of {FILE_NAME}"
        is_settable = isinstance(ctx.command, ConfiguredCommand)
        raise click.UsageError(f"missing SOURCE: pass a file, URL or host{where * is_settable}")
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read only once")
    return sources


def sources_argument(
    metavar: str, *names: str, required: bool = True
) -> Callable[[Command], Command]:
    """Return a decorator that adds an argument for sources: one for each name, or any number."""
    return click.argument(
        "sources",
        metavar=metavar,
        nargs=-1,
        type=click.Path(allow_dash=True, readable=False),
        callback=partial(_check_sources, names=names, required=required),
    )


def reading_options(command: Command) -> Command:
    command = fetching_options(command)
    return add_options(
        command,
        _reading(
            "--from",
            "from_",
            type=SOURCE_FORMAT,
            help="Format of the sources. [default: by content]",
        ),
        _reading(
            "--source-url",
            type=URL,
            help="Public URL of a file or directory; base of relative URLs.",
        ),
        _reading(
            "--no-follow",
            is_flag=True,
            help="Treat a sitemap index as a plain list; do not read the sitemaps in it.",
        ),
        _reading(
            "--children",
            type=CheckedText(matcher),
            multiple=True,
            metavar="PATTERN",
            help="Read only the listed sitemaps whose URL matches, as in --include. Repeatable.",
        ),
        _reading(
            "--map",
            "maps",
            type=MAPPING,
            multiple=True,
            metavar="URL=DIR",
            help="Read URLs below URL from directory DIR. Repeatable.",
        ),
        _reading(
            "--fetch",
            is_flag=True,
            help="Download listed sitemaps that are not found locally.",
        ),
        _reading(
            "--follow-pages",
            type=WholeNumber(0),
            metavar="N",
            default=_default["pages"],
            help="Read N more pages of a paged feed.",
        ),
        _reading(
            "--max-depth",
            type=WholeNumber(1),
            metavar="N",
            default=_default["max_depth"],
            help=f"Maximum nesting depth of indexes. [{_default['max_depth']}]",
        ),
        _reading(
            "--max-files",
            type=WholeNumber(1),
            metavar="N",
            default=_default["max_files"],
            help=f"Maximum number of sitemaps per source. [{_default['max_files']:,}]",
        ),
    )


class _Jobs(WholeNumber):
    """Option value: number of processes, or `auto`, which becomes 0."""

    name = "number or auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return 0 if value in ("auto", 0) else super().convert(value, param, ctx)


def jobs_option(inputs: str) -> Callable[[Command], Command]:
    return _reading(
        "-j",
        "--jobs",
        type=_Jobs(1),
        default="auto",
        metavar="N",
        help=f"Number of processes that read {inputs}. [auto: as many as pay off]",
    )


def build_opener(
    options: dict[str, Any], say: Callable[[str], object], sources: Sequence[str] = ()
) -> Opener:
    """
    Create the opener of sources from the options.

    Raises:
        InputError: If an option requires a directory, and a source does not exist.
        UsageError: If an option applies to none of the sources, or options contradict each other.

    """
    folders = [os.path.isdir(local_path(source) or "") for source in sources]
    if sources and options.get("images"):
        find_directory(sources, "--images requires a SOURCE that is a directory")
    if sources and options["follow_pages"] and all(folders):
        raise UsageError("--follow-pages requires a SOURCE that is not a directory")
    return Opener(
        format=options["from_"],
        url=options["source_url"],
        follows=not options["no_follow"],
        mappings=[UrlMap.create(url, folder) for url, folder in options["maps"]],
        outputs=[options["output"]] if options.get("output") else [],
        images=options.get("images", False),
        keep_all=options.get("keep_all", False),
        jobs=options.get("jobs", 1),
        fetches=options["fetch"],
        pages=options["follow_pages"],
        max_depth=options["max_depth"],
        max_files=options["max_files"],
        selects=_build_selection(options),
        fetcher=build_fetcher(options, say, sources),
    )


def _build_selection(options: dict[str, Any]) -> Callable[[Entry], object] | None:
    """Return a predicate for index entries that selects the sitemaps to read; None for all."""
    matchers = list(map(matcher, options["children"]))
    if matchers and options["no_follow"]:
        raise UsageError("--children cannot be combined with --no-follow")
    is_new = None
    if options.get("trust_index"):
        if not options["since"]:
            raise UsageError("--trust-index requires --since")
        is_new = since_test(options["since"])
    if not (matchers or is_new):
        return None

    def selects(row: Entry) -> bool:
        if is_new and row.lastmod and not is_new(row.lastmod):
            return False
        return not matchers or any(matches(row.loc or "") for matches in matchers)

    return selects


def find_directory(sources: Sequence[str], requirement: str) -> str:
    """
    Return the first source that is a directory; `requirement` is the error message.

    Raises:
        InputError: If no source is a directory, and a path that does not exist may be misspelt.
        UsageError: If no source is a directory, but no path may be misspelt.

    """
    paths = list(filter(None, map(local_path, sources)))
    if directory := next(filter(os.path.isdir, paths), None):
        return directory
    for path in paths:
        if not (os.path.lexists(path) or is_storage(path) or site_of(path)):
            message = f"No such file or directory{suggest_file(path)}"
            raise InputError(message, path) from FileNotFoundError(path)
    raise UsageError(requirement)


def total_size(sources: Sequence[str]) -> int | None:
    """Return the total size of the sources in bytes; None unless all are files."""
    if not all(os.path.isfile(source) for source in sources):
        return None
    return sum(os.path.getsize(source) for source in sources)
