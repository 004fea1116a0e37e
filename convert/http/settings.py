"""Settings of all requests of a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sitemapx import __version__

__all__ = ["USER_AGENT", "FetchSettings"]

USER_AGENT = f"sitemapx/{__version__} (+https://pypi.org/project/sitemapx/)"


@dataclass(kw_only=True, eq=False)
class FetchSettings:
    """
    Settings for fetching URLs.

    Attributes:
        user_agent: Who asks.
        timeout: Seconds to connect, to the end of the headers, and between two pieces of a body.
        max_time: Seconds from the begin to the end of one body.
        max_size: Bytes of one body, as it is sent.
        max_total: Bytes of all bodies.
        max_redirects: How many redirects may follow each other.
        retries: How often a request is repeated that may succeed the next time.
        backoff: Seconds to wait before that, and twice as many each time after.
        max_wait: Seconds that a server may ask to wait (`Retry-After`); if it wants more, the
            request is not repeated.
        delay: Seconds from one request to a host to the next; None for what its robots.txt asks
            for (`Crawl-delay`), at most 30.
        at_once: How many requests to a host may be under way.
        cache: A folder that keeps bodies, so that they are sent again only if they changed.
        keeps_cookies: Whether servers get back the cookies that they set.
        allow_private: Whether addresses may be private: loopback, local networks and the like.
        headers: Further headers, by the origin (`urls.origin`) to which they are sent.
        say: Is told, in words, what takes time and what was found.

    """

    user_agent: str = USER_AGENT
    timeout: float = 30
    max_time: float = 600
    max_size: int = 1024**3
    max_total: int = 16 * 1024**3
    max_redirects: int = 10
    retries: int = 2
    backoff: float = 1.0
    max_wait: float = 60.0
    delay: float | None = None
    at_once: int = 4
    cache: str | None = None
    keeps_cookies: bool = True
    allow_private: bool = False
    headers: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    say: Callable[[str], object] = lambda line: None
