"""
One process at a time in a folder.

It is the folder that is locked, since the files in it are replaced by new ones.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sitemapx.errors import OutputError

__all__ = ["folder_lock"]


@contextmanager
def folder_lock(folder: str, target: str = "") -> Iterator[None]:
    """
    Wait until no other process changes files in a folder.

    A process that is forked meanwhile holds the lock as well.

    Args:
        target: The file that is to be written there, as the caller calls it, for messages.

    Raises:
        OutputError: If the folder cannot be opened.

    """
    try:
        import fcntl
    except ImportError:  # Windows has no such locks
        yield
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise OutputError.of(target or folder, error) from error
    try:
        with suppress(OSError):  # some network disks have none, either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
