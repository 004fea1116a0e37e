"""Errors of failed requests: messages, and whether a retry is worthwhile."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import mktime_tz, parsedate_tz
from http import HTTPStatus
from typing import TYPE_CHECKING

from requests.exceptions import InvalidHeader as InvalidRequestHeader
from requests.exceptions import InvalidProxyURL
from requests.exceptions import ProxyError as UnusableProxy
from urllib3.exceptions import HTTPError, InvalidHeader

from sitemapx.errors import FetchError, ProxyError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from requests import Response


#: Statuses that count as temporary, from RFC 9110, RFC 6585 and RFC 8470.
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
#: Maximum of `Retry-After` in seconds (a year), and the number of digits to read.
_LONGEST, _DIGITS = 365 * 86_400.0, 9
_PROXY_REMEDY = "put USER:PASSWORD@ into HTTPS_PROXY, HTTP_PROXY"
#: https://github.com/python/cpython/blob/3.11/Lib/http/client.py: `_tunnel`.
_tunnel = re.compile("Tunnel connection failed: (.+)", re.DOTALL).fullmatch


def is_trouble(error: FetchError) -> bool:
    """Return whether a failure counts as temporary, even if it lasts for hours."""
    status = error.status or 0
    return error.retry_after is not None or status >= 500 or status in _TRANSIENT


def is_unreachable(error: FetchError) -> bool:
    """Return whether crawlers skip the whole site if its robots.txt has this error status."""
    status = error.status or 0
    return status == 429 or status >= 500  # RFC 9309, 2.3.1.4; 429 only for Google


def is_busy(response: "Response") -> bool:
    """Return whether `Retry-After` applies to the whole server rather than to a single URL."""
    return response.status_code == 429 or response.status_code >= 500


def error_of(response: "Response", max_wait: float) -> FetchError:
    """Return the error for a response; no retry if `Retry-After` exceeds `max_wait` seconds."""
    status = response.status_code
    reason = str(status)
    if status in set(HTTPStatus):
        reason += f" {HTTPStatus(status).phrase}"
    advice = [_remedy(status)]
    wait = retry_after(response) if status in _TRANSIENT else None
    if wait and wait > max_wait:
        advice.append(f"the server asks clients to wait {wait:,.0f} s")
        wait = None
    return FetchError(
        reason, advice="; ".join(filter(None, advice)), status=status, retry_after=wait
    )


def retry_after(response: "Response") -> float:
    """
    Return the seconds of the header `Retry-After`, at most a year; 0 if missing or invalid.

    A date is compared with the `Date` of the response, if any: the local clock may be wrong.
    """
    value = response.headers.get("Retry-After", "").strip()
    if value.isdecimal() and value.isascii():
        return float(min(int(value[:_DIGITS]), _LONGEST))
    until, now = _seconds(value), server_time(response.headers)
    if until is None:
        return 0.0
    return min(max(until - (time.time() if now is None else now), 0.0), _LONGEST)


def server_time(headers: Mapping[str, str]) -> float | None:
    """Return the `Date` of a response in seconds since 1970; None if missing or invalid."""
    return next((_seconds(headers[name]) for name in ("Date", "date") if name in headers), None)


def _seconds(date: str) -> float | None:
    try:
        return mktime_tz(found) if (found := parsedate_tz(date)) else None
    except (ValueError, OverflowError):
        return None


@contextmanager
def fetch_errors(timeout: float) -> Iterator[None]:
    """Convert exceptions of a request to `FetchError`; `timeout` is for messages."""
    try:
        yield
    except FetchError:
        raise
    except (OSError, ValueError, HTTPError, http.client.HTTPException) as error:
        raise _failure_of(error, timeout) from error


def _failure_of(error: Exception, timeout: float) -> FetchError:
    # The innermost cause is the most specific; outer causes may quote the request.
    causes = list(_causes(error))[::-1]
    cause, message, is_transient = next(
        (cause, message, is_transient)
        for kind, message, is_transient in _REASONS
        for cause in causes
        if isinstance(cause, kind)
    )
    message = message.format(error=cause, timeout=timeout) or type(cause).__name__
    wait = 0.0 if is_transient else None
    if any(isinstance(cause, UnusableProxy | InvalidProxyURL) for cause in causes):
        return ProxyError(_proxy_reason(cause) or f"proxy error: {message}", retry_after=wait)
    return FetchError(message, retry_after=wait)


def _proxy_reason(cause: BaseException) -> str:
    """Return the message for a proxy that refused to open a tunnel; empty for any other cause."""
    m = _tunnel(str(cause))
    cure = f"; {_PROXY_REMEDY}" if m and m[1].startswith("407") else ""
    return f"proxy refused the connection: {m[1]}{cure}" if m else ""


def _remedy(status: int) -> str:
    match status:
        case 401:
            return "put credentials into the URL: https://user:password@example.com/"
        case 403:
            user_agent = option("user_agent")
            return f"the site may block crawlers; try {user_agent} with that of a browser"
        case 407:
            return _PROXY_REMEDY
        case 429:
            return f"slow down with {option('delay')}"
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


_CERTIFICATE = (
    "invalid certificate: {error.verify_message}; set REQUESTS_CA_BUNDLE to a file of trusted "
    "certificates"
)
#: Exception, message, and whether the cause is temporary. requests has its own InvalidHeader.
_REASONS: tuple[tuple[type[BaseException], str, bool], ...] = (
    (ssl.SSLCertVerificationError, _CERTIFICATE, False),
    (ssl.SSLError, "TLS handshake failed: {error.reason}", False),
    (socket.gaierror, "host not found: {error.strerror}", False),
    (http.client.IncompleteRead, "response was cut off", True),
    (TimeoutError, "no data received for {timeout:.3g} s", True),
    (ConnectionRefusedError, "connection refused", False),
    (ConnectionError, "server closed the connection", True),
    (InvalidHeader, "response has an invalid header: {error}", False),
    (InvalidRequestHeader, "request header contains a character that HTTP forbids", False),
    (http.client.HTTPException, "response is not HTTP", False),
    (ValueError, "URL cannot be fetched", False),
    (BaseException, "{error}", False),
)
