"""What is read: one source after the other, counted on its way to the steps."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.sourcepart import SourcePart
from sitemapx.convert.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapx.convert.steps import Step

__all__ = ["Intake"]


class Intake:
    """The batches of all sources."""

    def __init__(
        self,
        target_format: Format,
        steps: "Sequence[Step]",
        summary: Summary,
        progress: Callable[[int, int], None],
        on_head: Callable[[Head], None],
        reporter: Reporter,
    ) -> None:
        """
        Begin.

        Args:
            target_format: The format of the output.
            steps: What the batches go through.
            summary: Counts what is read, and what the format does not support.
            progress: Called with the number of entries, and of bytes, that were read.
            on_head: Called with the head of the first source.
            reporter: Reports pages that are written as sitemaps.

        """
        self._lists_sitemaps = target_format.item == "sitemap"
        self._family = target_format.family
        self._drops_extras = any("extras" in step.drops for step in steps)
        self._inherited = {name for step in steps for name in step.inherits}
        self._summary = summary
        self._progress = progress
        self._on_head = on_head
        self._reporter = reporter
        self._size = 0

    def on_read(self, count: int) -> None:
        """Count bytes."""
        self._size += count
        self._progress(self._summary.read, self._size)

    def batches(self, inputs: Iterator[SourcePart]) -> Iterator[Batch]:
        """Read one source after the other."""
        for number, one in enumerate(inputs):
            if not number:
                self._on_head(one.head)
            if self._lists_sitemaps and one.family and not one.is_index:
                message = (
                    "entries are pages, but an index lists sitemaps; convert to sitemap instead"
                )
                self._reporter.problem("page-in-index", message, source=one.source)
            batches = one.batches
            if one.family and self._family not in ("", one.family):
                batches = self._without_extras(batches)
            for name in self._inherited:
                batches = _inheriting(batches, name, getattr(one.head, name))
            for batch in batches:
                self._summary.read += len(batch)
                self._progress(self._summary.read, self._size)
                yield batch

    def _without_extras(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            if (count := batch.field_counts().get("extras")) and not self._drops_extras:
                self._summary.not_held["extras"] += count
            yield batch.without(["extras"])


def _inheriting(batches: Iterator[Batch], name: str, value: object) -> Iterator[Batch]:
    """Give entries the value of a field that their feed has, if they have none of their own."""
    for batch in batches:
        column = batch.column(name)
        is_complete = not value or all(column)
        yield batch if is_complete else batch.with_column(name, [own or value for own in column])
