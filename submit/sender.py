"""
Send what engines ask for: with patience, but not without end.

Only here secrets are put into requests, and taken out of answers. Redirects are not followed: what
is meant for one address, with a key, is not for another.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from math import ceil
from urllib.parse import urlsplit

import requests
from requests import PreparedRequest, Response

from sitemapx.convert.addresses import Adapter, limit_body
from sitemapx.convert.failures import explained, retry_after
from sitemapx.convert.fetching import USER_AGENT
from sitemapx.errors import FetchError, SecretError
from sitemapx.submit.engines.exchange import Reply, Request
from sitemapx.submit.pauses import Pauses
from sitemapx.submit.secrets import Secret, masked

__all__ = ["DryRun", "Sender"]

#: No engine says more; a body is only read so far.
_MAX_BODY = 1 << 20
_BLOCK = 1 << 14
_TOO_MANY = 429
#: Answers whose Retry-After is about the server, and not about one request.
_BUSY = (_TOO_MANY, 503)
#: Seconds; a timeout of none is an error of `requests`.
_BLINK = 0.1
_PAUSED = "the server asked for a pause because of too many requests or overload"


class Sender:
    """The network."""

    def __init__(
        self,
        *,
        user_agent: str = USER_AGENT,
        timeout: float = 30,
        retries: int = 3,
        backoff: float = 1.0,
        budget: float = 600,
        pauses: Pauses | None = None,
        allow_private: bool = False,
        say: Callable[[str], object] = lambda line: None,
    ) -> None:
        """
        Take how patient to be.

        Args:
            timeout: Seconds to connect, to the end of the headers, and for the whole body.
            retries: How often a request is repeated that may succeed the next time.
            backoff: Seconds to wait before that, and twice as many each time after.
            budget: Seconds for all that is sent, from `start` on; after that nothing is tried
                again.
            pauses: The servers that are to be left alone.
            allow_private: Whether URLs that were found may lead to private addresses.
            say: Is told what takes time.

        """
        self._timeout = timeout
        self._retries = retries
        self._backoff = backoff
        self._budget = budget
        self._end: float | None = None
        self._pauses = pauses or Pauses()
        self._say = say
        #: For how long a token may not be asked for.
        self._withheld = 0.0
        self._session = _session(user_agent)
        self._guarded = _session(user_agent, allow_private=allow_private)

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
        if wait := self._pauses.left(request.url):
            return _withheld(wait)
        for attempt in count(1):
            reply, is_transient = self._asked(request, secrets)
            if reply.status == _TOO_MANY and not reply.wait:
                reply = reply._replace(wait=request.pause)
            if reply.status in _BUSY:
                self._pauses.keep(request.url, reply.wait)
                again = f"run this again in {_time(reply.wait)}, or send now with --no-wait"
                reply = reply._replace(cure=again if reply.wait else "")
            elif reply.is_ok:
                self._pauses.end(request.url)
            if attempt > retries or not is_transient or request.is_vain(reply):
                return reply
            # Others that were refused at the same moment shall not all come back at the same.
            wait = reply.wait or self._backoff * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311
            if wait > self.left:
                return reply
            where = masked(request.url, secrets).partition("?")[0]
            self._say(f"{where}: {reply.error or reply.status}; trying again in {wait:.1f} s")
            time.sleep(wait)
        raise AssertionError("the last attempt returns")

    def _asked(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool]:
        """Send a request once, and once more if a token has run out; tell if that may change."""
        reply, is_transient = self._once(request, secrets)
        if reply.status == 401 and any(secret.renew() for secret in secrets):
            reply, is_transient = self._once(request, secrets)
        return reply, is_transient

    def _once(self, request: Request, secrets: Sequence[Secret]) -> tuple[Reply, bool]:
        session = self._guarded if request.is_found else self._session
        self._withheld = 0.0
        try:
            for secret in secrets:
                if secret.is_in(request.url, request.body, *request.headers.values()):
                    secret.obtain(self._fetch)
        except SecretError as error:
            cure = "fix the credentials, then run this again"
            said = masked(str(error), secrets)
            return Reply(None, error=said, cure=cure, is_refused=True), False
        except FetchError as error:
            wait, said = error.retry_after, masked(error.message, secrets)
            if self._withheld:
                return _withheld(self._withheld)._replace(error=said), False
            cure = f"run this again in {_time(wait)}" if wait else ""
            reply = Reply(None, error=said, wait=wait or 0.0, cure=cure, is_withheld=True)
            return reply, wait is not None
        try:
            response = self._sent(session, prepare(session, request, secrets), self._timeout)
        except SecretError as error:
            cure = "fix the credentials, then run this again"
            said = masked(str(error), secrets)
            return Reply(None, error=said, cure=cure, is_refused=True), False
        except FetchError as error:
            wait, said = error.retry_after, masked(error.message, secrets)
            cure = "pass --allow-private" if "--allow-private" in said else ""
            return Reply(None, error=said, wait=wait or 0.0, cure=cure), wait is not None
        with response:
            text, error_text = self._body(response, self._timeout)
        hidden = _hider(secrets)
        headers = {name.lower(): hidden(value) for name, value in response.headers.items()}
        reply = Reply(response.status_code, headers, hidden(text), error_text)
        is_transient = _is_transient(response) or request.is_busy(reply)
        wait = retry_after(response) if is_transient else 0.0
        return reply._replace(wait=wait), is_transient

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
        with explained(seconds):
            asked = requests.Request(method, url, headers=dict(headers), data=body)
            prepared = self._session.prepare_request(asked)
        host = urlsplit(url).hostname
        if wait := self._pauses.left(url):
            self._withheld = wait
            raise FetchError(f"{host}: {_PAUSED}")
        try:
            with self._sent(self._session, prepared, seconds) as response:
                text, said = self._body(response, seconds)
        except FetchError as error:
            error.message = f"{host}: {error.message}"
            raise
        if said or _is_transient(response):
            said = said or f"answers {response.status_code}"
            wait = retry_after(response)
            if response.status_code in _BUSY:
                self._pauses.keep(url, wait)
            raise FetchError(f"{host}: {said}", retry_after=wait)
        return response.status_code, response.headers, text.encode()

    def _sent(
        self, session: requests.Session, prepared: PreparedRequest, timeout: float
    ) -> Response:
        """Send what is prepared, and wait for the head of the answer."""
        with explained(timeout):
            settings = session.merge_environment_settings(prepared.url, {}, True, None, None)
            return session.send(prepared, timeout=timeout, allow_redirects=False, **settings)

    def _body(self, response: Response, timeout: float) -> tuple[str, str]:
        """Read what comes of a body in time, and say why that is not all."""
        data, end = b"", time.monotonic() + timeout
        late = f"not all of it came in {timeout:.3g} s"
        limit_body(response, timeout)
        try:
            with explained(timeout):
                for block in response.iter_content(_BLOCK):
                    data += block
                    if len(data) > _MAX_BODY:
                        return _text(data), f"more than {_MAX_BODY:,} bytes"
                    if time.monotonic() > end:
                        return _text(data), late
        except FetchError as error:
            return _text(data), late if time.monotonic() >= end else error.message
        return _text(data), ""


class DryRun:
    """Prints what would be sent, and lets the engine go on as if all were well."""

    def __init__(self, show: Callable[[str], object], *, user_agent: str = USER_AGENT) -> None:
        """Take what prints."""
        self._show = show
        self._session = _session(user_agent)

    def ask(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Print a request: as it is sent, but for its secrets."""
        known = [secret for secret in secrets if secret.is_at_hand]
        try:
            sent = prepare(self._session, request, known)
            shown = prepare(self._session, request, ())  # with marks, some of which may be seen
        except FetchError as error:
            return Reply(None, error=f"{request.url}: {error.message}")
        if "Content-Length" in sent.headers:
            shown.headers["Content-Length"] = sent.headers["Content-Length"]
        body = shown.body or b""
        text = body.decode() if isinstance(body, bytes) else str(body)
        lines = [f"{shown.method} {shown.url}"]
        lines += [f"{name}: {value}" for name, value in shown.headers.items()]
        self._show(masked("\n".join([*lines, "", *([text, ""] if text else [])]), secrets))
        return request.assumed


