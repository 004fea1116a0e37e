"""Whether this process can be forked."""

import os
import threading


def can_fork() -> bool:
    """Return whether forking is possible and safe: this process has no other threads."""
    return hasattr(os, "fork") and threading.active_count() == 1
