"""
One process at a time in a folder.

It is the folder that is locked, since the files in it are replaced by new ones.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from sitemapx.convert.disk.atomic import HOST
from sitemapx.convert.disk.swap import is_pending
from sitemapx.errors import OutputError


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
        raise OutputError.from_os_error(target or folder, error) from error
    try:
        with suppress(OSError):  # some network disks have none, either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


# ---- removes the temporary files of runs that were killed

#: What `temporary` makes: the machine, and the process.
_TEMPORARY = r"\..+\.([0-9a-f]{8})-([0-9]+)-[0-9]+\.tmp(?:\.old)?"
#: Seconds, for files of processes of which nothing is known, as on other machines.
_OLD = 3600


@cache
def tidy_folder(folder: str) -> None:
    """
    Remove the leftovers in a folder before the first file is written there.

    Those of a swap that is not finished are kept: `recover` needs them. A folder that cannot be
    opened is left for the writer to report.
    """
    with suppress(OutputError), folder_lock(folder):
        if not is_pending(folder):
            remove_leftovers(folder)


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files of runs that were killed; of other machines, if they are old."""
    with suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if (m := re.fullmatch(_TEMPORARY, name)) and not _is_in_use(path, m[1], int(m[2])):
                os.unlink(path)


def _is_in_use(path: str, host: str, process: int) -> bool:
    if host != HOST or os.name != "posix":  # elsewhere os.kill would end the process
        return os.stat(path).st_mtime > time.time() - _OLD
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True
