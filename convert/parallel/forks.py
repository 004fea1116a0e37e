"""Copies of this process."""

import threading


def can_fork() -> bool:
    """Return whether a copy of this process can go on: it has no other threads."""
    return threading.active_count() == 1
