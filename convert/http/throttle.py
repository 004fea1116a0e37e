"""Per-host throttling: maximum concurrency and minimum delay."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sitemapx.errors import FetchError, NotRequestedError

#: Statuses that use up the patience with a host: no response (None), or a response about the client
#: rather than the URL (429).
_ENOUGH = (None, 429)


class Host:
    """
    Throttles the requests to a host; threads wait in order of arrival.

    Args:
        patience: Number of consecutive requests without a response, or with status 429, after which
            no more are sent.
        delay: Seconds between the starts of two requests; None to call `fetch_delay`.
        fetch_delay: Returns the delay in seconds; called once, before the second request.

    """

    def __init__(
        self, at_once: int, patience: int, delay: float | None, fetch_delay: Callable[[], float]
    ) -> None:
        self._slots = _Slots(at_once)
        self._settling = threading.RLock()  # `fetch_delay` may be redirected to the same host
        self._lock = threading.Lock()
        self._delay = delay
        self._fetch_delay = fetch_delay
        self._requests = 0
        self._next = 0.0
        self._patience = patience
        self._silence = 0

    @contextmanager
    def throttled(self, *, may_fetch_delay: bool = True) -> Iterator[None]:
        """
        Wait until a request may start, and hold a slot while the context lasts.

        Raises `NotRequestedError` if the host stopped responding. Requests that `fetch_delay` sends
        itself set `may_fetch_delay=False`.
        """
        if may_fetch_delay:
            self._settle_delay()
        with self._slots.hold():
            if self._silence >= self._patience:
                raise NotRequestedError("not fetched: host stopped responding")
            self._wait()
            try:
                yield
            except FetchError as error:
                if error.retry_after:
                    self.pause(error.retry_after)
                self._silence = self._silence + 1 if error.status in _ENOUGH else 0
                raise
            self._silence = 0

    def _settle_delay(self) -> None:
        with self._settling:
            self._requests += 1
            if self._delay is None and self._requests == 2:
                self._delay = self._fetch_delay()
                self.pause(self._delay)

    def _wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + (self._delay or 0.0)
        if start > now:
            time.sleep(start - now)

    def pause(self, seconds: float) -> None:
        """Delay later requests until this many seconds from now."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


class _Slots:
    """
    A semaphore that serves threads in order of arrival.

    With `threading.Semaphore`, a thread that has just released a slot may overtake waiting threads,
    one of which may then wait for as long as there is work.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()

    @contextmanager
    def hold(self) -> Iterator[None]:
        given = threading.Event()
        with self._lock:
            self._waiting.append(given)
            self._hand_out()
        try:
            given.wait()
            yield
        finally:
            with self._lock:
                if given.is_set():
                    self._free += 1
                else:  # interrupted while waiting
                    self._waiting.remove(given)
                self._hand_out()

    def _hand_out(self) -> None:
        while self._free and self._waiting:
            self._free -= 1
            self._waiting.popleft().set()
