"""Size limits and required fields of the files of a format."""

from typing import NamedTuple


class Limits(NamedTuple):
    """
    Limits of a single file of a format; where they apply, a larger output becomes several files.

    https://www.sitemaps.org/protocol.html#index

    Attributes:
        entries: Maximum number of entries.
        size: Maximum size in bytes, uncompressed.
        news: Maximum number of entries with `news`.

    """

    entries: int
    size: int
    news: int = 2**63


#: https://www.sitemaps.org/protocol.html#index and, for news,
#: https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
PROTOCOL_LIMITS = Limits(entries=50_000, size=52_428_800, news=1_000)


class Requirements(NamedTuple):
    """
    Required fields of a feed.

    Attributes:
        head: Fields of the head.
        entry: Fields of each entry; one field of each tuple is enough.
        spellings: Pairs of a field and its name in the format.

    """

    head: tuple[str, ...]
    entry: tuple[tuple[str, ...], ...]
    spellings: tuple[tuple[str, str], ...] = ()

    def spelling(self, name: str) -> str:
        """Return the name of a field in this format; see `spellings`."""
        return dict(self.spellings).get(name, name)
