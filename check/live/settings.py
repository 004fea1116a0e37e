"""Settings for checking the published pages of a sitemap."""

from collections.abc import Callable
from dataclasses import dataclass

from sitemapx.convert.http.fetcher import Fetcher

#: Default maximum age of a response in seconds.
WEEK = 7 * 24 * 3600.0


@dataclass(kw_only=True)
class Live:
    """
    Settings for checking the published pages of a sitemap.

    Attributes:
        fetcher: Fetches the pages, with its settings for delays and limits.
        state: Path of a file (SQLite) that keeps the responses, so that an interrupted run can be
            resumed; None for a temporary one.
        max_age: Maximum age, in seconds, of responses in `state` that may be used again.
        sample: Number of pages to check, evenly distributed; None for all.
        progress: Called repeatedly with the number of pages done, and of all pages to check.

    """

    fetcher: Fetcher
    state: str | None = None
    max_age: float = WEEK
    sample: int | None = None
    progress: Callable[[int, int], None] = lambda done, total: None
