"""The input of a conversion: a source, or a part of one, as it is read."""

from collections.abc import Collection, Iterator
from itertools import chain
from typing import NamedTuple

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head

__all__ = ["SourcePart"]


class SourcePart(NamedTuple):
    """
    A source, or one of the listed sitemaps or feed pages that belong to it.

    Attributes:
        head: Metadata of the source.
        family: "sitemap" or "feed", or empty; see `Document`.
        holds: Names of the fields that the entries may have.
        batches: Iterator over the entries in batches.
        source: Name of the file, or URL of the listed sitemap or feed page; None for a document
            that was opened elsewhere.
        is_index: Whether the entries are sitemaps.
        format: Name of the format; empty for a directory, and for what was opened elsewhere.
        depth: Number of sitemap indexes that lead from the source to the part.

    """

    head: Head
    family: str
    holds: Collection[str]
    batches: Iterator[Batch]
    source: str | None = None
    is_index: bool = False
    format: str = ""
    depth: int = 0

    @classmethod
    def of(cls, document: Document, source: str | None = None, depth: int = 0) -> "SourcePart":
        """
        Create a part from a document.

        Args:
            document: The document, which must not have been read.
            source: Name of the file, or URL of the listed sitemap.
            depth: Number of sitemap indexes that lead from the source to the document.

        """
        return cls(
            document.head,
            document.family,
            document.holds,
            document.batches,
            source,
            document.is_index,
            document.format,
            depth,
        )

    def named(self) -> "SourcePart":
        """Return the part with entries that name it as their source, unless they name another."""
        return self._replace(batches=map(self._named, self.batches))

    def _named(self, batch: Batch) -> Batch:
        named = batch.column("source")
        return batch.with_column("source", [source or self.source for source in named])

    @classmethod
    def joined(cls, inputs: Iterator["SourcePart"]) -> "SourcePart":
        """Combine all parts of a source; metadata and fields are those of the first part."""
        first = next(inputs, None) or cls.of(Document(()))
        rest = (one.batches for one in inputs)
        return first._replace(batches=chain(first.batches, chain.from_iterable(rest)))
