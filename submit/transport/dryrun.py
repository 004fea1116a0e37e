"""Dry runs: requests are shown instead of sent, except GET requests for files of the site."""

from collections.abc import Callable, Sequence

from sitemapx.convert.http.settings import USER_AGENT
from sitemapx.errors import FetchError, SecretError
from sitemapx.submit.engines.exchange import Reply, Request
from sitemapx.submit.secrets.secret import Secret, mask_secrets
from sitemapx.submit.transport.pauses import Pauses
from sitemapx.submit.transport.sender import (
    SubmitSession,
    prepare_request,
    unusable_reply,
    withheld_reply,
)
from sitemapx.submit.transport.transport import Transport

#: Maximum number of characters shown of a long body.
_SHOWN = 1000
#: Separators of URLs.
_ENDS = (",", "\n", "&")


class DryRunTransport:
    """
    Shows requests instead of sending them, and replies as if they were successful.

    Args:
        show: Called with the text of each request that would be sent.
        is_whole: Whether to show long bodies completely.
        pauses: Pauses requested by servers, during which no requests are shown.
        site: Sends GET requests for files of the site, such as a key file; None to show them.

    """

    def __init__(
        self,
        show: Callable[[str], object],
        *,
        user_agent: str = USER_AGENT,
        pauses: Pauses | None = None,
        is_whole: bool = True,
        site: Transport | None = None,
    ) -> None:
        self._show = show
        self._pauses = pauses or Pauses()
        self._is_whole = is_whole
        self._site = site
        self._session = SubmitSession(user_agent)

    def send_request(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """
        Show a request without its secrets, and return its assumed reply.

        A request for a file of the site is sent. A request to a paused server gets the reply of a
        withheld request.
        """
        if self._site and request.method == "GET" and request.is_found:
            return self._site.send_request(request, secrets)
        quota = request.quota.name if request.quota else ""
        if wait := self._pauses.seconds_left(request.url, quota):
            return withheld_reply(wait, self._pauses.reason_to_wait(request.url, quota))
        known = [secret for secret in secrets if secret.is_at_hand]
        try:
            for secret in secrets:
                if secret.is_in(request.url, request.body, *request.headers.values()):
                    secret.check_source()
            sent = prepare_request(self._session, request, known)
            shown = prepare_request(self._session, request, ())  # keeps the placeholders
        except SecretError as error:
            return unusable_reply(mask_secrets(str(error), secrets))
        except FetchError as error:
            return Reply(None, error=f"{request.url}: {error.message}")
        if "Content-Length" in sent.headers:
            shown.headers["Content-Length"] = sent.headers["Content-Length"]
        body = shown.body or b""
        text = self._beginning(body.decode() if isinstance(body, bytes) else str(body))
        lines = [f"{shown.method} {shown.url}"]
        lines += [f"{name}: {value}" for name, value in shown.headers.items()]
        self._show(mask_secrets("\n".join([*lines, "", *([text, ""] if text else [])]), secrets))
        return request.assumed

    def _beginning(self, text: str) -> str:
        """Shorten a long body, if possible after a URL."""
        if self._is_whole or len(text) <= _SHOWN:
            return text
        end = max(map(text[:_SHOWN].rfind, _ENDS)) + 1 or _SHOWN
        return f"{text[:end]} … and {len(text) - end:,} more characters; -v shows all"
