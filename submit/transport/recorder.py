"""A recorder of requests: which of those that change something go out."""

from collections.abc import Sequence

from sitemapx.submit.engines.exchange import Reply, Request
from sitemapx.submit.secrets.secret import Secret
from sitemapx.submit.transport.transport import Transport

__all__ = ["Recorder"]


class Recorder:
    """A transport that records whether requests that change something go out by another one."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.forget()

    def forget(self) -> None:
        """Forget the requests so far."""
        self._withheld = self._unsent = self._sent = 0

    @property
    def is_sent(self) -> bool:
        """Whether any went out, or none was to."""
        return bool(self._sent or not (self._withheld or self._unsent))

    @property
    def is_withheld(self) -> bool:
        """Whether some were held back, since servers asked for a pause."""
        return bool(self._withheld)

    def ask(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Pass a request on."""
        reply = self._transport.ask(request, secrets)
        self._withheld += reply.is_withheld
        if request.method not in ("GET", "HEAD"):
            self._unsent += reply.is_unsent
            self._sent += not (reply.is_withheld or reply.is_unsent)
        return reply
