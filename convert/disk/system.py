"""
Calls that differ between operating systems: locks, and flushing to disk.

Windows cannot lock a directory, so a file inside it is locked.
"""

import os
import sys

if sys.platform == "win32":
    import msvcrt
    import time
    from contextlib import suppress

    #: Name of the file whose lock stands for the lock of its directory.
    _FOLDER_LOCK = ".sitemapx.lock"
    #: Offset of the locked byte, after the contents, as other processes cannot read a locked byte.
    _LOCKED_BYTE = 1 << 30
    #: Seconds between attempts to lock.
    _INTERVAL = 0.05

    def open_folder(folder: str) -> int:
        return os.open(os.path.join(folder, _FOLDER_LOCK), os.O_RDWR | os.O_CREAT)

    def close_folder(descriptor: int, folder: str) -> None:
        os.close(descriptor)
        with suppress(OSError):  # another process has opened the file
            os.unlink(os.path.join(folder, _FOLDER_LOCK))

    def lock(descriptor: int) -> None:
        while not try_lock(descriptor):
            time.sleep(_INTERVAL)

    def try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    try_lock_alone = try_lock

    def sync(path: str) -> None:
        """Flush a file to disk; names in a directory cannot be flushed."""
        if os.path.isdir(path):
            return
        descriptor = os.open(path, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

else:
    import fcntl

    def open_folder(folder: str) -> int:
        """Return a descriptor to pass to `lock` and `try_lock` in order to lock a directory."""
        return os.open(folder, os.O_RDONLY)

    def close_folder(descriptor: int, folder: str) -> None:
        os.close(descriptor)

    def lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def try_lock(descriptor: int) -> bool:
        """Lock a file or directory exclusively; return False if it is already locked."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def try_lock_alone(descriptor: int) -> bool:
        """Like `try_lock`, but forked processes do not inherit the lock; only for files."""
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def sync(path: str) -> None:
        """Flush a file, or the names in a directory, to disk."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
