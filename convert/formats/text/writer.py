"""
Write text sitemaps: https://www.sitemaps.org/protocol.html#otherformats

One URL a line in UTF-8, as RFC 3986 has it. Holds nothing but URLs.
"""

from collections.abc import Collection

from sitemapx.convert.formats.writer import Writer, written_loc
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.reporter import Reporter


class TextWriter(Writer):
    """Turn entries into lines."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write nothing: the format has no header."""
        return b""

    def encode(self, batch: Batch) -> Encoded:
        """Write a line for each entry; an empty one for an entry without URL."""
        if uris := batch.uris():
            return Encoded.of_lines(uris.lines.encode(), len(batch))
        found = (written_loc(entry, self._reporter) for entry in batch.entries)
        return Encoded.of([f"{uri}\n".encode() if uri else b"" for uri in found])

    def finish(self) -> bytes:
        """Write nothing: the format has no footer."""
        return b""
