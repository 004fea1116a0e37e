"""Settings for asking for the pages of a set."""

from collections.abc import Callable
from dataclasses import dataclass

from sitemapx.convert.http.fetcher import Fetcher

__all__ = ["WEEK", "Live"]

#: For so long an answer counts: crawlers come back about as often.
WEEK = 7 * 24 * 3600.0


@dataclass(kw_only=True)
class Live:
    """
    Settings for asking for the pages of a set.

    Attributes:
        fetcher: Asks for them, as politely as for all else.
        state: A file that keeps the answers, so that an interrupted run can go on; None: none.
        max_age: Seconds for which an answer in it counts.
        sample: How many pages are asked for, evenly spread; None: all.
        progress: Is told again and again of how many pages something is known, and of how many
            there are.

    """

    fetcher: Fetcher
    state: str | None = None
    max_age: float = WEEK
    sample: int | None = None
    progress: Callable[[int, int], None] = lambda done, total: None
