"""Errors of fetching in words, and whether another attempt is worth it."""

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


#: Answers that mean: not now (https://www.rfc-editor.org/rfc/rfc9110#section-15 and RFC 6585).
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
#: A year, and the digits of a number of seconds that is not longer.
_LONGEST, _DIGITS = 365 * 86_400.0, 9
_PROXY_REMEDY = "put USER:PASSWORD@ into HTTPS_PROXY, HTTP_PROXY"
#: https://github.com/python/cpython/blob/3.11/Lib/http/client.py: `_tunnel`.
_tunnel = re.compile("Tunnel connection failed: (.+)", re.DOTALL).fullmatch


def is_trouble(error: FetchError) -> bool:
    """Return whether the answer may be another at another time, even if that is not soon."""
    status = error.status or 0
    return error.retry_after is not None or status >= 500 or status in _TRANSIENT


def is_unreachable(error: FetchError) -> bool:
    """Return whether crawlers fetch nothing from a site whose robots.txt is answered with this."""
    status = error.status or 0
    return status == 429 or status >= 500  # RFC 9309, 2.3.1.4


def is_busy(response: "Response") -> bool:
    """Return whether a `Retry-After` of a response is about the server, and not one URL."""
    return response.status_code == 429 or response.status_code >= 500


def error_of(response: "Response", max_wait: float) -> FetchError:
    """
    Explain an answer that is not what was asked for.

    Args:
        max_wait: How many seconds the server may ask to wait, for there to be hope.

    """
    status = response.status_code
    reason = str(status)
    if status in set(HTTPStatus):
        reason += f" {HTTPStatus(status).phrase}"
    advice = [_remedy(status)]
    wait = retry_after(response) if status in _TRANSIENT else None
    if wait and wait > max_wait:
        advice.append(f"the server asks to wait {wait:,.0f} s")
        wait = None
    return FetchError(
        reason, advice="; ".join(filter(None, advice)), status=status, retry_after=wait
    )


def retry_after(response: "Response") -> float:
    """
    Return how long the server asks to wait: 0 if it does not say, or not so that it is known.

    A point in time is compared with the `Date` of the answer: the local clock may be wrong.
    """
    value = response.headers.get("Retry-After", "").strip()
    if value.isdecimal() and value.isascii():
        return float(min(int(value[:_DIGITS]), _LONGEST))
    until, now = _seconds(value), server_time(response.headers)
    if until is None:
        return 0.0
    return min(max(until - (time.time() if now is None else now), 0.0), _LONGEST)


def server_time(headers: Mapping[str, str]) -> float | None:
    """Return the time of the server, in seconds since 1970; None if it does not say."""
    return next((_seconds(headers[name]) for name in ("Date", "date") if name in headers), None)


def _seconds(date: str) -> float | None:
    """Read a date of HTTP; None if it is none."""
    try:
        return mktime_tz(found) if (found := parsedate_tz(date)) else None
    except (ValueError, OverflowError):
        return None


@contextmanager
def fetch_errors(timeout: float) -> Iterator[None]:
    """
    Turn what `requests` and `urllib3` raise into a `FetchError`.

    Args:
        timeout: How many seconds were allowed to pass, for the message.

    """
    try:
        yield
    except FetchError:
        raise
    except (OSError, ValueError, HTTPError, http.client.HTTPException) as error:
        raise _failure_of(error, timeout) from error


def _failure_of(error: Exception, timeout: float) -> FetchError:
    """Explain why there is no answer, or only a part of it."""
    # The last one explains most; what wraps it may quote the request.
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
        return ProxyError(_refusal(cause) or f"proxy error: {message}", retry_after=wait)
    return FetchError(message, retry_after=wait)


def _refusal(cause: BaseException) -> str:
    """Explain why a proxy opens no tunnel, of which only the text of the error tells."""
    found = _tunnel(str(cause))
    cure = f"; {_PROXY_REMEDY}" if found and found[1].startswith("407") else ""
    return f"proxy refused the connection: {found[1]}{cure}" if found else ""


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
    """Return an error and what led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


_CERTIFICATE = (
    "invalid certificate: {error.verify_message}; set REQUESTS_CA_BUNDLE to a file of trusted ones"
)
#: What may lie behind a failure, the words for it, and whether it may pass. requests raises an
#: InvalidHeader of its own for those of urllib3, too.
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
