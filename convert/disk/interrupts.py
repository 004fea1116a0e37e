"""Defer or block signals."""

import signal
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # SIGHUP is missing on Windows


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer SIGINT, SIGTERM and SIGHUP in the main thread; raise the first after the context."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        received.append(number)

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
        for number in received[:1]:
            signal.raise_signal(number)


@contextmanager
def block_signals(numbers: Collection[int]) -> Iterator[None]:
    """Block signals for this thread and its forks while the context lasts; not on Windows."""
    if sys.platform == "win32":
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def unblock_signals(numbers: Collection[int]) -> None:
    """Unblock signals in a process that was forked while `block_signals` was active."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
