"""Sessions of HTTP without redirects, the requests in them, and the bodies of responses."""

import time
from collections.abc import Sequence

import requests
from requests import PreparedRequest, Response

from sitemapx.convert.http.adapter import Session, limit_body
from sitemapx.convert.http.errors import fetch_errors
from sitemapx.convert.http.settings import FetchSettings
from sitemapx.errors import FetchError
from sitemapx.submit.engines.exchange import Request
from sitemapx.submit.secrets.secret import Secret

__all__ = ["SubmitSession", "prepare", "read_body"]

#: No engine says more; a body is only read so far.
_MAX_BODY = 1 << 20
_BLOCK = 1 << 14


class SubmitSession(Session):
    """A session for requests to engines, one after the other."""

    def __init__(self, user_agent: str, *, allow_private: bool = True) -> None:
        super().__init__(
            FetchSettings(user_agent=user_agent, allow_private=allow_private, at_once=1)
        )

    def exchange(self, prepared: PreparedRequest, timeout: float) -> Response:
        """Send a prepared request, and wait for the head of the response."""
        with fetch_errors(timeout):
            settings = self.merge_environment_settings(prepared.url, {}, True, None, None)
            return self.send(prepared, timeout=timeout, allow_redirects=False, **settings)


def prepare(session: SubmitSession, request: Request, secrets: Sequence[Secret]) -> PreparedRequest:
    """
    Put the secrets into a request.

    Raises:
        SecretError: If one cannot be had.

    """
    url, body, headers = request.url, request.body, dict(request.headers)
    for secret in secrets:
        url, body = secret.revealed(url, in_url=True), secret.revealed(body)
        headers = {name: secret.revealed(value) for name, value in headers.items()}
    data = body.encode() if body else None
    with fetch_errors(0):
        return session.prepare_request(
            requests.Request(request.method, url, headers=headers, data=data)
        )


def read_body(response: Response, timeout: float) -> tuple[str, str]:
    """Read as much of a body as comes in time, and say why that is not all."""
    data, end = b"", time.monotonic() + timeout
    late = f"download took longer than {timeout:.3g} s"
    limit_body(response, timeout)
    try:
        with fetch_errors(timeout):
            for block in response.iter_content(_BLOCK):
                data += block
                if len(data) > _MAX_BODY:
                    return _text(data), f"response is larger than {_MAX_BODY:,} bytes"
                if time.monotonic() > end:
                    return _text(data), late
    except FetchError as error:
        return _text(data), late if time.monotonic() >= end else error.message
    return _text(data), ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
