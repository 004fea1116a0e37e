"""Be polite: so many requests at once to a host and no more, and time between them."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sitemapx.errors import FetchError, NotAskedError

#: No answer at all, or one that is about who asks, and not about what is asked for.
_ENOUGH = (None, 429)


class Host:
    """
    A host, and when it may be asked next.

    Requests from several threads take turns, first come, first served.
    """

    def __init__(
        self, at_once: int, patience: int, delay: float | None, ask: Callable[[], float]
    ) -> None:
        """
        Take how to treat it.

        Args:
            at_once: How many requests may be under way at the same time.
            patience: It is asked no more after so many requests in a row without an answer, or
                that were too many for it.
            delay: Seconds from the start of one to the start of the next.
            ask: Asks the host for the delay if that is None, before the second request.

        """
        self._slots = _Slots(at_once)
        self._settling = threading.RLock()  # what asks may be redirected
        self._lock = threading.Lock()
        self._delay = delay
        self._ask = ask
        self._requests = 0
        self._next = 0.0
        self._patience = patience
        self._silence = 0

    @contextmanager
    def turn(self, *, asks: bool = True) -> Iterator[None]:
        """
        Wait until it is time for a request, which lasts as long as the context.

        Args:
            asks: Whether the host may be asked for the delay before; not by what asks itself.

        Raises:
            NotAskedError: If the host does not answer at all any more.

        """
        if asks:
            self._settle_delay()
        with self._slots.one():
            if self._silence >= self._patience:
                raise NotAskedError("not fetched: host stopped responding")
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
        """Ask for the delay when it matters: before the second request, and once."""
        with self._settling:
            self._requests += 1
            if self._delay is None and self._requests == 2:
                self._delay = self._ask()
                self.pause(self._delay)

    def _wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + (self._delay or 0.0)
        if start > now:
            time.sleep(start - now)

    def pause(self, seconds: float) -> None:
        """Ask nothing of the host for so long."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


class _Slots:
    """
    A number of slots, given to threads in the order in which they ask.

    `threading.Semaphore` lets a thread that has just released a slot overtake those that wait, so
    one of them may wait for as long as there is work.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for a slot, and hold it as long as the context lasts."""
        given = threading.Event()
        with self._lock:
            self._waiting.append(given)
            self._give()
        try:
            given.wait()
            yield
        finally:
            with self._lock:
                if given.is_set():
                    self._free += 1
                else:  # interrupted before it was given one
                    self._waiting.remove(given)
                self._give()

    def _give(self) -> None:
        while self._free and self._waiting:
            self._free -= 1
            self._waiting.popleft().set()
