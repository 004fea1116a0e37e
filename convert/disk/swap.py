"""
Put finished files into their places: all of them, or none.

No file system replaces several files at once. So a swap is planned on disk before it begins, in a
file that is removed when it is done: whoever finds a plan carries it out, or takes it back. Which
of its files are in place already shows by their sizes and times, so it may stop anywhere.

That is done by the process itself after a swap that failed, and by the next run after one that was
killed. Few kills come that far: a forked process in a session of its own carries out the plan, and
goes on when its parent dies.
"""

import os
from collections.abc import Sequence
from contextlib import suppress

from sitemapx.convert.disk.atomic import error_message, replace_file, sync
from sitemapx.errors import OutputError

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from sitemapx.convert.disk.swapplan import Plan


#: The name of the plan of a swap that is under way in a folder.
_PLAN = ".sitemapx.swap"

#: The path of a finished file, under its temporary name, and that of the file that it becomes.
Swap = tuple[str, str]


def swap_in(swaps: Sequence[Swap], stale: Sequence[str] = (), *, durable: bool = False) -> None:
    """
    Put all files into their places, in order, then remove what is stale.

    Whoever swaps several files has the lock of their folder, and has called `recover`.

    Args:
        durable: Whether the files are to outlast a power cut from now on.

    Raises:
        OutputError: If one cannot be replaced; then all is as before, or the message says what
            is not. If something stale cannot be removed; then the files are in their places.

    """
    try:
        if durable:
            for path, _ in swaps:
                sync(path)
        if len(swaps) == 1 and not stale:  # needs no plan
            replace_file(*swaps[0])
            if durable:
                sync(os.path.dirname(swaps[0][1]) or os.curdir)
        elif swaps or stale:
            _swap(swaps, stale)
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {error_message(error)}") from error


def is_pending(folder: str) -> bool:
    """Return whether a swap in this folder is under way, or was killed."""
    return os.path.lexists(os.path.join(folder, _PLAN))


def recover(folder: str) -> None:
    """
    Finish a swap in this folder that was killed, or take it back.

    Whoever calls this has the lock of the folder.

    Raises:
        OutputError: If neither can be done.

    """
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
    except OSError as error:  # taken back
        if is_pending(folder):
            message = f"cannot finish an interrupted replacement of files: {error_message(error)}"
            raise OutputError(message) from error


def _swap(swaps: Sequence[Swap], stale: Sequence[str]) -> None:
    from sitemapx.convert.disk.interrupts import deferred
    from sitemapx.convert.disk.swapplan import Plan

    folder = os.path.dirname((*(target for _, target in swaps), *stale)[0])
    with deferred():
        plan = Plan.make(os.path.join(folder, _PLAN), swaps, stale)
        try:
            _carry_out_apart(plan)
            unremoved = _finish(plan) if os.path.lexists(plan.path) else []
        finally:
            plan.tidy()
    if unremoved:
        names = ", ".join(os.path.join(folder, name) for name in unremoved)
        raise OutputError(
            f"everything was written, but files no longer listed could not be removed: {names}"
        )


def _carry_out_apart(plan: "Plan") -> None:
    """
    Let another process try, which no kill of this one hits.

    Whether it came to the end shows by the plan, which is gone then.
    """
    import gc
    import threading
    import warnings

    if not hasattr(os, "fork") or threading.active_count() > 1:
        return
    with warnings.catch_warnings(), suppress(OSError):
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads that are not Python's
        process = os.fork()
        if not process:
            try:
                gc.disable()  # what the parent holds is not this one's to give back
                os.setsid()
                if not plan.carry_out():
                    plan.end()
            finally:
                os._exit(0)
        os.waitpid(process, 0)


def _finish(plan: "Plan") -> list[str]:
    """Carry out a plan, or take it back; return what is stale and cannot be removed."""
    try:
        unremoved = plan.carry_out()
    except OSError as error:
        plan.take_back(error_message(error))
        plan.end()
        raise
    plan.end()
    return unremoved
