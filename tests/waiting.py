"""Waits for events during a command, without guessing how long they take."""

import subprocess
import time
from collections.abc import Callable

from tests.conftest import PATIENCE

__all__ = ["wait_until"]


def wait_until(
    happened: Callable[[], object], process: subprocess.Popen[bytes] | None = None
) -> None:
    """
    Wait until `happened` returns True.

    Args:
        process: The process that causes the event; the test fails if it ends before that. None if
            the event has another cause.

    """
    until = time.monotonic() + PATIENCE
    while not happened():
        if process:
            assert process.poll() is None, f"ended with status {process.returncode}"
        assert time.monotonic() < until
        time.sleep(0.01)
