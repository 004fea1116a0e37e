"""The session: credentials, headers and settings of the environment for each request."""

from collections.abc import Iterator
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import unquote, urlsplit

import requests
from requests import PreparedRequest, Response
from requests.auth import HTTPBasicAuth

from sitemapx.convert.http.adapter import Adapter
from sitemapx.convert.http.settings import FetchSettings
from sitemapx.convert.values import urls

__all__ = ["Session"]


class Session(requests.Session):
    """
    A session that sends a user and password to the origin of the URL that had them, only.

    Likewise further headers, to the origins that they are for.

    Proxies and certificates are those of the environment, but credentials never are (`.netrc`).
    Redirects are left to the caller.
    """

    def __init__(self, settings: FetchSettings) -> None:
        super().__init__()
        self._credentials: dict[str, tuple[str, str]] = {}
        self._headers = settings.headers
        self._environment: dict[str, Any] = {}
        self.auth = self._authorize  # with one of its own, requests looks into no .netrc
        self.headers.update({"User-Agent": settings.user_agent, "Accept-Encoding": "gzip"})
        if not settings.keeps_cookies:
            self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        self.adapters.clear()
        adapter = Adapter(allow_private=settings.allow_private, connections=settings.at_once)
        for scheme in ("http://", "https://"):
            self.mount(scheme, adapter)

    def without_user(self, url: str) -> str:
        """Take user and password out of a URL, and remember them for its origin."""
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
        """Look for proxies and certificates, once for each origin."""
        origin = urls.site(url)
        if origin not in self._environment:
            found = super().merge_environment_settings(url, proxies, stream, verify, cert)
            self._environment[origin] = found
        return self._environment[origin]

    def resolve_redirects(self, *args: Any, **kwargs: Any) -> Iterator[Response]:
        """Follow none."""
        yield from ()
