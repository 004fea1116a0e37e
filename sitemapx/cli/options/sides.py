"""Opens the two sources of `sitemapx diff`, and shows the progress."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import repeat
from pathlib import Path
from typing import Any, Literal

from sitemapx.cli.options.dates import build_date_steps
from sitemapx.cli.options.sources import build_opener, total_size
from sitemapx.cli.options.steps import build_steps
from sitemapx.cli.options.types import option_name
from sitemapx.cli.terminal.console import Console
from sitemapx.convert.diff import Comparison
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import SourcePart, is_storage, local_path
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.steps.step import Step, each
from sitemapx.errors import UsageError

#: Parameters with the mappings of OLD and NEW.
_PARAMETERS = ("old_maps", "new_maps")


#: Keeps the URL of an entry as its `source`, which is not compared, before it is rewritten.
_KEEP_URL = each(
    "keep-url", lambda batch: batch.with_column("source", batch.column("loc")), ["loc"]
)


class DiffInputs(ExitStack):
    """
    The two sources of a comparison; leaving the context closes them.

    Attributes:
        comparison: The comparison, set by `open`.

    """

    comparison: Comparison

    def __init__(
        self,
        sources: Sequence[str],
        fields: Collection[str],
        options: dict[str, Any],
        console: Console,
    ) -> None:
        super().__init__()
        self._sources = sources
        self._fields = fields
        self._mappings = [
            [_SideMapping.create(url, folder) for url, folder in options[name]]
            for name in _PARAMETERS
        ]
        self._openers = list(_build_openers(sources, self._mappings, options, console))
        self._dates = build_date_steps(sources, options, self._openers[-1])
        rewriting = build_steps({"rewrite": options["rewrite"], "unique": False})
        if rewriting:
            rewriting.insert(0, _KEEP_URL)
        common = build_steps(options | {"rewrite": ()})
        self._steps = [[*self._dates, *rewriting, *common], [*self._dates, *common]]
        self._normalize = options["normalize"]
        self._console = console
        self._total = total_size(sources)
        self._size = self._read = 0

    def open(self, report: ProblemHandler) -> tuple[Comparison, SourcePart]:
        """Open both sources; return their comparison, and the new source."""
        old, new = map(
            self._open_side,
            self._sources,
            self._openers,
            self._mappings,
            self._steps,
            repeat(report),
        )
        self.comparison = Comparison(old, new, self._fields, normalize=self._normalize)
        return self.comparison, new

    def _open_side(
        self,
        source: str,
        opener: Opener,
        mappings: "list[_SideMapping]",
        steps: Sequence[Step],
        report: ProblemHandler,
    ) -> SourcePart:
        reporter = Reporter(report, source=source)
        inputs = self.enter_context(closing(opener.open([source], report, self._on_read)))
        side = SourcePart.combine(inputs)
        batches = _require_use(self._count(side.batches), mappings, opener.map_option)
        for step in steps:
            batches = step.run(batches, reporter)
        holds = {*side.holds, "lastmod"} if self._dates else side.holds
        return side._replace(batches=_report_tallies(batches, reporter), holds=holds)

    def _count(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            self._read += len(batch)
            yield batch

    def _on_read(self, count: int) -> None:
        self._size += count
        self._console.show_progress(self._read, self._size, self._total)


class _SideMapping(UrlMap):
    """Mapping for one of the sources that records whether any listed sitemap is below its URL."""

    is_used = False

    def path_of(self, url: str) -> str | None:
        self.is_used = self.is_used or url.startswith(self.url)
        return super().path_of(url)


def _require_use(
    batches: Iterator[Batch], mappings: Sequence[_SideMapping], parameter: str
) -> Iterator[Batch]:
    """Yield all batches, then raise UsageError if a mapping did not apply to any listed sitemap."""
    yield from batches
    for mapping in mappings:
        if not mapping.is_used:
            given = option_name(parameter, f"{mapping.url}={mapping.folder}")
            raise UsageError(f"{given}: no listed sitemap is below this URL")


def _build_openers(
    sources: Sequence[str],
    mappings: Sequence[list[_SideMapping]],
    options: dict[str, Any],
    console: Console,
) -> Iterator[Opener]:
    """
    Yield the opener of each source, without mappings that only apply to the other source.

    Raises:
        UsageError: If a mapping applies to neither source, or its directory does not exist.

    """
    opener = build_opener(options, console.say, sources)
    for mapping in opener.mappings:
        if not any(_is_below(source, mapping.folder) for source in sources):
            message = (
                f"--map {mapping.url}={mapping.folder}: neither OLD nor NEW is in this directory"
            )
            raise UsageError(f"{message}; pass --map-old or --map-new")
    for source, maps, name in zip(sources, mappings, _PARAMETERS, strict=True):
        for mapping in maps:
            if not (is_storage(mapping.folder) or os.path.isdir(mapping.folder)):
                given = option_name(name, f"{mapping.url}={mapping.folder}")
                raise UsageError(f"{given}: no such directory")
        near = [mapping for mapping in opener.mappings if _is_below(source, mapping.folder)]
        # --map-old and --map-new have priority over files next to the index.
        order: Literal["first", "last"] = "last" if maps else "first"
        yield opener._replace(mappings=maps or near, beside=order, map_option=name)


def _is_below(source: str, folder: str) -> bool:
    path = local_path(source)
    if path is None:
        return False
    if is_storage(path) or is_storage(folder):
        return path.startswith(f"{folder.rstrip('/')}/")
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _report_tallies(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
    """Yield all batches, then report the problems that steps have only counted."""
    yield from batches
    reporter.close()
