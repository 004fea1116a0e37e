"""Servers that asked to be left alone: kept in the journal, so that later runs obey, too."""

import time
from collections.abc import Callable
from urllib.parse import urlsplit

from sitemapx.submit.journal import Journal
from sitemapx.submit.journalerrors import explained

__all__ = ["Pauses"]


class Pauses:
    """
    How long servers are to be left alone.

    It is the server that asks, whoever the request is for: all that is sent there waits.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        *,
        is_obeyed: bool = True,
        now: Callable[[], float] = time.time,
    ) -> None:
        """
        Take where they are kept.

        Args:
            journal: Keeps them for later runs; without one they last as long as this object.
            is_obeyed: Whether requests are held back; what servers ask for is kept either way.

        """
        self._journal = journal
        self._is_obeyed = is_obeyed
        self._now = now
        self._known: dict[str, tuple[float, float]] = {}
        if journal:
            with explained(journal.name):
                rows = journal.connection.execute("SELECT server, since, seconds FROM pauses")
                self._known = {server: (since, seconds) for server, since, seconds in rows}

    def left(self, url: str) -> float:
        """Return for how many seconds nothing may be sent to the server of a URL."""
        if not self._is_obeyed:
            return 0.0
        since, seconds = self._known.get(_server(url), (0.0, 0.0))
        # A clock that was set back takes nothing away, and does not make it longer.
        return max(seconds - max(self._now() - since, 0.0), 0.0)

    def keep(self, url: str, seconds: float) -> None:
        """Note that the server of a URL asked to be left alone from now on."""
        if seconds <= self.left(url):
            return
        server, since = _server(url), self._now()
        self._known[server] = since, seconds
        self._record("INSERT OR REPLACE INTO pauses VALUES (?, ?, ?)", server, since, seconds)

    def end(self, url: str) -> None:
        """Note that the server of a URL takes requests again."""
        server = _server(url)
        if self._known.pop(server, None):
            self._record("DELETE FROM pauses WHERE server = ?", server)

    def _record(self, sql: str, *values: object) -> None:
        if self._journal:
            with self._journal.changing():
                self._journal.connection.execute(sql, values)


def _server(url: str) -> str:
    """Give the host of a URL, with its port; of what is no URL all of it."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return url