def prepare(
    session: requests.Session, request: Request, secrets: Sequence[Secret]
) -> PreparedRequest:
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
    with explained(0):
        return session.prepare_request(
            requests.Request(request.method, url, headers=headers, data=data)
        )


def _is_transient(response: Response) -> bool:
    """Tell what another attempt may change: https://www.rfc-editor.org/rfc/rfc9110#section-15"""
    return response.status_code == 429 or response.status_code // 100 == 5


def _session(user_agent: str, *, allow_private: bool = True) -> requests.Session:
    """Make a session: proxies and certificates of the environment, but no credentials."""
    session = requests.Session()
    session.auth = lambda prepared: prepared  # with one of its own, requests looks into no .netrc
    session.headers.update({"User-Agent": user_agent, "Accept-Encoding": "gzip"})
    adapter = Adapter(allow_private=allow_private, connections=1)
    for scheme in ("http://", "https://"):
        session.mount(scheme, adapter)
    return session


def _hider(secrets: Sequence[Secret]) -> Callable[[str], str]:
    def hidden(text: str) -> str:
        for secret in secrets:
            text = secret.hidden(text)
        return text

    return hidden


def _withheld(wait: float) -> Reply:
    """Make the reply to a request that is not sent, since the server asked for a pause."""
    cure = f"run this again in {_time(wait)}, or send now with --no-wait"
    return Reply(None, error=_PAUSED, wait=wait, cure=cure, is_withheld=True)


def _time(seconds: float) -> str:
    """Put a time into words."""
    return f"{ceil(seconds / 60)} minutes" if seconds > 60 else f"{ceil(seconds)} s"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
