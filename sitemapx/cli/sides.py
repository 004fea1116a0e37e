"""Both sides of `sitemapx diff`: how each is opened, and counted while it is read."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import repeat
from pathlib import Path
from typing import Any

from sitemapx.cli.console import Console
from sitemapx.cli.sources import dates_of, opener_of, total_size
from sitemapx.cli.steps import steps_of
from sitemapx.convert.comparison import Comparison
from sitemapx.convert.document import Batch
from sitemapx.convert.following import Input
from sitemapx.convert.mapping import Mapping
from sitemapx.convert.opening import Opener
from sitemapx.convert.problems import Context, Report
from sitemapx.convert.sources import is_storage, local_path
from sitemapx.errors import UsageError

__all__ = ["Sides"]


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
        self._openers = list(_openers(sources, options, console))
        self._dates = dates_of(sources, options)
        self._steps = [*self._dates, *steps_of(options)]
        self._console = console
        self._total = total_size(sources)
        self._size = self._read = 0

    def opened(self, report: Report) -> tuple[Comparison, Input]:
        """Open both, and give what compares them, and the new one."""
        old, new = map(self._side, self._sources, self._openers, repeat(report))
        self.comparison = Comparison(old, new, self._fields)
        return self.comparison, new

    def _side(self, source: str, opener: Opener, report: Report) -> Input:
        inputs = self.enter_context(closing(opener.open([source], report, self._on_read)))
        side = Input.joined(inputs)
        context = Context(report, source=source)
        batches = self._counting(side.batches)
        for step in self._steps:
            batches = step.run(batches, context)
        holds = {*side.holds, "lastmod"} if self._dates else side.holds
        return side._replace(batches=_reported(batches, context), holds=holds)

    def _counting(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            self._read += len(batch)
            yield batch

    def _on_read(self, count: int) -> None:
        self._size += count
        self._console.progress(self._read, self._size, self._total)


def _openers(sources: Sequence[str], options: dict[str, Any], console: Console) -> Iterator[Opener]:
    """
    Say how each side is opened, with no mapping that is for the other.

    Raises:
        UsageError: If a mapping is for none of them.

    """
    opener = opener_of(options, console.say, sources)
    for mapping in opener.mappings:
        if not any(_lies_in(source, mapping.folder) for source in sources):
            said = f"--map {mapping.url}={mapping.folder}: neither OLD nor NEW lies in this folder"
            raise UsageError(f"{said}; pass --map-old or --map-new")
    for source, maps in zip(sources, (options["old_maps"], options["new_maps"]), strict=True):
        mappings = [Mapping.of(url, folder) for url, folder in maps]
        mappings += (one for one in opener.mappings if _lies_in(source, one.folder))
        yield opener._replace(mappings=mappings, beside="first")


def _lies_in(source: str, folder: str) -> bool:
    """Tell whether a source is a file below a folder."""
    path = local_path(source)
    if path is None:
        return False
    if is_storage(path) or is_storage(folder):
        return path.startswith(f"{folder.rstrip('/')}/")
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _reported(batches: Iterator[Batch], context: Context) -> Iterator[Batch]:
    """Report in the end what the steps counted."""
    yield from batches
    context.close()
