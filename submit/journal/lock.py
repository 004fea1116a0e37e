"""One run at a time sends from a journal."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sitemapx.errors import OutputError
from sitemapx.optionnames import advice, option

__all__ = ["LockFile", "journal_lock", "lock_path"]

#: How often to check whether the other run has ended.
_PAUSE = 0.1
#: Bytes of a note: four bits for every two URLs of the largest batch, 10,000, and more.
_SIZE = 8192


class LockFile:
    """
    A locked file beside the journal, with room for a note that needs no more space on disk.

    Args:
        descriptor: Descriptor of the file, open for reading and writing.

    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        if os.fstat(descriptor).st_size < _SIZE:
            self.write("")

    def read(self) -> str:
        """Return the note; empty if there is none."""
        return os.pread(self._descriptor, _SIZE, 0).decode("ascii", "replace").strip()

    def write(self, note: str) -> None:
        """Replace the note, unless the new one is too long."""
        if len(note) > _SIZE:
            return
        os.pwrite(self._descriptor, note.ljust(_SIZE).encode("ascii"), 0)
        os.fsync(self._descriptor)


def lock_path(path: str) -> str:
    """Return the path of the file whose lock is that of a journal."""
    return f"{path}-turn"


@contextmanager
def journal_lock(
    path: str,
    patience: float,
    on_wait: Callable[[], object] = lambda: None,
    *,
    action: str | None = None,
) -> Iterator[LockFile | None]:
    """
    Wait until no other run uses a journal, and hold its lock as long as the context.

    The lock is that of a file beside the journal; readers of the journal need not wait.

    Args:
        path: The journal; empty for a private copy.
        patience: How many seconds to wait.
        on_wait: Called once if there is another run, and patience.
        action: What to do if it is still at work then; None to advise more patience.

    Returns:
        The locked file; None for a private copy, and where files cannot be locked.

    Raises:
        OutputError: If another run is still at work then, or the file cannot be locked.

    """
    if not path or sys.platform == "win32":  # which has no such locks
        yield None
        return
    name = lock_path(path)
    try:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _failure(name, error) from error
    try:
        end, is_waiting = time.monotonic() + patience, False
        while not _is_locked(descriptor, name):
            if patience and not is_waiting:
                on_wait()
                is_waiting = True
            if time.monotonic() > end:
                longer = advice(f"raise {option('lock_timeout')} to wait longer")
                action = action or longer or "run again when it has finished"
                raise OutputError(f"another run is still using the journal {path}; {action}")
            time.sleep(_PAUSE)
        try:
            file = LockFile(descriptor)
        except OSError as error:
            raise _failure(name, error) from error
        yield file
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int, name: str) -> bool:
    """Lock a file; tell if that is possible now."""
    import fcntl

    try:
        # Unlike flock, this lock is not inherited by processes that outlive the run.
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        raise _failure(name, error) from error
    return True


def _failure(name: str, error: OSError) -> OutputError:
    another = advice(f"pass {option('journal')} to use one in another directory")
    return OutputError(f"cannot lock {name}: {error.strerror}; {another}")
