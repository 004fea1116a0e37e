"""Signals that wait until something is done that must not stop half-way."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has not the last


@contextmanager
def deferred() -> Iterator[None]:
    """
    Let Ctrl-C and polite kills wait for the end of the block.

    Only in the main thread: no other is ever interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {}
    try:
        for number in (getattr(signal, name) for name in _NAMES if hasattr(signal, name)):
            handler = signal.getsignal(number)
            if handler not in (signal.SIG_IGN, None):  # None: not set by Python
                before[number] = handler
                signal.signal(number, remember)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)
