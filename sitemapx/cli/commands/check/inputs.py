"""Inputs of `sitemapx check`: the sources, and robots.txt, URLs and pages to compare with."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.selection import PROFILES
from sitemapx.cli.terminal.groups import Command, add_options, find_given_options, option_group
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.sources.source import local_path
from sitemapx.convert.sources.urlmap import UrlMap, folder_address
from sitemapx.convert.values.words import pluralize
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.check.rules.builtsite import BuiltSite, BuiltSummary
    from sitemapx.check.rules.required import Required

import fnmatch
from collections.abc import Callable, Collection
from functools import partial

from sitemapx.check.checker import check
from sitemapx.check.result import CheckResult
from sitemapx.check.rules.registry import RULES
from sitemapx.check.selection import codes_of
from sitemapx.cli.commands.check.filtering import FindingFilter
from sitemapx.cli.commands.check.output import Destination
from sitemapx.cli.commands.check.severity import changed_levels
from sitemapx.cli.options.dates import create_commit_dates
from sitemapx.cli.options.live import build_live
from sitemapx.cli.options.sources import build_opener, total_size
from sitemapx.cli.options.types import Choice, split_words
from sitemapx.cli.reports.registry import REPORTS
from sitemapx.cli.terminal.console import Console
from sitemapx.cli.terminal.outputs import reject_source_overwrite


def _robots_of(
    sources: Sequence[str], options: dict[str, Any], fetcher: Fetcher | None
) -> RobotsTexts:
    """Return the robots.txt file of `--robots`, or else those of the sites that are checked."""
    robots, engine = options["robots"], options["engine"]
    is_useful = robots or options["fetch"] or options["live"] or not all(map(_is_here, sources))
    if not is_useful and "--agent" in find_given_options("Findings"):
        raise UsageError("--agent requires --robots, --live, or a SOURCE that is fetched")
    agents = options["agents"] or ([PROFILES[engine].agent] if engine else ["*"])
    return RobotsTexts(robots, agents, fetcher)


def _is_here(source: str) -> bool:
    return source == "-" or os.path.lexists(local_path(source) or "")


_complete = option_group("Completeness")


def completeness_options(command: Command) -> Command:
    return add_options(
        command,
        _complete(
            "--root",
            metavar="DIR",
            type=click.Path(exists=True, file_okay=False),
            help="Compare with the built site in DIR, published at the root of the host, or where "
            "--source-url or --map says.",
        ),
        _complete(
            "--lastmod",
            type=Choice("source of dates", ("git",)),
            metavar="FROM",
            help="With --root: compare lastmod with the last commit of the page (git) instead of "
            "the date in the page.",
        ),
        _complete(
            "--source-files",
            multiple=True,
            type=click.Path(),
            metavar="PATTERN",
            help="With --lastmod git: files that pages were built from, such as "
            "'content/{path}.md'. Repeatable; the first file that exists is used.",
        ),
        _complete(
            "--require",
            metavar="FILE",
            type=click.Path(dir_okay=False, allow_dash=True),
            help="Report each line of FILE (a URL, or a pattern such as '/blog/*' or re:REGEX) "
            "that no listed URL matches; - reads standard input.",
        ),
    )


def _required_of(options: dict[str, Any], sources: Sequence[str]) -> "Required | None":
    """
    Read the list of required URLs; None if the options name no list.

    Raises:
        InputError: If the list cannot be read.
        UsageError: If the list has an invalid pattern, or both the list and a source are standard
            input.

    """
    name = options["require"]
    if name is None:
        return None
    if name == "-" and "-" in sources:
        raise UsageError("standard input can be read only once: pass a file to --require")
    from sitemapx.check.rules.required import Required

    return Required(name)


def _built_of(options: dict[str, Any], sources: Sequence[str]) -> "BuiltSite | None":
    root = options["root"]
    if options["source_files"] and not options["lastmod"]:
        raise UsageError("--source-files requires --lastmod git")
    if options["lastmod"] and root is None:
        raise UsageError("--lastmod requires --root, the directory of the pages")
    if root is None:
        return None
    from sitemapx.check.rules.builtsite import BuiltSite

    url = _url_of(root, options, sources)
    dating = options | {"source_url": url}
    return BuiltSite(root, url, create_commit_dates(dating, root) if options["lastmod"] else None)


def _url_of(folder: str, options: dict[str, Any], sources: Sequence[str]) -> str | None:
    """Return the public URL of a directory, from a mapping or a source's URL; None if unknown."""
    root, url = Path(os.path.realpath(folder)), str(options["source_url"] or "")
    for prefix, mapped in options["maps"]:
        if os.path.realpath(mapped) == str(root):
            return UrlMap.create(prefix, mapped).url
    if not url:
        return None
    for path in filter(None, map(local_path, sources)):
        if (file := Path(os.path.realpath(path))).is_relative_to(root):
            end = quote(os.fsencode(file.relative_to(root).as_posix()))
            if url.endswith(f"/{end}"):
                return url.removesuffix(end)
    try:
        return folder_address(url)
    except UsageError:  # the URL of a file, which is in the directory itself
        return f"{url.rpartition('/')[0]}/"


