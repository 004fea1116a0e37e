"""
Fetch http(s) URLs as streams, with throttling and limits.

Redirects are followed here and not by `requests`: each hop is a request with its own throttling,
credentials and check of the IP address. Bodies stay compressed as sent; the reader decompresses
gzip, regardless of the headers.
"""

import threading
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import IO, TYPE_CHECKING, Self, TypeVar, cast

from sitemapx.convert.http.settings import FetchSettings
from sitemapx.convert.http.throttle import Host
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.gzip import unpack
from sitemapx.convert.streams.stream import Opened, read_start
from sitemapx.convert.values import urls
from sitemapx.errors import FetchError, InputError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from protego import Protego

    from sitemapx.convert.http.client import Client, Probe


T = TypeVar("T")

_BLOCK = 1 << 16
#: Maximum size of a body that is kept in memory, in bytes.
_SMALL = 1 << 18
#: Maximum crawl delay in seconds, as longer delays would make a run endless.
_MAX_CRAWL_DELAY = 30.0
#: Number of consecutive URLs, with all retries, without a response or with status 429, after which
#: no more URLs are requested from a host.
_MAX_SILENCE = 3
_ROBOTS = "/robots.txt"
_MAX_ROBOTS = 5 * 1024 * 1024


@dataclass(kw_only=True, eq=False)
class Fetcher(FetchSettings):
    """
    Fetches URLs politely: it limits the rate of requests, and the size of downloads.

    A fetcher is thread-safe. Use it in a `with` statement, or call `close` at the end, to close its
    connections.

    Attributes:
        user_agent: `User-Agent` header.
        timeout: Seconds to wait for a connection, for the response headers, and for each part of a
            body.
        max_time: Maximum duration of a single download in seconds.
        max_size: Maximum size of a single download in bytes, before decompression.
        max_total: Maximum size of all downloads together in bytes, before decompression.
        max_redirects: Maximum number of consecutive redirects.
        retries: Maximum number of retries of a request that may succeed later.
        backoff: Seconds to wait before the first retry; doubled for each further retry.
        max_wait: Maximum delay in seconds that a server may demand (`Retry-After`); for a longer
            delay, the request is not retried.
        delay: Seconds between two requests to the same host; None for the `Crawl-delay` in its
            robots.txt, at most 30 seconds.
        at_once: Maximum number of concurrent requests to the same host.
        cache: Path of a directory in which downloads are cached, so that servers send only changed
            files again; None for no cache. Failures to write raise `OutputError`.
        keeps_cookies: Whether to send cookies back to the servers that set them.
        allow_private: Whether to allow private IP addresses, such as loopback addresses and local
            networks.
        headers: Additional headers, by the origin to which they are sent, such as
            `https://example.com`.
        say: Called with messages for users, such as about a delay, a retry, or sitemaps found.
        paused: Called with each URL; returns why no request is sent to its server now, or an empty
            text.
        on_pause: Called with a URL, the seconds to wait that its server demands, and the time of
            the server (seconds since 1970; None if unknown).

    """

    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _client: "Client | None" = field(default=None, init=False, repr=False)
    _hosts: dict[str, Host] = field(default_factory=dict, init=False, repr=False)
    _robots: dict[str, bytes | InputError] = field(default_factory=dict, init=False, repr=False)
    _rules: dict[str, "Protego"] = field(default_factory=dict, init=False, repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that are kept for further requests."""
        if self._client:
            self._client.close()

    @property
    def is_spent(self) -> bool:
        """Whether the downloads so far exceed `max_total`."""
        return self._client is not None and self._client.is_spent

    def open(self, url: str) -> Opened:
        """
        Open a URL, following redirects; a body that is not cached is downloaded while it is read.

        Raises:
            InputError: If `url` is not a URL.
            FetchError: If the URL cannot be fetched; may also be raised while reading.

        """
        return self._retry(
            url, partial(self._follow_redirects, lambda opened: opened), self.retries
        )

    def spool(self, url: str) -> Opened:
        """
        Download a URL completely, following redirects; a large body is stored in a temporary file.

        Raises:
            InputError: If `url` is not a URL.
            FetchError: If the URL cannot be fetched.

        """
        return self._retry(url, partial(self._follow_redirects, _spool), self.retries)

    def probe(self, url: str, wanted: Callable[[str], int]) -> "Probe":
        """
        Request a URL and read only the beginning of the body; redirects are not followed.

        Args:
            wanted: Function that takes the `Content-Type` and returns the number of bytes to read.

        Returns:
            Status code; absolute target of a redirect or None; function that takes the name of a
            header and returns its values; decompressed beginning of the body.

        Raises:
            InputError: If `url` is not a URL.
            FetchError: If there is no response, or one with an error status.

        """
        return self._retry(url, partial(self._probe, wanted), self.retries, is_silent=True)

    def get_bytes(self, url: str, limit: int, *, retries: int | None = None) -> bytes:
        """
        Download a small file, and return its decompressed contents.

        Args:
            limit: Maximum size in bytes, decompressed.
            retries: Maximum number of retries; None for the setting of the fetcher.

        Raises:
            FetchError: If the URL cannot be fetched.
            InputError: If the file is larger than the limit, or `url` is not a URL.

        """
        retries = self.retries if retries is None else retries
        return self._retry(
            url, partial(self._follow_redirects, partial(_read_limited, limit)), retries
        )

    def robots(self, url: str, *, retries: int | None = None) -> "Protego":
        """
        Return the parsed robots.txt that applies to a URL; later calls reuse it.

        Args:
            url: URL of a page.
            retries: Maximum number of retries; None for the setting of the fetcher.

        Raises:
            FetchError: If robots.txt cannot be fetched.
            InputError: If robots.txt is larger than 5 MiB, or `url` is not a URL.

        """
        url = urls.join(_ROBOTS, url) or url
        if url not in self._rules:
            from protego import Protego

            data = self.robots_text(url, retries=retries)
            self._rules[url] = Protego.parse(data.decode("utf-8-sig", urls.PERCENT_ENCODED))
        return self._rules[url]

    def robots_text(self, url: str, *, retries: int | None = None) -> bytes:
        """
        Return the bytes of a robots.txt; later calls reuse them, or a permanent error such as 404.

        Args:
            url: URL of the robots.txt.
            retries: Maximum number of retries; None for the setting of the fetcher.

        Raises:
            FetchError: If robots.txt cannot be fetched.
            InputError: If robots.txt is larger than 5 MiB, or `url` is not a URL.

        """
        robots = self._robots.get(url)
        if robots is None:
            try:
                robots = self.get_bytes(url, _MAX_ROBOTS, retries=retries)
            except InputError as error:
                if not _is_settled(error):
                    raise
                robots = error
            self._robots[url] = robots
        if isinstance(robots, InputError):
            raise copy(robots)
        return robots

    def without_user(self, url: str) -> str:
        """
        Return a URL without user name and password.

        The credentials are sent with later requests to the origin of the URL, unless it has others.

        Raises:
            InputError: If `url` is not a URL.

        """
        return self._connect().without_user(url)

    def without_cookies(self) -> "Fetcher":
        """Return a copy that sends no cookies and shares the robots.txt files that were read."""
        other = replace(self, keeps_cookies=False)
        other._robots, other._rules = self._robots, self._rules
        return other

    def _retry(
        self, url: str, once: Callable[[str], T], retries: int, *, is_silent: bool = False
    ) -> T:
        """Call `once` with the URL without credentials; call again after temporary failures."""
        url = self._connect().without_user(url)
        for attempt in count(1):
            try:
                return once(url)
            except FetchError as error:
                error.source = url
                if error.retry_after is None or attempt > retries:
                    error.message += f" ({attempt} attempts)" if attempt > 1 else ""
                    raise
                wait = error.retry_after or self.backoff * 2 ** (attempt - 1)
                if not is_silent:
                    self.say(f"{error}; trying again in {round(wait, 1):g} s")
                if not error.retry_after:  # with `Retry-After`, `Host` waits
                    time.sleep(wait)
        raise AssertionError("the last attempt raises")

    def _probe(self, wanted: Callable[[str], int], url: str) -> "Probe":
        client = self._connect()
        request = client.request(url)
        with self._host(url).throttled():
            return client.probe(request, wanted)

    def _follow_redirects(self, take: Callable[[Opened], T], name: str) -> T:
        client, url = self._connect(), name
        for _ in range(self.max_redirects + 1):
            try:
                request = client.request(url, is_cached=True)
                with self._host(url).throttled(may_fetch_delay=_path_of(url) != _ROBOTS):
                    answer = client.fetch(request, name)
                    if isinstance(answer, Opened):
                        return take(answer)
                url = answer
            except FetchError as error:
                if url != name:
                    error.message = f"redirected to {url}: {error.message}"
                raise
        raise FetchError(f"more than {self.max_redirects} redirects")

    def _connect(self) -> "Client":
        with self._lock:
            if self._client is None:
                from sitemapx.convert.http.client import Client

                self._client = Client(self)
            return self._client

    def _host(self, url: str) -> Host:
        key = urls.authority(url)
        with self._lock:
            if key not in self._hosts:
                fetch_delay = partial(self._crawl_delay, url)
                patience = _MAX_SILENCE * (self.retries + 1)
                self._hosts[key] = Host(self.at_once, patience, self.delay, fetch_delay)
            return self._hosts[key]

    def _crawl_delay(self, url: str) -> float:
        """Fetch and announce a limited `Crawl-delay` in seconds; 0 if missing or unreadable."""
        try:
            delay = self.robots(url, retries=0).crawl_delay(self.user_agent) or 0.0
        except InputError:
            return 0.0
        if not delay > 0:
            return 0.0
        delay = min(delay, _MAX_CRAWL_DELAY)
        from urllib.parse import urlsplit

        host = urlsplit(url).netloc
        self.say(
            f"{host}: waiting {delay:g} s between requests (robots.txt); "
            f"override with {option('delay')}"
        )
        return delay


def _path_of(url: str) -> str:
    from urllib.parse import urlsplit

    return urlsplit(url).path


def _is_settled(error: InputError) -> bool:
    from sitemapx.convert.http.errors import is_trouble

    return isinstance(error, FetchError) and error.status is not None and not is_trouble(error)


def _spool(opened: Opened) -> Opened:
    from shutil import copyfileobj
    from tempfile import SpooledTemporaryFile

    file = cast(IO[bytes], SpooledTemporaryFile(max_size=_SMALL))
    try:
        with opened:
            copyfileobj(opened, file, _BLOCK)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return Opened(file, opened.name, opened.url, file.close, opened.headers)


def _read_limited(limit: int, opened: Opened) -> bytes:
    with opened:
        data = read_start(unpack(opened, Reporter())[1], limit + 1)
    if len(data) > limit:
        raise InputError(f"larger than {limit:,} bytes", opened.name)
    return data
