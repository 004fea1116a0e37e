"""Encode batches in the worker processes that read them."""

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

#: Size in bytes from which encoded data is passed on: smaller messages are too many, larger ones
#: exceed the processor's cache.
_SIZE = 1 << 19


class EncodedBatch(Batch):
    """
    Several batches as one, with encoded bytes; entries are unpickled only when needed.

    Without `keeps`, only the number of entries, the field counts and the encoded bytes remain.
    """

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
        return [entry for batch in self._batches for entry in batch.entries]

    def encoded(self, writer: Encoder) -> Encoded:
        """Return the encoded bytes; `chunks` encodes the entries again, on demand."""

        def chunks() -> Sequence[bytes]:
            new = cast(Callable[[Reporter], Writer], type(writer))
            again = new(Reporter())  # problems were already reported
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
    Encode batches in a worker, and merge small batches.

    An exception is raised after the batches that were read before it.

    If `keeps`, the entries are kept, too, since an output file that becomes full divides a batch.
    Batches with extras, which the output may not support, are passed on unencoded.
    """
    writer = format.writer(Reporter(report, source=source))
    pending: list[tuple[Batch, Encoded]] = []
    error: Exception | None = None
    try:
        for batch in batches:
            fits = "extras" not in batch.field_counts()  # possibly not supported by the output
            if fits:
                pending.append((batch, writer.encode(batch)))
            if pending and (not fits or sum(len(part.data) for _, part in pending) >= _SIZE):
                yield EncodedBatch(pending, keeps=keeps)
                pending = []
            if not fits:
                yield batch
    except Exception as raised:  # noqa: BLE001  # re-raised after the batches before it
        error = raised
    if pending:
        yield EncodedBatch(pending, keeps=keeps)
    if error:
        raise error
