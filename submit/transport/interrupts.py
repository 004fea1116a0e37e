"""Ctrl-C while a response is on its way."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Seconds to wait for the response.
_PATIENCE = 1.0


class Interrupts:
    """
    Delays Ctrl-C, so that a response that is on its way is recorded.

    Attributes:
        is_requested: Whether Ctrl-C was pressed and has not interrupted anything yet.

    """

    def __init__(self) -> None:
        self.is_requested = False

    @contextmanager
    def delayed(self) -> Iterator[None]:
        """
        Delay Ctrl-C to the end of the context, but by no more than a second, and only once.

        Only the main thread receives signals, and a caller's own handler is left alone.
        """
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
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
