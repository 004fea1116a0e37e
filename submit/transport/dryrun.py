"""A dry run: requests are printed in place of being sent."""

from collections.abc import Callable, Sequence

from sitemapx.convert.http.settings import USER_AGENT
from sitemapx.errors import FetchError, SecretError
from sitemapx.submit.engines.exchange import Reply, Request
from sitemapx.submit.secrets.secret import Secret, masked
from sitemapx.submit.transport.pauses import Pauses
from sitemapx.submit.transport.replies import unusable, withheld
from sitemapx.submit.transport.session import SubmitSession, prepare

__all__ = ["DryRun"]

#: So many characters of a long body are shown.
_SHOWN = 1000
#: What stands between two URLs.
_ENDS = (",", "\n", "&")


class DryRun:
    """Prints what would be sent, and lets the engine go on as if all were well."""

    def __init__(
        self,
        show: Callable[[str], object],
        *,
        user_agent: str = USER_AGENT,
        pauses: Pauses | None = None,
        is_whole: bool = True,
    ) -> None:
        """
        Take what prints.

        Args:
            is_whole: Whether to print a long body to its end.
            pauses: The servers that are to be left alone: nothing would be sent to them.

        """
        self._show = show
        self._pauses = pauses or Pauses()
        self._is_whole = is_whole
        self._session = SubmitSession(user_agent)

    def ask(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Print a request: as it is sent, but for its secrets."""
        quota = request.quota.name if request.quota else ""
        if wait := self._pauses.left(request.url, quota):
            return withheld(wait, self._pauses.reason(request.url, quota))
        known = [secret for secret in secrets if secret.is_at_hand]
        try:
            for secret in secrets:
                if secret.is_in(request.url, request.body, *request.headers.values()):
                    secret.check()
            sent = prepare(self._session, request, known)
            shown = prepare(self._session, request, ())  # with placeholders
        except SecretError as error:
            return unusable(masked(str(error), secrets))
        except FetchError as error:
            return Reply(None, error=f"{request.url}: {error.message}")
        if "Content-Length" in sent.headers:
            shown.headers["Content-Length"] = sent.headers["Content-Length"]
        body = shown.body or b""
        text = self._beginning(body.decode() if isinstance(body, bytes) else str(body))
        lines = [f"{shown.method} {shown.url}"]
        lines += [f"{name}: {value}" for name, value in shown.headers.items()]
        self._show(masked("\n".join([*lines, "", *([text, ""] if text else [])]), secrets))
        return request.assumed

    def _beginning(self, text: str) -> str:
        """Cut a long body, at the end of a URL if there is one."""
        if self._is_whole or len(text) <= _SHOWN:
            return text
        end = max(map(text[:_SHOWN].rfind, _ENDS)) + 1 or _SHOWN
        return f"{text[:end]} … and {len(text) - end:,} more characters; -v shows all"
