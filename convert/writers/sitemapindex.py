"""
Write sitemap indexes: https://www.sitemaps.org/protocol.html#index

Holds the address of each sitemap and its last change.
"""

from collections.abc import Collection

from sitemapx.convert.document import Batch, Head
from sitemapx.convert.encoded import Encoded
from sitemapx.convert.entry import Entry
from sitemapx.convert.writers.sitemap import SitemapWriter

__all__ = ["SitemapIndexWriter"]


class SitemapIndexWriter(SitemapWriter):
    """Turn entries into `<sitemap>` elements, a line each."""

    root = "sitemapindex"
    item = "sitemap"

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the declaration and the start tag."""
        return super().start(head, ())

    def encode(self, batch: Batch) -> Encoded:
        """Write a line for each sitemap."""
        return super().encode(
            Batch([Entry(loc=entry.loc, lastmod=entry.lastmod) for entry in batch.entries])
        )
