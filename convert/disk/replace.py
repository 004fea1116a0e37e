"""
Replace one file, in one step, by another that was finished under a temporary name beside it.

Nothing is imported here that is not quick to import: an edit of robots.txt takes no longer.
"""

import errno
import os
import stat
from contextlib import suppress
from itertools import count

__all__ = ["HOST", "error_message", "replace_file", "sync", "temporary"]

_name = os.uname().nodename if hasattr(os, "uname") else ""
#: Tells this machine, or container, from others with which it shares a disk: a checksum of its
#: name, by the largest prime number that fits.
HOST = f"{int.from_bytes(_name.encode(), 'big') % 0xFFFFFFFB:08x}"
_numbers = count(1)
#: Bytes of the name of the file in a temporary name, which leaves room for the rest in 255 bytes.
_MAX_NAME = 200


def temporary(path: str) -> str:
    """Return a name for something that lies beside a file for a while, and tells whose it is."""
    folder, name = os.path.split(path)
    name = os.fsencode(name)[:_MAX_NAME].decode(errors="ignore")
    return os.path.join(folder, f".{name}.{HOST}-{os.getpid()}-{next(_numbers)}.tmp")


def replace_file(path: str, target: str) -> None:
    """Put a new file into its place, with the permissions of the one that it replaces."""
    with suppress(FileNotFoundError):
        os.chmod(path, stat.S_IMODE(os.stat(target).st_mode))
    os.replace(path, target)


def sync(path: str) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def error_message(error: OSError) -> str:
    """Put into words which file it is about, and why."""
    message = f"{error.filename2 or error.filename}: {error.strerror}"
    if error.errno == errno.EBUSY:
        message += "; if only this file is mounted, mount its directory instead"
    return message
