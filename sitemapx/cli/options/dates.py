"""Options for the dates and images of entries, and for skipping some of the sources."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from sitemapx.cli.options.sources import find_directory
from sitemapx.cli.options.types import Choice
from sitemapx.cli.terminal.groups import Command, add_options, option_group
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.urlmap import folder_address
from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.convert.steps import Step
    from sitemapx.convert.steps.lastmod.datesfile import DateSource
    from sitemapx.convert.steps.lastmod.step import MakeSource


_reading = option_group("Sources")
#: Sources of dates, in the order of the help.
_SOURCES = ("page", "git", "content", "mtime", "http")
#: Option -> option that it requires.
_REQUIRED = {
    "root": "--lastmod",
    "source_files": "--lastmod git",
    "dates": "--lastmod content",
    "published": "--lastmod content",
}


def enrichment_options(command: Command) -> Command:
    return add_options(
        command,
        _reading(
            "--lastmod",
            type=Choice("source of dates", _SOURCES),
            multiple=True,
            metavar="FROM",
            help="Fill in missing dates from the page itself (page), its last commit (git), the "
            "last change of its content (content), the modification time of its file (mtime) or "
            "the Last-Modified that its server sends (http). Repeatable; the first date found is "
            "used.",
        ),
        _reading(
            "--root",
            type=click.Path(exists=True, file_okay=False),
            metavar="DIR",
            help="With --lastmod: directory of the pages' files, published at --source-url. "
            "[SOURCE, if a directory]",
        ),
        _reading(
            "--source-files",
            "--sources",
            multiple=True,
            type=click.Path(),
            metavar="PATTERN",
            help="With --lastmod git: date pages by the files they were built from, such as "
            "'content/{path}.md'. Repeatable; the first file that exists is used.",
        ),
        _reading(
            "--dates",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="With --lastmod content: file that keeps digests and dates for the next run.",
        ),
        _reading(
            "--published",
            type=click.Path(),
            metavar="SITEMAP",
            help="With --lastmod content: sitemap with the dates of pages not yet in --dates; a "
            "file or URL.",
        ),
        _reading("--images", is_flag=True, help="Include the images in HTML pages of a directory."),
        _reading(
            "--trust-index",
            is_flag=True,
            help="With --since: skip listed sitemaps whose date in the index is older.",
        ),
        _reading(
            "--keep-all",
            is_flag=True,
            help="Keep the URLs of a crawler or WordPress export that should not be indexed, such "
            "as redirects, errors and drafts.",
        ),
    )


def build_date_steps(
    sources: Sequence[str], options: dict[str, Any], opener: Opener
) -> "list[Step]":
    """
    Return a list with the step that fills in missing dates; empty without `--lastmod`.

    Args:
        sources: Sources, of which the first directory is the default of `--root`.
        opener: Opens the sitemap of `--published`; its fetcher is used for `http`.

    Raises:
        InputError: If the directory of the files is unknown because a source does not exist.
        UsageError: If options contradict each other, or the directory of the files is unknown.

    """
    names = list(dict.fromkeys(options["lastmod"]))
    _check_requirements(options, names)
    if not names:
        return []
    from sitemapx.convert.steps.lastmod.step import fill_lastmod

    folder: str | None = options["root"]
    if names == ["git"] and options["source_files"]:
        folder = folder or os.curdir
    elif not folder and names != ["http"]:
        requirement = "--lastmod requires --root, the directory of the files"
        folder = find_directory(sources, requirement)
    makers = [_MAKERS[name](options, folder, opener) for name in names]
    return [fill_lastmod(makers, folder, options["source_url"], opener.processes)]


def _check_requirements(options: dict[str, Any], names: Sequence[str]) -> None:
    """Raise UsageError if a required option is missing, or `--dates` and `--output` are equal."""
    for name, needed in _REQUIRED.items():
        source = needed.removeprefix("--lastmod").strip()
        if options[name] and not (source in names if source else names):
            raise UsageError(f"--{name.replace('_', '-')} requires {needed}")
    output, dates = options.get("output"), options["dates"]
    if dates and output and os.path.realpath(output) == os.path.realpath(dates):
        raise UsageError(f"--dates and --output are both {dates}; pass another file to --dates")
    if "content" in names and not options["dates"]:
        raise UsageError(
            "--lastmod content requires --dates FILE, in which the digests of the pages are kept "
            "for the next run"
        )


def _create_page_dates(options: dict[str, Any], folder: str | None, opener: Opener) -> "MakeSource":
    from sitemapx.convert.steps.lastmod.step import PageDates

    return lambda reporter: PageDates()


def create_commit_dates(options: dict[str, Any], folder: str) -> "DateSource":
    """Create the source of commit dates: of pages in a directory, or of `--source-files`."""
    from sitemapx.convert.steps.lastmod.commits import FileCommits, SourceCommits

    if not (templates := options["source_files"]):
        return FileCommits(folder)
    base = options["source_url"] and folder_address(options["source_url"])
    return SourceCommits(templates, base)


def _create_commit_dates(
    options: dict[str, Any], folder: str | None, opener: Opener
) -> "MakeSource":
    return lambda reporter: create_commit_dates(options, folder or os.curdir)


def _create_content_dates(
    options: dict[str, Any], folder: str | None, opener: Opener
) -> "MakeSource":
    from sitemapx.convert.steps.lastmod.content import content_dates

    return partial(
        content_dates,
        path=options["dates"],
        published=options["published"],
        opener=opener._replace(format=None, url=None, images=False),
    )


def _create_file_times(options: dict[str, Any], folder: str | None, opener: Opener) -> "MakeSource":
    from sitemapx.convert.steps.lastmod.step import FileTimes

    return lambda reporter: FileTimes()


def _create_response_dates(
    options: dict[str, Any], folder: str | None, opener: Opener
) -> "MakeSource":
    from sitemapx.convert.http.fetcher import Fetcher
    from sitemapx.convert.steps.lastmod.step import ResponseDates

    return lambda reporter: ResponseDates(opener.fetcher or Fetcher())


#: Value of --lastmod -> function that creates the source of dates.
_MAKERS: "dict[str, Callable[[dict[str, Any], str | None, Opener], MakeSource]]" = {
    "page": _create_page_dates,
    "git": _create_commit_dates,
    "content": _create_content_dates,
    "mtime": _create_file_times,
    "http": _create_response_dates,
}
