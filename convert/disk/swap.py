"""
Move several finished files into place, and restore the old files if that fails.

File systems cannot replace several files at once. Therefore, a swap is first written to disk as a
plan, which is removed when the swap is complete. Sizes and times show which files are already in
place, so a swap may be interrupted at any point.

A process undoes a swap that fails; the next run undoes or completes a swap whose process was
killed. To make this rare, a forked process executes the plan, except on Windows or with threads.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from sitemapx.convert.disk.atomic import error_message, replace_file
from sitemapx.convert.disk.system import sync
from sitemapx.errors import OutputError

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from sitemapx.convert.disk.swapplan import Plan


#: Name of the plan in a directory.
_PLAN = ".sitemapx.swap"

#: The temporary path of a finished file, and its final path.
Swap = tuple[str, str]


def swap_in(swaps: Sequence[Swap], stale: Sequence[str] = (), *, durable: bool = False) -> None:
    """
    Move files into place in order, then remove the files at the paths `stale`.

    To replace several files, the caller holds the lock of their directory and has called `recover`.
    With `durable`, the files survive a power failure.

    Raises:
        OutputError: If a file cannot be replaced; then all files are restored, unless the message
            says otherwise. If a stale file cannot be removed; then the new files are in place.

    """
    try:
        if durable:
            for path, _ in swaps:
                sync(path)
        if len(swaps) == 1 and not stale:  # a single rename is atomic
            replace_file(*swaps[0])
            if durable:
                with suppress(OSError):  # not supported by all file systems
                    sync(os.path.dirname(swaps[0][1]) or os.curdir)
        elif swaps or stale:
            _swap(swaps, stale)
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {error_message(error)}") from error


def is_pending(folder: str) -> bool:
    """Return whether a swap in a directory is in progress or was interrupted."""
    return os.path.lexists(os.path.join(folder, _PLAN))


def recover(folder: str) -> None:
    """Complete or undo an interrupted swap in a directory; the caller holds its lock."""
    if not is_pending(folder):
        return
    from sitemapx.convert.disk.swapplan import Plan

    path = os.path.join(folder, _PLAN)
    try:
        plan = Plan.read(path)
        if plan:
            _finish(plan)
    except OutputError:
        raise
    except OSError as error:  # the swap failed and was undone
        if is_pending(folder):
            message = f"cannot finish an interrupted replacement of files: {error_message(error)}"
            raise OutputError(message) from error


def _swap(swaps: Sequence[Swap], stale: Sequence[str]) -> None:
    from sitemapx.convert.disk.interrupts import defer_interrupts
    from sitemapx.convert.disk.swapplan import Plan

    folder = os.path.dirname((*(target for _, target in swaps), *stale)[0])
    with defer_interrupts():
        plan = Plan.make(os.path.join(folder, _PLAN), swaps, stale)
        try:
            unremoved = _finish(plan)
        finally:
            plan.tidy()
    if unremoved:
        names = ", ".join(os.path.join(folder, name) for name in unremoved)
        raise OutputError(
            f"everything was written, but files no longer listed could not be removed: {names}"
        )


def _execute_in_fork(plan: "Plan") -> None:
    import gc
    import threading
    import warnings

    if sys.platform == "win32" or threading.active_count() > 1:
        return
    with warnings.catch_warnings(), suppress(OSError):
        warnings.simplefilter("ignore", DeprecationWarning)  # warns of foreign threads
        process = os.fork()
        if not process:
            try:
                gc.disable()  # finalizers would release resources of the parent
                os.setsid()
                if not plan.execute():
                    plan.remove()
            finally:
                os._exit(0)
        os.waitpid(process, 0)


def _finish(plan: "Plan") -> list[str]:
    """
    Execute a plan, and return the names of the stale files that cannot be removed.

    If a file cannot be replaced, the plan is undone and the error raised.
    """
    _execute_in_fork(plan)
    if not os.path.lexists(plan.path):
        return []
    try:
        unremoved = plan.execute()
    except OSError as error:
        plan.undo(error_message(error))
        plan.remove()
        raise
    plan.remove()
    return unremoved
