"""
Read sitemap indexes: https://www.sitemaps.org/protocol.html#index

The entries are the sitemaps that the index lists; who wants the pages follows it. Lenient and
strict about the same things as the reader of sitemaps.
"""

from sitemapx.convert.document import Document
from sitemapx.convert.encodings import Readable
from sitemapx.convert.problems import Context
from sitemapx.convert.readers.sitemap import read_items

__all__ = ["read_sitemapindex"]


def read_sitemapindex(stream: Readable, context: Context) -> Document:
    """
    Read a sitemapindex.

    Raises:
        InputError: If this is no XML or has another root; while iterating as well.

    """
    return read_items(stream, context, root="sitemapindex", item="sitemap")
