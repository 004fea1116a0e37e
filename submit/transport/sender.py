"""
Sends the requests of engines over the network, with retries and a time budget.

Secrets are inserted into requests and masked in responses. Redirects are not followed, since a
request with a key is meant for one URL only.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from math import ceil

import requests
from requests import PreparedRequest, Response

from sitemapx.convert.http.adapter import Session, limit_body
from sitemapx.convert.http.errors import fetch_errors, retry_after, server_time
from sitemapx.convert.http.settings import USER_AGENT, FetchSettings
from sitemapx.convert.values import urls
from sitemapx.errors import FetchError, PrivateAddressError, ProxyError, SecretError
from sitemapx.optionnames import advice
from sitemapx.submit.engines.exchange import Quota, Reply, Request
from sitemapx.submit.secrets.secret import Secret, mask_secrets
from sitemapx.submit.transport.pauses import Pause, Pauses, seconds_of_day_left

#: Maximum number of bytes to read from a body.
_MAX_BODY = 1 << 20
_BLOCK = 1 << 14
#: Units of time: name, seconds above which the unit is used, and seconds per unit.
_UNITS = (("days", 172_800, 86_400), ("hours", 7_200, 3_600), ("minutes", 60, 60))
_TRANSIENT = (408, 425, 429)
#: Exception -> advice, for errors before anything is sent; empty if the message has advice.
_CURES: dict[type[FetchError], str] = {
    PrivateAddressError: "",
    ProxyError: "check HTTPS_PROXY, HTTP_PROXY, then run again",
}
#: Average seconds to wait before the first retry; doubled for each further retry.
_BACKOFF = 1.0
#: Minimum timeout in seconds, as `requests` rejects a timeout of 0.
_BLINK = 0.1


class SubmitSession(Session):
    def __init__(self, user_agent: str, *, allow_private: bool = True) -> None:
        super().__init__(
            FetchSettings(user_agent=user_agent, allow_private=allow_private, at_once=1)
        )

    def exchange(self, prepared: PreparedRequest, timeout: float) -> Response:
        """Send a prepared request; return the response without reading its body."""
        with fetch_errors(timeout):
            settings = self.merge_environment_settings(prepared.url, {}, True, None, None)
            return self.send(prepared, timeout=timeout, allow_redirects=False, **settings)


def prepare_request(
    session: SubmitSession, request: Request, secrets: Sequence[Secret]
) -> PreparedRequest:
    """Insert secrets into a request; raise `FetchError` if the URL is invalid."""
    url, body, headers = request.url, request.body, dict(request.headers)
    for secret in secrets:
        url, body = secret.insert_value(url, in_url=True), secret.insert_value(body)
        headers = {name: secret.insert_value(value) for name, value in headers.items()}
    data = body.encode() if body else None
    with fetch_errors(0):
        return session.prepare_request(
            requests.Request(request.method, url, headers=headers, data=data)
        )


def _read_body(response: Response, timeout: float) -> tuple[str, str]:
    """Return the text of a body, cut at limits, and why it is incomplete (empty if complete)."""
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


def withheld_reply(wait: float, reason: str) -> Reply:
    """Return the reply to a request that is not sent because of a pause or a used-up quota."""
    return Reply(None, error=reason, wait=wait, action=pause_advice(wait), is_withheld=True)


def unusable_reply(message: str) -> Reply:
    """Return the reply to a request that is not sent because the credentials cannot be used."""
    action = "fix the credentials, then run again"
    return Reply(None, error=message, action=action, is_refused=True, is_unsent=True)


def pause_advice(seconds: float) -> str:
    return advice(_retry_advice(seconds), "pass --no-wait to send now")


def _retry_advice(seconds: float) -> str:
    """
    Return the advice to run again in some seconds.

    >>> _retry_advice(59.5), _retry_advice(90), _retry_advice(86_400)
    ('run again in 60 s', 'run again in 2 minutes', 'run again in 24 hours')

    """
    found = ((unit, size) for unit, least, size in _UNITS if seconds > least)
    unit, size = next(found, ("s", 1))
    return f"run again in {ceil(seconds / size)} {unit}"


class Sender:
    """
    The transport that sends requests over the network.

    Args:
        timeout: Seconds each to connect, to receive the headers, and to receive the body.
        retries: Maximum number of retries of a request that may succeed later.
        budget: Total seconds for requests after `start_budget`; when used up, requests are not
            retried.
        pauses: Pauses requested by servers, which are respected and updated.
        allow_private: Whether URLs from sitemaps or servers may lead to private IP addresses.
        say: Called with messages about delays.

    """

    def __init__(
        self,
        *,
        user_agent: str = USER_AGENT,
        timeout: float = 30,
        retries: int = 3,
        budget: float = 600,
        pauses: Pauses | None = None,
        allow_private: bool = False,
        say: Callable[[str], object],
    ) -> None:
        self._timeout = timeout
        self._retries = retries
        self._budget = budget
        self._end: float | None = None
        self._pauses = pauses or Pauses()
        self._say = say
        #: Remaining pause in seconds during which tokens are not requested.
        self._withheld = 0.0
        self._session = SubmitSession(user_agent)
        self._guarded = SubmitSession(user_agent, allow_private=allow_private)

    def close(self) -> None:
        self._session.close()
        self._guarded.close()

    def start_budget(self) -> None:
        """Start the time budget; earlier requests do not count."""
        self._end = time.monotonic() + self._budget

    @property
    def seconds_left(self) -> float:
        """Remaining seconds of the time budget; negative if exceeded."""
        return self._budget if self._end is None else self._end - time.monotonic()

    def send_request(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """
        Send a request, retry it after temporary failures, and return the last reply.

        During a pause, nothing is sent, and the reply contains the reason. New pauses and used-up
        quotas are recorded.
        """
        retries = self._retries if request.retries is None else request.retries
        quota = request.quota.name if request.quota else ""
        if wait := self._pauses.seconds_left(request.url, quota):
            return withheld_reply(wait, self._pauses.reason_to_wait(request.url, quota))
        for attempt in count(1):
            reply, is_transient = self._attempt(request, secrets)
            pause = request.pause(reply)
            reply = reply._replace(wait=reply.wait or pause)
            if reply.status and reply.wait:
                self._pauses.note_pause(request.url, _pause_now(reply.wait, reply.headers))
                reply = reply._replace(action=pause_advice(reply.wait))
            elif reply.is_ok:
                self._pauses.end_pause(request.url)
            if request.quota and request.quota.is_used_up(reply):
                self._keep_quota(request.url, request.quota, reply.headers)
            if attempt > retries or not is_transient or request.is_pointless(reply):
                return reply
            # Jitter, so that clients refused at the same time do not retry at the same time.
            wait = reply.wait or _BACKOFF * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311
            if wait > self.seconds_left:
                return reply
            where = mask_secrets(request.url, secrets).partition("?")[0]
            self._say(f"{where}: {reply.error or reply.status}; trying again in {wait:.1f} s")
            time.sleep(wait)
        raise AssertionError("the last attempt returns")

    def _keep_quota(self, url: str, quota: Quota, headers: Mapping[str, str]) -> None:
        now = server_time(headers) or time.time()
        seconds = seconds_of_day_left(now, quota.utc_offset)
        self._pauses.note_pause(url, _pause_now(seconds, headers), quota.name)

    def _attempt(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool]:
        """Send a request, again if its token is rejected; return the reply and whether to retry."""
        reply, is_transient = self._send(request, secrets)
        if reply.status == 401 and any(secret.discard_value() for secret in secrets):
            reply, is_transient = self._send(request, secrets)
        return reply, is_transient

    def _send(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool]:
        """Send a request once; return the reply and whether a retry may succeed."""
        session = self._guarded if request.is_found else self._session
        try:
            if failure := self._obtain(request, secrets):
                return failure
            response = session.exchange(prepare_request(session, request, secrets), self._timeout)
        except SecretError as error:
            return unusable_reply(mask_secrets(str(error), secrets)), False
        except FetchError as error:
            wait, message = error.retry_after, mask_secrets(error.message, secrets)
            action = _CURES.get(type(error), "")
            reply = Reply(None, error=message, wait=wait or 0.0, action=action)
            return reply._replace(is_unsent=type(error) in _CURES), wait is not None
        with response:
            text, error_text = _read_body(response, self._timeout)
        headers = {
            name.lower(): _hide_secrets(value, secrets) for name, value in response.headers.items()
        }
        reply = Reply(response.status_code, headers, _hide_secrets(text, secrets), error_text)
        is_transient = _is_transient(response) or request.is_busy(reply)
        wait = retry_after(response) if is_transient else 0.0
        return reply._replace(wait=wait), is_transient

    def _obtain(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool] | None:
        """
        Obtain the secrets that a request contains, if they are not available yet.

        Returns None on success; else the reply for the failure, and whether a retry may succeed.
        May raise `SecretError`.
        """
        self._withheld = 0.0
        try:
            for secret in secrets:
                if secret.is_in(request.url, request.body, *request.headers.values()):
                    secret.request_value(self._fetch)
        except FetchError as error:
            wait, message = error.retry_after, mask_secrets(error.message, secrets)
            if self._withheld:
                return withheld_reply(self._withheld, message), False
            action = _retry_advice(wait) if wait else ""
            reply = Reply(None, error=message, wait=wait or 0.0, action=action, is_withheld=True)
            return reply, wait is not None
        return None

    def _fetch(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout: float | None,
    ) -> tuple[int, Mapping[str, str], bytes]:
        seconds = min(self._timeout, timeout or self._timeout, max(self.seconds_left, _BLINK))
        with fetch_errors(seconds):
            unprepared = requests.Request(method, url, headers=dict(headers), data=body)
            prepared = self._session.prepare_request(unprepared)
        host = urls.hostname(url)
        if wait := self._pauses.seconds_left(url):
            self._withheld = wait
            raise FetchError(f"{host}: {self._pauses.reason_to_wait(url)}")
        try:
            with self._session.exchange(prepared, seconds) as response:
                text, message = _read_body(response, seconds)
        except FetchError as error:
            error.message = f"{host}: {error.message}"
            raise
        if message or _is_transient(response):
            message = message or f"status {response.status_code}"
            wait = retry_after(response)
            if wait:
                self._pauses.note_pause(url, _pause_now(wait, response.headers))
            raise FetchError(f"{host}: {message}", retry_after=wait)
        return response.status_code, response.headers, text.encode()


def _pause_now(seconds: float, headers: Mapping[str, str]) -> Pause:
    return Pause(time.time(), seconds, server_time(headers))


def _is_transient(response: Response) -> bool:
    return response.status_code in _TRANSIENT or response.status_code // 100 == 5


def _hide_secrets(text: str, secrets: Sequence[Secret]) -> str:
    for secret in secrets:
        text = secret.replace_value(text)
    return text
