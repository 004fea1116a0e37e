"""A dry run that asks the site that is submitted, but no search engine."""

from collections.abc import Sequence

from sitemapx.submit.engines.exchange import Reply, Request
from sitemapx.submit.secrets.secret import Secret
from sitemapx.submit.transport.transport import Transport

__all__ = ["SiteOnly"]


class SiteOnly:
    """Sends requests for files of the site, such as a key file, and leaves others to a dry run."""

    def __init__(self, network: Transport, dry_run: Transport) -> None:
        self._network = network
        self._dry_run = dry_run

    def ask(self, request: Request, secrets: Sequence[Secret]) -> Reply:
        """Return the reply of the site, or the one that a dry run assumes."""
        is_of_site = request.method == "GET" and request.is_found
        return (self._network if is_of_site else self._dry_run).ask(request, secrets)
