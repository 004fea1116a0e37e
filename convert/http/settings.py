"""Settings for fetching URLs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sitemapx import __version__
from sitemapx.convert.values.urls import is_absolute
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

USER_AGENT = f"sitemapx/{__version__} (+https://pypi.org/project/sitemapx/)"

#: Numbers that must be positive, and those that may be 0.
_POSITIVE = ("timeout", "max_time", "max_size", "max_total", "at_once")
_NATURAL = ("max_redirects", "retries", "backoff", "max_wait", "delay")


@dataclass(kw_only=True, eq=False)
class FetchSettings:
    """Settings for fetching URLs; see `Fetcher` for the fields."""

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
    paused: Callable[[str], str] = lambda url: ""
    on_pause: Callable[[str, float, float | None], object] = lambda url, seconds, date: None

    def __post_init__(self) -> None:
        for name in (*_POSITIVE, *_NATURAL):
            value, may_be_zero = getattr(self, name), name in _NATURAL
            is_number = isinstance(value, int | float) and (
                value > 0 or (may_be_zero and value == 0)
            )
            if not (is_number or (value is None and name == "delay")):
                expected = "0 or more" if may_be_zero else "more than 0"
                raise UsageError(f"invalid {option(name)} {value!r}: expected a number, {expected}")
        for site, values in self.headers.items():
            if not (is_absolute(site) and isinstance(values, Mapping)):
                example = "{'https://example.com': {'X-Key': 'secret'}}"
                raise UsageError(f"headers need the site to which they are sent: pass {example}")
