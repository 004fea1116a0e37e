"""Worker processes that begin when they are needed; until then, nothing of them is imported."""

import os
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Unpack

from sitemapx.errors import UsageError

if TYPE_CHECKING:
    from sitemapx.convert.parallel.pool import Reading, WorkerPool
    from sitemapx.convert.parallel.worker import Encode, FileOptions, ReadFile

__all__ = ["FileWorkers", "can_fork"]

#: From so many bytes on, several processes pay off; what is packed has so many times its size.
_LARGE, _PACKED = 8 << 20, 8


def can_fork() -> bool:
    """Return whether a copy of this process can go on: it has no other threads."""
    return threading.active_count() == 1


def _is_large(path: str, count: int) -> bool:
    """Return whether so many files like this one are large."""
    packed = _PACKED if path.endswith(".gz") else 1
    with suppress(OSError):
        return os.path.getsize(path) * packed * count >= _LARGE
    return False


class FileWorkers:
    """Processes that read files; they begin with the first of several."""

    def __init__(
        self,
        number: int,
        read: "ReadFile",
        on_read: Callable[[int], None],
        encode: "Encode | None",
        *,
        is_asked_for: bool,
    ) -> None:
        """
        Take what a `WorkerPool` needs.

        Args:
            is_asked_for: Whether somebody asked for so many processes; otherwise, they begin only
                where they pay off, and can.

        """
        self._arguments = number, read, on_read, encode
        self._pool: WorkerPool | None = None
        self._is_asked_for = is_asked_for

    def begin(self, path: str, count: int, **options: "Unpack[FileOptions]") -> "Reading | None":
        """
        Have a file read, with these options of `read`.

        Args:
            count: How many files there are at least, most of them probably like this one.

        Returns:
            None if there are no workers, and will be none for this.

        Raises:
            UsageError: If there cannot be so many processes as somebody asked for.

        """
        pays_off = self._is_asked_for or (_is_large(path, count) and can_fork())
        if self._pool is None and count > 1 and pays_off:
            from sitemapx.convert.parallel.pool import WorkerPool

            with nullcontext() if self._is_asked_for else suppress(UsageError):
                self._pool = WorkerPool(*self._arguments)
        return self._pool.begin(path, **options) if self._pool else None

    def close(self) -> None:
        """End them."""
        if self._pool:
            self._pool.close()
