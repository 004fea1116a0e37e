"""Forking of this process."""

import threading


def can_fork() -> bool:
    """Return whether forking is safe: this process has no other threads."""
    return threading.active_count() == 1
