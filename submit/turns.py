"""One run at a time sends from a journal."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sitemapx.errors import OutputError

__all__ = ["alone"]

#: How often to check whether the other run has ended.
_PAUSE = 0.1


@contextmanager
def alone(path: str, patience: float) -> Iterator[None]:
    """
    Wait until no other run uses a journal, and hold its lock as long as the context.

    The lock is that of a file beside the journal, whose content does not matter; readers of the
    journal need not wait.

    Args:
        path: The journal; empty for a private copy.
        patience: How many seconds to wait.

    Raises:
        OutputError: If another run is still at work then, or the file cannot be locked.

    """
    try:
        import fcntl
    except ImportError:  # Windows has no such locks
        path = ""
    if not path:
        yield
        return
    name, end = f"{path}-turn", time.monotonic() + patience
    try:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _failure(name, error) from error
    try:
        # Unlike flock, this lock is not inherited by processes that outlive the run.
        while True:
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except (BlockingIOError, PermissionError) as error:
                if time.monotonic() > end:
                    said = f"another run still sends from the journal {path}"
                    raise OutputError(f"{said}; --lock-timeout waits longer") from error
            except OSError as error:
                raise _failure(name, error) from error
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)


def _failure(name: str, error: OSError) -> OutputError:
    return OutputError(
        f"cannot lock {name}: {error.strerror}; --journal names a journal in another folder"
    )
