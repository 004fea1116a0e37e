"""Batches that are encoded where they are read, by a worker process."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import cast

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded, Encoder
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.problems import ProblemHandler
from sitemapx.convert.model.reporter import Reporter

#: So many bytes travel together: fewer are many messages, more leave the processor's cache.
_SIZE = 1 << 19


class EncodedBatch(Batch):
    """A batch that brings its bytes; its entries are looked at only where a file becomes full."""

    def __init__(self, encoded: Sequence[tuple[Batch, Encoded]], *, keeps: bool) -> None:
        batches, parts = zip(*encoded, strict=True)
        counts: Counter[str] = Counter()
        for batch in batches:
            counts.update(batch.field_counts())
        self._field_counts = counts
        self._size = sum(map(len, batches))
        self._held = sum(part.held for part in parts)
        self._data = b"".join(part.data for part in parts)
        self._pickled = pickle.dumps(batches, pickle.HIGHEST_PROTOCOL) if keeps else None

    def __len__(self) -> int:
        return self._size

    @cached_property
    def _batches(self) -> Sequence[Batch]:
        assert self._pickled, "entries are not kept"
        return cast(Sequence[Batch], pickle.loads(self._pickled))  # noqa: S301 - our own process

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The entries, once they are asked for."""
        return [entry for batch in self._batches for entry in batch.entries]

    def encoded(self, writer: Encoder) -> Encoded:
        """Return the bytes as they came; those of single entries are made again."""

        def chunks() -> Sequence[bytes]:
            new = cast(Callable[[Reporter], Writer], type(writer))
            again = new(Reporter())  # what there is to report was reported
            return [chunk for batch in self._batches for chunk in again.encode(batch).chunks()]

        return Encoded(self._data, self._held, chunks)


def encode(
    batches: Iterable[Batch],
    report: ProblemHandler,
    *,
    format: Format,
    source: str | None,
    keeps: bool,
) -> Iterator[Batch]:
    """
    Encode batches, a few at once.

    Args:
        report: Called with what cannot be held.
        format: The format of the output.
        source: The name of the output, for messages.
        keeps: Whether the entries are kept, for a file that may become full.

    """
    writer = format.writer(Reporter(report, source=source))
    some: list[tuple[Batch, Encoded]] = []
    error: Exception | None = None
    try:
        for batch in batches:
            fits = "extras" not in batch.field_counts()  # which may not fit into the target
            if fits:
                some.append((batch, writer.encode(batch)))
            if some and (not fits or sum(len(part.data) for _, part in some) >= _SIZE):
                yield EncodedBatch(some, keeps=keeps)
                some = []
            if not fits:
                yield batch
    except Exception as raised:  # noqa: BLE001  # raised again after what came before it
        error = raised
    if some:
        yield EncodedBatch(some, keeps=keeps)
    if error:
        raise error
