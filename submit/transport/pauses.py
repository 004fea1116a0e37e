"""Pauses that servers ask for, as long as the program runs."""

import time
from math import ceil

from sitemapx.convert.values import clock, urls

__all__ = ["Pauses"]

_PAUSED = "server asked for a pause because of too many requests or overload"


class Pauses:
    """
    The pauses that servers ask for.

    It is the server that asks, whoever the request is for: all that is sent there waits.
    """

    def __init__(self, *, is_obeyed: bool = True) -> None:
        """
        Begin with none.

        Args:
            is_obeyed: Whether requests are held back; the pauses are recorded either way.

        """
        self._is_obeyed = is_obeyed
        self._known: dict[str, tuple[float, float]] = {}

    def left(self, url: str) -> float:
        """Return for how many seconds nothing may be sent to the server of a URL."""
        if not self._is_obeyed:
            return 0.0
        since, seconds = self.recorded(urls.authority(url))
        # A clock that was set back takes nothing away, and does not make it longer.
        return max(seconds - max(time.time() - since, 0.0), 0.0)

    def reason(self, url: str) -> str:
        """Return why nothing is sent to the server of a URL, and until when."""
        end = clock.of_timestamp(ceil(time.time() + self.left(url)))
        return f"{_PAUSED}; nothing is sent until {end}"

    def keep(self, url: str, seconds: float) -> None:
        """Record that the server of a URL asked for a pause from now on."""
        if seconds > self.left(url):
            self.record(urls.authority(url), time.time(), seconds)

    def end(self, url: str) -> None:
        """Record that the server of a URL takes requests again."""
        if self.recorded(urls.authority(url))[1]:
            self.remove(urls.authority(url))

    def recorded(self, server: str) -> tuple[float, float]:
        """Return when a server asked for a pause, and for how many seconds; 0 for none."""
        return self._known.get(server, (0.0, 0.0))

    def record(self, server: str, since: float, seconds: float) -> None:
        """Record a pause."""
        self._known[server] = since, seconds

    def remove(self, server: str) -> None:
        """Remove the record of a pause."""
        del self._known[server]
