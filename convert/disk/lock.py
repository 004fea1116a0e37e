"""
Locks on directories, since a lock on a file is lost when the file is replaced.

Also removes temporary files of processes that were killed.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from sitemapx.convert.disk.atomic import HOST
from sitemapx.convert.disk.swap import is_pending
from sitemapx.convert.disk.system import close_folder, lock, open_folder
from sitemapx.errors import OutputError


@contextmanager
def folder_lock(folder: str, target: str = "") -> Iterator[None]:
    """
    Lock a directory exclusively while the context lasts; forked processes inherit the lock.

    Waits for other processes; has no effect on network disks without locks. `target` is the path of
    the file to write, for messages.
    """
    try:
        descriptor = open_folder(folder)
    except OSError as error:
        raise OutputError.from_os_error(target or folder, error) from error
    try:
        with suppress(OSError):  # not supported on some network disks
            lock(descriptor)
        yield
    finally:
        close_folder(descriptor, folder)


#: Names that `temporary` creates, also of backups; groups: host and process.
_TEMPORARY = r"\..+\.([0-9a-f]{8})-([0-9]+)-[0-9]+\.tmp(?:\.old)?"
#: Age in seconds at which files are removed if the state of their process is unknown.
_OLD = 3600


@cache
def tidy_folder(folder: str) -> None:
    """
    Remove the temporary files of killed runs, once per process and directory.

    While a swap is pending, they are kept, as `recover` needs them. A directory that cannot be
    opened is ignored; writing to the directory will report the error.
    """
    with suppress(OutputError), folder_lock(folder):
        if not is_pending(folder):
            remove_leftovers(folder)


def remove_leftovers(folder: str) -> None:
    """
    Remove the temporary files of killed runs; the caller holds the lock of the directory.

    Files of other hosts, and on Windows all files, are removed only if they are an hour old.
    """
    with suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if (m := re.fullmatch(_TEMPORARY, name)) and not _is_in_use(path, m[1], int(m[2])):
                os.unlink(path)


def _is_in_use(path: str, host: str, process: int) -> bool:
    if host != HOST or os.name != "posix":  # on Windows, os.kill would end the process
        return os.stat(path).st_mtime > time.time() - _OLD
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # the process belongs to another user
        return True
    return True
