"""One request over HTTP, and the answer; what imports `requests`."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NamedTuple
from urllib.parse import urljoin

from requests import PreparedRequest, Request, Response

from sitemapx.convert.http.adapter import Session
from sitemapx.convert.http.cache import Cache
from sitemapx.convert.http.errors import error_of, fetch_errors, is_busy, retry_after, server_time
from sitemapx.convert.http.settings import FetchSettings
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.gzip import Gunzip
from sitemapx.convert.streams.stream import Opened, read_start
from sitemapx.errors import FetchError, InputError, NotAskedError
from sitemapx.optionnames import option

_BLOCK = 1 << 16
#: What a body may be packed with beside gzip; nothing else is asked for.
_OTHER_CODINGS = frozenset({"br", "compress", "deflate", "zstd"})


class Probe(NamedTuple):
    """
    The result of a look at a URL.

    Attributes:
        status: That of the answer.
        target: Where it redirects to; None if this is no redirect.
        headers: Gives the headers of a name, each by itself.
        start: How the body begins, unpacked.

    """

    status: int
    target: str | None
    headers: Callable[[str], Sequence[str]]
    start: bytes = b""


class PreparedUrl(NamedTuple):
    """A URL and the request for it."""

    url: str
    request: PreparedRequest


class Client:
    """Sends requests; several threads may use it."""

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings
        self._session = Session(settings)
        self._cache = Cache(settings.cache) if settings.cache else None
        self._lock = threading.Lock()
        self._size = 0

    def close(self) -> None:
        """End the connections that are kept open for more requests."""
        self._session.close()

    def without_user(self, url: str) -> str:
        """
        Take user and password out of a URL, and remember them for its origin.

        Raises:
            InputError: If it is no URL.

        """
        try:
            return self._session.without_user(url)
        except ValueError as error:
            raise InputError("not a URL", url) from error

    def request(self, url: str, *, is_kept: bool = False) -> PreparedUrl:
        """
        Make a request, which takes longer than to send it.

        Args:
            is_kept: Whether the cache may have the answer, and is to keep it.

        Raises:
            FetchError: If this is no URL.

        """
        conditions = self._cache.conditions(url) if self._cache and is_kept else {}
        with fetch_errors(self._settings.timeout):
            return PreparedUrl(url, self._session.prepare_request(Request("GET", url, conditions)))

    def ask(self, prepared: PreparedUrl, name: str) -> Opened | str:
        """
        Send a request, and give the body of the answer, or the URL that it redirects to.

        Args:
            name: What messages call the body.

        Raises:
            FetchError: If there is no answer, or another one; also while the body is read.

        """
        response = self._sent(prepared)
        try:
            if (target := self._target(response, prepared.url)) is None:
                return self._opened(response, name, prepared.url)
        except BaseException:
            response.close()
            raise
        response.close()
        return target

    def look(self, prepared: PreparedUrl, wanted: Callable[[str], int]) -> Probe:
        """
        Send a request for something of which not all is wanted, and nothing is kept.

        Args:
            wanted: Tells how many bytes of a body of this Content-Type.

        Raises:
            FetchError: If there is no answer, or one that is neither good nor a redirect.

        """
        with closing(self._sent(prepared)) as response:
            status, headers = response.status_code, response.raw.headers.getlist
            if (target := self._target(response, prepared.url)) is not None:
                return Probe(status, target, headers)
            if status // 100 != 2:
                raise error_of(response, self._settings.max_wait)
            size = wanted(response.headers.get("Content-Type", ""))
            return Probe(status, None, headers, self._start(response, prepared.url, size))

    def _sent(self, prepared: PreparedUrl) -> Response:
        """Send a request, and wait for the head of the answer."""
        self.count(0)
        settings, session, url = self._settings, self._session, prepared.url
        if reason := settings.paused(url):
            raise NotAskedError(reason)
        with fetch_errors(settings.timeout):
            environment = session.merge_environment_settings(url, {}, True, None, None)
            response = session.send(prepared.request, timeout=settings.timeout, **environment)
        if is_busy(response) and (seconds := retry_after(response)):
            settings.on_pause(url, seconds, server_time(response.headers))
        return response

    def _target(self, response: Response, url: str) -> str | None:
        """Return the URL that an answer redirects to."""
        with fetch_errors(self._settings.timeout):
            target = self._session.get_redirect_target(response)
            return None if target is None else self._session.without_user(urljoin(url, target))

    def _start(self, response: Response, url: str, size: int) -> bytes:
        """Read how a body begins; nothing of one that is packed with what was not asked for."""
        coding = response.headers.get("Content-Encoding", "").strip().lower()
        if not size or coding in _OTHER_CODINGS:
            return b""
        body = _Body(response, url, self, self._settings)
        is_packed = coding in ("gzip", "x-gzip")
        return read_start(Gunzip(body, Reporter()) if is_packed else body, size)

    def _opened(self, response: Response, name: str, url: str) -> Opened:
        """Return the body of an answer, or of the cache where the answer says so."""
        cache, status = self._cache, response.status_code
        if status == 304 and cache:
            _ = response.content  # there is none, and the connection is free for the next request
        elif status // 100 != 2:
            raise error_of(response, self._settings.max_wait)
        else:
            body = _Body(response, name, self, self._settings)
            if not (cache and cache.keep(url, response.headers, body)):
                return Opened(body, name, url, response.close)
        file = cache.open(url)
        return Opened(file, name, url, file.close)

    @property
    def is_spent(self) -> bool:
        """Whether all bodies are more than they may be."""
        return self._size > self._settings.max_total

    def count(self, size: int) -> None:
        """
        Add to the bytes of all bodies.

        Raises:
            FetchError: If that is more than they may be.

        """
        with self._lock:
            self._size += size
        if self.is_spent:
            limit = self._settings.max_total
            raise NotAskedError(
                f"total download size exceeds {limit:,} bytes; "
                f"raise the limit with {option('max_total')}"
            )


class _Body:
    """The body of an answer, as it is sent."""

    def __init__(
        self, response: Response, name: str, client: Client, settings: FetchSettings
    ) -> None:
        """
        Take an answer.

        Args:
            name: What messages call it.

        Raises:
            FetchError: If it is packed with what was not asked for, or too large.

        """
        self._raw = response.raw
        self._name = name
        self._status = response.status_code
        self._client = client
        self._settings = settings
        self._size = 0
        self._started = time.monotonic()
        coding = response.headers.get("Content-Encoding", "").strip().lower()
        if coding in _OTHER_CODINGS:
            message = f"unsupported Content-Encoding {coding}: only gzip was requested"
            raise FetchError(message, status=self._status)
        length = response.headers.get("Content-Length", "")
        if length.isdecimal():
            self._check_size(int(length))

    def read(self, size: int = -1, /) -> bytes:
        """
        Return what has come, at most so many bytes; and none only at the end.

        Raises:
            FetchError: If the body breaks off, takes too long, or is too large.

        """
        if size < 0:
            return b"".join(iter(lambda: self.read(_BLOCK), b""))
        settings = self._settings
        try:
            with fetch_errors(settings.timeout):
                data: bytes = self._raw.read1(size, decode_content=False)
            if time.monotonic() - self._started > settings.max_time:
                reason = f"download took longer than {settings.max_time:g} s"
                raise FetchError(reason, advice=f"raise the limit with {option('max_time')}")
            self._size += len(data)
            self._check_size(self._size)
            self._client.count(len(data))
        except FetchError as error:
            error.source, error.status = self._name, self._status
            raise
        return data

    def _check_size(self, size: int) -> None:
        limit = self._settings.max_size
        if size > limit:
            reason = f"larger than {limit:,} bytes"
            raise FetchError(
                reason, advice=f"raise the limit with {option('max_size')}", status=self._status
            )
