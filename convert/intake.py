"""Read the inputs of a conversion one after the other, and count bytes and entries."""

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.registry import FORMATS
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import has
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources.source import SourcePart
from sitemapx.convert.steps.step import Step
from sitemapx.convert.summary import Summary


class InputCounter:
    """
    Counts the entries and bytes of all inputs, and adapts their batches to the output format.

    `on_head` is called with the head of the first input.
    """

    def __init__(
        self,
        target_format: Format,
        steps: Sequence[Step],
        summary: Summary,
        progress: Callable[[int, int], None],
        on_head: Callable[[Head], None],
        reporter: Reporter,
    ) -> None:
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
        self._size += count
        self._progress(self._summary.read, self._size)

    def batches(self, inputs: Iterator[SourcePart]) -> Generator[Batch]:
        """Yield the batches of all inputs; report pages that would be written to an index."""
        for number, part in enumerate(inputs):
            if not number:
                self._on_head(part.head)
            if self._lists_sitemaps and part.family and not part.is_index:
                message = "entries are pages, but an index lists sitemaps; write a sitemap instead"
                self._reporter.problem("page-in-index", message, source=part.source)
            batches = part.batches
            if self._family not in ("", part.family):
                batches = self._without_foreign_extras(batches, is_foreign=bool(part.family))
            for name in self._inherited:
                batches = _fill_from_head(batches, name, getattr(part.head, name))
            for batch in batches:
                self._summary.read += len(batch)
                self._progress(self._summary.read, self._size)
                yield batch

    def _without_foreign_extras(
        self, batches: Iterator[Batch], *, is_foreign: bool
    ) -> Iterator[Batch]:
        """
        Drop XML extensions of entries that come from another family of formats.

        With `is_foreign`, these are all entries. Otherwise, the source has no family, and an entry
        with a field that only formats of another family support is foreign.
        """
        for batch in batches:
            counts = batch.field_counts()
            if not counts.get("extras"):
                yield batch
                continue
            extras = batch.column("extras")
            others = [name for name in _fields_of_others(self._family) if counts.get(name)]
            theirs = [is_foreign] * len(batch)
            if others and not is_foreign:
                theirs = [
                    any(map(has, row)) for row in zip(*map(batch.column, others), strict=True)
                ]
            kept = [
                () if foreign else element for element, foreign in zip(extras, theirs, strict=True)
            ]
            dropped = sum(map(bool, extras)) - sum(map(bool, kept))
            if dropped and not self._drops_extras:
                self._summary.not_held["extras"] += dropped
            yield batch.with_column("extras", kept)


@cache
def _fields_of_others(family: str) -> frozenset[str]:
    formats = [known for known in FORMATS if known.family]
    own = {name for known in formats if known.family == family for name in known.holds}
    return frozenset(name for known in formats for name in known.holds) - own


def _fill_from_head(batches: Iterator[Batch], name: str, value: object) -> Iterator[Batch]:
    """Set a field of entries without a value to the value in the head of their feed."""
    for batch in batches:
        column = batch.column(name)
        is_complete = not value or all(column)
        yield batch if is_complete else batch.with_column(name, [own or value for own in column])
