"""Batches that were encoded where they were read, by another process (see `workers`)."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    A batch whose entries nobody is likely to look at: it brings their bytes.

    Only where a file becomes full are they looked at, one by one.
    """

    def __init__(
        self, batches: Sequence[Batch], encoded: Sequence[Encoded], *, keeps: bool
    ) -> None:
        """
        Take batches, and their bytes.

        Args:
            keeps: Whether the entries are kept, for a file that may become full.

        """
        census: Counter[str] = Counter()
        for batch in batches:
            census.update(batch.census())
        super().__init__((), dict(census))
        del self.entries
        self._size = sum(map(len, batches))
        self._data = b"".join(one.data for one in encoded)
        self._held = sum(one.held for one in encoded)
        self._pickled = pickle.dumps(batches, pickle.HIGHEST_PROTOCOL) if keeps else b""

    def __len__(self) -> int:
        return self._size

    def __getattr__(self, name: str) -> Any:
        """Bring the entries back when they are asked for."""
        if name != "entries" or not self._pickled:
            raise AttributeError(name)
        return [entry for batch in self._batches() for entry in batch.entries]

    def _batches(self) -> Sequence[Batch]:
        batches: Sequence[Batch] = pickle.loads(self._pickled)  # noqa: S301 - a process of ours did
        return batches

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
        keeps = target.limits is not None
        some: list[Batch] = []
        encoded: list[Encoded] = []
        errors: list[Exception] = []
        for batch in _until_error(batches, errors):
            fits = "extras" not in batch.census()  # which may not fit into the target
            if fits:
                some.append(batch)
                encoded.append(writer.encode(batch))
            is_enough = keeps or not fits or sum(len(one.data) for one in encoded) >= _AT_ONCE
            if some and is_enough:
                yield EncodedBatch(some, encoded, keeps=keeps)
                some, encoded = [], []
            if not fits:
                yield batch
        if some:
            yield EncodedBatch(some, encoded, keeps=keeps)
        for error in errors:
            raise error


def _until_error(batches: Iterable[Batch], errors: list[Exception]) -> Iterator[Batch]:
    """Put off an error until what came before it was dealt with."""
    try:
        yield from batches
    except Exception as error:  # noqa: BLE001 - raised again
        errors.append(error)
