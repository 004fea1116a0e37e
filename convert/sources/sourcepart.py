"""The input of a conversion: a source, or a part of one, as it is read."""

from collections.abc import Collection, Iterator
from itertools import chain
from typing import NamedTuple

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head

__all__ = ["SourcePart"]


class SourcePart(NamedTuple):
    """
    A source, or a part of one, with its entries; for `head`, `family`, `holds` see `Document`.

    Attributes:
        batches: The entries, as they are read.
        source: The name of the file, or the URL of the listed sitemap; None for a document that
            was opened elsewhere.

    """

    head: Head
    family: str
    holds: Collection[str]
    batches: Iterator[Batch]
    source: str | None = None

    @classmethod
    def of(cls, document: Document, source: str | None = None) -> "SourcePart":
        """Make one of a document."""
        return cls(document.head, document.family, document.holds, document.batches, source)

    @classmethod
    def joined(cls, inputs: Iterator["SourcePart"]) -> "SourcePart":
        """Make one of all parts of a source; what the first says of itself counts."""
        first = next(inputs, None) or cls.of(Document(()))
        rest = (one.batches for one in inputs)
        return first._replace(batches=chain(first.batches, chain.from_iterable(rest)))
