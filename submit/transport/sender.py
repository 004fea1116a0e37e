"""
The network: sends what engines request, with patience, but not without end.

Only in this package secrets are put into requests, and taken out of answers. Redirects are not
followed: what is meant for one address, with a key, is not for another.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count

import requests
from requests import Response

from sitemapx.convert.http.errors import fetch_errors, retry_after, server_time
from sitemapx.convert.http.settings import USER_AGENT
from sitemapx.convert.values import urls
from sitemapx.errors import FetchError, PrivateAddressError, ProxyError, SecretError
from sitemapx.submit.engines.exchange import Quota, Reply, Request
from sitemapx.submit.secrets.secret import Secret, masked
from sitemapx.submit.transport.pauses import Pause, Pauses, seconds_of_day_left
from sitemapx.submit.transport.replies import pause_advice, retry_advice, unusable, withheld
from sitemapx.submit.transport.session import SubmitSession, prepare, read_body

__all__ = ["Sender"]

_TRANSIENT = (408, 425, 429)
#: What to do about an error that comes before anything is sent.
_CURES: dict[type[FetchError], str] = {
    PrivateAddressError: "pass --allow-private",
    ProxyError: "check HTTPS_PROXY, HTTP_PROXY, then run again",
}
#: Seconds to wait before another attempt, and twice as many each time after.
_BACKOFF = 1.0
#: Seconds; a timeout of none is an error of `requests`.
_BLINK = 0.1


class Sender:
    """The network."""

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
        """
        Take how patient to be.

        Args:
            timeout: Seconds to connect, to the end of the headers, and for the whole body.
            retries: How often a request is repeated that may succeed the next time.
            budget: Seconds for all that is sent, from `start` on; after that nothing is tried
                again.
            pauses: The servers that are to be left alone.
            allow_private: Whether URLs that were found may lead to private addresses.
            say: Is told what takes time.

        """
        self._timeout = timeout
        self._retries = retries
        self._budget = budget
        self._end: float | None = None
        self._pauses = pauses or Pauses()
        self._say = say
        #: For how long a token may not be asked for.
        self._withheld = 0.0
        self._session = SubmitSession(user_agent)
        self._guarded = SubmitSession(user_agent, allow_private=allow_private)

    def close(self) -> None:
        """End the connections that are kept open for more requests."""
        self._session.close()
        self._guarded.close()

    def start(self) -> None:
        """Begin to send: what came before does not count against the budget."""
        self._end = time.monotonic() + self._budget

    @property
    def left(self) -> float:
        """Seconds that are left of the budget."""
        return self._budget if self._end is None else self._end - time.monotonic()

    def ask(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Send a request, again if that may help; not to a server that asked for a pause."""
        retries = self._retries if request.retries is None else request.retries
        quota = request.quota.name if request.quota else ""
        if wait := self._pauses.left(request.url, quota):
            return withheld(wait, self._pauses.reason(request.url, quota))
        for attempt in count(1):
            reply, is_transient = self._attempt(request, secrets)
            pause = request.pause(reply)
            reply = reply._replace(wait=reply.wait or pause)
            if reply.status and reply.wait:
                self._pauses.keep(request.url, _pause_now(reply.wait, reply.headers))
                reply = reply._replace(action=pause_advice(reply.wait))
            elif reply.is_ok:
                self._pauses.end(request.url)
            if request.quota and request.quota.is_used_up(reply):
                self._keep_quota(request.url, request.quota, reply.headers)
            if attempt > retries or not is_transient or request.is_vain(reply):
                return reply
            # Others that were refused at the same moment shall not all come back at the same.
            wait = reply.wait or _BACKOFF * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311
            if wait > self.left:
                return reply
            where = masked(request.url, secrets).partition("?")[0]
            self._say(f"{where}: {reply.error or reply.status}; trying again in {wait:.1f} s")
            time.sleep(wait)
        raise AssertionError("the last attempt returns")

    def _keep_quota(self, url: str, quota: Quota, headers: Mapping[str, str]) -> None:
        """Record that a quota is used up until its day ends."""
        now = server_time(headers) or time.time()
        seconds = seconds_of_day_left(now, quota.utc_offset)
        self._pauses.keep(url, _pause_now(seconds, headers), quota.name)

    def _attempt(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool]:
        """Send a request once, and once more if a token has run out; tell if that may change."""
        reply, is_transient = self._send(request, secrets)
        if reply.status == 401 and any(secret.renew() for secret in secrets):
            reply, is_transient = self._send(request, secrets)
        return reply, is_transient

    def _send(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool]:
        """Send a request once; tell if another attempt may change the reply."""
        session = self._guarded if request.is_found else self._session
        try:
            if failure := self._obtain(request, secrets):
                return failure
            response = session.exchange(prepare(session, request, secrets), self._timeout)
        except SecretError as error:
            return unusable(masked(str(error), secrets)), False
        except FetchError as error:
            wait, message = error.retry_after, masked(error.message, secrets)
            action = _CURES.get(type(error), "")
            reply = Reply(None, error=message, wait=wait or 0.0, action=action)
            return reply._replace(is_unsent=bool(action)), wait is not None
        with response:
            text, error_text = read_body(response, self._timeout)
        headers = {
            name.lower(): _hidden(value, secrets) for name, value in response.headers.items()
        }
        reply = Reply(response.status_code, headers, _hidden(text, secrets), error_text)
        is_transient = _is_transient(response) or request.is_busy(reply)
        wait = retry_after(response) if is_transient else 0.0
        return reply._replace(wait=wait), is_transient

    def _obtain(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool] | None:
        """
        Ask for the secrets in a request that have to be asked for.

        Returns:
            What to reply if nobody answers, and whether another attempt may change that.

        Raises:
            SecretError: If one cannot be had.

        """
        self._withheld = 0.0
        try:
            for secret in secrets:
                if secret.is_in(request.url, request.body, *request.headers.values()):
                    secret.obtain(self._fetch)
        except FetchError as error:
            wait, message = error.retry_after, masked(error.message, secrets)
            if self._withheld:
                return withheld(self._withheld, message), False
            action = retry_advice(wait) if wait else ""
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
        """Ask for a token; see `Fetch`."""
        seconds = min(self._timeout, timeout or self._timeout, max(self.left, _BLINK))
        with fetch_errors(seconds):
            asked = requests.Request(method, url, headers=dict(headers), data=body)
            prepared = self._session.prepare_request(asked)
        host = urls.hostname(url)
        if wait := self._pauses.left(url):
            self._withheld = wait
            raise FetchError(f"{host}: {self._pauses.reason(url)}")
        try:
            with self._session.exchange(prepared, seconds) as response:
                text, message = read_body(response, seconds)
        except FetchError as error:
            error.message = f"{host}: {error.message}"
            raise
        if message or _is_transient(response):
            message = message or f"status {response.status_code}"
            wait = retry_after(response)
            if wait:
                self._pauses.keep(url, _pause_now(wait, response.headers))
            raise FetchError(f"{host}: {message}", retry_after=wait)
        return response.status_code, response.headers, text.encode()


def _pause_now(seconds: float, headers: Mapping[str, str]) -> Pause:
    """Return the pause that a response asks for."""
    return Pause(time.time(), seconds, server_time(headers))


def _is_transient(response: Response) -> bool:
    """Return whether another attempt may help: https://www.rfc-editor.org/rfc/rfc9110#section-15"""
    return response.status_code in _TRANSIENT or response.status_code // 100 == 5


def _hidden(text: str, secrets: Sequence[Secret]) -> str:
    """Put the placeholders of secrets in the place of their values."""
    for secret in secrets:
        text = secret.hidden(text)
    return text
