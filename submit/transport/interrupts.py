"""Defers Ctrl-C while a response is received."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Maximum number of seconds to wait for the response.
_PATIENCE = 1.0


class Interrupts:
    """
    Defers Ctrl-C, so that a response that is being received is still recorded.

    Attributes:
        is_requested: Whether Ctrl-C was pressed, but has been deferred.

    """

    def __init__(self) -> None:
        self.is_requested = False

    @contextmanager
    def defer(self) -> Iterator[None]:
        """
        Defer Ctrl-C to the end of the context, by at most a second, and only once.

        Does nothing outside the main thread, if the caller has a signal handler of its own, or on
        Windows, where Ctrl-C does not interrupt a response.
        """
        if sys.platform == "win32":
            yield
            return
        usual = signal.getsignal(signal.SIGINT)
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or usual is not signal.default_int_handler:
            yield
            return
        alarm = signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.signal(signal.SIGINT, self._request)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGINT, usual)
            signal.signal(signal.SIGALRM, alarm)

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.is_requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if sys.platform != "win32":  # Windows has no such handler
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
