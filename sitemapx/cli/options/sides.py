"""Both sides of `sitemapx diff`: how each is opened, and counted while it is read."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import repeat
from pathlib import Path
from typing import Any, Literal

from sitemapx.cli.options.dates import dates_of
from sitemapx.cli.options.sources import opener_of, total_size
from sitemapx.cli.options.steps import steps_of
from sitemapx.cli.options.types import option_name
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.diff import Comparison
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import Problem, ProblemHandler
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import SourcePart, is_storage, local_path
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.errors import UsageError

#: The parameters that give the mappings of each side.
_PARAMETERS = ("old_maps", "new_maps")


class Sides(ExitStack):
    """
    Both sources, which are closed in the end.

    Attributes:
        comparison: What compares them, once they are opened.

    """

    comparison: Comparison

    def __init__(
        self,
        sources: Sequence[str],
        fields: Collection[str],
        options: dict[str, Any],
        console: Console,
    ) -> None:
        """Take the two sources, and the fields that are compared."""
        super().__init__()
        self._sources = sources
        self._fields = fields
        self._mappings = [
            [_SideMapping.of(url, folder) for url, folder in options[name]] for name in _PARAMETERS
        ]
        self._openers = list(_openers(sources, self._mappings, options, console))
        self._dates = dates_of(sources, options, self._openers[-1])
        self._steps = [*self._dates, *steps_of(options)]
        self._console = console
        self._total = total_size(sources)
        self._size = self._read = 0

    def opened(self, report: ProblemHandler) -> tuple[Comparison, SourcePart]:
        """Open both, and give what compares them, and the new one."""
        old, new = map(self._side, self._sources, self._openers, self._mappings, repeat(report))
        self.comparison = Comparison(old, new, self._fields)
        return self.comparison, new

    def _side(
        self, source: str, opener: Opener, mappings: "list[_SideMapping]", report: ProblemHandler
    ) -> SourcePart:
        reporter = Reporter(report, source=source)

        def report_once(problem: Problem) -> None:
            """Count the files that were found by name: one line tells of all."""
            if problem.code == "child-beside":
                message = "listed sitemap was read from the file of that name beside this index"
                reporter.tally(
                    problem.code,
                    f"{message}; pass {option_name(opener.map_option)} to use another",
                )
            else:
                report(problem)

        inputs = self.enter_context(closing(opener.open([source], report_once, self._on_read)))
        side = SourcePart.joined(inputs)
        batches = _all_used(self._counting(side.batches), mappings, opener.map_option)
        for step in self._steps:
            batches = step.run(batches, reporter)
        holds = {*side.holds, "lastmod"} if self._dates else side.holds
        return side._replace(batches=_reported(batches, reporter), holds=holds)

    def _counting(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            self._read += len(batch)
            yield batch

    def _on_read(self, count: int) -> None:
        self._size += count
        self._console.progress(self._read, self._size, self._total)


class _SideMapping(UrlMap):
    """A mapping that was asked for one side; an index has to list something that it is for."""

    is_used = False

    def path_of(self, url: str) -> str | None:
        """Find the file of a URL, and note whether this is for it."""
        self.is_used = self.is_used or url.startswith(self.url)
        return super().path_of(url)


def _all_used(
    batches: Iterator[Batch], mappings: Sequence[_SideMapping], parameter: str
) -> Iterator[Batch]:
    """
    Look in the end whether each mapping was for anything.

    Raises:
        UsageError: If one was not.

    """
    yield from batches
    for one in mappings:
        if not one.is_used:
            given = option_name(parameter, f"{one.url}={one.folder}")
            raise UsageError(f"{given}: no listed sitemap is below this URL")


def _openers(
    sources: Sequence[str],
    mappings: Sequence[list[_SideMapping]],
    options: dict[str, Any],
    console: Console,
) -> Iterator[Opener]:
    """
    Return the opener of each side, with no mapping that is for the other.

    Raises:
        UsageError: If a mapping is for none of them, or leads to no folder.

    """
    opener = opener_of(options, console.say, sources)
    for mapping in opener.mappings:
        if not any(_lies_in(source, mapping.folder) for source in sources):
            message = (
                f"--map {mapping.url}={mapping.folder}: neither OLD nor NEW is in this directory"
            )
            raise UsageError(f"{message}; pass --map-old or --map-new")
    for source, maps, name in zip(sources, mappings, _PARAMETERS, strict=True):
        for one in maps:
            if not (is_storage(one.folder) or os.path.isdir(one.folder)):
                given = option_name(name, f"{one.url}={one.folder}")
                raise UsageError(f"{given}: no such directory")
        near = [one for one in opener.mappings if _lies_in(source, one.folder)]
        # What is said of this side alone counts more than what lies beside its index.
        order: Literal["first", "last"] = "last" if maps else "first"
        yield opener._replace(mappings=maps or near, beside=order, map_option=name)


def _lies_in(source: str, folder: str) -> bool:
    """Return whether a source is a file below a folder."""
    path = local_path(source)
    if path is None:
        return False
    if is_storage(path) or is_storage(folder):
        return path.startswith(f"{folder.rstrip('/')}/")
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _reported(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
    """Report in the end what the steps counted."""
    yield from batches
    reporter.close()
