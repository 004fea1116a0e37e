"""Pauses that servers request, and daily quotas that are used up."""

import time
from math import ceil
from typing import NamedTuple

from sitemapx.convert.values import clock, urls

_DAY = 86_400
_PAUSED = "server asked for a pause because of too many requests or overload"
_USED_UP = "today's quota is used up"


class Pause(NamedTuple):
    """
    A pause requested by a server.

    Attributes:
        since: Time of the request by the local clock, in seconds since 1970.
        seconds: Duration.
        date: Time of the request by the clock of the server; None if unknown.

    """

    since: float = 0.0
    seconds: float = 0.0
    date: float | None = None

    def seconds_left(self, now: float) -> float:
        """
        Return the remaining seconds at a time, even if the local clock was set back.

        If `now` is before `since`, the clock was wrong when the pause began, so `date` is used
        instead, if known.

        >>> Pause(1000, 60, 1000).seconds_left(1020), Pause(9000, 60, 1000).seconds_left(1020)
        (40, 40)
        >>> Pause(1000, 60).seconds_left(900)
        60

        """
        begin = self.since
        if now < begin:
            begin = now if self.date is None else min(self.date, now)
        return max(self.seconds - (now - begin), 0)


class Pauses:
    """
    Pauses requested by servers, and used-up quotas, kept for the duration of the process.

    A pause applies to all requests to a server; a quota only to requests that count against the
    quota.

    Args:
        is_obeyed: Whether pauses defer requests; they are recorded in any case.

    """

    def __init__(self, *, is_obeyed: bool = True) -> None:
        self._is_obeyed = is_obeyed
        self._known: dict[str, Pause] = {}

    def seconds_left(self, url: str, quota: str = "") -> float:
        """Return the seconds to wait before a request; `quota` is the name of its quota, if any."""
        server = urls.authority(url)
        return max(self._seconds_left(server), self._seconds_left(_key(server, quota)))

    def _seconds_left(self, key: str) -> float:
        return self.stored_pause(key).seconds_left(time.time()) if self._is_obeyed else 0.0

    def reason_to_wait(self, url: str, quota: str = "") -> str:
        """Return why, and until when, requests to a paused URL wait, as text for users."""
        left = self.seconds_left(url, quota)
        why = _PAUSED if self._seconds_left(urls.authority(url)) == left or not quota else _USED_UP
        return f"{why}; nothing is sent until {clock.format_timestamp(ceil(time.time() + left))}"

    def note_pause(self, url: str, pause: Pause, quota: str = "") -> None:
        """Record a pause of the server of a URL, or of a quota, unless a longer one applies."""
        key = _key(urls.authority(url), quota)
        if pause.seconds_left(time.time()) > self._seconds_left(key):
            self.store_pause(key, pause)

    def end_pause(self, url: str) -> None:
        """Remove the pause of the server of a URL, since the server accepts requests again."""
        if self.stored_pause(urls.authority(url)).seconds:
            self.remove_pause(urls.authority(url))

    def stored_pause(self, key: str) -> Pause:
        """Return the pause recorded for a key (see `_key`), or a pause of no duration."""
        return self._known.get(key, Pause())

    def store_pause(self, key: str, pause: Pause) -> None:
        self._known[key] = pause

    def remove_pause(self, key: str) -> None:
        del self._known[key]


def _key(server: str, quota: str) -> str:
    return f"{server} {quota}" if quota else server


def seconds_of_day_left(now: float, utc_offset: int) -> float:
    """
    Return the seconds until midnight in a time zone; `utc_offset` is in hours.

    >>> seconds_of_day_left(0, 8) / 3600, seconds_of_day_left(0, -8) / 3600
    (16.0, 8.0)

    """
    return _DAY - (now + utc_offset * 3600) % _DAY
