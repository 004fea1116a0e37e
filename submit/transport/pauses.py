"""Pauses that servers ask for, as long as the program runs."""

import time
from collections.abc import Callable
from math import ceil
from urllib.parse import urlsplit

__all__ = ["Pauses"]

_PAUSED = "the server asked for a pause because of too many requests or overload"


class Pauses:
    """
    The pauses that servers ask for.

    It is the server that asks, whoever the request is for: all that is sent there waits.
    """

    def __init__(self, *, is_obeyed: bool = True, now: Callable[[], float] = time.time) -> None:
        """
        Begin with none.

        Args:
            is_obeyed: Whether requests are held back; the pauses are recorded either way.

        """
        self._is_obeyed = is_obeyed
        self._now = now
        self._known: dict[str, tuple[float, float]] = {}

    def left(self, url: str) -> float:
        """Return for how many seconds nothing may be sent to the server of a URL."""
        if not self._is_obeyed:
            return 0.0
        since, seconds = self.recorded(_server(url))
        # A clock that was set back takes nothing away, and does not make it longer.
        return max(seconds - max(self._now() - since, 0.0), 0.0)

    def reason(self, url: str) -> str:
        """Return why nothing is sent to the server of a URL, and until when."""
        end = time.gmtime(ceil(self._now() + self.left(url)))
        return f"{_PAUSED}; it is paused until {time.strftime('%Y-%m-%dT%H:%M:%SZ', end)}"

    def keep(self, url: str, seconds: float) -> None:
        """Record that the server of a URL asked for a pause from now on."""
        if seconds > self.left(url):
            self.record(_server(url), self._now(), seconds)

    def end(self, url: str) -> None:
        """Record that the server of a URL takes requests again."""
        if self.recorded(_server(url))[1]:
            self.remove(_server(url))

    def recorded(self, server: str) -> tuple[float, float]:
        """Return when a server asked for a pause, and for how many seconds; 0 for none."""
        return self._known.get(server, (0.0, 0.0))

    def record(self, server: str, since: float, seconds: float) -> None:
        """Record a pause."""
        self._known[server] = since, seconds

    def remove(self, server: str) -> None:
        """Remove the record of a pause."""
        del self._known[server]


def _server(url: str) -> str:
    """Return the host of a URL, with its port; all of it if it is no URL."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return url
