"""
Writes text sitemaps: https://www.sitemaps.org/protocol.html#otherformats

One URL per line in UTF-8, as an RFC 3986 URI.
"""

from sitemapx.convert.formats.writer import Writer, choose_loc
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.reporter import Reporter


class TextWriter(Writer):
    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def encode(self, batch: Batch) -> Encoded:
        if uris := batch.uris():
            return Encoded.of_lines(uris.lines.encode(), len(batch))
        found = (choose_loc(entry, self._reporter) for entry in batch.entries)
        return Encoded.from_chunks([f"{uri}\n".encode() if uri else b"" for uri in found])