def summary_line(summary: "BuiltSummary") -> str:
    line = f"{pluralize(summary.compared, 'URL')} compared with {summary.folder}"
    if summary.outside:
        where = f"not below {summary.url}" if summary.url else "without a valid host"
        line += f"; {pluralize(summary.outside, 'URL')} {where} not compared"
    return line


Check = Callable[..., CheckResult]


def selected_codes(options: dict[str, Any]) -> frozenset[str]:
    """
    Return the codes of the selected rules.

    Raises:
        UsageError: If a pattern matches no rule or lacks a required option, or no rule is left.

    """
    select = split_words(options["select"])
    for pattern in select:
        needed = {RULES[code].requires for code in fnmatch.filter(RULES, pattern)}
        if needed and not any(_is_met(requirement, options) for requirement in needed):
            raise UsageError(f"--select {pattern} requires --{min(needed)}")
    off = [code for code, level in changed_levels(options).items() if level == "off"]
    return codes_of(select, [*split_words(options["ignore"]), *off])


def _is_met(requirement: str, options: dict[str, Any]) -> bool:
    """Return whether the options meet a rule's requirement, such as "root" or "engine google"."""
    name, _, value = requirement.partition(" ")
    return not name or (options[name] == value if value else bool(options[name]))


def check_of(
    sources: Sequence[str],
    outputs: Sequence[Destination],
    codes: Collection[str],
    finding_filter: FindingFilter,
    console: Console,
    options: dict[str, Any],
) -> Check:
    """
    Return a function that runs the check that the options specify; its argument is `report`.

    Raises:
        InputError: If robots.txt or the list of required URLs cannot be read.
        UsageError: If an option is invalid, or applies to none of the sources.

    """
    opener = build_opener(options, console.say, sources)
    if options["fix"]:  # a file found only by its name is not changed
        opener = opener._replace(beside=None)
    total = total_size(sources)
    if required := _required_of(options, sources):
        finding_filter.add_file(required.name)

    def on_file(name: str) -> None:
        reject_source_overwrite([output.path for output in outputs], [name])
        finding_filter.add_file(name)

    return partial(
        check,
        sources,
        opener=opener,
        codes=codes,
        engine=options["engine"],
        severity={code: level for code, level in changed_levels(options).items() if level != "off"},
        robots=_robots_of(sources, options, opener.fetcher),
        live=build_live(options, opener, console),
        root=_built_of(options, sources),
        require=required,
        with_survey=any(REPORTS[output.format].with_survey for output in outputs),
        progress=lambda entries, size: console.show_progress(entries, size, total),
        on_file=on_file,
        hides=finding_filter.hides,
        marks_fixable=not options["fix"],
    )
