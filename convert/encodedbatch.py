"""Batches that were encoded where they were read, by another process (see `workers`)."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sitemapx.convert.document import Batch
from sitemapx.convert.encoded import Encoded
from sitemapx.convert.problems import Context, Report

if TYPE_CHECKING:
    from sitemapx.convert.formats import Writer
    from sitemapx.convert.targets import Target

__all__ = ["Encoding"]

#: So many bytes travel together: fewer are many messages, more leave the processor's cache.
_AT_ONCE = 1 << 19


class EncodedBatch(Batch):
    """
    Batches whose entries nobody is likely to look at: it brings their bytes.

    Only where a file becomes full are they looked at, one by one.
    """

    def __init__(self, buffer: BytesIO, *, keeps: bool) -> None:
        """
        Begin with none.

        Args:
            buffer: Takes the bytes, until the batch is handed over; what was in it is no more.
            keeps: Whether the entries are kept, for a file that may become full.

        """
        self._counts: Counter[str] = Counter()
        super().__init__((), self._counts)
        del self.entries
        self._keeps = keeps
        self._size = self._held = 0
        self._pickled: list[bytes] = []
        self._buffer = buffer
        self._buffer.seek(0)
        self._data = b""

    def append(self, batch: Batch, encoded: Encoded) -> int:
        """Take the bytes of a batch, and nothing else of it; tell how many there are by now."""
        self._counts.update(batch.census())
        self._size += len(batch)
        self._held += encoded.held
        self._buffer.write(encoded.data)
        if self._keeps:
            self._pickled.append(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        return self._buffer.tell()

    def __getstate__(self) -> dict[str, Any]:
        """Let the bytes travel on a way of their own."""
        state = self.__dict__.copy()
        buffer = state.pop("_buffer")
        data = pickle.PickleBuffer(buffer.getbuffer()[: buffer.tell()])
        return state | {"_data": data, "_pickled": [*map(pickle.PickleBuffer, self._pickled)]}

    def __len__(self) -> int:
        return self._size

    def __getattr__(self, name: str) -> Any:
        """Bring the entries back when they are asked for."""
        if name != "entries" or not self._keeps:
            raise AttributeError(name)
        return [entry for batch in self._batches() for entry in batch.entries]

    def _batches(self) -> Iterator[Batch]:
        return map(pickle.loads, self._pickled)

    def encoded(self, writer: "Writer") -> Encoded:
        """Give the bytes as they came; those of single entries are made again."""

        def chunks() -> Sequence[bytes]:
            new = cast("Callable[[Context], Writer]", type(writer))
            again = new(Context())  # what there is to report was reported
            return [one for batch in self._batches() for one in again.encode(batch).chunks()]

        return Encoded(self._data, self._held, chunks)


class Encoding(NamedTuple):
    """
    What a process that reads does with what it has read: it encodes that for a target.

    Attributes:
        target: Where the batches go, as they are read.

    """

    target: "Target"

    def encode(self, batches: Iterable[Batch], report: Report) -> Iterator[Batch]:
        """
        Encode batches, a few at once.

        Args:
            report: Is told of what cannot be held.

        """
        target = self.target
        source = target.path if target.path != "-" else None
        writer = target.format.writer(Context(report, source=source))
        errors: list[Exception] = []
        some: EncodedBatch | None = None
        buffer, length = BytesIO(), 0
        for batch in _until_error(batches, errors):
            fits = "extras" not in batch.census()  # which may not fit into the target
            if fits:
                some = some or EncodedBatch(buffer, keeps=target.limits is not None)
                length = some.append(batch, writer.encode(batch))
            if some and (not fits or length >= _AT_ONCE):
                yield some
                some = None
            if not fits:
                yield batch
        if some:
            yield some
        for error in errors:
            raise error


def _until_error(batches: Iterable[Batch], errors: list[Exception]) -> Iterator[Batch]:
    """Put off an error until what came before it was dealt with."""
    try:
        yield from batches
    except Exception as error:  # noqa: BLE001 - raised again
        errors.append(error)
