"""The interface of writers, for those of this package and for plug-ins."""

from collections.abc import Collection
from typing import Protocol

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.encoded import Encoded

__all__ = ["Writer"]


class Writer(Protocol):
    """
    Base class of writers; a writer encodes the entries of one format.

    A writer never handles files: the caller concatenates, counts, splits and compresses the bytes
    that it returns. It keeps no state between calls, so one writer serves several files.

    Attributes:
        separator: Bytes before each entry; the caller removes them from the first entry of a file.

    """

    separator: bytes = b""

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """
        Return the bytes before the first entry of a file.

        Args:
            head: Metadata of the output if it is a feed.
            fields: Names of the fields that the entries of the file use.

        """
        ...

    def encode(self, batch: Batch) -> Encoded:
        """Return a batch as bytes; none for an entry that the format does not support."""
        ...

    def finish(self) -> bytes:
        """Return the bytes after the last entry of a file."""
        ...
