"""
Connect only to public IP addresses, unless others are allowed, and enforce deadlines on responses.

The connection is made to the checked IP address, without resolving the host again, which prevents
DNS rebinding. A host with several addresses is rejected if any of them is private.

A proxy resolves hosts and connects by itself. With a proxy, a host is rejected if this machine
resolves it to a private address; beyond that, the proxy is responsible.
"""

import http.client
import io
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from importlib.util import find_spec
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import requests
from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth
from requests.utils import select_proxy
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection
from urllib3.util import parse_url
from urllib3.util.connection import create_connection

from sitemapx.convert.http.settings import FetchSettings
from sitemapx.convert.http.ssrf import public_addresses
from sitemapx.convert.values import urls
from sitemapx.errors import ProxyError


class _PublicConnection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        addresses = public_addresses(self.host, self.port)
        for address in addresses:
            try:
                return create_connection(
                    (address, self.port),
                    self.timeout,
                    source_address=self.source_address,
                    socket_options=self.socket_options,
                )
            except OSError:
                if address == addresses[-1]:
                    raise
        raise AssertionError("a host has at least one IP address")


class _TimedSocket(io.RawIOBase):
    """A socket with an overall deadline; a plain time-out restarts with every read."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._timeout = sock.gettimeout()
        self._deadline = time.monotonic() + self._timeout if self._timeout else None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._deadline is not None:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def set_deadline(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds

    def lift_deadline(self) -> None:
        self._deadline = None
        self._sock.settimeout(self._timeout)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """A response whose headers must arrive completely within the time-out."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp.close()
        self._timed = _TimedSocket(sock)
        self.fp = io.BufferedReader(self._timed)

    def begin(self) -> None:
        super().begin()
        self._timed.lift_deadline()

    def limit(self, seconds: float) -> None:
        self._timed.set_deadline(seconds)


class _TimedConnection(HTTPConnection):
    response_class = _Response


def _pools(*kinds: type[HTTPConnection]) -> dict[str, type[HTTPConnectionPool]]:
    """Map the schemes http and https to new classes of pools, whose connections extend `kinds`."""
    pools: dict[str, type[HTTPConnectionPool]] = {}
    for scheme, pool in (("http", HTTPConnectionPool), ("https", HTTPSConnectionPool)):
        connection = type("_Connection", (*kinds, pool.ConnectionCls), {})
        pools[scheme] = cast(
            type[HTTPConnectionPool], type("_Pool", (pool,), {"ConnectionCls": connection})
        )
    return pools


_ADVICE = "set HTTPS_PROXY and HTTP_PROXY to http://HOST:PORT"
_TIMED = _pools(_TimedConnection)
_PUBLIC = _pools(_PublicConnection, _TimedConnection)


def limit_body(response: Response, seconds: float) -> None:
    """Set a deadline for the body of a response, after which reading fails."""
    answer = getattr(response.raw, "_original_response", None)
    if isinstance(answer, _Response):
        answer.limit(seconds)


def _check_proxy(proxy: str) -> None:
    """Raise `ProxyError` if a proxy URL is invalid or unsupported; messages omit its password."""
    try:
        parsed = parse_url(proxy if "://" in proxy else f"http://{proxy}")
    except ValueError:
        parsed = None
    if not (parsed and parsed.host):
        raise ProxyError(f"invalid proxy URL; {_ADVICE}")
    if parsed.scheme not in ("http", "https") and not find_spec("socks"):
        message = f"unsupported scheme {parsed.scheme!r}"
        raise ProxyError(f"proxy error: {message}; {_ADVICE}")


class Adapter(HTTPAdapter):
    """
    Transport adapter for `requests`, which connects only to allowed addresses.

    It limits the time for headers, and keeps up to `connections` per host for reuse.
    """

    def __init__(self, *, allow_private: bool, connections: int) -> None:
        self._allow_private = allow_private
        super().__init__(pool_maxsize=connections)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        pools = _TIMED if self._allow_private else _PUBLIC
        self.poolmanager.pool_classes_by_scheme = pools

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        """Return the connection pools for a proxy, whose own IP address is trusted."""
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = _TIMED
        return manager

    def send(self, request: PreparedRequest, *args: Any, **kwargs: Any) -> Response:
        url = request.url or ""
        proxy = select_proxy(url, kwargs.get("proxies"))
        if proxy:
            _check_proxy(proxy)
        if proxy and not self._allow_private:
            with suppress(OSError):  # only the proxy may be able to resolve the host
                public_addresses(parse_url(url).host or "", None)
        return super().send(request, *args, **kwargs)


# ---- the session: credentials, headers and settings of the environment for each request


class Session(requests.Session):
    """
    A session that sends credentials and additional headers only to their own origin.

    Proxies and certificates are taken from the environment, but `.netrc` is ignored. Redirects are
    not followed.
    """

    def __init__(self, settings: FetchSettings) -> None:
        super().__init__()
        self._credentials: dict[str, tuple[str, str]] = {}
        self._headers = settings.headers
        self._environment: dict[str, Any] = {}
        self.auth = self._authorize  # keeps requests from reading .netrc
        self.headers.update({"User-Agent": settings.user_agent, "Accept-Encoding": "gzip"})
        if not settings.keeps_cookies:
            self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        self.adapters.clear()
        adapter = Adapter(allow_private=settings.allow_private, connections=settings.at_once)
        for scheme in ("http://", "https://"):
            self.mount(scheme, adapter)

    def without_user(self, url: str) -> str:
        """Return a URL without credentials; the first for each origin are kept for requests."""
        parts, bare = urlsplit(url), urls.without_user(url)
        if bare != url:
            credentials = unquote(parts.username or ""), unquote(parts.password or "")
            self._credentials.setdefault(urls.site(bare), credentials)
        return bare

    def _authorize(self, request: PreparedRequest) -> PreparedRequest:
        url = request.url or ""
        credentials = self._credentials.get(urls.site(url))
        request = HTTPBasicAuth(*credentials)(request) if credentials else request
        request.headers.update(self._headers.get(urls.origin(url), {}))
        return request

    def merge_environment_settings(
        self, url: Any, proxies: Any, stream: Any, verify: Any, cert: Any
    ) -> Any:
        """Return the proxies and certificates for a URL, cached by origin."""
        origin = urls.site(url)
        if origin not in self._environment:
            found = super().merge_environment_settings(url, proxies, stream, verify, cert)
            self._environment[origin] = found
        return self._environment[origin]

    def resolve_redirects(self, *args: Any, **kwargs: Any) -> Iterator[Response]:
        yield from ()
